/**
 * Parses a body with images as fast as its text alone. Short placeholders replace the long data of
 * data URLs and of members named `data`, until the result is written.
 */
import { concatBytes } from './bytes.ts';
import { COLON, COMMA, isAt, isKey, isSpace, type Mark, markIn, type Span } from './cursor.ts';
import { parseExact, plainNumber } from './exact-numbers.ts';
import { asJsonObject, type JsonObject } from './object.ts';
import type { ScannedObject } from './scan.ts';

export type Placeholders = {
  /** The parsed body, with a placeholder instead of each piece of long data. */
  readonly json: JsonObject;
  /** Returns a string from `json` as the caller wrote it, with its data restored. */
  readonly restore: (text: string) => string;
  /** Returns JSON text for use in a string, such as a tool's arguments, with all data restored. */
  readonly stringify: (value: unknown) => string;
  /** Encodes a value that may have strings from `json` as JSON bytes, with all data restored. */
  readonly encode: (value: unknown) => Uint8Array<ArrayBuffer>;
};

/** Bodies up to this size are parsed whole, because placeholders would cost more than they save. */
const WHOLE_PARSE_BYTES = 16 * 1024;
/** Most bytes before the comma of a data URL, which are only a media type and its parameters. */
const MAX_HEAD_BYTES = 256;

const DATA_SCHEME = new TextEncoder().encode('data:');
const DATA_KEY = new TextEncoder().encode('"data"');
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** Parses the body, with placeholders if it is large. @throws GatewayError `invalid_json`. */
export function parseWithPlaceholders(body: ScannedObject): Placeholders {
  const spans = body.bytes.byteLength <= WHOLE_PARSE_BYTES ? [] : dataSpans(body);
  // A placeholder is a number between two marks.
  const mark = spans.length === 0 ? null : body.freeMark();
  const json = mark === null ? null : parseWithout(body.bytes, spans, mark);
  if (mark === null || json === null) return parsedWhole(body);
  const character = markIn(mark);
  const placeholder = new RegExp(`${character}(\\d+)${character}`, 'g');
  const escapedPlaceholder = new RegExp(`\\${mark}(\\d+)\\${mark}`, 'g');
  const dataAt = (index: string): Uint8Array => {
    const span = spans[Number(index)];
    if (span === undefined) throw new Error(`no placeholder has index ${index}`);
    return body.bytes.subarray(span.start, span.end);
  };
  return {
    json,
    restore: (text) =>
      text.replaceAll(placeholder, (_, index: string) =>
        String(JSON.parse(`"${decoder.decode(dataAt(index))}"`)),
      ),
    stringify: (value) =>
      JSON.stringify(value).replaceAll(escapedPlaceholder, (_, index: string) =>
        decoder.decode(dataAt(index)),
      ),
    encode: (value) => {
      // Splitting by a pattern with a capture group yields texts and captured indexes alternately.
      const pieces = JSON.stringify(value).split(escapedPlaceholder);
      return concatBytes(
        pieces.map((piece, at) => (at % 2 === 0 ? encoder.encode(piece) : dataAt(piece))),
      );
    },
  };
}

const parsedWhole = (body: ScannedObject): Placeholders => ({
  json: exact(() => strictDecoder.decode(body.bytes)) ?? body.parse(),
  restore: (text) => text,
  stringify: (value) => JSON.stringify(value),
  encode: (value) => encoder.encode(JSON.stringify(value)),
});

/** Parses the body without the spans; null when the rest is not valid JSON. */
function parseWithout(bytes: Uint8Array, spans: readonly Span[], mark: Mark): JsonObject | null {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    pieces.push(bytes.subarray(from, start));
    from = end;
  }
  pieces.push(bytes.subarray(from));
  const texts = pieces.map((piece) => decoder.decode(piece));
  const text = texts.reduce((before, after, at) => `${before}${mark}${at - 1}${mark}${after}`);
  return exact(() => text);
}

/** Parses an object; null if invalid. Top-level numbers become JS numbers; nested stay exact. */
function exact(text: () => string): JsonObject | null {
  try {
    const members = Object.entries(asJsonObject(parseExact(text())) ?? {});
    return Object.fromEntries(members.map(([name, value]) => [name, plainNumber(value)]));
  } catch {
    // `body.parse` then parses the whole body again and reports the position of the fault.
    return null;
  }
}

/** Returns where long data is: after the comma of a data URL, or all of a member named `data`. */
function dataSpans({ bytes, longStrings }: ScannedObject): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of longStrings) {
    if (isKey(bytes, end + 1)) continue;
    if (isNamedData(bytes, start - 1)) {
      spans.push({ start, end });
      continue;
    }
    if (!isAt(bytes, start, DATA_SCHEME)) continue;
    const comma = bytes.subarray(start, Math.min(end, start + MAX_HEAD_BYTES)).indexOf(COMMA);
    if (comma >= 0) spans.push({ start: start + comma + 1, end });
  }
  return spans;
}

/** Whether `"data":` precedes the quote. */
function isNamedData(bytes: Uint8Array, quote: number): boolean {
  let at = quote - 1;
  while (isSpace(bytes[at])) at -= 1;
  if (bytes[at] !== COLON) return false;
  at -= 1;
  while (isSpace(bytes[at])) at -= 1;
  return isAt(bytes, at + 1 - DATA_KEY.byteLength, DATA_KEY);
}
