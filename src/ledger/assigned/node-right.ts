/**
 * Decides whether this node may make holds from the money that is assigned to it. It may do so only
 * while its lease is certainly live and its last question reached the store. The lease counts from
 * the time when the node asked for it.
 */
import type { Clock } from '../../clock.ts';
import { asGatewayError } from '../../errors.ts';

/** A lease is unused for this long before its end, because clocks may run at different rates. */
export const LEASE_MARGIN_MS = 2_000;

export type Instant = { readonly wallMs: number; readonly monotonicMs: number };

export class NodeRight {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  #epoch: string | null = null;
  /**
   * When the right to make holds ends, by both clocks. The monotonic clock may stop during sleep,
   * and the wall clock may jump.
   */
  #until: Instant = { wallMs: 0, monotonicMs: 0 };
  #isAway = false;
  /** The store's clock minus the monotonic clock; null before the store's clock was read. */
  #storeAheadMs: number | null = null;

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** The epoch of the lease; null before it is taken and after it was lost. */
  get epoch(): string | null {
    return this.#epoch;
  }

  /**
   * Returns the current time. Call it before asking for a lease, and give the result to `granted`.
   */
  now(): Instant {
    return { wallMs: this.#clock.nowMs(), monotonicMs: this.#clock.monotonicMs() };
  }

  /** Records a lease that the store granted. `asked` is the time before the node asked for it. */
  granted(epoch: string, asked: Instant, leaseMs: number): void {
    this.#epoch = epoch;
    const usableMs = leaseMs - LEASE_MARGIN_MS;
    const { wallMs, monotonicMs } = asked;
    this.#until = { wallMs: wallMs + usableMs, monotonicMs: monotonicMs + usableMs };
  }

  /** Records the time by the store's clock, as the store has just answered. */
  heard(storeMs: number): void {
    this.#storeAheadMs = storeMs - this.#clock.monotonicMs();
  }

  /** The current time by the store's clock, in Unix milliseconds. */
  get storeNowMs(): number {
    if (this.#storeAheadMs === null) return this.#clock.nowMs();
    return Math.floor(this.#storeAheadMs + this.#clock.monotonicMs());
  }

  lost(): void {
    this.#epoch = null;
  }

  /** Whether holds of this epoch may be made in memory now. */
  mayHold(epoch: string): boolean {
    return !this.#isAway && this.isLive(epoch);
  }

  /** Whether the lease of this epoch is certainly live. */
  isLive(epoch: string): boolean {
    if (this.#epoch !== epoch) return false;
    const { wallMs, monotonicMs } = this.#until;
    return this.#clock.monotonicMs() < monotonicMs && this.#clock.nowMs() < wallMs;
  }

  /**
   * Records whether a question of this node reached the store. Returns the answer to the question.
   */
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
