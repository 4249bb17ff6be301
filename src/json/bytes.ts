/** Joins pieces of bytes, without a copy where possible. */

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

/**
 * Hands out small arrays as parts of large blocks. Arrays that are taken one after the other are
 * adjacent in memory, so `joinBytes` joins them without a copy.
 */
export class BytePool {
  readonly #blockBytes: number;
  #block = NOTHING;
  #used = 0;

  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
  }

  /** Returns an array of zeros that no other caller gets. */
  take(size: number): Uint8Array {
    // A large array gets memory of its own, and the pool keeps its block for small arrays.
    if (size > this.#blockBytes) return new Uint8Array(size);
    if (this.#used + size > this.#block.byteLength) {
      this.#block = new Uint8Array(this.#blockBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += size;
    return this.#block.subarray(start, this.#used);
  }
}
