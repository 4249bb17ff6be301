/** Parses JSON without changing numbers, such as a 20-digit id in a tool's arguments. */

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
/** Finds candidates for inexact numbers quickly. Few texts contain one. */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** Finds candidates, also inside strings. Every value is checked after a match. */
const MAYBE_NUMBER = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/**
 * Parses JSON, with each number that would lose digits as an object that `JSON.stringify` writes
 * unchanged. Call `plainNumber` before calculating. @throws SyntaxError as `JSON.parse`.
 */
export const parseExact = (text: string): unknown =>
  MANY_DIGITS.test(text) && MAYBE_NUMBER.test(text)
    ? JSON.parse(text, (_, value, { source = '' }) =>
        typeof value === 'number' && !isHeld(value, source) ? JSON.rawJSON(source) : value,
      )
    : JSON.parse(text);

/** Returns the nearest JavaScript number for an exact number, and any other value unchanged. */
export const plainNumber = (value: unknown): unknown =>
  JSON.isRawJSON(value) ? Number(value.rawJSON) : value;

function isHeld(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = source
    .replace(/[eE].*/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '');
  if (digits.length > EXACT_DIGITS) return JSON.stringify(value) === source;
  // A nonzero number that is too small would become 0.
  return value !== 0 || digits === '';
}
