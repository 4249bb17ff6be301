/** Passes the events of the relay to the metrics, the journal and the log. */
import { asGatewayError } from '../errors.ts';
import type { Command, Ledger, Outcome } from '../ledger/ledger.ts';
import { OutcomeInDoubt } from '../ledger/ledger.ts';
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
      log.warn({ requestId, cardId, upstream, unpriced: [...unpriced] }, 'served without a price');
  },
  onBrokenStream: (requestId, { code, message, cause }) =>
    log.warn({ requestId, code, cause: describeCause(cause) }, message),
  onSettleFailed: (command, thrown) => {
    metrics.settleFailed();
    if (command.kind === 'settle') journal.notBooked(command.id);
    // This line is the only record of the command, which the operator can book by hand.
    log.error({ command: JSON.stringify(command, bigintAsText), err: thrown }, 'not booked');
  },
});

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** Calls `onFailed` with the status or code of each hold or extension that is not granted. */
export function watchHolds(
  ledger: Pick<Ledger, 'apply'>,
  onFailed: (reason: string) => void,
): Pick<Ledger, 'apply'> {
  const isHold = ({ kind }: Command): boolean => kind === 'hold' || kind === 'extend';
  const isGranted = (outcome: Outcome | undefined): boolean =>
    outcome?.status === 'applied' || outcome?.status === 'already_applied';
  return {
    apply: async (batch) => {
      try {
        const outcomes = await ledger.apply(batch);
        for (const [i, command] of batch.entries()) {
          const outcome = outcomes[i];
          if (isHold(command) && !isGranted(outcome)) onFailed(outcome?.status ?? 'no_outcome');
        }
        return outcomes;
      } catch (thrown) {
        const reason = thrown instanceof OutcomeInDoubt ? 'in_doubt' : asGatewayError(thrown).code;
        for (const command of batch) if (isHold(command)) onFailed(reason);
        throw thrown;
      }
    },
  };
}
