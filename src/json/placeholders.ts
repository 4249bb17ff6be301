/**
 * Parses a body with images and long texts as fast as a body without them. Short placeholders
 * replace long data, long texts and numbers of many digits. When the result is written, each
 * placeholder becomes the original bytes again.
 */
import { GatewayError } from '../errors.ts';
import { COLON, COMMA, isAt, isKey, isSpace, QUOTE, type Span } from './cursor.ts';
import { parseExact, plainNumber } from './exact-numbers.ts';
import { longNumbers } from './long-numbers.ts';
import { asJsonObject, type JsonObject } from './object.ts';
import {
  type Replaced,
  randomMark,
  withoutPlaceholders,
  withPlaceholders,
} from './placeholder-bytes.ts';
import type { ScannedObject } from './scan.ts';

export type Placeholders = {
  /**
   * The parsed body, with placeholders for long numbers and for the long strings of certain keys.
   */
  readonly json: JsonObject;
  /** The bytes of the whole body. */
  readonly bodyBytes: number;
  /**
   * Returns the approximate number of bytes that a string from `json` has in the body, without
   * restoring the string.
   */
  readonly sizeOf: (text: string) => number;
  /** Returns a string from `json` as the caller wrote it. @throws GatewayError `invalid_json`. */
  readonly restore: (text: string) => string;
  /**
   * Returns a value, such as a tool's arguments, as JSON text with the original data instead of
   * placeholders.
   */
  readonly stringify: (value: unknown) => string;
  /** Encodes a value as JSON bytes, with the original data instead of placeholders. */
  readonly encode: (value: unknown) => Uint8Array<ArrayBuffer>;
};

/** Bodies up to this size are parsed without placeholders, which would cost more than they save. */
const WHOLE_PARSE_BYTES = 16 * 1024;
/** Maximum bytes before the comma of a data URL: only a media type and its parameters. */
const MAX_HEAD_BYTES = 256;
/**
 * Maximum bytes of a text that is checked for being blank. Translators omit blank texts, and
 * forward longer texts without the check.
 */
const MAX_BLANK_BYTES = 64 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const DATA_SCHEME = encoder.encode('data:');
const key = (name: string): Uint8Array => encoder.encode(`"${name}"`);
/** Keys whose long strings translators forward without reading them. */
const UNREAD_KEYS = ['data', 'thinking', 'arguments', 'reasoning_content'].map(key);
/** Keys whose long strings translators forward, unless such a string is blank. */
const TEXT_KEYS = ['text', 'content', 'output', 'input', 'instructions'].map(key);

/** Parses the body, with placeholders if it is large. @throws GatewayError `invalid_json`. */
export function parseWithPlaceholders(body: ScannedObject): Placeholders {
  if (body.bytes.byteLength <= WHOLE_PARSE_BYTES) return parsedWhole(body, parseExact);
  const spans = spansOf(body);
  // If no part is replaced, the body has no long number, so `JSON.parse` keeps every number exact.
  if (spans.length === 0) return parsedWhole(body, JSON.parse);
  const mark = randomMark();
  const json = parsedBy(JSON.parse, withPlaceholders(body.bytes, spans, mark));
  return json === null ? parsedWhole(body, parseExact) : withSpans(body, spans, mark, json);
}

function withSpans(
  { bytes }: ScannedObject,
  spans: readonly Replaced[],
  mark: string,
  json: JsonObject,
): Placeholders {
  const placeholder = new RegExp(`${mark}(\\d+)${mark}`, 'g');
  const spanAt = (index: string): Replaced => {
    const span = spans[Number(index)];
    if (span === undefined) throw new Error(`no placeholder has index ${index}`);
    return span;
  };
  const dataOf = ({ start, end }: Span): Uint8Array => bytes.subarray(start, end);
  const encode = (value: unknown): Uint8Array<ArrayBuffer> =>
    withoutPlaceholders(Buffer.from(JSON.stringify(value)), bytes, spans, mark);
  return {
    json,
    bodyBytes: bytes.byteLength,
    sizeOf: (text) => {
      let size = text.length;
      for (const [whole, index = ''] of text.matchAll(placeholder)) {
        const { start, end } = spanAt(index);
        size += end - start - whole.length;
      }
      return size;
    },
    restore: (text) =>
      text.replaceAll(placeholder, (_, index: string) =>
        unescaped(decoder.decode(dataOf(spanAt(index)))),
      ),
    stringify: (value) => decoder.decode(encode(value)),
    encode,
  };
}

