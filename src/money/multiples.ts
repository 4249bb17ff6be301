/** Applies the multiples of a price card, which raise or lower rates and fees under conditions. */
import type { CardTerms, RowConditions } from './card-terms.ts';
import { conditionsText, holds, type Situation } from './conditions.ts';
import { formatFraction, type PicoRate, picoRate, type Rates } from './price.ts';
import { type Bucket, USAGE_BUCKETS } from './usage.ts';

type Multiple = {
  readonly of: (rate: PicoRate) => PicoRate;
  readonly ofAll: (rates: Rates) => Rates;
  readonly why: string;
};

const NO_MULTIPLE: Multiple = { of: (rate) => rate, ofAll: (rates) => rates, why: '' };

/**
 * Returns `of` and `ofAll`, which multiply one rate or all rates by every multiple that applies,
 * and `why`, which names these multiples. Rounds up to a pico-unit; only the factor of a price list
 * can cause a fraction.
 */
export function multipleOf(
  { multiples }: CardTerms,
  applies: 'tokens' | 'fees',
  situation: Situation,
): Multiple {
  const applying = multiples.filter(
    (each) => each.applies === applies && holds(each.when, situation),
  );
  if (applying.length === 0) return NO_MULTIPLE;
  const numerator = applying.reduce((product, each) => product * each.numerator, 1n);
  const denominator = applying.reduce((product, each) => product * each.denominator, 1n);
  const of = (rate: PicoRate): PicoRate =>
    picoRate((rate * numerator + denominator - 1n) / denominator);
  return {
    of,
    ofAll: (rates) => mapRates(rates, of),
    why: applying.map((each) => multipleText(each)).join('; '),
  };
}

const mapRates = (rates: Rates, of: (rate: PicoRate) => PicoRate): Rates => {
  const mapped: { -readonly [Name in Bucket]: PicoRate } = { ...rates };
  for (const bucket of USAGE_BUCKETS) mapped[bucket] = of(rates[bucket]);
  return mapped;
};

function multipleText({
  when,
  numerator,
  denominator,
}: {
  readonly when: RowConditions;
  readonly numerator: bigint;
  readonly denominator: bigint;
}): string {
  const conditions = conditionsText(when);
  const times = `times ${formatFraction(numerator, denominator)}`;
  return conditions === '' ? times : `${times} (${conditions})`;
}
