/**
 * Finds the depth, top-level members and long strings of a request's JSON in one pass, fast even
 * for 32 megabytes. Keeps the bytes, so that editing a request does not lose unknown fields.
 */
import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../errors.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isKey,
  isSpace,
  LONG_STRING_BYTES,
  MARKS,
  type Mark,
  type Member,
  markIn,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  type Span,
} from './cursor.ts';
import { findJsonFault } from './fault.ts';
import { ObjectKeys, refuseTwice } from './object-keys.ts';
import { BytesWriter, PLACEHOLDER_BYTES } from './placeholder-bytes.ts';
import {
  invalid,
  limitEscapes,
  limitKey,
  limitStructure,
  limitValues,
  NO_LIMIT,
  type ScanLimits,
} from './scan-limits.ts';
import { scanSmall } from './small-scan.ts';
import { StringEnd } from './string-end.ts';

/** Number of bytes that `view` keeps of a long string: enough for the media type of a data URL. */
const KEPT_STRING_BYTES = 64;
/** Bodies up to this size are parsed as a whole, which is faster than truncating their strings. */
const WHOLE_PARSE_BYTES = 16 * 1024;
/**
 * Maximum bytes of a body that contains all of `MARKS`. The strings of such a body cannot be
 * truncated, because no mark is free to stand for the truncated part.
 */
export const MAX_MARKED_BYTES = 512 * 1024;
/** Maximum bytes of a body in which syntax errors are located, because locating them is slow. */
const MAX_PLACED_BYTES = 256 * 1024;
const NOT_UTF8 = 'The body is not valid UTF-8.';
const BOM = [0xef, 0xbb, 0xbf] as const;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The token that must come next in the top-level object, whose members are `"key" : value`. */
type Awaiting = 'key' | 'colon' | 'value' | 'separator';

export class JsonScan {
  readonly #limits: ScanLimits;
  #at = 0;
  #depth = 0;
  #values = 0;
  #longBytes = 0;
  readonly #strings = new StringEnd();
  /** The number of escapes in all strings that have ended. */
  #escapes = 0;
  /** The number of escapes in long strings that have ended. */
  #longEscapes = 0;
  #closed = false;
  #bomBytes = 0;
  /** The position where the content of the current string begins; -1 outside of strings. */
  #stringStart = -1;
  #awaiting: Awaiting = 'key';
  #key = '';
  #keyStart = -1;
  #valueStart = -1;
  #valueEnd = -1;
  readonly #members = new Map<string, Member>();
  readonly #longStrings: Span[] = [];
  /** Finds duplicate keys below the top level; null when they are allowed. */
  readonly #keys: ObjectKeys | null;

  constructor(limits: ScanLimits) {
    this.#limits = limits;
    this.#keys = limits.uniqueKeys === true ? new ObjectKeys() : null;
  }

  /** The number of JSON values scanned so far. */
  get values(): number {
    return this.#values;
  }

