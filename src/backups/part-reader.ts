/** Reads chunks of any size as parts of a given size. */
import { createReadStream } from 'node:fs';

export type Chunks = AsyncIterable<Uint8Array>;

const LINE_BREAK = 10;
const CHUNK_BYTES = 1024 * 1024;

export const chunksOf = (path: string): Chunks =>
  createReadStream(path, { highWaterMark: CHUNK_BYTES });

export class PartReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered: Uint8Array[] = [];
  #length = 0;
  #isDone = false;

  constructor(chunks: Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the next `bytes` bytes, or fewer at the end of the source. */
  async next(bytes: number): Promise<Uint8Array> {
    await this.#fill(bytes);
    const all = Buffer.concat(this.#buffered);
    const rest = all.subarray(bytes);
    this.#buffered = rest.byteLength === 0 ? [] : [rest];
    this.#length = rest.byteLength;
    return all.subarray(0, bytes);
  }

  /** Like `next`, but does not consume the bytes: the next read returns them again. */
  async peek(bytes: number): Promise<Uint8Array> {
    const start = await this.next(bytes);
    this.#buffered = [start, ...this.#buffered];
    this.#length += start.byteLength;
    return start;
  }

  /**
   * Returns the bytes before the next line break and consumes the line break. If the next
   * `maxBytes` bytes contain no line break, returns all of them.
   */
  async line(maxBytes: number): Promise<Uint8Array> {
    const start = await this.next(maxBytes);
    const end = start.indexOf(LINE_BREAK);
    if (end < 0) return start;
    const rest = start.subarray(end + 1);
    this.#buffered = [rest, ...this.#buffered];
    this.#length += rest.byteLength;
    return start.subarray(0, end);
  }

  async isAtEnd(): Promise<boolean> {
    await this.#fill(1);
    return this.#length === 0;
  }

  /** Yields all remaining bytes. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (; !(await this.isAtEnd()); this.#buffered = [], this.#length = 0) yield* this.#buffered;
  }

  /** Yields all remaining bytes in parts of `bytes` bytes. Closes the source at the end. */
  async *parts(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      do yield new Uint8Array(await this.next(bytes));
      while (!(await this.isAtEnd()));
    } finally {
      await this.close();
    }
  }

  /** Closes the source file, even if it has not been read to its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(bytes: number): Promise<void> {
    while (this.#length < bytes && !this.#isDone) {
      const { value, done } = await this.#chunks.next();
      if (done === true) this.#isDone = true;
      else if (value.byteLength > 0) {
        this.#buffered.push(value);
        this.#length += value.byteLength;
      }
    }
  }
}
