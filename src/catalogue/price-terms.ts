/**
 * Builds the terms of a price card from a validated price: rows with exact rates, conditions, and
 * fees.
 */
import type { Config } from '../config/config.ts';
import { type PriceRow, priceRows, type RowPrices } from '../config/price-rows.ts';
import {
  type ConditionSettings,
  NOT_SOLD,
  type TokenPriceSettings,
} from '../config/price-schema.ts';
import {
  type CardMultiple,
  type CardRow,
  type CardTerms,
  FACT_NAMES,
  type FactNames,
  type RowConditions,
} from '../money/card-terms.ts';
import { factOf } from '../money/conditions.ts';
import {
  MULTIPLE_SCALE,
  NO_RATES,
  type PicoRate,
  parseMultiple,
  parsePico,
  parseTokenPrice,
  picoRate,
  type Rates,
} from '../money/price.ts';
import { FEE_UNITS } from '../money/served.ts';
import { type Bucket, USAGE_ROWS, type UsageRow } from '../money/usage.ts';

/**
 * Derives the rate of a usage bucket that has no listed price. `rates` contains the rates of the
 * buckets before it in `USAGE_ROWS`.
 */
export type Unlisted = (row: UsageRow, rates: Rates) => PicoRate | null;

export type TermsOptions = {
  readonly calendars: Config['calendars'];
  /** The sizes and qualities that an image model supports; empty for any other model. */
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
  readonly unlisted: Unlisted;
  /** Whether a usage bucket without a listed price gets the rate that `unlisted` derives. */
  readonly isDerived: (row: UsageRow) => boolean;
};

export function termsOf(price: TokenPriceSettings, options: TermsOptions): CardTerms {
  const [first, ...others] = priceRows(price).map((row) => cardRow(row, price, options));
  if (first === undefined) throw new Error('the price has no rows');
  const { clock, admit, limits } = price;
  const names = factNames(price);
  const isNamed = (fact: 'size' | 'quality'): boolean =>
    [...price.rows, ...price.times].some(({ when }) => when[fact] !== undefined);
  return {
    rows: [first, ...others],
    multiples: price.times.flatMap((each) => multiples(each, price, options)),
    fees: feesOf(price),
    roundRates: new Map(
      Object.entries(price.models).map(([model, prices]) => [
        model,
        ratesOf(prices, options).rates,
      ]),
    ),
    names,
    clock,
    admits: {
      tier: admit.tier,
      speed: admit.speed,
      geo: admit.geo,
      size: isNamed('size') ? options.sizes : [],
      quality: isNamed('quality') ? options.qualities : [],
      tools: admit.tools,
      imageDetail: admit.image_detail,
      cacheTtl: admit.cache_ttl,
    },
    limits: {
      uses: defined(limits.uses),
      tokensPerUse: defined(limits.tokens_per_use),
    },
  };
}

function cardRow(row: PriceRow, price: TokenPriceSettings, options: TermsOptions): CardRow {
  const when = conditionsOf(row.when, price, options);
  if (row.prices.input === NOT_SOLD) return { when, rates: null, unlisted: [] };
  return { when, ...ratesOf(row.prices, options) };
}

/**
 * Returns exact rates. A usage bucket that is not sold gets the highest rate of its side (input or
 * output), because a provider might report tokens of this bucket anyway.
 */
function ratesOf(
  prices: RowPrices,
  { unlisted, isDerived }: TermsOptions,
): Pick<CardRow, 'unlisted'> & { readonly rates: Rates } {
  const rates: { -readonly [Name in Bucket]: PicoRate } = { ...NO_RATES };
  const missing: UsageRow[] = [];
  for (const row of USAGE_ROWS) {
    const text = prices[row.price];
    if (text === NOT_SOLD || (text === undefined && !isDerived(row))) {
      missing.push(row);
      continue;
    }
    const rate = text === undefined ? unlisted(row, rates) : parseTokenPrice(text);
    if (rate === null) throw new Error(`the price of ${row.price} is missing`);
    rates[row.bucket] = rate;
  }
  for (const { bucket, part } of missing) {
    for (const other of USAGE_ROWS) {
      const isSameSide = (other.part === 'output') === (part === 'output');
      if (isSameSide && rates[other.bucket] > rates[bucket]) rates[bucket] = rates[other.bucket];
    }
  }
  return { rates, unlisted: missing.map(({ bucket }) => bucket) };
}

function conditionsOf(
  when: ConditionSettings,
  price: TokenPriceSettings,
  { calendars }: TermsOptions,
): RowConditions {
  const maps = factNames(price);
  const facts = FACT_NAMES.map((name) => [
    name,
    when[name]?.map((value) => factOf(name, maps, value) ?? value),
  ]);
  const notOn = when.not_on?.flatMap((name) => calendars[name]?.dates ?? []);
  return defined({
    ...Object.fromEntries(facts),
    promptOver: when.prompt_over,
    promptFrom: when.prompt_from,
    fromMs: when.from,
    untilMs: when.until,
    hours: when.hours,
    days: when.days,
    notOn,
  });
}

function multiples(
  { when, tokens, fees }: TokenPriceSettings['times'][number],
  price: TokenPriceSettings,
  options: TermsOptions,
): readonly CardMultiple[] {
  return (['tokens', 'fees'] as const).flatMap((applies): CardMultiple[] => {
    const text = applies === 'tokens' ? tokens : fees;
    const numerator = text === undefined ? null : parseMultiple(text);
    if (numerator === null) return [];
    return [
      {
        when: conditionsOf(when, price, options),
        applies,
        numerator,
        denominator: MULTIPLE_SCALE,
      },
    ];
  });
}

const feesOf = ({ fees }: TokenPriceSettings): CardTerms['fees'] =>
  Object.fromEntries(
    FEE_UNITS.flatMap((unit) => {
      const text = fees[unit];
      const fee = text === undefined ? null : parsePico(text);
      return fee === null ? [] : [[unit, picoRate(fee)]];
    }),
  );

const factNames = ({ names }: TokenPriceSettings): FactNames => ({
  tier: lowerCased(names.tier),
  speed: lowerCased(names.speed),
  geo: lowerCased(names.geo),
  size: lowerCased(names.size ?? {}),
  quality: lowerCased(names.quality ?? {}),
});

/**
 * Converts the providers' names, such as those of tiers and sizes, to lower case, so that
 * comparisons ignore case.
 */
export const lowerCased = (names: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).map(([from, to]) => [from.toLowerCase(), to]));

/** Returns the object without its undefined properties. */
const defined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]: Exclude<Given[Key], undefined>;
  };
