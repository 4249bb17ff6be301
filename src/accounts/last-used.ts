/** Records the minute of each key's last use. Writes to the store in the background. */
import type { Clock, Timer } from '../clock.ts';

const MINUTE_MS = 60_000;
/**
 * The maximum number of keys whose last use waits to be written. When it is reached, uses of other
 * keys are not recorded.
 */
export const MAX_WAITING_KEYS = 10_000;
/**
 * The maximum number of updates per transaction, so that a write does not block the store for long.
 */
const MAX_KEYS_A_WRITE = 500;

export type LastUsedDeps = {
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  readonly write: (lastUsed: ReadonlyMap<string, number>) => Promise<void>;
  /** Called when a write fails. The next write includes the times of the failed one. */
  readonly onFailure: (thrown: unknown) => void;
};

export class LastUsed {
  readonly #deps: LastUsedDeps;
  readonly #timer: Timer;
  #waiting = new Map<string, number>();
  #flushing: Promise<void> | null = null;

  constructor(deps: LastUsedDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(MINUTE_MS, () => void this.flush());
  }

  /** Records that a key is used now. Writes to memory only. */
  mark(keyId: string): void {
    const nowMs = this.#deps.clock.nowMs();
    this.#add(keyId, nowMs - (nowMs % MINUTE_MS));
  }

  /** Returns when the key was last used: the later of the stored time and the pending time. */
  latest(keyId: string, storedMs: number | null): number | null {
    const waitingMs = this.#waiting.get(keyId);
    if (waitingMs === undefined) return storedMs;
    return storedMs === null ? waitingMs : Math.max(storedMs, waitingMs);
  }

  /** Writes the pending times. Never rejects. Concurrent calls share one write. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Stops the timer and writes the pending times. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#flushing;
    await this.flush();
  }

  #add(keyId: string, atMs: number): void {
    const waitingMs = this.#waiting.get(keyId);
    if (waitingMs === undefined && this.#waiting.size >= MAX_WAITING_KEYS) return;
    if (waitingMs === undefined || waitingMs < atMs) this.#waiting.set(keyId, atMs);
  }

  async #write(): Promise<void> {
    const taken = [...this.#waiting];
    this.#waiting = new Map();
    for (let from = 0; from < taken.length; from += MAX_KEYS_A_WRITE) {
      try {
        await this.#deps.write(new Map(taken.slice(from, from + MAX_KEYS_A_WRITE)));
      } catch (thrown) {
        for (const [keyId, atMs] of taken.slice(from)) this.#add(keyId, atMs);
        this.#deps.onFailure(thrown);
        return;
      }
    }
  }
}
