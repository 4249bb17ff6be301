/**
 * Whether this node may hold from its assignments: while its lease is certainly live, and the last
 * write succeeded. The node counts the lease from before it was asked for, and ends it early.
 */
import type { Clock } from '../../clock.ts';
import { asGatewayError } from '../../errors.ts';

/** How long before its end a lease is not used any more. Clocks may run at different rates. */
export const LEASE_MARGIN_MS = 2_000;

export type Instant = { readonly wallMs: number; readonly monotonicMs: number };

export class NodeRight {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  #epoch: string | null = null;
  /** The monotonic clock may stand still while a machine sleeps; the wall clock may jump back. */
  #until: Instant = { wallMs: 0, monotonicMs: 0 };
  #isAway = false;

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** The epoch of the lease; null before it is taken and after it was lost. */
  get epoch(): string | null {
    return this.#epoch;
  }

  /** The time at which a lease is asked for. */
  now(): Instant {
    return { wallMs: this.#clock.nowMs(), monotonicMs: this.#clock.monotonicMs() };
  }

  /** The store granted the lease, asked for at `asked`. */
  granted(epoch: string, asked: Instant, leaseMs: number): void {
    this.#epoch = epoch;
    const usableMs = leaseMs - LEASE_MARGIN_MS;
    const { wallMs, monotonicMs } = asked;
    this.#until = { wallMs: wallMs + usableMs, monotonicMs: monotonicMs + usableMs };
  }

  lost(): void {
    this.#epoch = null;
  }

  /** Whether holds of this epoch may be made in memory now. */
  mayHold(epoch: string): boolean {
    if (this.#isAway || this.#epoch !== epoch) return false;
    const { wallMs, monotonicMs } = this.#until;
    return this.#clock.monotonicMs() < monotonicMs && this.#clock.nowMs() < wallMs;
  }

  /** Remembers whether the store could be reached. */
  async note<Answer>(asking: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await asking;
      this.#isAway = false;
      return answer;
    } catch (thrown) {
      if (asGatewayError(thrown).code === 'store_unavailable') this.#isAway = true;
      throw thrown;
    }
  }
}
