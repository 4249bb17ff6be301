/**
 * Computes the maximum number of tokens that a text can have in any known vocabulary, without a
 * tokenizer.
 */
import { isAscii } from 'node:buffer';
import { BACKSLASH, type Span } from '../../json/cursor.ts';

/** In ASCII text of at most this many bytes, each byte counts as one token, which is faster. */
const MIN_COUNTED_BYTES = 8 * 1024;
/**
 * Tokens are counted only in this many bytes of the JSON, media included. After them, each byte of
 * text counts as one token. Few models read so much, and counting it takes 10 ms.
 */
const MAX_COUNTED_BYTES = 1024 * 1024;
/**
 * The maximum number of bytes that are counted as one token. For example, an escape of two bytes
 * counts as one token, and three letters that merge count as two.
 */
const MOST_BYTES_PER_TOKEN = 2;

const SPACE = 0x20;
const LETTER_A = 0x61;
const LETTER_U = 0x75;
/** The smallest byte that begins a UTF-8 character of several bytes. */
const FIRST_LEAD = 0xc2;
const NINE = 0x39;

/**
 * For each first letter from `a` to `z`, the second letters with which it forms one token in every
 * vocabulary. So three consecutive letters that form pairs are at most two tokens. Measured with
 * o200k, cl100k, p50k and r50k on 2026-11-30.
 */
const PAIRS = [
  'abcdefghijklmnopqrstuvwxyz',
  'abcdefghijlmnoprstuy',
  'abcdefhiklmnoprstuvyz',
  'abcdefhijklmnoprstuxy',
  'abcdefghiklmnpqrstuvwxyz',
  'abcdefgilmnoprstuwxy',
  'abcdeghilmnoprstuyz',
  'adehilmnoprstuwyz',
  'abcdefghijklmnopqrstuvwxyz',
  'aceijlopsu',
  'abegijklmnorstuwy',
  'bcdefilnoprstuvy',
  'abcdegikmnoprstuxy',
  'abcdegilmnoprstuvwyz',
  'abcdefghijklmnoprstuvwxyz',
  'abcdeghilmnoprstuxy',
  'ailqstu',
  'abcdefghilmnorstuwy',
  'abcdefghiklmnopqrstuvwy',
  'acdefghiklmnoprstuvwxyz',
  'abcdefghijklmnoprstuvxyz',
  'acdegilmoprtuvy',
  'abdehiklmnoprstuwxy',
  'acdefipstxy',
  'adegiklmnoprstuxyz',
  'abehilnouxyz',
] as const;

/** What a byte does after another byte, at the index `before * 256 + byte` of `STEPS`. */
const SPLITS = 0;
const MERGES = 1;
/**
 * The byte is a second space, or begins an escape or a character that normalization may make
 * longer.
 */
const IS_SPECIAL = 2;

const STEPS = new Uint8Array(256 * 256).fill(SPLITS);
for (const [first, seconds] of PAIRS.entries()) {
  for (const second of seconds) STEPS[(LETTER_A + first) * 256 + second.charCodeAt(0)] = MERGES;
}
STEPS.fill(MERGES, SPACE * 256 + LETTER_A, SPACE * 256 + LETTER_A + PAIRS.length);
STEPS[SPACE * 256 + SPACE] = IS_SPECIAL;
for (let before = 0; before < 256; before++) {
  STEPS[before * 256 + BACKSLASH] = IS_SPECIAL;
  STEPS.fill(IS_SPECIAL, before * 256 + FIRST_LEAD, (before + 1) * 256);
}

/**
 * The characters that become longer when a tokenizer normalizes them (NFKC). Each entry contains
 * the first and the last code point of a range, and the maximum number of bytes by which a
 * character in the range grows.
 */
const EXPANDED = [
  [0xa8, 0xbe, 3],
  [0x13f, 0x149, 1],
  [0x1c4, 0x1c6, 1],
  [0x2d8, 0x2dd, 1],
  [0x344, 0x385, 3],
  [0x587, 0x587, 2],
  [0x675, 0x678, 2],
  [0x958, 0x95f, 3],
  [0x9dc, 0x9df, 3],
  [0xa33, 0xa5e, 3],
  [0xb5c, 0xb5d, 3],
  [0xe33, 0xe33, 3],
  [0xeb3, 0xedd, 3],
  [0xf43, 0xfb9, 6],
  [0x1fc1, 0x1fee, 2],
  [0x2033, 0x2057, 9],
  [0x2150, 0x2189, 3],
  [0x222c, 0x2230, 6],
  [0x247d, 0x2487, 1],
  [0x2a0c, 0x2a0c, 9],
  [0x2adc, 0x2adc, 2],
  [0x309b, 0x309f, 3],
  [0x30ff, 0x30ff, 3],
  [0x3200, 0x327d, 5],
  [0x32c0, 0x33fe, 15],
  [0xfa6c, 0xfa6c, 1],
  [0xfacf, 0xfb4f, 3],
  [0xfbdd, 0xfdfc, 30],
  [0xfe71, 0xfe7f, 1],
  [0xfef5, 0xfefc, 1],
  [0x1d15e, 0x1d164, 8],
  [0x1d1bb, 0x1d1c0, 8],
  [0x1f12a, 0x1f12a, 3],
  [0x1f200, 0x1f248, 5],
] as const;

