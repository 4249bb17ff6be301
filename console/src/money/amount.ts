/**
 * Amounts as the API gives them: decimal strings of up to twelve digits after the point. They are added and
 * compared as whole numbers of the smallest unit, and never become floating-point numbers on the way; only
 * the height of a bar in a chart may (`roughly`).
 */

const DIGITS = 12;
const UNIT = 10n ** BigInt(DIGITS);
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,12}))?$/;
const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', CNY: '¥' };

/** Millionths of a millionth of one unit of the currency. */
export type Pico = bigint;

/** @throws RangeError when it is no decimal of at most twelve digits after the point. */
export function parseAmount(decimal: string): Pico {
  const [matched, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (matched === undefined) throw new RangeError(`not an amount: ${decimal}`);
  const size = BigInt(whole) * UNIT + BigInt(fraction.padEnd(DIGITS, '0'));
  return sign === '-' ? -size : size;
}

export const isAmount = (decimal: string): boolean => DECIMAL.test(decimal);

/** Exact, without needless zeros but with at least two digits after the point. */
export function formatExact(amount: Pico): string {
  const size = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}${size / UNIT}.${fractionOf(size)}`;
}

/** What stands after the point: no needless zeros, but two digits at least. */
const fractionOf = (size: Pico): string =>
  (size % UNIT).toString().padStart(DIGITS, '0').replace(/0+$/, '').padEnd(2, '0');

/** The same with its thousands apart, for people. */
export function formatExactGrouped(amount: Pico): string {
  const [whole = '', fraction = ''] = formatExact(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '-' : ''}${grouped(BigInt(whole))}.${fraction}`;
}

const grouped = (whole: bigint): string => whole.toString().replace(/\B(?=(\d{3})+$)/g, ',');

export const sum = (decimals: readonly string[]): Pico =>
  decimals.reduce((total, decimal) => total + parseAmount(decimal), 0n);

/** For the lengths of bars and lines alone. */
export const roughly = (decimal: string): number => Number(decimal);

/**
 * As people read it: two digits after the point from 1 on, at most four below, and for less than a hundredth
 * as many as show two digits that matter. Rounded half away from zero.
 */
export function formatShort(amount: Pico): string {
  const size = amount < 0n ? -amount : amount;
  const digits = shownDigits(size);
  const step = 10n ** BigInt(DIGITS - digits);
  const rounded = ((size + step / 2n) / step) * step;
  const fraction = fractionOf(rounded);
  const whole = grouped(rounded / UNIT);
  const isBelow = amount < 0n && rounded > 0n;
  return `${isBelow ? '-' : ''}${whole}.${fraction}`;
}

function shownDigits(size: Pico): number {
  if (size === 0n || size >= UNIT) return 2;
  if (size >= UNIT / 100n) return 4;
  const leading = DIGITS - size.toString().length;
  return Math.min(DIGITS, leading + 2);
}

/** `$1.50`, `-¥0.0012`, `1.00 EUR`. */
export function withCurrency(text: string, currency: string): string {
  const symbol = SYMBOLS[currency];
  if (symbol === undefined) return `${text} ${currency}`;
  return text.startsWith('-') ? `-${symbol}${text.slice(1)}` : `${symbol}${text}`;
}
