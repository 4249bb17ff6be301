/** Forwards the events of the relay to the metrics, the journal and the log. */
import { asGatewayError } from '../errors.ts';
import { type Outcome, OutcomeInDoubt, type Sales } from '../ledger/ledger.ts';
import { unpricedIn } from '../money/terms-json.ts';
import type { Till } from '../relay/purchase.ts';
import type { Shop } from '../relay/sell.ts';
import { describeCause, type Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestJournal } from './request-journal.ts';

type Recorders = {
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'settled' | 'settleFailed'>;
  readonly journal: Pick<RequestJournal, 'settled' | 'notBooked'>;
};

export const relayEvents = ({
  log,
  metrics,
  journal,
}: Recorders): Pick<Till, 'onSettled' | 'onSettleFailed'> & Pick<Shop, 'onBrokenStream'> => ({
  onSettled: (settled) => {
    metrics.settled(settled);
    journal.settled(settled);
    const { requestId, cardId, upstream, facts } = settled.receipt;
    const unpriced = unpricedIn(facts);
    if (unpriced.length > 0)
      log.warn(
        { requestId, cardId, upstream, unpriced: [...unpriced] },
        'an answer has parts for which its price card has no price',
      );
  },
  onBrokenStream: (requestId, { code, message, cause }) =>
    log.warn({ requestId, code, cause: describeCause(cause) }, message),
  onSettleFailed: (command, thrown) => {
    metrics.settleFailed();
    if (command.kind === 'settle') journal.notBooked(command.id);
    // The log line is the only record of the command. The operator needs it to book the command by
    // hand.
    log.error(
      { command: JSON.stringify(command, bigintAsText), err: thrown },
      'this command was not booked and is not in the spool; book it by hand',
    );
  },
});

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/**
 * Calls `onFailed` for each hold or extension that is not granted, with its status or error code.
 */
export function watchHolds(ledger: Sales, onFailed: (reason: string) => void): Sales {
  const look = (outcome: Outcome): Outcome => {
    const isGranted = outcome.status === 'applied' || outcome.status === 'already_applied';
    if (!isGranted) onFailed(outcome.status);
    return outcome;
  };
  const failed = (thrown: unknown): never => {
    onFailed(thrown instanceof OutcomeInDoubt ? 'in_doubt' : asGatewayError(thrown).code);
    throw thrown;
  };
  // If `decide` returns no promise, its outcome is returned as it is, so that the request need not
  // wait.
  const watched =
    <Command>(decide: (command: Command) => Outcome | Promise<Outcome>) =>
    (command: Command): Outcome | Promise<Outcome> => {
      try {
        const outcome = decide(command);
        return outcome instanceof Promise ? outcome.then(look, failed) : look(outcome);
      } catch (thrown) {
        return failed(thrown);
      }
    };
  return {
    hold: watched((command) => ledger.hold(command)),
    extend: watched((command) => ledger.extend(command)),
    settle: (command, isKeyed) => ledger.settle(command, isKeyed),
    keepCheckpoint: (holdId, checkpoint) => ledger.keepCheckpoint(holdId, checkpoint),
  };
}
