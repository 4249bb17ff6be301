/** Finds numbers that JavaScript might not represent exactly, without parsing the body. */
import { GatewayError } from '../errors.ts';
import { closingQuote, OPEN_ARRAY, OPEN_OBJECT, QUOTE, type Span } from './cursor.ts';
import type { ScannedObject } from './scan.ts';

/** Numbers of fewer bytes than this, without an exponent, are exact in JavaScript. */
const LONG_NUMBER_BYTES = 16;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LETTER_E = 0x65;
const TO_LOWER_CASE = 0x20;

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= NINE;

/** Maximum long numbers of a body, because keeping the digits of each one takes a microsecond. */
export const MAX_LONG_NUMBERS = 10_000;

/**
 * Returns the ranges of the long numbers within the arrays and objects of the body, in order.
 * @throws GatewayError `invalid_json` for more than `MAX_LONG_NUMBERS`.
 */
export function longNumbers({ bytes, members, longStrings }: ScannedObject): readonly Span[] {
  const spans: Span[] = [];
  let long = 0;
  for (const { start, end } of members.values()) {
    if (bytes[start] !== OPEN_OBJECT && bytes[start] !== OPEN_ARRAY) continue;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        while ((longStrings[long]?.start ?? end) <= at) long += 1;
        const skipped = longStrings[long];
        at = skipped?.start === at + 1 ? skipped.end : closingQuote(bytes, at + 1, end);
        // Stops at a string that does not end: the parser reports the error later.
        if (at < 0) return spans;
      } else if (byte === MINUS || isDigit(byte)) {
        const numberEnd = endOfNumber(bytes, at);
        const isLong = numberEnd - at >= LONG_NUMBER_BYTES || hasExponent(bytes, at, numberEnd);
        if (isLong) spans.push({ start: at, end: numberEnd });
        if (spans.length > MAX_LONG_NUMBERS) throw tooMany();
        at = Math.max(at, numberEnd - 1);
      }
    }
  }
  return spans;
}

const tooMany = (): GatewayError =>
  new GatewayError(
    'invalid_json',
    `The body has more than ${MAX_LONG_NUMBERS} numbers that have more than 15 digits or an exponent, which is too many for this model. Send fewer such numbers, or shorten them.`,
  );

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (((bytes[at] ?? 0) | TO_LOWER_CASE) === LETTER_E) return true;
  return false;
}

/** Returns where the number at `start` ends; `start` if it is not valid JSON. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  const from = bytes[start] === MINUS ? start + 1 : start;
  let at = endOfDigits(bytes, from);
  if (at === from || (bytes[from] === ZERO && at > from + 1)) return start;
  if (bytes[at] === POINT) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction);
    if (at === fraction) return start;
  }
  if (((bytes[at] ?? 0) | TO_LOWER_CASE) !== LETTER_E) return at;
  const sign = bytes[at + 1];
  const exponent = sign === MINUS || sign === PLUS ? at + 2 : at + 1;
  at = endOfDigits(bytes, exponent);
  return at === exponent ? start : at;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}