/**
 * Decodes the escapes of a replaced string, which no parser has checked yet.
 * @throws GatewayError `invalid_json`.
 */
function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch (cause) {
    const message = `The body is not valid JSON: a string is invalid: ${String(cause)}`;
    throw new GatewayError('invalid_json', message, { cause });
  }
}

const parsedWhole = (body: ScannedObject, parse: Parse): Placeholders => ({
  json: parsedBy(parse, body.bytes) ?? body.parse(),
  bodyBytes: body.bytes.byteLength,
  sizeOf: (text) => text.length,
  restore: (text) => text,
  stringify: (value) => JSON.stringify(value),
  encode: (value) => encoder.encode(JSON.stringify(value)),
});

type Parse = (text: string) => unknown;

/**
 * Parses an object; null if invalid. Top-level numbers become JavaScript numbers, and nested
 * numbers stay exact.
 */
function parsedBy(parse: Parse, bytes: Uint8Array): JsonObject | null {
  try {
    const members = Object.entries(asJsonObject(parse(strictDecoder.decode(bytes))) ?? {});
    return Object.fromEntries(members.map(([name, value]) => [name, plainNumber(value)]));
  } catch {
    // Returns null, so that `parsedWhole` finally calls `body.parse`, which reports the position of
    // a syntax error.
    return null;
  }
}

/** Returns the parts of the body that placeholders replace, in order. */
function spansOf(body: ScannedObject): readonly Replaced[] {
  const { bytes, longStrings } = body;
  const spans: Replaced[] = [];
  for (const { start, end } of longStrings) {
    if (isKey(bytes, end + 1)) continue;
    const from = replacedFrom(bytes, start, end);
    if (from !== null) spans.push({ start: from, end, isNumber: false });
  }
  const numbers = longNumbers(body);
  if (numbers.length === 0) return spans;
  for (const { start, end } of numbers) spans.push({ start, end, isNumber: true });
  return spans.sort((one, other) => one.start - other.start);
}

/**
 * Returns where the part to replace begins in a long string: at its start or, in a data URL, after
 * the comma. Null if no part is replaced.
 */
function replacedFrom(bytes: Uint8Array, start: number, end: number): number | null {
  if (isNamed(bytes, start - 1, UNREAD_KEYS)) return start;
  if (isNamed(bytes, start - 1, TEXT_KEYS)) return mayBeBlank(bytes, start, end) ? null : start;
  if (!isAt(bytes, start, DATA_SCHEME)) return null;
  const comma = bytes.subarray(start, Math.min(end, start + MAX_HEAD_BYTES)).indexOf(COMMA);
  return comma < 0 ? null : start + comma + 1;
}

const LAST_ASCII = 0x7e;
/** Matches escapes that may stand for white space. */
const BLANK_ESCAPE = /\\(?:[nrtf]|u[0-9a-fA-F]{4})/g;

/**
 * Whether the first bytes of a text are only white space, and the text is short enough to be
 * parsed. The translator then calls `trim` to decide whether all of it is blank.
 */
function mayBeBlank(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] ?? 0;
  if (!isSpace(first) && first !== 0x5c && first <= LAST_ASCII) return false;
  if (end - start > MAX_BLANK_BYTES) return false;
  const head = decoder.decode(bytes.subarray(start, start + MAX_HEAD_BYTES));
  return (
    head
      .replace(BLANK_ESCAPE, '')
      .replace(/[\\\ufffd].{0,5}$/, '')
      .trim() === ''
  );
}

/** Whether one of the keys and a colon precede the quote. */
function isNamed(bytes: Uint8Array, quote: number, keys: readonly Uint8Array[]): boolean {
  let at = quote - 1;
  while (isSpace(bytes[at])) at -= 1;
  if (bytes[at] !== COLON) return false;
  at -= 1;
  while (isSpace(bytes[at])) at -= 1;
  if (bytes[at] !== QUOTE) return false;
  for (const name of keys) if (isAt(bytes, at + 1 - name.byteLength, name)) return true;
  return false;
}
