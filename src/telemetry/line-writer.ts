/** Writes lines in batches. Lines beyond a limited buffer are dropped and counted. */
import { constants, fstatSync, openSync, write } from 'node:fs';
import type { Clock, Timer } from '../clock.ts';

/** The size in characters from which a batch is written at once. */
const BATCH_CHARS = 64 * 1024;
/** The default of `batchMs`: the maximum time that a line waits for its batch. */
const BATCH_MS = 100;
/**
 * Maximum characters that wait to be written: the output of a very busy gateway in half a minute.
 */
export const MAX_WAITING_CHARS = 8 * 1024 * 1024;
/** Delay before a write to a full pipe or a full disk is retried. */
const RETRY_MS = 10;
/** The errors of a full pipe and of a full disk, after which a later write can succeed. */
const FULL: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EBUSY', 'ENOSPC', 'EDQUOT']);

/** The signature of `fs.write`, so that tests can replace it. */
export type WriteBytes = (
  fd: number,
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

export type LineWriterOptions = {
  readonly writeBytes?: WriteBytes;
  /** The maximum time that a line waits for its batch; 0 writes each line at once. */
  readonly batchMs?: number;
};

export class LineWriter {
  readonly #fd: number;
  readonly #clock: Pick<Clock, 'after' | 'sleep' | 'monotonicMs'>;
  readonly #write: WriteBytes;
  readonly #batchMs: number;
  #lines: string[] = [];
  #chars = 0;
  #timer: Timer | null = null;
  /** The number of lines that are being written now; 0 if no write is running. */
  #writing = 0;
  #isBroken = false;
  #dropped = 0;

  constructor(
    fd: number,
    clock: Pick<Clock, 'after' | 'sleep' | 'monotonicMs'>,
    { writeBytes = write, batchMs = BATCH_MS }: LineWriterOptions = {},
  ) {
    this.#fd = fd;
    this.#clock = clock;
    this.#write = writeBytes;
    this.#batchMs = batchMs;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** @param line the text, without a line break. */
  write(line: string): void {
    if (this.#isBroken || this.#chars + line.length > MAX_WAITING_CHARS) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#chars += line.length + 1;
    if (this.#batchMs === 0 || this.#chars >= BATCH_CHARS) this.#send();
    else this.#timer ??= this.#clock.after(this.#batchMs, () => this.#send());
  }

  /**
   * Writes the waiting lines and resolves when all are written, at the latest after `limitMs`.
   * Lines that are not written by then are dropped and counted.
   */
  async flush(limitMs: number): Promise<void> {
    const deadlineMs = this.#clock.monotonicMs() + limitMs;
    this.#send();
    while (this.#writing > 0 && this.#clock.monotonicMs() < deadlineMs)
      await this.#clock.sleep(RETRY_MS);
    this.#dropped += this.#writing + this.#lines.length;
    this.#lines = [];
    this.#chars = 0;
  }

  #send(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#writing > 0 || this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#chars = 0;
    this.#writing = lines.length;
    this.#writeAll(Buffer.from(`${lines.join('\n')}\n`));
  }

  #writeAll(bytes: Uint8Array): void {
    this.#write(this.#fd, bytes, (error, written) => {
      if (error !== null && FULL.has(error.code)) {
        this.#clock.after(RETRY_MS, () => this.#writeAll(bytes));
      } else if (error !== null) {
        // The reader closed the pipe, so no later write can succeed.
        this.#isBroken = true;
        this.#dropped += this.#writing + this.#lines.length;
        this.#writing = 0;
        this.#lines = [];
      } else if (written < bytes.byteLength) {
        this.#writeAll(bytes.subarray(written));
      } else {
        this.#writing = 0;
        this.#send();
      }
    });
  }
}

/**
 * Reopens a pipe as non-blocking, without affecting other processes that share the pipe. A blocking
 * write to a full pipe would occupy a thread of the runtime's small pool, which also does DNS
 * lookups. Returns `fd` itself if it is not a pipe or cannot be reopened.
 */
export function outputPipe(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return fd;
  }
}
