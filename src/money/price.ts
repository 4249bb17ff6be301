/** The price of a request: rates times counts, summed exactly, rounded once. */
import { type Currency, divideHalfEven, type NanoAmount, nano } from './amount.ts';
import { USAGE_BUCKETS, type Usage } from './usage.ts';

/** Pico-units of a currency for one token, which is micro-units per 1M tokens: 1.32 USD/1M is 1_320_000n. */
export type PicoRate = bigint & { readonly unit: 'pico_per_token' };
export const picoRate = (value: bigint): PicoRate => value as PicoRate;

/** A chat card's rates, one a usage bucket. What a card leaves out is filled when it is loaded. */
export type Rates = { readonly [Bucket in keyof Usage]: PicoRate };

/** Exact cost in pico-units, before the one rounding. */
export function costPico(usage: Usage, rates: Rates): bigint {
  let pico = 0n;
  for (const bucket of USAGE_BUCKETS) {
    const count = usage[bucket];
    if (count !== 0) pico += BigInt(count) * rates[bucket];
  }
  return pico;
}

/** Pico → nano, half to even: the only rounding a request ever sees (design, money). */
export const roundToNano = (pico: bigint): NanoAmount => nano(divideHalfEven(pico, 1000n));

/** A pinned exchange rate. `scaled` is how many units of `quote` one unit of `base` buys, times 1e8. */
export type FxRate = {
  readonly id: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};
export const FX_SCALE = 100_000_000n;

/**
 * Converts an exact pico cost from the card's currency into the settlement currency, then rounds once.
 * `rate` null means the two are the same.
 */
export function settleAmount(pico: bigint, rate: Pick<FxRate, 'scaled'> | null): NanoAmount {
  if (rate === null) return roundToNano(pico);
  return nano(divideHalfEven(pico * rate.scaled, 1000n * FX_SCALE));
}
