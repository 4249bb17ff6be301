/** Joins pieces of bytes, without a copy where possible, and collects bytes in a growing array. */

const NOTHING = new Uint8Array(0);

/**
 * Joins the pieces. Returns a view if they are adjacent in memory, such as parts of one network
 * chunk; else a copy.
 */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first === undefined) return NOTHING;
  if (pieces.length === 1) return first;
  let end = first.byteOffset;
  let size = 0;
  let adjacent = true;
  for (const piece of pieces) {
    adjacent &&= piece.buffer === first.buffer && piece.byteOffset === end;
    end = piece.byteOffset + piece.byteLength;
    size += piece.byteLength;
  }
  return adjacent
    ? new Uint8Array(first.buffer, first.byteOffset, size)
    : concatBytes(pieces, size);
}

/** Copies the pieces into one array. `size` is their total number of bytes. */
export function concatBytes(
  pieces: readonly Uint8Array[],
  size = pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Up to this many bytes, a loop is faster than a native copy, which needs a view of the bytes. */
const SHORT_BYTES = 32;
/** Results of fewer bytes than this are copied, because a view of them would cost more. */
const SMALL_BYTES = 1024;

/** Collects bytes in one array, which grows as needed. */
export class ByteWriter {
  #bytes: Uint8Array = NOTHING;
  #length = 0;

  /** Makes room for this many more bytes, so that writing them does not move the earlier bytes. */
  reserve(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.byteLength) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#length));
    grown.set(this.#written);
    this.#bytes = grown;
  }

  /** Appends the bytes from `start` to before `end`. */
  write(piece: Uint8Array, start = 0, end = piece.byteLength): void {
    const size = end - start;
    this.reserve(size);
    const bytes = this.#bytes;
    let at = this.#length;
    this.#length += size;
    if (size > SHORT_BYTES) {
      bytes.set(size === piece.byteLength ? piece : piece.subarray(start, end), at);
    } else {
      for (let from = start; from < end; from++) bytes[at++] = piece[from] ?? 0;
    }
  }

  /** Returns the bytes that were written, and empties the writer. */
  take(): Uint8Array {
    const taken = this.#length < SMALL_BYTES ? this.#bytes.slice(0, this.#length) : this.#written;
    this.#bytes = NOTHING;
    this.#length = 0;
    return taken;
  }

  get #written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
