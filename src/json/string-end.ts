/** Finds where strings end, fast even for long ones, and counts their escapes. */
import { BACKSLASH, QUOTE } from './cursor.ts';

const WORD_BYTES = 4;
/** After this many four-byte words without a quote or backslash, a native search takes over. */
const SEARCHED_WORDS = 64;
/** The first native search covers this many bytes, each further search four times as many. */
const FIRST_SEARCH_BYTES = 1024;
const EACH_BYTE = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const QUOTES = QUOTE * EACH_BYTE;
const BACKSLASHES = BACKSLASH * EACH_BYTE;
const NO_WORDS = new Int32Array(0);

/**
 * Finds quotes and backslashes by comparing four bytes at a time. In text with many of them, native
 * searches would take three times as long. In text with few, a loop over single bytes would take
 * twice as long.
 */
export class StringEnd {
  /** The number of escapes that `find` has passed. */
  escapes = 0;
  #bytes = new Uint8Array(0);
  #words = NO_WORDS;
  /** The position in the bytes at which the first word begins. */
  #wordsStart = 0;

  /** Sets the bytes that `find` searches. */
  search(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes === this.#bytes) return;
    const { buffer, byteOffset, byteLength } = bytes;
    const start = -byteOffset & (WORD_BYTES - 1);
    const count = Math.max(0, (byteLength - start) >> 2);
    this.#bytes = bytes;
    this.#words = count === 0 ? NO_WORDS : new Int32Array(buffer, byteOffset + start, count);
    this.#wordsStart = start;
  }

  /**
   * Returns the position of the quote that closes a string. If the string does not end before
   * `end`, returns where to continue when more bytes arrive: `end`, or `end + 1` if the last byte
   * begins an escape.
   */
  find(from: number, end: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const start = this.#wordsStart;
    const lastWord = (end - start) >> 2;
    let escapes = 0;
    let at = from;
    while (at < end) {
      const offset = at - start;
      let word = offset >> 2;
      if (offset >= 0 && word < lastWord) {
        // The first word may begin before `at`, so matches in its bytes before `at` are ignored.
        let hits = hitsIn(words[word] ?? 0) & (-1 << ((offset & 3) << 3));
        const slowEnd = Math.min(lastWord, word + SEARCHED_WORDS);
        while (hits === 0 && ++word < slowEnd) hits = hitsIn(words[word] ?? 0);
        at = start + (word << 2);
        // The lowest bit belongs to the first byte, since every supported machine is little-endian.
        if (hits !== 0) at += (31 - Math.clz32(hits & -hits)) >> 3;
        else if (word < lastWord) at = searched(bytes, at, end);
        if (at >= end) break;
      }
      let byte = bytes[at];
      while (byte === BACKSLASH) {
        escapes += 1;
        at += 2;
        byte = at < end ? bytes[at] : QUOTE;
      }
      if (byte === QUOTE) break;
      at += 1;
    }
    this.escapes += escapes;
    return at;
  }

  /** Returns the number of escapes in a part of a string, without adding it to `escapes`. */
  count(from: number, end: number): number {
    const before = this.escapes;
    this.find(from, end);
    const found = this.escapes - before;
    this.escapes = before;
    return found;
  }
}

/**
 * Returns a word in which the high bit of a byte is set where `word` has a quote or a backslash.
 * Only the lowest set bit is reliable: the subtraction may carry, so higher bits may be set
 * wrongly.
 */
function hitsIn(word: number): number {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const hits = ((quotes - EACH_BYTE) & ~quotes) | ((backslashes - EACH_BYTE) & ~backslashes);
  return hits & HIGH_BITS;
}

/** Returns the position of the first quote or backslash at or after `from`; else `end`. */
function searched(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (let size = FIRST_SEARCH_BYTES; at < end; size *= 4) {
    const piece = bytes.subarray(at, Math.min(end, at + size));
    const quote = piece.indexOf(QUOTE);
    const backslash = (quote < 0 ? piece : piece.subarray(0, quote)).indexOf(BACKSLASH);
    if (backslash >= 0) return at + backslash;
    if (quote >= 0) return at + quote;
    at += piece.byteLength;
  }
  return end;
}
