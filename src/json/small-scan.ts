/**
 * Scans a small object that has arrived completely, several times faster than `JsonScan`. Accepts
 * only plain JSON: an object that is unusual, invalid or over a limit is left to `JsonScan`, which
 * reports the error. A test checks that both scans find the same parts.
 */
import { isAscii } from 'node:buffer';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closingQuote,
  isSpace,
  LONG_STRING_BYTES,
  type Member,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  type Span,
} from './cursor.ts';
import type { ScanLimits } from './scan-limits.ts';

/** Maximum bytes of an object that `scanSmall` scans. */
export const SMALL_BYTES = 16 * 1024;
/** Maximum keys of all open objects together, because comparing more keys would be slow. */
const MAX_KEYS = 64;
const MAX_DEPTH = 64;
const DEL = 0x7f;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NO_STRINGS: readonly Span[] = [];

/** The positions of the keys of the open nested objects. All scans reuse these arrays. */
const keyStarts = new Int32Array(MAX_KEYS);
const keyEnds = new Int32Array(MAX_KEYS);
/** At index d: the index in `keyStarts` of the first key of the open container at depth d. */
const keysBefore = new Int32Array(MAX_DEPTH + 1);

/** Returns the parts of an object; null if `JsonScan` must scan it instead. */
export function scanSmall(bytes: Uint8Array<ArrayBuffer>, limits: ScanLimits): SmallScan | null {
  if (bytes.byteLength > SMALL_BYTES || bytes[0] !== OPEN_OBJECT) return null;
  const scan = new SmallScan(bytes, limits);
  return scan.isPlain() ? scan : null;
}

export class SmallScan {
  readonly members = new Map<string, Member>();
  /** The number of values, as `JsonScan` counts them. */
  values = 1;
  /** The text if all of it is ASCII; else null. */
  readonly ascii: string | null;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #limits: ScanLimits;
  #longStrings: Span[] | null = null;

  constructor(bytes: Uint8Array<ArrayBuffer>, limits: ScanLimits) {
    this.#bytes = bytes;
    this.ascii = asciiIn(bytes);
    this.#limits = limits;
  }

  get longStrings(): readonly Span[] {
    return this.#longStrings ?? NO_STRINGS;
  }

  /** Scans the top-level object. Returns false if `JsonScan` must read it. */
  isPlain(): boolean {
    const bytes = this.#bytes;
    const end = bytes.byteLength;
    const { maxMembers = MAX_KEYS, maxValues = end, maxKeyBytes = end } = this.#limits;
    let at = spaceEnd(bytes, 1);
    if (bytes[at] !== CLOSE_OBJECT) {
      for (;;) {
        const keyStart = at;
        if (bytes[at] !== QUOTE) return false;
        const keyEnd = closingQuote(bytes, at + 1, end);
        if (!isPlainKey(bytes, at + 1, keyEnd) || keyEnd - at - 1 > maxKeyBytes) return false;
        at = spaceEnd(bytes, keyEnd + 1);
        if (bytes[at] !== COLON) return false;
        const start = spaceEnd(bytes, at + 1);
        at = this.#valueEnd(start);
        if (at <= start) return false;
        const key = this.#keyText(keyStart + 1, keyEnd);
        if (this.members.has(key) || this.members.size >= maxMembers) return false;
        this.members.set(key, { keyStart, start, end: at });
        at = spaceEnd(bytes, at);
        if (bytes[at] !== COMMA) break;
        this.values += 1;
        at = spaceEnd(bytes, at + 1);
      }
    }
    const isClosed = bytes[at] === CLOSE_OBJECT && spaceEnd(bytes, at + 1) === end;
    return isClosed && this.values <= maxValues;
  }

  #keyText(start: number, end: number): string {
    const { ascii } = this;
    return ascii?.slice(start, end) ?? strictUtf8.decode(this.#bytes.subarray(start, end));
  }

  /**
   * Returns where the value at `start` ends. A result of `start` or less means that this scan
   * cannot read the value, so `JsonScan` must.
   */
  #valueEnd(start: number): number {
    const bytes = this.#bytes;
    const byte = bytes[start];
    if (byte === QUOTE) return this.#stringEnd(start);
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return this.#containerEnd(start);
    let at = start;
    while (isOfLiteral(bytes[at])) at += 1;
    return at;
  }

  /** Returns the position after the string's closing quote; 0 if it has none. */
  #stringEnd(start: number): number {
    const close = closingQuote(this.#bytes, start + 1, this.#bytes.byteLength);
    if (close - start - 1 > LONG_STRING_BYTES) {
      this.#longStrings ??= [];
      this.#longStrings.push({ start: start + 1, end: close });
    }
    return close + 1;
  }

  /**
   * Returns where a nested object or list ends; 0 if `JsonScan` must read it. Checks only brackets,
   * strings and keys; `JSON.parse` refuses other mistakes later.
   */
  #containerEnd(start: number): number {
    const bytes = this.#bytes;
    const end = bytes.byteLength;
    const { uniqueKeys = false, maxKeyBytes, maxDepth } = this.#limits;
    const areKeysRead = uniqueKeys || maxKeyBytes !== undefined;
    const deepest = Math.min(maxDepth, MAX_DEPTH);
    /**
     * `keys` counts the keys in all open containers. `stringStart` and `stringEnd` are the bounds
     * of the last string.
     */
    let depth = 1;
    let keys = 0;
    let stringStart = 0;
    let stringEnd = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        stringStart = at + 1;
        stringEnd = this.#stringEnd(at) - 1;
        if (stringEnd < 0) return 0;
        at = stringEnd;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.values += 1;
        depth += 1;
        if (depth > deepest) return 0;
        keysBefore[depth] = keys;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        keys = keysBefore[depth] ?? 0;
        depth -= 1;
        if (depth === 1) return at + 1;
      } else if (byte === COMMA) {
        this.values += 1;
      } else if (byte === COLON && areKeysRead) {
        if (keys >= MAX_KEYS || spaceEnd(bytes, stringEnd + 1) !== at) return 0;
        if (!isNewKey(bytes, keysBefore[depth] ?? 0, keys, stringStart, stringEnd)) return 0;
        keyStarts[keys] = stringStart;
        keyEnds[keys] = stringEnd;
        keys += 1;
      }
    }
    return 0;
  }
}

/** Returns the text if all bytes are ASCII; else null. */
function asciiIn(bytes: Uint8Array): string | null {
  return isAscii(bytes) ? strictUtf8.decode(bytes) : null;
}

function spaceEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

/** Whether a byte can be part of a number, `true`, `false` or `null`. */
const isOfLiteral = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x2b && byte <= 0x2e && byte !== COMMA) ||
    byte === 0x45);

/** Whether a key needs no decoding. `end` is where its closing quote is; -1 without a quote. */
function isPlainKey(bytes: Uint8Array, start: number, end: number): boolean {
  if (end < start || end - start > LONG_STRING_BYTES) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte >= DEL || byte === BACKSLASH) return false;
  }
  return true;
}

/**
 * Whether a key needs no decoding and differs from the keys `first` to `last - 1` in `keyStarts`.
 */
function isNewKey(
  bytes: Uint8Array,
  first: number,
  last: number,
  start: number,
  end: number,
): boolean {
  if (!isPlainKey(bytes, start, end)) return false;
  for (let key = first; key < last; key++) {
    const known = keyStarts[key] ?? 0;
    if ((keyEnds[key] ?? 0) - known !== end - start) continue;
    let offset = 0;
    while (offset < end - start && bytes[known + offset] === bytes[start + offset]) offset += 1;
    if (offset === end - start) return false;
  }
  return true;
}
