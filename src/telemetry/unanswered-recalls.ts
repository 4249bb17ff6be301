/**
 * Counts and logs unanswered recalls. A recall asks a node to return a part of an account's balance
 * or to confirm a change. An unanswered one got no reply in time.
 */
import type { Clock } from '../clock.ts';
import type { UnansweredRecall } from '../ledger/assigned/unanswered-recall.ts';

/**
 * The minimum time between two warnings about refused commands. Without this limit, every request
 * of an account could log a warning while a node does not respond, until the lease of that node
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
        'a change of these accounts is stored, but a node did not confirm that it knows the change; ' +
          'that node may still act on the old state until its next heartbeat or the end of ' +
          'its lease',
      );
    } else if (loss > 0n) {
      this.#log.error(
        { accounts: accountIds, command: of, id, loss: loss.toString() },
        'a settlement lost money because an unresponsive node keeps a part of the balance',
      );
    } else if (nowMs >= this.#nextLineMs) {
      this.#nextLineMs = nowMs + REFUSED_EVERY_MS;
      this.#log.warn(
        { accounts: accountIds, command: of, id },
        'refused a command because the balance is too low; an unresponsive node keeps a part of the ' +
          'balance until it answers a heartbeat or its lease ends',
      );
    }
  };
}
