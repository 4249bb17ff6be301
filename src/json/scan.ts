/**
 * One pass over a request's JSON, cheap for a kilobyte and without a stall for 32 megabytes: how deep it
 * nests, where the members of the top-level object lie, and which strings are long. The bytes are kept
 * as they came, so that a request can be edited in place and everything unknown in it survives.
 */
import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../errors.ts';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closingQuote,
  isKey,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './cursor.ts';
import { findJsonFault } from './fault.ts';

/** Bytes `[start, end)`. */
export type Span = { readonly start: number; readonly end: number };

/** A member of the top-level object: where its value lies, and where its quoted key begins. */
export type Member = Span & { readonly keyStart: number };

/** A string longer than this is cut short in `view`, since no rule looks past its beginning. */
export const LONG_STRING_BYTES = 256;
/** What `view` keeps of a long string: enough to tell a data URL's type. */
const KEPT_STRING_BYTES = 64;
/** Up to here parsing the whole body is cheaper than leaving anything out. */
const WHOLE_PARSE_BYTES = 16 * 1024;
/** In longer bodies a fault is not looked for: nobody wrote them by hand, and it takes time. */
const MAX_PLACED_BYTES = 1024 * 1024;
const NOT_UTF8 = 'The body is not valid UTF-8.';
const BOM = [0xef, 0xbb, 0xbf] as const;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Where a member of the top-level object stands in its course: `"key" : value`. */
type Awaiting = 'key' | 'colon' | 'value' | 'separator';

export class JsonScan {
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;
  #closed = false;
  #bomBytes = 0;
  /** Start of the content of the string that is being read; -1 outside of strings. */
  #stringStart = -1;
  #awaiting: Awaiting = 'key';
  #key = '';
  #keyStart = -1;
  #valueStart = -1;
  #valueEnd = -1;
  readonly #members = new Map<string, Member>();
  readonly #longStrings: Span[] = [];

  constructor(limits: { readonly maxDepth: number }) {
    this.#maxDepth = limits.maxDepth;
  }

