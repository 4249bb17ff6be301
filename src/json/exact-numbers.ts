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

/** A JavaScript number represents up to this many significant digits exactly. */
const EXACT_DIGITS = 15;
/**
 * Matches text in which a number may lose digits. This test is quick, and few texts without such a
 * number match it.
 */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/**
 * A stricter test for texts that match `MANY_DIGITS`. It may match digits inside a string, so after
 * a match `parseExact` checks every number.
 */
const MAYBE_NUMBER = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/** Whether parsing the text may lose digits. */
export const hasLongNumber = (text: string): boolean =>
  MANY_DIGITS.test(text) && MAYBE_NUMBER.test(text);

/**
 * Parses JSON. A number that would lose digits becomes an object that `JSON.stringify` writes
 * unchanged; call `plainNumber` to calculate with it.
 * @throws SyntaxError as `JSON.parse` does.
 */
export const parseExact = (text: string): unknown =>
  hasLongNumber(text)
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
  // JavaScript turns a nonzero number that is too small into 0.
  return value !== 0 || digits === '';
}
