/** Exact fractions, because some sources compute money from ratios and floating-point numbers. */
import { type NanoAmount, nano } from '../money/amount.ts';
import { UnknownSource } from './source-tables.ts';

/** The fraction `over` / `under`, in which `under` is positive. */
export type Exact = { readonly over: bigint; readonly under: bigint };

/**
 * The maximum exponent of a parsed number, so that a short text cannot produce a bigint of
 * unbounded size.
 */
const MAX_EXPONENT = 60;

/** Parses a decimal, such as `1.25` or `5e-7`; null for other text. */
export function exactOf(text: string): Exact | null {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (sign === undefined) return null;
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? { over: digits, under: scale } : { over: digits * scale, under: 1n };
}

export const wholeNumber = (value: bigint): Exact => ({ over: value, under: 1n });

export const times = (a: Exact, b: Exact): Exact => ({
  over: a.over * b.over,
  under: a.under * b.under,
});

/** @param b the divisor, greater than zero. */
export const dividedBy = (a: Exact, b: Exact): Exact => ({
  over: a.over * b.under,
  under: a.under * b.over,
});

export const isEqual = (a: Exact, b: Exact): boolean => a.over * b.under === b.over * a.under;

/**
 * A fraction rounded down, in units of 10^-digits. `isExact` is true if rounding changed nothing.
 */
export type Rounded = { readonly value: bigint; readonly isExact: boolean };

export function roundedDown({ over, under }: Exact, digits: number): Rounded {
  const scaled = over * 10n ** BigInt(digits);
  const rest = ((scaled % under) + under) % under;
  return { value: (scaled - rest) / under, isExact: rest === 0n };
}

const NANO_DIGITS = 9;

export function amountOf(exact: Exact): { readonly amount: NanoAmount; readonly isExact: boolean } {
  const { value, isExact } = roundedDown(exact, NANO_DIGITS);
  return { amount: nano(value), isExact };
}

/** Formats an integer in units of 10^-`digits` as a decimal without trailing zeros. */
export function decimalText(value: bigint, digits: number): string {
  const padded = value.toString().padStart(digits + 1, '0');
  const fraction = padded.slice(-digits).replace(/0+$/, '');
  return `${padded.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Parses JSON, but returns each number as its text, because a number such as 0.1 has no exact
 * binary representation.
 * @param what names the text in error messages. @throws UnknownSource if the text is not JSON.
 */
export function parsedExactly(json: string, what: string): unknown {
  try {
    return JSON.parse(json, (_, value: unknown, { source }: { readonly source?: string }) =>
      typeof value === 'number' ? (source ?? String(value)) : value,
    );
  } catch (cause) {
    throw new UnknownSource(`The ${what} is not JSON.`, { cause });
  }
}

/**
 * Parses an option of the source that is a JSON object of numbers. Ignores values that are not
 * numbers.
 * @throws UnknownSource if the option is not JSON.
 */
export function exactNumbers(json: string, option: string): ReadonlyMap<string, Exact> {
  const numbers = new Map<string, Exact>();
  const parsed = parsedExactly(json, `option \`${option}\` of the source`);
  for (const [name, written] of Object.entries(Object(parsed))) {
    const exact = exactOf(String(written));
    if (exact !== null) numbers.set(name, exact);
  }
  return numbers;
}
