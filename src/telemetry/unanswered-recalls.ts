/** Counts and logs each recall of assigned balance that a node did not answer in time. */
import type { Clock } from '../clock.ts';
import type { UnansweredRecall } from '../ledger/assigned/unanswered-recall.ts';

/**
 * The minimum time between two warnings, since every request of an account may fail until a lease
 * ends.
 */
const REFUSED_EVERY_MS = 10_000;

type Deps = {
  readonly log: Readonly<Record<'warn' | 'error', (fields: object, message: string) => void>>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

export class UnansweredRecalls {
  readonly #log: Deps['log'];
  readonly #clock: Deps['clock'];
  #count = 0;
  #nextLineMs = 0;

  constructor({ log, clock }: Deps) {
    this.#log = log;
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  readonly add = ({ accountIds, of, id, loss }: UnansweredRecall): void => {
    this.#count += 1;
    const nowMs = this.#clock.monotonicMs();
    if (of === 'change') {
      this.#log.error(
        { accounts: accountIds },
        'a change of these accounts is stored, but a node did not confirm that it knows; it may ' +
          'accept requests by the old state until it hears of it, with its next heartbeat, or its ' +
          'lease ends',
      );
    } else if (loss > 0n) {
      this.#log.error(
        { accounts: accountIds, command: of, id, loss: loss.toString() },
        'a settlement lost money because a node that does not answer keeps a part of the balance',
      );
    } else if (nowMs >= this.#nextLineMs) {
      this.#nextLineMs = nowMs + REFUSED_EVERY_MS;
      this.#log.warn(
        { accounts: accountIds, command: of, id },
        'refused a command for lack of balance, of which a node that does not answer keeps a part; ' +
          'it returns when the node answers a heartbeat, or its lease ends',
      );
    }
  };
}
