/**
 * JSON whose numbers are only passed on. A tool's arguments may hold an id of twenty digits, which no number
 * of this language holds exactly: parsed and written again it would be another id.
 */

declare global {
  interface JSON {
    /** A value that is written as this very text. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** Digits that every number holds exactly. */
const EXACT_DIGITS = 15;
/** The digits of such a number, which few texts hold: quickly looked for. */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d{3}/;
/** Where they may be a number, within strings too: only then is each value looked at, which takes time. */
const MAYBE_NUMBER = /[[:,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;

/**
 * As `JSON.parse`, but a number that cannot be held is an object that `JSON.stringify` writes as it came.
 * Whoever calculates with a number asks `plainNumber`.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export const parseExact = (text: string): unknown =>
  MANY_DIGITS.test(text) && MAYBE_NUMBER.test(text)
    ? JSON.parse(text, (_, value, { source = '' }) =>
        typeof value === 'number' && !isHeld(value, source) ? JSON.rawJSON(source) : value,
      )
    : JSON.parse(text);

/** The nearest number to one that is only passed on; any other value as it is. */
export const plainNumber = (value: unknown): unknown =>
  JSON.isRawJSON(value) ? Number(value.rawJSON) : value;

function isHeld(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = source
    .replace(/[eE].*/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '');
  if (digits.length > EXACT_DIGITS) return JSON.stringify(value) === source;
  // Too small a number becomes nothing at all.
  return value !== 0 || digits === '';
}
