/**
 * Limits the memory of image answers. They share one budget. While it is exceeded, answers wait at
 * their upstreams, because their images are already paid for, and new requests are refused.
 */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { CallSignal } from '../../routing/call-abort.ts';

/** An answer is in memory as it arrived, decoded, and as it is written for the caller. */
const MEMORY_PER_BYTE = 3;
/**
 * The longest wait for the next chunk. Servers close a connection from which nothing is read.
 */
const LONGEST_WAIT_MS = 20_000;

/** The memory of one request's answer. */
export type AnswerShare = {
  /** @throws GatewayError `rate_limit_exceeded` while answers wait for memory. */
  readonly requireRoom: () => void;
  /**
   * Adds bytes that were read. Returns null if more may be read at once; otherwise, a promise to
   * await first.
   */
  readonly add: (bytes: number, signal: CallSignal) => Promise<void> | null;
  /** Frees the memory once the answer is written for the caller, or was given up. */
  readonly release: () => void;
};

export class AnswerMemory {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'after'>;
  /** The memory of each answer, oldest first. */
  readonly #shares = new Map<AnswerShare, number>();
  readonly #waiting = new Map<AnswerShare, () => void>();
  #used = 0;

  /** @param limit the budget in bytes. A single answer may exceed it. */
  constructor(limit: number, clock: Pick<Clock, 'after'>) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Returns an empty share of the budget for the answer of a new request. */
  open(): AnswerShare {
    const share: AnswerShare = {
      requireRoom: () => {
        if (this.#waiting.size > 0) throw busy();
      },
      add: (bytes, signal) => this.#add(share, bytes * MEMORY_PER_BYTE, signal),
      release: () => this.#release(share),
    };
    return share;
  }

  #add(share: AnswerShare, memory: number, signal: CallSignal): Promise<void> | null {
    this.#used += memory;
    this.#shares.set(share, (this.#shares.get(share) ?? 0) + memory);
    if (signal.aborted || this.#mayRead(share)) return null;
    return new Promise((resolve) => {
      // An aborted answer reads on, and fails with the reason of the abort.
      const proceed = (): void => {
        this.#waiting.delete(share);
        timer.cancel();
        signal.removeEventListener('abort', proceed);
        resolve();
      };
      const timer = this.#clock.after(LONGEST_WAIT_MS, proceed);
      this.#waiting.set(share, proceed);
      signal.addEventListener('abort', proceed);
    });
  }

  #release(share: AnswerShare): void {
    this.#used -= this.#shares.get(share) ?? 0;
    this.#shares.delete(share);
    for (const [waiting, proceed] of [...this.#waiting]) if (this.#mayRead(waiting)) proceed();
  }

  /** The oldest answer never waits: its delivery frees the memory that the others need. */
  #mayRead(share: AnswerShare): boolean {
    const [oldest] = this.#shares.keys();
    return this.#used <= this.#limit || share === oldest;
  }
}

const busy = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'The gateway is busy with large images. Nothing was charged; retry this request.',
    { retryAfterSeconds: 1 },
  );
