/**
 * Amounts as the API returns them: decimal strings with up to twelve decimal places. Amounts are
 * added and compared as integers of the smallest unit. Only the height of a bar (`roughly`) is a
 * floating-point number.
 */
import { preferredLanguage } from '#i18n/languages.ts';
import { groupedDigits } from '#i18n/region.ts';

const DIGITS = 12;
const UNIT = 10n ** BigInt(DIGITS);
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,12}))?$/;
const MINUS = '\u2212';
/** Outside of China, ¥ means the yen, so the yuan is written CN¥. */
const SYMBOLS = {
  USD: () => '$',
  CNY: () => (preferredLanguage() === 'zh' ? '¥' : 'CN¥'),
} as const;

/** An amount in pico-units, which are 10⁻¹² of one unit of the currency. */
export type Pico = bigint;

/**
 * Parses a decimal amount, such as `-1.50`, to pico-units.
 * @throws RangeError unless `decimal` has at most twelve decimal places.
 */
export function parseAmount(decimal: string): Pico {
  const [matched, sign, whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (matched === undefined) throw new RangeError(`not an amount: ${decimal}`);
  const size = BigInt(whole) * UNIT + BigInt(fraction.padEnd(DIGITS, '0'));
  return sign === '-' ? -size : size;
}

export const isAmount = (decimal: string): boolean => DECIMAL.test(decimal);

/** Formats the exact amount without trailing zeros, but with at least two decimal places. */
export function formatExact(amount: Pico): string {
  const size = amount < 0n ? -amount : amount;
  return `${amount < 0n ? '-' : ''}${size / UNIT}.${fractionOf(size)}`;
}

/** Returns the decimal places without trailing zeros, but at least two. */
const fractionOf = (size: Pico): string =>
  (size % UNIT).toString().padStart(DIGITS, '0').replace(/0+$/, '').padEnd(2, '0');

/** Formats the exact amount with thousands separators. */
export function formatExactGrouped(amount: Pico): string {
  const [whole = '', fraction = ''] = formatExact(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '-' : ''}${groupedDigits(BigInt(whole))}.${fraction}`;
}

export const sum = (decimals: readonly string[]): Pico =>
  decimals.reduce((total, decimal) => total + parseAmount(decimal), 0n);

/** Converts an amount to a floating-point number, only for the lengths of bars and lines. */
export const roughly = (decimal: string): number => Number(decimal);

/**
 * Formats a rounded amount for display: at most two decimal places from 1 on, and at most four
 * below 1. Amounts below 0.01 keep two significant digits. Rounds half away from zero.
 */
export function formatShort(amount: Pico): string {
  const size = amount < 0n ? -amount : amount;
  const digits = shownDigits(size);
  const step = 10n ** BigInt(DIGITS - digits);
  const rounded = ((size + step / 2n) / step) * step;
  const fraction = fractionOf(rounded);
  const whole = groupedDigits(rounded / UNIT);
  const isBelow = amount < 0n && rounded > 0n;
  return `${isBelow ? '-' : ''}${whole}.${fraction}`;
}

function shownDigits(size: Pico): number {
  if (size === 0n || size >= UNIT) return 2;
  if (size >= UNIT / 100n) return 4;
  const leading = DIGITS - size.toString().length;
  return Math.min(DIGITS, leading + 2);
}

/** Formats an amount for a list, exact or rounded. */
export const formatListed = (amount: Pico, isExact: boolean): string =>
  isExact ? formatExactGrouped(amount) : formatShort(amount);

/** Returns the number of decimal places that `formatListed` shows. */
export const placesOf = (decimal: string, isExact: boolean): number =>
  formatListed(parseAmount(decimal), isExact).split('.')[1]?.length ?? 0;

/** Adds the currency to an amount: `$1.50`, `−CN¥0.0012`, `1.00 EUR`. */
export function withCurrency(text: string, currency: string): string {
  const [sign, size] = text.startsWith('-') ? [MINUS, text.slice(1)] : ['', text];
  if (currency !== 'USD' && currency !== 'CNY') return `${sign}${size} ${currency}`;
  return `${sign}${SYMBOLS[currency]()}${size}`;
}
