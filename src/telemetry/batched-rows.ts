/** Rows that wait in memory and are written in batches, so that no request waits for a write. */
import type { Clock, Timer } from '../clock.ts';

/** How long a row waits before it is written. A crash loses waiting rows. */
export const WRITE_AFTER_MS = 1_000;
const RETRY_AFTER_MS = 10_000;

export type BatchedRowsDeps<Row> = {
  readonly clock: Pick<Clock, 'after'>;
  /** Maximum rows that wait in memory. Further rows are dropped. */
  readonly maxWaiting: number;
  readonly rowsAWrite: number;
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /**
   * Called after all waiting rows are written. It may write or delete other rows. If it fails, it
   * is called again later.
   */
  readonly onWritten: () => Promise<void>;
  /** Called when `write` or `onWritten` fails. Unwritten rows are written later. */
  readonly onFailure: (thrown: unknown) => void;
};

export class BatchedRows<Row> {
  readonly #deps: BatchedRowsDeps<Row>;
  #rows: Row[] = [];
  #timer: Timer | null = null;
  #flushing: Promise<void> | null = null;

  constructor(deps: BatchedRowsDeps<Row>) {
    this.#deps = deps;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#deps.maxWaiting;
  }

  /** Adds a row, or drops it if too many rows wait. */
  add(row: Row): void {
    if (this.isFull) return;
    this.#rows.push(row);
    this.flushSoon();
  }

  flushSoon(afterMs = WRITE_AFTER_MS): void {
    this.#timer ??= this.#deps.clock.after(afterMs, () => {
      this.#timer = null;
      void this.flush();
    });
  }

  /** Writes the waiting rows. Never rejects. Concurrent calls share one flush. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    await this.#flushing;
    await this.flush();
    this.#stopTimer();
  }

  async #write(): Promise<void> {
    this.#stopTimer();
    const { rowsAWrite, maxWaiting, write, onWritten, onFailure } = this.#deps;
    const rows = this.#rows;
    this.#rows = [];
    try {
      while (rows.length > 0) {
        const some = rows.slice(0, rowsAWrite);
        await write(some);
        rows.splice(0, some.length);
      }
      await onWritten();
    } catch (thrown) {
      this.#rows = [...rows, ...this.#rows].slice(0, maxWaiting);
      this.#stopTimer();
      this.flushSoon(RETRY_AFTER_MS);
      onFailure(thrown);
    }
  }

  #stopTimer(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
