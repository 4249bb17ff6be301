/** Computes the exact price of an answer by its price card, as a bill whose lines state reasons. */
import {
  BASE_FACTS,
  type CardTerms,
  FACT_NAMES,
  type FactName,
  type IMAGE_FACTS,
  isFlat,
  type RowConditions,
} from './card-terms.ts';
import {
  conditionsText,
  dependsOnTime,
  factOf,
  holds,
  Moment,
  type Situation,
} from './conditions.ts';
import { multipleOf } from './multiples.ts';
import { costPico, type PicoRate, type Rates } from './price.ts';
import { FEE_UNITS, type FeeUnit, type Served } from './served.ts';
import {
  type Bucket,
  COLUMN_OF,
  promptTokens,
  tokensIn,
  USAGE_BUCKETS,
  type Usage,
} from './usage.ts';

/** The value of each fact that conditions can name; null for a fact without a value. */
export type FactValues = { readonly [Name in FactName]: string | null };
export const NO_FACTS: FactValues = {
  tier: null,
  speed: null,
  geo: null,
  size: null,
  quality: null,
};

/** The facts besides price card and token counts that decide a price. A receipt stores them. */
export type PriceFacts = {
  /** The values that the provider reported. */
  readonly served: FactValues;
  /** The values in the request to the provider; null for a fact that was not requested. */
  readonly requested: FactValues;
  /** The provider's name of the model that answered; null when it was not reported. */
  readonly model: string | null;
  /** The model that the request to the provider named; null when it is unknown. */
  readonly sentModel: string | null;
  readonly uses: Served['uses'];
  /** Billed parts of the answer that may have other rates. The receipt's tokens include theirs. */
  readonly rounds: Served['rounds'];
  readonly startMs: number;
  readonly endMs: number;
};

/** The facts of an answer that has only token counts. */
export const PLAIN_FACTS: PriceFacts = {
  served: NO_FACTS,
  requested: NO_FACTS,
  model: null,
  sentModel: null,
  uses: {},
  rounds: [],
  startMs: 0,
  endMs: 0,
};

export type PriceLine = {
  readonly count: number;
  /** The rate in pico-units per token or per use, after all multiples are applied. */
  readonly ratePico: PicoRate;
  readonly costPico: bigint;
  /**
   * Why this rate applies: the conditions of the row and of the multiples, in the notation of the
   * configuration. For a round (a part of the answer that is billed separately) at another model's
   * rates, `another model`. Empty without conditions.
   */
  readonly why: string;
} & ({ readonly kind: 'tokens'; readonly bucket: Bucket } | FeeKind);
type FeeKind = { readonly kind: 'fee'; readonly unit: FeeUnit };

export type Priced = {
  readonly costPico: bigint;
  readonly lines: readonly PriceLine[];
  /**
   * Facts that were not reported. Each is listed with its most expensive possible value, which was
   * charged, such as `tier: priority`.
   */
  readonly assumed: readonly string[];
  /**
   * What was served without a price on the price card. An unknown tier, speed or region is charged
   * by the rows without a condition on it. An unknown size or quality is charged as the requested
   * one. A model or row without rates is charged at the highest rates of the price card.
   */
  readonly unpriced: readonly string[];
};

/**
 * Returns the given facts. Returns null if they do not affect the price, because a receipt need not
 * store them then.
 */
export function factsOf(terms: CardTerms, usage: Usage, facts: PriceFacts): PriceFacts | null {
  if (!isFlat(terms)) return facts;
  for (const _ in facts.uses) return facts;
  for (const bucket of terms.rows[0].unlisted) if (usage[bucket] > 0) return facts;
  for (const name of FACT_NAMES) if (isUnpriced(terms, name, facts.served[name])) return facts;
  for (const { model } of facts.rounds) if (otherModel(terms, model, facts) !== null) return facts;
  return null;
}

/**
 * Returns the price of an answer in pico-units of the price card's currency. `usage` includes the
 * tokens of `facts.rounds`, the parts of the answer that are billed separately. If a fact is
 * unknown, its most expensive possible value is charged.
 */
