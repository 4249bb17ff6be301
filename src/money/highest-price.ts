/** Computes the highest price that a price card may charge for a request that is not served yet. */
import {
  type CardMultiple,
  type CardTerms,
  FACT_NAMES,
  isFlat,
  type RowConditions,
} from './card-terms.ts';
import { NO_RATES, type PicoRate, picoRate, type Rates } from './price.ts';
import { type FactValues, NO_FACTS, possibleValues } from './price-of.ts';
import { FEE_UNITS, type Served } from './served.ts';
import { perBucket } from './usage.ts';

/**
 * What a request asks for: the requested facts, the maximum number of prompt tokens, and the
 * maximum uses of each tool.
 */
export type HighestAsk = {
  readonly requested: FactValues;
  readonly promptTokens: number;
  readonly uses: Served['uses'];
};

export type HighestPrice = {
  readonly rates: Rates;
  /** The fees of all tool uses and the fee per request, in pico-units. */
  readonly feesPico: bigint;
};

/**
 * Returns the highest rates and fees that may apply to the request. The rate of each usage bucket
 * is the highest of all rows that may apply. The prompt may have any length up to `promptTokens`,
 * and the request may be served at any time. The provider may serve other facts, such as another
 * tier, than the requested ones.
 */
export function highestPrice(terms: CardTerms, ask: HighestAsk): HighestPrice {
  if (isFlat(terms)) return { rates: terms.rows[0].rates ?? NO_RATES, feesPico: 0n };
  const facts = { served: NO_FACTS, requested: ask.requested };
  const possible = FACT_NAMES.map((name) => possibleValues(terms, name, facts));
  const mayHold = (when: RowConditions): boolean =>
    FACT_NAMES.every(
      (name, at) => when[name]?.some((each) => possible[at]?.includes(each)) ?? true,
    ) &&
    ask.promptTokens > (when.promptOver ?? -1) &&
    ask.promptTokens >= (when.promptFrom ?? 0);
  // `priceOf` charges an answer under a row that is not sold at the highest rates of any row.
  const mayBeUnsold = terms.rows.some(({ when, rates }) => rates === null && mayHold(when));
  const rows = terms.rows.flatMap(({ when, rates }) =>
    mayBeUnsold || mayHold(when) ? (rates ?? []) : [],
  );
  const all = [...rows, ...terms.roundRates.values()];
  const times = (applies: CardMultiple['applies']) => (pico: bigint) =>
    timesHighest(
      pico,
      terms.multiples.filter((each) => each.applies === applies && mayHold(each.when)),
    );
  const [ofTokens, ofFees] = [times('tokens'), times('fees')];
  const fees = FEE_UNITS.reduce((sum, unit) => {
    const uses = unit === 'request' ? 1 : (ask.uses[unit] ?? 0);
    return sum + BigInt(uses) * (terms.fees[unit] ?? 0n);
  }, 0n);
  const highest = ({ bucket }: { readonly bucket: keyof Rates }): PicoRate =>
    picoRate(
      ofTokens(all.reduce((most, rates) => (rates[bucket] > most ? rates[bucket] : most), 0n)),
    );
  return { rates: perBucket(highest), feesPico: ofFees(fees) };
}

/** Applies all multiples above 1, but none below 1, because those may not apply to the answer. */
function timesHighest(pico: bigint, multiples: readonly CardMultiple[]): bigint {
  const raising = multiples.filter(({ numerator, denominator }) => numerator > denominator);
  const numerator = raising.reduce((product, each) => product * each.numerator, 1n);
  const denominator = raising.reduce((product, each) => product * each.denominator, 1n);
  return (pico * numerator + denominator - 1n) / denominator;
}
