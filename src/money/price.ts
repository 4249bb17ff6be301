/** The price of a request: rates times counts, summed exactly, rounded once. */
import {
  type Currency,
  divideHalfEven,
  formatDecimal,
  type NanoAmount,
  nano,
  parseDecimal,
} from './amount.ts';
import { perBucket, USAGE_BUCKETS, type Usage } from './usage.ts';

const PICO_DIGITS = 12;
const PICO_PER_NANO = 1000n;
/** Of a price per 1M tokens. */
const TOKEN_PRICE_DIGITS = 6;
export const FX_DIGITS = 8;
/** A price or a rate is shown with no fewer digits than prices usually have. */
const MIN_DIGITS = 2;

/** Pico-units of a currency for one token: the micro-units of 1M tokens. 1.32 USD/1M is 1_320_000n. */
export type PicoRate = bigint & { readonly unit: 'pico_per_token' };
export const picoRate = (value: bigint): PicoRate => value as PicoRate;

/** Reads the price of 1M tokens; null when it is not a decimal of at most six digits. */
export function parseTokenPrice(text: string): PicoRate | null {
  const value = parseDecimal(text, TOKEN_PRICE_DIGITS);
  return value === null ? null : picoRate(value);
}

/** The price of 1M tokens: `1.32`. @param rate pico-units a token. */
export const formatTokenPrice = (rate: bigint): string =>
  formatDecimal(rate, TOKEN_PRICE_DIGITS, MIN_DIGITS);

/** An exact cost with all its digits: `0.000001320000`. */
export const formatPico = (pico: bigint): string => formatDecimal(pico, PICO_DIGITS);

/** A chat card's rates, one a usage bucket. What a card leaves out is filled when it is loaded. */
export type Rates = { readonly [Bucket in keyof Usage]: PicoRate };
export const NO_RATES: Rates = perBucket(() => picoRate(0n));

/** Exact cost in pico-units, before the one rounding. */
export function costPico(usage: Usage, rates: Rates): bigint {
  let pico = 0n;
  for (const bucket of USAGE_BUCKETS) {
    const count = usage[bucket];
    if (count !== 0) pico += BigInt(count) * rates[bucket];
  }
  return pico;
}

/** The same for images of one price. */
export const imagesPico = (price: NanoAmount, count: number): bigint =>
  BigInt(count) * price * PICO_PER_NANO;

/** Pico → nano, half to even: the only rounding a request ever sees (design, money). */
export const roundToNano = (pico: bigint): NanoAmount => nano(divideHalfEven(pico, PICO_PER_NANO));

/** A pinned exchange rate. `scaled` is how many units of `quote` one unit of `base` buys, times 1e8. */
export type FxRate = {
  readonly id: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};
export const FX_SCALE = 10n ** BigInt(FX_DIGITS);

/** Reads what one unit of base buys, as `FxRate.scaled`; null when it is not a decimal. */
export const parseFxRate = (text: string): bigint | null => parseDecimal(text, FX_DIGITS);

/** What one unit of base buys: `7.10`. */
export const formatFxRate = (scaled: bigint, minDigits = MIN_DIGITS): string =>
  formatDecimal(scaled, FX_DIGITS, minDigits);

/**
 * Converts an exact pico cost from the card's currency into the settlement currency, then rounds once.
 * `rate` null means the two are the same.
 */
export function settleAmount(pico: bigint, rate: Pick<FxRate, 'scaled'> | null): NanoAmount {
  if (rate === null) return roundToNano(pico);
  return nano(divideHalfEven(pico * rate.scaled, PICO_PER_NANO * FX_SCALE));
}
