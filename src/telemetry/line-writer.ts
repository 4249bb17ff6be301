/**
 * Lines on their way to a file descriptor, many in one write: nobody waits for them, and whoever reads
 * them slowly, or not at all, costs no more than a bounded buffer. What is lost is counted.
 */
import { write } from 'node:fs';
import type { Clock, Timer } from '../clock.ts';

/** A write this large is worth its system call at once. */
const BATCH_CHARS = 64 * 1024;
/** The longest that a line waits for others. */
const BATCH_MS = 100;
/** Half a minute of a very busy gateway; beyond it whoever reads the log does not keep up. */
export const MAX_WAITING_CHARS = 8 * 1024 * 1024;
/** A pipe that is full is tried again. */
const RETRY_MS = 10;

/** As `fs.write`, so that tests can stand in. */
export type WriteBytes = (
  fd: number,
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

export class LineWriter {
  readonly #fd: number;
  readonly #clock: Pick<Clock, 'after' | 'sleep' | 'monotonicMs'>;
  readonly #write: WriteBytes;
  #lines: string[] = [];
  #chars = 0;
  #timer: Timer | null = null;
  /** Lines that a write under way has. */
  #writing = 0;
  #isBroken = false;
  #dropped = 0;

  constructor(
    fd: number,
    clock: Pick<Clock, 'after' | 'sleep' | 'monotonicMs'>,
    writeBytes: WriteBytes = write,
  ) {
    this.#fd = fd;
    this.#clock = clock;
    this.#write = writeBytes;
  }

  /** Lines that nobody will read. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param line without its line end. */
  write(line: string): void {
    if (this.#isBroken || this.#chars + line.length > MAX_WAITING_CHARS) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#chars += line.length + 1;
    if (this.#chars >= BATCH_CHARS) this.#send();
    else this.#timer ??= this.#clock.after(BATCH_MS, () => this.#send());
  }

  /** Resolves when all is written, or after `limitMs`: then what is left counts as dropped. */
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
      if (error?.code === 'EAGAIN' || error?.code === 'EBUSY') {
        this.#clock.after(RETRY_MS, () => this.#writeAll(bytes));
      } else if (error !== null) {
        // Whoever read it is gone: a pipe does not come back.
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