export function priceOf(terms: CardTerms, usage: Usage, facts: PriceFacts): Priced {
  const possible = FACT_NAMES.map((name) => possibleValues(terms, name, facts));
  const tokens = promptTokens(usage);
  let highest: Bill | null = null;
  for (const moment of momentsOf(terms, facts)) {
    for (const values of combinations(possible)) {
      const bill = billIn(terms, usage, facts, { ...values, promptTokens: tokens, moment });
      if (highest === null || bill.costPico > highest.costPico) highest = bill;
    }
  }
  if (highest === null) throw new Error('no combination of request properties to price');
  const { situation } = highest;
  return {
    costPico: highest.costPico,
    lines: highest.lines,
    assumed: FACT_NAMES.filter((_, index) => (possible[index]?.length ?? 0) > 1).map(
      (name) => `${name}: ${situation[name]}`,
    ),
    unpriced: [
      ...FACT_NAMES.filter((name) => isUnpriced(terms, name, facts.served[name])).map(
        (name) => `${name}: ${facts.served[name]}`,
      ),
      ...highest.unpriced,
    ],
  };
}

/**
 * If a row of the price card refuses the requested facts, returns the conditions of that row;
 * otherwise null. Ignores rows that depend on the time, because it is not known which of them will
 * apply.
 */
export function unsoldConditions(
  terms: CardTerms,
  requested: FactValues,
  tokens: number,
): RowConditions | null {
  if (terms.rows.length === 1 && terms.rows[0].rates !== null) return null;
  if (terms.rows.every(({ rates }) => rates !== null)) return null;
  const wanted = (name: FactName): string =>
    factOf(name, terms.names, requested[name]) ?? BASE_FACTS[name];
  const situation = {
    ...{ tier: wanted('tier'), speed: wanted('speed'), geo: wanted('geo') },
    ...{ size: wanted('size'), quality: wanted('quality') },
    promptTokens: tokens,
    moment: new Moment(0, terms.clock.zone),
  };
  const row = terms.rows.findLast(({ when }) => !dependsOnTime(when) && holds(when, situation));
  return row?.rates === null ? row.when : null;
}

/** Whether the provider served a value that is neither the default nor named by the price card. */
function isUnpriced(terms: CardTerms, name: FactName, served: string | null): boolean {
  const value = factOf(name, terms.names, served);
  if (isImageFact(name)) return isUndrawn(terms, name, served);
  return value !== null && value !== BASE_FACTS[name] && !isKnown(terms, name, value);
}

const isKnown = (terms: CardTerms, name: FactName, value: string): boolean =>
  admittedFacts(terms, name).includes(value) ||
  terms.rows.some(({ when }) => when[name]?.includes(value)) ||
  terms.multiples.some(({ when }) => when[name]?.includes(value));

type ImageFact = (typeof IMAGE_FACTS)[number];
const isImageFact = (name: FactName): name is ImageFact => name === 'size' || name === 'quality';

/** `admits`: the sizes and qualities that an image model can generate. `names`: see `FactNames`. */
export type DrawnTerms = Pick<CardTerms, 'names'> & {
  readonly admits: Pick<CardTerms['admits'], ImageFact>;
};

/**
 * Returns the possible sizes or qualities of an image. This is the reported value if the model can
 * generate it, or else the requested value if the model can generate that. Otherwise it is every
 * value that the model can generate. Returns an empty string as the only value if the price does
 * not depend on this fact.
 */
export function possibleImages(
  { names, admits }: DrawnTerms,
  name: ImageFact,
  { served, requested }: Pick<PriceFacts, 'served' | 'requested'>,
): readonly string[] {
  const drawn = admits[name].flatMap((value) => factOf(name, names, value) ?? []);
  if (drawn.length === 0) return [BASE_FACTS[name]];
  const known = [factOf(name, names, served[name]), factOf(name, names, requested[name])];
  const one = known.find((value) => value !== null && drawn.includes(value)) ?? null;
  return one === null ? drawn : [one];
}

