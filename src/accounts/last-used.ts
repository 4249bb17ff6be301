/** When keys were last used, to the minute, written behind the requests rather than in them. */
import type { Clock, Timer } from '../clock.ts';

const MINUTE_MS = 60_000;
/** Keys that wait for one write. A mark beyond it is dropped: the key's next minute brings another. */
export const MAX_WAITING_KEYS = 10_000;
/** Statements of one transaction, so that no flush holds the store's writer for long. */
const MAX_KEYS_A_WRITE = 500;

export type LastUsedDeps = {
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  readonly write: (lastUsed: ReadonlyMap<string, number>) => Promise<void>;
  /** Told when a write failed; the marks wait for the next one. */
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

  /** Costs a map entry; touches no store. */
  mark(keyId: string): void {
    const nowMs = this.#deps.clock.nowMs();
    this.#add(keyId, nowMs - (nowMs % MINUTE_MS));
  }

  /** The later of what the store says and what is not written yet. */
  latest(keyId: string, storedMs: number | null): number | null {
    const waitingMs = this.#waiting.get(keyId);
    if (waitingMs === undefined) return storedMs;
    return storedMs === null ? waitingMs : Math.max(storedMs, waitingMs);
  }

  /** Writes what waits. Never rejects; one flush at a time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Stops the timer and writes what still waits. */
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
