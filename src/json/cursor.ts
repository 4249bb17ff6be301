/** The special bytes of JSON, and the primitives that all hand-written scans share. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/**
 * The marks that can end a truncated string, before the string's index. They are control
 * characters, written as JSON escape sequences. A mark is used only if the body lacks it.
 */
export const MARKS = ['\\u0001', '\\u0002', '\\u0003', '\\u0004'] as const;
export type Mark = (typeof MARKS)[number];
/** Returns the control character of a mark, without the escape sequence. */
export const markIn = (mark: Mark): string => String.fromCharCode(Number(mark.slice(2)));

/** A range of bytes, from `start` to before `end`. */
export type Span = { readonly start: number; readonly end: number };

/** A member of the top-level object: the range of its value, and where its quoted key begins. */
export type Member = Span & { readonly keyStart: number };

/**
 * A string of more than this many bytes is long. A scan records where long strings are, and
 * `ScannedObject.view` truncates them in a large body.
 */
export const LONG_STRING_BYTES = 256;

/** A string is first scanned byte by byte. After this many bytes, a native search takes over. */
const SHORT_STRING_BYTES = 24;

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Finds the closing quote of a string with content from `start`; -1 if it is not before `end`. */
export function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    // A native search costs as much as comparing about twenty bytes, which is too much for short
    // strings.
    const slowEnd = Math.min(end, at + SHORT_STRING_BYTES);
    while (at < slowEnd && bytes[at] !== QUOTE) at += 1;
    if (at === slowEnd) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0 || at >= end) return -1;
    }
    if (!isEscaped(bytes, at, start)) return at;
    at += 1;
  }
  return -1;
}

/** Whether an odd number of backslashes directly precedes `at`. Does not look before `floor`. */
export function isEscaped(bytes: Uint8Array, at: number, floor: number): boolean {
  let before = at - 1;
  while (before >= floor && bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** Whether a colon follows the string that ends just before `from`, so that it is a key. */
export function isKey(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return bytes[at] === COLON;
}

/**
 * Whether the bytes from `at` on begin with `expected`. Uses a loop, which costs less than a native
 * call.
 */
export function isAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  if (at < 0 || at + expected.byteLength > bytes.byteLength) return false;
  for (let offset = 0; offset < expected.byteLength; offset++) {
    if (bytes[at + offset] !== expected[offset]) return false;
  }
  return true;
}