/** By code point, the maximum bytes by which NFKC normalization makes the character longer. */
const ADDED_BYTES = new Uint8Array(0x20000);
for (const [first, last, added] of EXPANDED) ADDED_BYTES.fill(added, first, last + 1);

const addedBytes = (codePoint: number): number => ADDED_BYTES[codePoint] ?? 0;

/**
 * Returns the maximum number of tokens of JSON text, but not more than `atMost`. Does not count the
 * tokens of a long text that certainly reaches `atMost`.
 * @param media the parts of the text to skip, in order and without overlap.
 * @param ascii the same text as a string, if it is known to be ASCII.
 */
export function mostTokens(
  json: Uint8Array,
  media: readonly Span[],
  atMost: number,
  ascii: string | null = null,
): number {
  const end = json.byteLength;
  let mediaBytes = 0;
  for (const span of media) mediaBytes += span.end - span.start;
  const textBytes = end - mediaBytes;
  if (end <= MIN_COUNTED_BYTES && isPlain(json, ascii)) return Math.min(textBytes, atMost);
  const countedBytes = Math.min(textBytes, MAX_COUNTED_BYTES);
  const fewest = textBytes - countedBytes + Math.floor(countedBytes / MOST_BYTES_PER_TOKEN);
  if (fewest >= atMost) return atMost;
  let tokens = 0;
  let at = 0;
  for (const span of [...media, { start: end, end }]) {
    const counted = Math.min(span.start, MAX_COUNTED_BYTES);
    if (at < counted) tokens += tokensIn(json, at, counted);
    tokens += Math.max(0, span.start - Math.max(at, counted));
    at = span.end;
  }
  return Math.min(tokens, atMost);
}

/** Whether the text is ASCII without `\u` escapes. Normalization does not change such text. */
const isPlain = (json: Uint8Array, ascii: string | null): boolean =>
  ascii === null
    ? isAscii(json) && !Buffer.from(json.buffer, json.byteOffset, json.byteLength).includes('\\u')
    : !ascii.includes('\\u');

function tokensIn(json: Uint8Array, start: number, end: number): number {
  let tokens = 0;
  /**
   * The position of the byte in its run, modulo 3. In a run, tokenizers merge any two neighbors.
   * Three such characters are at most two tokens, so the one at position 1 adds no token.
   */
  let position = 0;
  let before = 0;
  for (let at = start; at < end; at++) {
    const byte = json[at] ?? 0;
    const step = STEPS[(before << 8) | byte];
    before = byte;
    if (step === MERGES) {
      position = position === 2 ? 0 : position + 1;
      if (position !== 1) tokens += 1;
      continue;
    }
    position = 0;
    tokens += 1;
    if (step !== IS_SPECIAL) continue;
    if (byte === SPACE) {
      // Of a row of spaces, the last one belongs to the word after it, or is a token by itself.
      // Only r50k, which no model on sale uses, makes each of them a token.
      const second = at;
      while (at + 1 < end && json[at + 1] === SPACE) at += 1;
      tokens += Math.floor(((at - second) * 2) / 3);
    } else if (byte !== BACKSLASH) tokens += addedBytes(codePointAt(json, at));
    else {
      // An escape such as `\n` is one character, so its letter does not merge with the next letter.
      before = 0;
      at += 1;
      if (json[at] !== LETTER_U) continue;
      tokens += 2 + addedBytes(escapedAt(json, at + 1));
      at += 4;
    }
  }
  return tokens;
}

/**
 * Returns the character of an escape from its digits on. Two escapes (a surrogate pair) represent a
 * character above U+FFFF. The second of them adds nothing by itself.
 */
function escapedAt(json: Uint8Array, start: number): number {
  const high = hexAt(json, start);
  const isHigh = high >= 0xd800 && high <= 0xdbff;
  if (!isHigh || json[start + 4] !== BACKSLASH || json[start + 5] !== LETTER_U) return high;
  const low = hexAt(json, start + 6);
  if (low < 0xdc00 || low > 0xdfff) return high;
  return 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
}

/** Returns the value of the four hexadecimal digits of an escape, which was validated before. */
function hexAt(json: Uint8Array, start: number): number {
  let value = 0;
  for (let at = start; at < start + 4; at++) {
    const byte = json[at] ?? 0;
    // For a decimal digit, the low four bits are its value. For a letter, they are its value minus
    // nine.
    value = (value << 4) | ((byte & 0xf) + (byte > NINE ? 9 : 0));
  }
  return value;
}

/** Decodes the UTF-8 character that begins at `at`. */
function codePointAt(json: Uint8Array, at: number): number {
  const byte = json[at] ?? 0;
  const second = (json[at + 1] ?? 0) & 0x3f;
  if (byte < 0xe0) return ((byte & 0x1f) << 6) | second;
  const third = (json[at + 2] ?? 0) & 0x3f;
  if (byte < 0xf0) return ((byte & 0x0f) << 12) | (second << 6) | third;
  return ((byte & 0x07) << 18) | (second << 12) | (third << 6) | ((json[at + 3] ?? 0) & 0x3f);
}