/** Whether the provider has reported a size or quality that the model cannot generate. */
export function isUndrawn(
  { names, admits }: DrawnTerms,
  name: ImageFact,
  served: string | null,
): boolean {
  const value = factOf(name, names, served);
  const drawn = admits[name];
  if (value === null || drawn.length === 0) return false;
  return !drawn.some((each) => factOf(name, names, each) === value);
}

/**
 * Returns the possible values of a fact. If the provider reported a value, only that value is
 * possible. If not, the default and the requested value are possible. If `auto` was requested, the
 * default and every value that the price card admits are possible. For size and quality see
 * `possibleImages`.
 */
export function possibleValues(
  terms: CardTerms,
  name: FactName,
  { served, requested }: Pick<PriceFacts, 'served' | 'requested'>,
): readonly string[] {
  const reported = factOf(name, terms.names, served[name]);
  const base = BASE_FACTS[name];
  if (isImageFact(name)) return possibleImages(terms, name, { served, requested });
  if (reported !== null) return [reported];
  if (requested[name] === null) return [base];
  const wanted = factOf(name, terms.names, requested[name]);
  const values = wanted === null ? [base, ...admittedFacts(terms, name)] : [base, wanted];
  return [...new Set(values)];
}

/** Returns the values that a provider may choose when a request says `auto`. */
export const admittedFacts = (terms: CardTerms, name: FactName): readonly string[] =>
  terms.admits[name].flatMap((value) => factOf(name, terms.names, value) ?? []);

type Combination = { readonly [Name in FactName]: string };

/**
 * Yields each combination of one value per fact.
 * @param possible the values of each fact, in the order of `FACT_NAMES`.
 */
export function* combinations(possible: readonly (readonly string[])[]): Generator<Combination> {
  const [tiers = [], speeds = [], geos = [], sizes = [], qualities = []] = possible;
  for (const tier of tiers)
    for (const speed of speeds)
      for (const geo of geos)
        for (const size of sizes)
          for (const quality of qualities) yield { tier, speed, geo, size, quality };
}

/** Returns the times for which conditions are checked: a request's start, its end, or both. */
function momentsOf({ rows, multiples, clock }: CardTerms, facts: PriceFacts): readonly Moment[] {
  const { startMs, endMs } = facts;
  const start = new Moment(startMs, clock.zone);
  if (![...rows, ...multiples].some(({ when }) => dependsOnTime(when))) return [start];
  if (clock.at === 'start') return [start];
  const end = new Moment(endMs, clock.zone);
  return clock.at === 'end' ? [end] : [start, end];
}

/** The price of a request in one `situation`: a tier, speed, region, size, quality and time. */
type Bill = {
  readonly situation: Situation;
  readonly costPico: bigint;
  readonly lines: readonly PriceLine[];
  readonly unpriced: readonly string[];
};

function billIn(terms: CardTerms, usage: Usage, facts: PriceFacts, situation: Situation): Bill {
  const lines: PriceLine[] = [];
  const unpriced = new Set<string>();
  for (const part of partsOf(terms, usage, facts)) {
    const { rates, why, flags } = ratesFor(terms, part, {
      ...situation,
      promptTokens: promptTokens(part.usage),
    });
    for (const flag of flags) unpriced.add(flag);
    for (const bucket of USAGE_BUCKETS) {
      const count = part.usage[bucket];
      if (count === 0) continue;
      addLine(lines, { kind: 'tokens', bucket, count, ratePico: rates[bucket], why });
    }
  }
  const multiple = multipleOf(terms, 'fees', situation);
  for (const unit of FEE_UNITS) {
    const count = unit === 'request' ? requestsIn(usage, facts) : (facts.uses[unit] ?? 0);
    if (count === 0) continue;
    const fee = terms.fees[unit];
    if (fee !== undefined) {
      const ratePico = multiple.of(fee);
      addLine(lines, { kind: 'fee', unit, count, ratePico, why: multiple.why });
    } else if (unit !== 'request' && !terms.admits.tools.includes(unit)) unpriced.add(unit);
  }
  const total = lines.reduce((sum, line) => sum + line.costPico, 0n);
  return { situation, costPico: total, lines, unpriced: [...unpriced] };
}

