/** Reads JSON numbers as exact decimals, without converting them to floats. */

/** Maximum digits. Prices per token have few, so a longer number is a mistake or an attack. */
const MAX_DIGITS = 40;
const MAX_EXPONENT = 40;

/**
 * Moves the decimal point of a number to the right, exactly: `1.5e-07` by 6 places is `0.15`.
 * Returns null for a negative number, or for one with too many digits or too large an exponent.
 */
export function shiftedDecimal(literal: string, places: number): string | null {
  const [, whole, fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(literal) ?? [];
  if (whole === undefined || literal.length > MAX_DIGITS) return null;
  const shift = Number(exponent) + places;
  if (Math.abs(shift) > MAX_EXPONENT) return null;
  const digits = (whole + fraction).padStart(MAX_EXPONENT + 1, '0');
  const point = fraction.length - shift;
  const shown = point <= 0 ? digits + '0'.repeat(-point) : digits;
  const cut = shown.padStart(Math.max(point, 0) + 1, '0');
  const at = cut.length - Math.max(point, 0);
  const units = cut.slice(0, at).replace(/^0+(?=\d)/, '');
  const rest = cut.slice(at).replace(/0+$/, '');
  return rest === '' ? units : `${units}.${rest}`;
}
