/**
 * Parses JSON without changing its numbers. A tool's arguments may hold a 20-digit id, which no
 * JavaScript number holds exactly: parsed and written again, it would be a different id.
 */

declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Numbers of up to this many digits are always exact. */
const EXACT_DIGITS = 15;
/** Finds candidates for inexact numbers quickly; few texts contain one. */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** Finds them where a number may be, strings included; only then every value is checked. */
const MAYBE_NUMBER = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/**
 * Like `JSON.parse`, but a number that would lose digits becomes an object that `JSON.stringify`
 * writes as it was. Call `plainNumber` before calculating with it.
 * @throws SyntaxError as `JSON.parse`.
 */
export const parseExact = (text: string): unknown =>
  MANY_DIGITS.test(text) && MAYBE_NUMBER.test(text)
    ? JSON.parse(text, (_, value, { source = '' }) =>
        typeof value === 'number' && !isHeld(value, source) ? JSON.rawJSON(source) : value,
      )
    : JSON.parse(text);

/** The nearest JavaScript number; any other value unchanged. */
export const plainNumber = (value: unknown): unknown =>
  JSON.isRawJSON(value) ? Number(value.rawJSON) : value;

function isHeld(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = source
    .replace(/[eE].*/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '');
  if (digits.length > EXACT_DIGITS) return JSON.stringify(value) === source;
  // Too small a number would become 0.
  return value !== 0 || digits === '';
}
