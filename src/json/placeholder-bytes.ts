/**
 * Replaces parts of JSON by placeholders, and puts the parts back. A placeholder is a mark, an
 * index, and the same mark again. A string that `ScannedObject.view` truncated ends with one of
 * `MARKS` and the string's index. The loops are hand-written, since a body may have tens of
 * thousands of parts.
 */
import { type Clock, systemClock } from '../clock.ts';
import type { Span } from './cursor.ts';

/** Maximum bytes of a placeholder: two marks, an index, and two quotes if it replaces a number. */
export const PLACEHOLDER_BYTES = 56;
const RANDOM_BYTES = 8;
/** Pieces up to this size are copied in a loop, which costs less than a native call. */
const SHORT_BYTES = 64;
const ZERO = 0x30;

/** Appends pieces of bytes to an array, which grows if it is too small. */
export class BytesWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  append(from: Uint8Array, start: number, end: number): void {
    const size = end - start;
    if (this.#length + size > this.#bytes.byteLength) this.#grow(size);
    if (size <= SHORT_BYTES) {
      const bytes = this.#bytes;
      let to = this.#length;
      for (let at = start; at < end; at++) bytes[to++] = from[at] ?? 0;
    } else {
      this.#bytes.set(from.subarray(start, end), this.#length);
    }
    this.#length += size;
  }

  /** Appends a non-negative integer in decimal digits. */
  appendIndex(index: number): void {
    let digits = 1;
    for (let rest = index; rest >= 10; rest = Math.floor(rest / 10)) digits += 1;
    if (this.#length + digits > this.#bytes.byteLength) this.#grow(digits);
    let rest = index;
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      this.#bytes[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#length += digits;
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.byteLength, this.#length + size));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/**
 * A part of the body that a placeholder replaces. The placeholder of a number is written in quotes,
 * because it must be valid JSON.
 */
export type Replaced = Span & { readonly isNumber: boolean };

const encoder = new TextEncoder();

/**
 * Returns a new mark: a control character and random digits. A caller cannot guess it, so no text
 * of the caller can look like a placeholder, not even text that a translator decodes, such as a
 * file in base64.
 */
export const randomMark = (clock: Pick<Clock, 'randomBytes'> = systemClock): string =>
  `\u0001${Buffer.from(clock.randomBytes(RANDOM_BYTES)).toString('hex')}`;

/** Returns a mark as it is written in JSON. */
const escaped = (mark: string): string => JSON.stringify(mark).slice(1, -1);

/** Returns the bytes, in which a placeholder replaces each span. */
export function withPlaceholders(
  bytes: Uint8Array,
  spans: readonly Replaced[],
  mark: string,
): Uint8Array<ArrayBuffer> {
  const removed = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const writer = new BytesWriter(bytes.byteLength - removed + spans.length * PLACEHOLDER_BYTES);
  const plain = encoder.encode(escaped(mark));
  const opening = encoder.encode(`"${escaped(mark)}`);
  const closing = encoder.encode(`${escaped(mark)}"`);
  let from = 0;
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index];
    if (span === undefined) continue;
    const before = span.isNumber ? opening : plain;
    const after = span.isNumber ? closing : plain;
    writer.append(bytes, from, span.start);
    writer.append(before, 0, before.byteLength);
    writer.appendIndex(index);
    writer.append(after, 0, after.byteLength);
    from = span.end;
  }
  writer.append(bytes, from, bytes.byteLength);
  return writer.written;
}

/**
 * Returns the JSON text in which each placeholder is replaced by the original bytes of its span.
 */
export function withoutPlaceholders(
  json: Buffer,
  bytes: Uint8Array,
  spans: readonly Replaced[],
  mark: string,
): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(escaped(mark));
  const found: number[] = [];
  let size = json.byteLength;
  for (let at = json.indexOf(text); at >= 0; ) {
    const [index, end] = indexAt(json, at + text.byteLength);
    found.push(at, end + text.byteLength, index);
    const { start: from = 0, end: to = 0 } = spans[index] ?? {};
    size += to - from;
    at = json.indexOf(text, end + text.byteLength);
  }
  const writer = new BytesWriter(size);
  let from = 0;
  for (let each = 0; each < found.length; each += 3) {
    const [start = 0, end = 0, index = 0] = [found[each], found[each + 1], found[each + 2]];
    const span = spans[index];
    if (span === undefined) throw new Error(`no placeholder has index ${index}`);
    // A number loses the quotes that its placeholder had.
    const quote = span.isNumber ? 1 : 0;
    writer.append(json, from, start - quote);
    writer.append(bytes, span.start, span.end);
    from = end + quote;
  }
  writer.append(json, from, json.byteLength);
  return writer.written;
}

/** Reads decimal digits. Returns their value, and where they end. */
function indexAt(json: Uint8Array, start: number): readonly [index: number, end: number] {
  let index = 0;
  for (let at = start; ; at++) {
    const digit = (json[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return [index, at];
    index = index * 10 + digit;
  }
}