  /** Scans up to `end`. `bytes` may be a longer copy of the last array. @throws `invalid_json` */
  advance(bytes: Uint8Array<ArrayBuffer>, end: number): void {
    this.#strings.search(bytes);
    let at = this.#at;
    while (at < end) {
      if (this.#stringStart >= 0) {
        at = this.#strings.find(at, end);
        if (at >= end) break;
        this.#endString(bytes, at);
        at += 1;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.#beginValue(at);
        this.#stringStart = at + 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#open(byte, at);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#close(at);
      } else {
        if (byte === COMMA) this.#countValue();
        if (this.#depth <= 1) this.#shallow(byte, at);
        else if (byte === COLON) refuseTwice(this.#keys?.add(bytes, at) ?? null, this.#depth);
      }
      at += 1;
    }
    this.#at = at;
    const structureEnd = this.#stringStart < 0 ? at : this.#stringStart;
    limitStructure(structureEnd - this.#longBytes, this.#limits);
  }

  /** Ends the scan. @throws GatewayError `invalid_json` unless the body is one complete object. */
  finish(bytes: Uint8Array<ArrayBuffer>, end: number): ScannedObject {
    this.advance(bytes, end);
    if (end === this.#bomBytes) throw invalid('The body is empty; send a JSON object.');
    if (!this.#closed) throw invalid('The body ends before its JSON object is complete.');
    this.#checkStructure(bytes, end);
    const skip = this.#bomBytes;
    const whole = bytes.subarray(0, end);
    if (skip === 0) return new ScannedObject(whole, this.#members, this.#longStrings, this.#values);
    // Scans again without the byte order mark, which is accepted but not sent to the upstream.
    const again = new JsonScan(this.#limits);
    return again.finish(bytes.subarray(skip, end), end - skip);
  }

  #countValue(): void {
    this.#values += 1;
    limitValues(this.#values, this.#limits);
  }

  /** Limits the bytes that `view` has to parse. Long keys count, since `view` keeps them whole. */
  #checkStructure(bytes: Uint8Array, end: number): void {
    let structureBytes = end - this.#longBytes;
    for (const span of this.#longStrings) {
      if (!isKey(bytes, span.end + 1)) continue;
      const length = span.end - span.start;
      limitKey(length, this.#limits);
      structureBytes += length;
      this.#longEscapes -= this.#strings.count(span.start, span.end);
    }
    this.#limitEscapes();
    limitStructure(structureBytes, this.#limits);
  }

  #open(byte: number, at: number): void {
    this.#countValue();
    if (this.#depth === 0 && (byte !== OPEN_OBJECT || this.#closed)) throw notAnObject();
    if (this.#depth > 0) this.#beginValue(at);
    this.#depth += 1;
    this.#keys?.open();
    const { maxDepth } = this.#limits;
    if (this.#depth > maxDepth) {
      throw invalid(`The JSON nests deeper than ${maxDepth} levels. Flatten it.`);
    }
  }

  #close(at: number): void {
    this.#depth -= 1;
    this.#keys?.close();
    if (this.#depth > 1) return;
    if (this.#depth === 1) {
      this.#endValue(at + 1);
    } else if (this.#depth === 0) {
      this.#endMember();
      this.#closed = true;
    } else {
      throw notAnObject();
    }
  }

  /** Handles a byte outside of strings, other than a bracket, at depth 0 or 1. */
  #shallow(byte: number, at: number): void {
    if (isSpace(byte)) return;
    if (this.#depth === 0) {
      if (at < BOM.length && byte === BOM[at] && at === this.#bomBytes) {
        this.#bomBytes += 1;
        return;
      }
      throw notAnObject();
    }
    if (byte === COLON && this.#awaiting === 'colon') {
      this.#awaiting = 'value';
      this.#valueStart = -1;
    } else if (byte === COMMA) {
      this.#endMember();
    } else {
      this.#beginValue(at);
      this.#endValue(at + 1);
    }
  }

  #beginValue(at: number): void {
    if (this.#depth === 0) throw notAnObject();
    if (this.#depth === 1 && this.#awaiting === 'value' && this.#valueStart < 0)
      this.#valueStart = at;
  }

  #endValue(end: number): void {
    if (this.#awaiting === 'value') this.#valueEnd = end;
  }

  #endString(bytes: Uint8Array, close: number): void {
    const start = this.#stringStart;
    this.#stringStart = -1;
    if (close - start > LONG_STRING_BYTES) {
      this.#longStrings.push({ start, end: close });
      this.#longBytes += close - start;
      this.#longEscapes += this.#strings.escapes - this.#escapes;
    }
    if (this.#strings.escapes > this.#escapes) this.#limitEscapes();
    if (this.#depth !== 1) return;
    if (this.#awaiting === 'key') {
      // The length is checked before decoding, because decoding a long key would take long.
      limitKey(close - start, this.#limits);
      this.#key = memberName(bytes.subarray(start - 1, close + 1));
      this.#keyStart = start - 1;
      this.#awaiting = 'colon';
    } else {
      this.#endValue(close + 1);
    }
  }

  #limitEscapes(): void {
    this.#escapes = this.#strings.escapes;
    limitEscapes(this.#escapes, this.#escapes - this.#longEscapes, this.#limits);
  }

  #endMember(): void {
    if (this.#awaiting === 'value' && this.#valueStart >= 0) {
      refuseTwice(this.#members.has(this.#key) ? this.#key : null, this.#depth);
      const { maxMembers = NO_LIMIT } = this.#limits;
      if (this.#members.size >= maxMembers) {
        throw invalid(`The body has more than ${maxMembers} fields. Send fewer.`);
      }
      this.#members.set(this.#key, {
        keyStart: this.#keyStart,
        start: this.#valueStart,
        end: this.#valueEnd,
      });
    }
    this.#awaiting = 'key';
    this.#valueStart = -1;
  }
}

/** Scans a complete JSON object; only depth is limited. @throws GatewayError `invalid_json`. */
export const scanObject = (bytes: Uint8Array<ArrayBuffer>, maxDepth: number): ScannedObject =>
  scanWhole(bytes, { maxDepth });

/** Scans bytes that have all arrived. @throws GatewayError `invalid_json`. */
export function scanWhole(bytes: Uint8Array<ArrayBuffer>, limits: ScanLimits): ScannedObject {
  const small = scanSmall(bytes, limits);
  if (small === null) return new JsonScan(limits).finish(bytes, bytes.byteLength);
  const { members, longStrings, values, ascii } = small;
  return new ScannedObject(bytes, members, longStrings, values, ascii);
}

export class ScannedObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The range of each top-level member's value in `bytes`. */
  readonly members: ReadonlyMap<string, Member>;
  /** The ranges of strings over `LONG_STRING_BYTES`, at any depth, without their quotes. */
  readonly longStrings: readonly Span[];
  /** The number of values at any depth. */
  readonly values: number;
  /** The text of a small object if all of it is ASCII; else null. */
  readonly ascii: string | null;
  /** The mark that `view` wrote into each string that it truncated; null if it truncated none. */
  #mark: Mark | null = null;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    members: ReadonlyMap<string, Member>,
    longStrings: readonly Span[],
    values: number,
    ascii: string | null = null,
  ) {
    this.bytes = bytes;
    this.members = members;
    this.longStrings = longStrings;
    this.values = values;
    this.ascii = ascii;
  }

  /** Parses the body. In a large body, long strings are truncated. @throws `invalid_json` */
  view(): Record<string, unknown> {
    const isSmall = this.bytes.byteLength <= WHOLE_PARSE_BYTES || this.longStrings.length === 0;
    this.#mark = isSmall ? null : this.#freeMark();
    if (this.#mark === null) return this.parse();
    // Long strings are not parsed here, but the upstream must not receive invalid UTF-8.
    if (!isUtf8(this.bytes)) throw invalid(NOT_UTF8);
    return parseObject(this.bytes, decoded(this.#withoutLongStrings(this.#mark)));
  }

  /**
   * Returns a mark that the body lacks, so that no text of the caller can look like a placeholder;
   * null if the body has all marks. @throws GatewayError `invalid_json` if such a body is large.
   */
  #freeMark(): Mark | null {
    const { buffer, byteOffset, byteLength } = this.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    const free = MARKS.find((mark) => !bytes.includes(mark)) ?? null;
    if (free !== null || byteLength <= MAX_MARKED_BYTES) return free;
    throw invalid(
      `A body over ${MAX_MARKED_BYTES} bytes must not contain all of the escapes ${MARKS.join(' ')}. Remove one of them.`,
    );
  }

  /** Returns all bytes of a string of `view`, even if `view` holds the string truncated. */
  bytesOf(text: string): Uint8Array {
    const mark = this.#mark === null ? -1 : text.indexOf(markIn(this.#mark));
    const span = mark < 0 ? undefined : this.longStrings[Number(text.slice(mark + 1))];
    return span === undefined ? Buffer.from(text) : this.bytes.subarray(span.start, span.end);
  }

  parse(): Record<string, unknown> {
    return parseObject(this.bytes, this.ascii ?? decoded(this.bytes));
  }

  #withoutLongStrings(mark: Mark): Uint8Array {
    const { bytes, longStrings } = this;
    const removed = longStrings.reduce((sum, { start, end }) => sum + end - start, 0);
    const kept = longStrings.length * (KEPT_STRING_BYTES + PLACEHOLDER_BYTES);
    const writer = new BytesWriter(bytes.byteLength - removed + kept);
    const marked = encoder.encode(mark);
    let from = 0;
    for (let index = 0; index < longStrings.length; index++) {
      const { start = 0, end = 0 } = longStrings[index] ?? {};
      // Keys are not truncated, since a truncated key could become another key, such as `model`.
      if (isKey(bytes, end + 1)) continue;
      writer.append(bytes, from, keptEnd(bytes, start));
      writer.append(marked, 0, marked.byteLength);
      writer.appendIndex(index);
      from = end;
    }
    writer.append(bytes, from, bytes.byteLength);
    return writer.written;
  }
}

/** Returns where a long string is truncated: before any escape, at a character boundary. */
function keptEnd(bytes: Uint8Array, start: number): number {
  let end = start + KEPT_STRING_BYTES;
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return at;
  // Skips back over the continuation bytes (10xxxxxx) of a UTF-8 character.
  while (end > start && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

function memberName(quoted: Uint8Array): string {
  // A key without escapes needs no parsing. The parser decides later whether its bytes are valid.
  return quoted.indexOf(BACKSLASH) < 0
    ? decoded(quoted).slice(1, -1)
    : (parseText(null, decoded(quoted)) as string);
}

/** Parses the text of a body, or an extract of it. Syntax errors are located in the whole body. */
const parseObject = (body: Uint8Array, text: string): Record<string, unknown> =>
  parseText(body, text) as Record<string, unknown>;

function decoded(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new GatewayError('invalid_json', NOT_UTF8, { cause });
  }
}

/** @param body the bytes in which a syntax error is located; null to leave out its position. */
function parseText(body: Uint8Array | null, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const where = body === null ? '' : placed(body);
    throw new GatewayError('invalid_json', `The body is not valid JSON${where}: ${why}`, { cause });
  }
}

function placed(bytes: Uint8Array): string {
  const fault = bytes.byteLength > MAX_PLACED_BYTES ? null : findJsonFault(decoded(bytes));
  return fault === null ? '' : ` at line ${fault.line}, column ${fault.column}`;
}

const notAnObject = (): GatewayError => invalid('The body must be one JSON object.');
