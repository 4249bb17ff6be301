/**
 * Exact amounts of money as bigint: nano-units (1e-9) in the ledger, pico-units (1e-12) in prices.
 */

export type NanoAmount = bigint & { readonly unit: 'nano' };
export const nano = (value: bigint): NanoAmount => value as NanoAmount;
export const ZERO: NanoAmount = nano(0n);

export const CURRENCIES = ['USD', 'CNY'] as const;
/**
 * The currency of a wallet. An account has one wallet per currency. Amounts in different currencies
 * are never added.
 */
export type Currency = (typeof CURRENCIES)[number];
export const isCurrency = (text: string): text is Currency =>
  (CURRENCIES as readonly string[]).includes(text);

const NANO_DIGITS = 9;
const ZERO_DIGIT = 0x30;

/**
 * Parses a decimal such as `-12.5` to an integer in units of 10^-`digits`. Returns null if the text
 * is invalid or has more than `digits` decimals.
 */
export function parseDecimal(text: string, digits: number): bigint | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > digits) return null;
  const value = BigInt(`${match[2]}${fraction.padEnd(digits, '0')}`);
  return match[1] === '-' ? -value : value;
}

/** Formats an integer in units of 10^-`digits` as a decimal with at least `minDigits` decimals. */
export function formatDecimal(value: bigint, digits: number, minDigits = digits): string {
  const sign = value < 0n ? '-' : '';
  const padded = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const point = padded.length - digits;
  let end = padded.length;
  while (end > point + minDigits && padded.charCodeAt(end - 1) === ZERO_DIGIT) end -= 1;
  const whole = padded.slice(0, point);
  return point === end ? `${sign}${whole}` : `${sign}${whole}.${padded.slice(point, end)}`;
}

/**
 * Parses a decimal such as `100` or `0.5` as nano-units. Returns null if the text is not a decimal
 * with at most nine decimal places.
 */
export function parseAmount(text: string): NanoAmount | null {
  const value = parseDecimal(text, NANO_DIGITS);
  return value === null ? null : nano(value);
}

/** Formats nano-units as a decimal with nine decimal places, as in the APIs: `0.000123400`. */
export const formatAmount = (amount: NanoAmount): string => formatDecimal(amount, NANO_DIGITS);

/** Divides and rounds to the nearest integer, half to even. `denominator` must be positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n;
  const n = negative ? -numerator : numerator;
  let quotient = n / denominator;
  const twice = (n % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}
