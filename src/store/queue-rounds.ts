/** Works through a queue in the store: at every tick, and soon after `wake`. */
import type { Clock, Timer } from '../clock.ts';

/** How often a node looks for what is due, also for what other nodes queued. */
const TICK_MS = 5_000;
const TICKS_A_SWEEP = 720;
/** The longest pause between the attempts of one thing. */
const MAX_BACKOFF_MS = 60 * 60_000;

export type QueueRoundsDeps = {
  readonly clock: Clock;
  /** Whether anything can be done now. If not, what is queued waits. */
  readonly isOn: () => boolean;
  /** Does what is due, until the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Deletes what is too old, every hour. */
  readonly sweep: () => Promise<void>;
  /** Called when `work` or `sweep` failed. The next tick repeats the work. */
  readonly onFailure: (of: 'work' | 'sweep', thrown: unknown) => void;
};

export class QueueRounds {
  readonly #deps: QueueRoundsDeps;
  readonly #timer: Timer;
  readonly #stopping = new AbortController();
  #working: Promise<void> | null = null;
  #sweeping: Promise<void> | null = null;
  #isAwaited = false;
  #ticks = 0;

  constructor(deps: QueueRoundsDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(TICK_MS, () => {
      this.#ticks += 1;
      if (this.#ticks % TICKS_A_SWEEP === 0) this.#sweep();
      this.wake();
    });
  }

  /** Aborts when the process stops. The next process does what was not done. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Starts a round soon. Returns at once. */
  wake(): void {
    if (!this.#deps.isOn() || this.signal.aborted) return;
    if (this.#working !== null) {
      this.#isAwaited = true;
      return;
    }
    void this.round();
  }

  /** Does what is due. One round runs at a time; never rejects. */
  round(): Promise<void> {
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (!this.#isAwaited) return;
      this.#isAwaited = false;
      this.wake();
    });
    return this.#working;
  }

  /** Aborts what is in progress, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#timer.cancel();
    this.#stopping.abort();
    await this.#working;
    await this.#sweeping;
  }

  async #work(): Promise<void> {
    if (!this.#deps.isOn()) return;
    await this.#deps.work(this.signal).catch((thrown) => this.#deps.onFailure('work', thrown));
  }

  /** Starts to delete what is too old, unless that is in progress, so that `stop` waits for it. */
  #sweep(): void {
    const { sweep, onFailure } = this.#deps;
    this.#sweeping ??= sweep()
      .catch((thrown) => onFailure('sweep', thrown))
      .finally(() => {
        this.#sweeping = null;
      });
  }
}

/** Returns the pause after so many attempts, in milliseconds. It doubles up to an hour. */
export const backoff = (attempts: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(attempts - 1, 20), MAX_BACKOFF_MS);
