/** Prices of requests: rates multiplied by counts, summed exactly and rounded once at the end. */
import {
  type Currency,
  divideHalfEven,
  formatDecimal,
  type NanoAmount,
  nano,
  parseDecimal,
} from './amount.ts';
import { perBucket, USAGE_BUCKETS, USAGE_ROWS, type Usage, type UsageRow } from './usage.ts';

export const PICO_DIGITS = 12;
const PICO_PER_NANO = 1000n;
/** The maximum number of decimal places of a price per 1M tokens. */
const TOKEN_PRICE_DIGITS = 6;
export const FX_DIGITS = 8;
/** The minimum number of decimal places when prices and exchange rates are formatted. */
const MIN_DIGITS = 2;

/**
 * A rate in pico-units per token, which is the same number as micro-units per 1M tokens: 1.32 USD
 * per 1M is 1_320_000n.
 */
export type PicoRate = bigint & { readonly unit: 'pico_per_token' };
export const picoRate = (value: bigint): PicoRate => value as PicoRate;

/** Parses a price per 1M tokens; null if it is not a decimal with at most six decimal places. */
export function parseTokenPrice(text: string): PicoRate | null {
  const value = parseDecimal(text, TOKEN_PRICE_DIGITS);
  return value === null ? null : picoRate(value);
}

/** Formats a rate in pico-units per token as a price per 1M tokens: `1.32`. */
export const formatTokenPrice = (rate: bigint): string =>
  formatDecimal(rate, TOKEN_PRICE_DIGITS, MIN_DIGITS);

/** Parses an amount as pico-units; null if not a decimal with at most twelve places. */
export const parsePico = (text: string): bigint | null => parseDecimal(text, PICO_DIGITS);

/** The maximum number of decimal places of a multiple (a factor on prices, such as 1.1). */
const MULTIPLE_DIGITS = 6;
export const MULTIPLE_SCALE = 10n ** BigInt(MULTIPLE_DIGITS);

/** Parses a multiple in 1/`MULTIPLE_SCALE`; null if not a decimal with at most six places. */
export const parseMultiple = (text: string): bigint | null => parseDecimal(text, MULTIPLE_DIGITS);

export const formatFraction = (numerator: bigint, denominator: bigint): string =>
  formatDecimal((numerator * MULTIPLE_SCALE) / denominator, MULTIPLE_DIGITS, 0);

/** Formats an exact cost in pico-units with all digits: `0.000001320000`. */
export const formatPico = (pico: bigint): string => formatDecimal(pico, PICO_DIGITS);

/** Formats a fee per use in pico-units as a decimal, with at least two places: `0.01`. */
export const formatFee = (pico: bigint): string => formatDecimal(pico, PICO_DIGITS, MIN_DIGITS);

/**
 * The rate of each usage bucket (kind of tokens). If a price card lists no price for a bucket, its
 * rate is derived from the rate of another bucket.
 */
export type Rates = { readonly [Bucket in keyof Usage]: PicoRate };
export const NO_RATES: Rates = perBucket(() => picoRate(0n));

/**
 * Returns the rates of a stored price card. For a usage bucket that was added after the price card
 * was stored, derives the rate from the other rates.
 */
export function storedRates(stored: (row: UsageRow) => PicoRate | null): Rates {
  const rates: { -readonly [Name in keyof Rates]: PicoRate } = { ...NO_RATES };
  for (const row of USAGE_ROWS) {
    const { bucket, unlistedPrice } = row;
    const derived = unlistedPrice === null ? 0n : rates[unlistedPrice.of] * unlistedPrice.times;
    rates[bucket] = stored(row) ?? picoRate(derived);
  }
  return rates;
}

export function costPico(usage: Usage, rates: Rates): bigint {
  let pico = 0n;
  for (const bucket of USAGE_BUCKETS) {
    const count = usage[bucket];
    if (count !== 0) pico += BigInt(count) * rates[bucket];
  }
  return pico;
}

export const imagesPico = (price: NanoAmount, count: number): bigint =>
  BigInt(count) * price * PICO_PER_NANO;

/** Rounds pico-units to nano-units, half to even. The price of a request is rounded only once. */
export const roundToNano = (pico: bigint): NanoAmount => nano(divideHalfEven(pico, PICO_PER_NANO));

/** An exchange rate that never changes. One unit of `base` buys `scaled` / 1e8 units of `quote`. */
export type FxRate = {
  readonly id: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};
export const FX_SCALE = 10n ** BigInt(FX_DIGITS);

/** Parses an exchange rate as `FxRate.scaled`; null if not a decimal with at most eight places. */
export const parseFxRate = (text: string): bigint | null => parseDecimal(text, FX_DIGITS);

/** Formats `FxRate.scaled` as a decimal, such as `7.10`. */
export const formatFxRate = (scaled: bigint, minDigits = MIN_DIGITS): string =>
  formatDecimal(scaled, FX_DIGITS, minDigits);

/** Converts a charge to the price card's currency. `rate` is null if both currencies are equal. */
export const inCardCurrency = (
  charge: NanoAmount,
  rate: Pick<FxRate, 'scaled'> | null,
): NanoAmount => (rate === null ? charge : nano(divideHalfEven(charge * FX_SCALE, rate.scaled)));

/**
 * Converts an exact cost to the currency of the charge and rounds it to nano-units. `rate` is null
 * if both currencies are equal.
 */
export function settleAmount(pico: bigint, rate: Pick<FxRate, 'scaled'> | null): NanoAmount {
  if (rate === null) return roundToNano(pico);
  return nano(divideHalfEven(pico * rate.scaled, PICO_PER_NANO * FX_SCALE));
}