/** Returns how often the fee per request is charged: not at all if nothing was used, else once. */
const requestsIn = (usage: Usage, { uses }: PriceFacts): number =>
  tokensIn(usage) > 0 || Object.keys(uses).length > 0 ? 1 : 0;

type LineStart = PriceLine extends infer Line
  ? Line extends PriceLine
    ? Omit<Line, 'costPico'>
    : never
  : never;

const nameOf = (line: LineStart): string => (line.kind === 'fee' ? line.unit : line.bucket);

/** Adds a line to the bill. If a line has the same name, rate and reason, adds to its count. */
function addLine(lines: PriceLine[], start: LineStart): void {
  const name = nameOf(start);
  const index = lines.findIndex(
    (line) => nameOf(line) === name && line.ratePico === start.ratePico && line.why === start.why,
  );
  const count = start.count + (lines[index]?.count ?? 0);
  const line = { ...start, count, costPico: BigInt(count) * start.ratePico };
  if (index === -1) lines.push(line);
  else lines[index] = line;
}

/** A part of an answer's tokens, and its model; null for the model of the price card. */
type Part = { readonly model: string | null; readonly usage: Usage };

function partsOf(terms: CardTerms, usage: Usage, facts: PriceFacts): readonly Part[] {
  const isOther = facts.model !== null && terms.roundRates.has(facts.model);
  const own: { -readonly [Name in Bucket]: number } = { ...usage };
  for (const round of facts.rounds) {
    for (const bucket of USAGE_BUCKETS) own[bucket] -= round.usage[bucket];
  }
  // If the separately billed parts (`rounds`) have more tokens than `usage`, then `usage` is an
  // estimate that does not include their tokens.
  if (USAGE_BUCKETS.some((bucket) => own[bucket] < 0)) {
    return [{ model: isOther ? facts.model : null, usage }];
  }
  return [
    { model: isOther ? facts.model : null, usage: own },
    ...facts.rounds.map((round) => ({
      model: otherModel(terms, round.model, facts),
      usage: round.usage,
    })),
  ];
}

/**
 * Returns the model that ran a round (a part of an answer that is billed separately); null if it is
 * the model of the price card.
 */
function otherModel(
  { roundRates }: CardTerms,
  model: string | null,
  facts: Pick<PriceFacts, 'model' | 'sentModel'>,
): string | null {
  if (model === null || roundRates.has(model)) return model;
  return model === facts.model || model === facts.sentModel ? null : model;
}

/**
 * The text in `why` for a part of the answer by another model. It hides which models the provider
 * uses.
 */
const OTHER_MODEL = 'another model';

type Chosen = { readonly rates: Rates; readonly why: string; readonly flags: readonly string[] };

function ratesFor(terms: CardTerms, { model, usage }: Part, situation: Situation): Chosen {
  const { rows, roundRates } = terms;
  const row = rows.findLast(({ when }) => holds(when, situation)) ?? rows[0];
  const listed = model === null ? row.rates : roundRates.get(model);
  const multiple = multipleOf(terms, 'tokens', situation);
  const reason = model === null ? conditionsText(row.when) : OTHER_MODEL;
  const unlisted = model === null ? row.unlisted.filter((bucket) => usage[bucket] > 0) : [];
  return {
    rates: multiple.ofAll(listed ?? highestRates(terms, usage)),
    why: [reason, multiple.why].filter((text) => text !== '').join('; '),
    flags:
      listed === null || listed === undefined
        ? [reason]
        : unlisted.map((bucket) => COLUMN_OF[bucket]),
  };
}

/** Returns, of all sets of rates on the price card, the one at which these tokens cost the most. */
function highestRates({ rows, roundRates }: CardTerms, usage: Usage): Rates {
  const all = [...rows.flatMap(({ rates }) => rates ?? []), ...roundRates.values()];
  const [first, ...others] = all;
  if (first === undefined) throw new Error('the price card has no rates');
  return others.reduce((highest, rates) => {
    return costPico(usage, rates) > costPico(usage, highest) ? rates : highest;
  }, first);
}
