/** Sends the entries of a queue in the store: regularly, and soon after a call of `wake`. */
import type { Clock, Timer } from '../clock.ts';

/** How often a node looks for due entries, including those that other nodes have queued. */
const TICK_MS = 5_000;
/** The number of ticks between two calls of `sweep`: an hour. */
const TICKS_A_SWEEP = 720;
/** The maximum pause between two attempts to send an entry. */
const MAX_BACKOFF_MS = 60 * 60_000;

export abstract class QueueSender {
  readonly #timer: Timer;
  readonly #stopping = new AbortController();
  #working: Promise<void> | null = null;
  #sweeping: Promise<void> | null = null;
  #isAwaited = false;
  #ticks = 0;

  constructor(clock: Clock) {
    this.#timer = clock.every(TICK_MS, () => {
      // The first tick sweeps too, for processes that never run for an hour.
      if (this.#ticks % TICKS_A_SWEEP === 0) this.#sweep();
      this.#ticks += 1;
      this.wake();
    });
  }

  /** Whether sending is possible at the moment. While it is not, entries stay in the queue. */
  protected abstract isOn(): boolean;
  /** Sends due entries until `signal` aborts. */
  protected abstract sendDue(): Promise<void>;
  /** Deletes old entries. Called soon after the start, and then every hour. */
  protected abstract sweep(): Promise<void>;
  /**
   * Called when `sendDue` (`work`) or `sweep` failed. `sendDue` is retried at the next tick,
   * `sweep` an hour later.
   */
  protected abstract failed(of: 'work' | 'sweep', thrown: unknown): void;

  /** Aborts when the process stops. Another process sends the remaining entries. */
  protected get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * Starts to send due entries if sending is possible now. If entries are already being sent,
   * starts again after that. Returns at once.
   */
  wake(): void {
    if (!this.isOn() || this.signal.aborted) return;
    if (this.#working !== null) {
      this.#isAwaited = true;
      return;
    }
    void this.round();
  }

  /** Sends due entries. A call during a running round joins that round. Never rejects. */
  round(): Promise<void> {
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      if (!this.#isAwaited) return;
      this.#isAwaited = false;
      this.wake();
    });
    return this.#working;
  }

  /** Aborts the running work and waits until it has ended. */
  async stop(): Promise<void> {
    this.#timer.cancel();
    this.#stopping.abort();
    await this.#working;
    await this.#sweeping;
  }

  async #work(): Promise<void> {
    if (!this.isOn()) return;
    await this.sendDue().catch((thrown) => this.failed('work', thrown));
  }

  /**
   * Starts the deletion of old entries, unless a deletion is running. `stop` waits for the
   * deletion.
   */
  #sweep(): void {
    this.#sweeping ??= this.sweep()
      .catch((thrown) => this.failed('sweep', thrown))
      .finally(() => {
        this.#sweeping = null;
      });
  }
}

/**
 * Returns the pause in milliseconds after this many failed attempts. The pause doubles with each
 * attempt, up to an hour.
 */
export const backoff = (attempts: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(attempts - 1, 20), MAX_BACKOFF_MS);
