/**
 * The tokenizer of the built-in models. A token is a piece of the text, so that usage, stream
 * chunks and `max_tokens` always agree. It splits a text from left to right, each time into the
 * longest of:
 * - up to six letters of an alphabetic script, with one leading space, such as ` world`;
 * - up to three digits, with one leading space;
 * - up to two Han, kana or Hangul characters, or up to two ASCII punctuation marks;
 * - up to eight white-space characters;
 * - any other single character.
 * A token has about four characters in English, and about one and a half in Chinese.
 */

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const WIDE = 4;
const MARK = 5;

/**
 * The maximum length of a piece of each character class, in UTF-16 code units, without the leading
 * space.
 */
const LONGEST = [1, 6, 3, 8, 2, 2] as const;

const BLANK = 32;
const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === BLANK || (code >= 9 && code <= 13)) return SPACE;
  return code > BLANK && code < 127 ? MARK : OTHER;
});

function classOf(code: number): number {
  if (code < 128) return ASCII_CLASSES[code] ?? OTHER;
  // The range of accented Latin, Greek, Cyrillic, Hebrew, Arabic, the Indic scripts and Thai.
  if (code >= 0xc0 && code < 0x1100) return LETTER;
  // These ranges contain kana, Han with extension A, and Hangul syllables.
  if ((code >= 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xd7b0)) return WIDE;
  return OTHER;
}

/**
 * Returns the end of the piece that begins at `start`. `start` must be a position within the text.
 */
export function pieceEnd(text: string, start: number): number {
  let first = start;
  let kind = classOf(text.charCodeAt(first));
  if (kind === SPACE && text.charCodeAt(first) === BLANK && first + 1 < text.length) {
    const next = classOf(text.charCodeAt(first + 1));
    if (next === LETTER || next === DIGIT) {
      first += 1;
      kind = next;
    }
  }
  if (kind === OTHER) {
    // Never splits a surrogate pair, because half of it cannot be encoded as UTF-8.
    return first + ((text.codePointAt(first) ?? 0) > 0xffff ? 2 : 1);
  }
  const stop = Math.min(text.length, first + (LONGEST[kind] ?? 1));
  let end = first + 1;
  while (end < stop && classOf(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at = pieceEnd(text, at);
  return count;
}

/** Yields the pieces of the text in order. Together they contain the whole text. */
export function* pieces(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    yield text.slice(at, end);
    at = end;
  }
}

/** Returns the longest prefix of the text with at most `limit` tokens. */
export function firstTokens(text: string, limit: number): string {
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count += 1) end = pieceEnd(text, end);
  return text.slice(0, end);
}