  /**
   * Goes on over `bytes[.., end)` from where it stopped; the buffer may have been moved meanwhile.
   * @throws GatewayError `invalid_json` for what can never become a valid body.
   */
  advance(bytes: Uint8Array, end: number): void {
    let at = this.#at;
    while (at < end) {
      if (this.#stringStart >= 0) {
        const close = closingQuote(bytes, at, end, this.#stringStart);
        if (close < 0) {
          at = end;
          break;
        }
        this.#endString(bytes, close);
        at = close + 1;
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
      } else if (this.#depth <= 1) {
        this.#shallow(byte, at);
      }
      at += 1;
    }
    this.#at = at;
  }

  /**
   * Ends the scan.
   * @throws GatewayError `invalid_json` when the body is not one whole JSON object.
   */
  finish(bytes: Uint8Array<ArrayBuffer>, end: number): ScannedObject {
    this.advance(bytes, end);
    if (end === this.#bomBytes) throw invalid('The body is empty; send a JSON object.');
    if (!this.#closed) throw invalid('The body ends before its JSON object does.');
    const skip = this.#bomBytes;
    if (skip === 0) {
      return new ScannedObject(bytes.subarray(0, end), this.#members, this.#longStrings);
    }
    // A byte order mark is tolerated here, but nothing behind us need know of it.
    const again = new JsonScan({ maxDepth: this.#maxDepth });
    return again.finish(bytes.subarray(skip, end), end - skip);
  }

  #open(byte: number, at: number): void {
    if (this.#depth === 0 && (byte !== OPEN_OBJECT || this.#closed)) throw notAnObject();
    if (this.#depth > 0) this.#beginValue(at);
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) {
      throw invalid(`The JSON nests deeper than ${this.#maxDepth} levels. Flatten it.`);
    }
  }

  #close(at: number): void {
    this.#depth -= 1;
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

  /** A byte outside of strings and brackets, at the top level or within its object. */
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
    if (close - start > LONG_STRING_BYTES) this.#longStrings.push({ start, end: close });
    if (this.#depth !== 1) return;
    if (this.#awaiting === 'key') {
      this.#key = memberName(bytes.subarray(start - 1, close + 1));
      this.#keyStart = start - 1;
      this.#awaiting = 'colon';
    } else {
      this.#endValue(close + 1);
    }
  }

  #endMember(): void {
    if (this.#awaiting === 'value' && this.#valueStart >= 0) {
      // Two readers could otherwise disagree on which of them counts, such as which model is paid for.
      if (this.#members.has(this.#key)) {
        throw invalid(
          `The key "${this.#key.slice(0, 64)}" stands twice in the body. Send it once.`,
        );
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

/** Scans an object that is complete. @throws GatewayError `invalid_json`. */
export const scanObject = (bytes: Uint8Array<ArrayBuffer>, maxDepth: number): ScannedObject =>
  new JsonScan({ maxDepth }).finish(bytes, bytes.byteLength);

/** A body whose top-level members are known by place. */
export class ScannedObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each top-level member's value lies in `bytes`. */
  readonly members: ReadonlyMap<string, Member>;
  /** Contents of strings over `LONG_STRING_BYTES`, at any depth, without their quotes. */
  readonly longStrings: readonly Span[];

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    members: ReadonlyMap<string, Member>,
    longStrings: readonly Span[],
  ) {
    this.bytes = bytes;
    this.members = members;
    this.longStrings = longStrings;
  }

  /**
   * The body parsed, with each long string cut to its beginning when the body is large: what validation
   * needs at a fraction of the cost.
   * @throws GatewayError `invalid_json`.
   */
  view(): Record<string, unknown> {
    const whole = this.bytes.byteLength <= WHOLE_PARSE_BYTES || this.longStrings.length === 0;
    if (whole) return this.parse();
    // The ends of long strings are not parsed here, but nobody behind us should have to refuse them.
    if (!isUtf8(this.bytes)) throw invalid(NOT_UTF8);
    return parseObject(this.#withoutLongStrings(), () => this.bytes);
  }

  /** Every member parsed whole. @throws GatewayError `invalid_json`. */
  parse(): Record<string, unknown> {
    return parseObject(this.bytes);
  }

  #withoutLongStrings(): Uint8Array {
    const { bytes } = this;
    const reduced = new Uint8Array(bytes.byteLength);
    let from = 0;
    let length = 0;
    for (const { start, end } of this.longStrings) {
      // A key cut short could become another key, such as `model`, and be taken for it.
      if (isKey(bytes, end + 1)) continue;
      const piece = bytes.subarray(from, keptEnd(bytes, start));
      reduced.set(piece, length);
      length += piece.byteLength;
      from = end;
    }
    reduced.set(bytes.subarray(from), length);
    return reduced.subarray(0, length + bytes.byteLength - from);
  }
}

/** Where the kept beginning of a long string ends: before any escape, at a character's boundary. */
function keptEnd(bytes: Uint8Array, start: number): number {
  let end = start + KEPT_STRING_BYTES;
  const escapeAt = bytes.subarray(start, end).indexOf(BACKSLASH);
  if (escapeAt >= 0) return start + escapeAt;
  // Bytes 10xxxxxx continue a character of UTF-8.
  while (end > start && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

function memberName(quoted: Uint8Array): string {
  // The value of a key without escapes is its bytes; whether they are allowed there, the parser says.
  return quoted.indexOf(BACKSLASH) < 0
    ? decoded(quoted).slice(1, -1)
    : (parseText(quoted, null) as string);
}

/** @param whole the bytes that a fault is to be found in, when `bytes` is an extract of them. */
function parseObject(
  bytes: Uint8Array,
  whole: () => Uint8Array = () => bytes,
): Record<string, unknown> {
  return parseText(bytes, whole) as Record<string, unknown>;
}

function decoded(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new GatewayError('invalid_json', NOT_UTF8, { cause });
  }
}

function parseText(bytes: Uint8Array, whole: (() => Uint8Array) | null): unknown {
  const text = decoded(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const where = whole === null ? '' : placed(whole());
    throw new GatewayError('invalid_json', `The body is not valid JSON${where}: ${why}`, { cause });
  }
}

function placed(bytes: Uint8Array): string {
  const fault = bytes.byteLength > MAX_PLACED_BYTES ? null : findJsonFault(decoded(bytes));
  return fault === null ? '' : ` at line ${fault.line}, column ${fault.column}`;
}

const invalid = (message: string): GatewayError => new GatewayError('invalid_json', message);
const notAnObject = (): GatewayError => invalid('The body must be one JSON object.');
