/**
 * Converts the terms of a price card (its rates, conditions and fees) and the facts of a receipt to
 * JSON and back.
 */
import * as z from 'zod';
import { built } from '../config/document/on-demand.ts';
import {
  type Admits,
  type CardTerms,
  FACT_NAMES,
  type FactNames,
  IMAGE_FACTS,
  type RowConditions,
  WEEKDAYS,
} from './card-terms.ts';
import { picoRate, type Rates, storedRates } from './price.ts';
import { type FactValues, NO_FACTS, type Priced, type PriceFacts } from './price-of.ts';
import { FEE_UNITS } from './served.ts';
import { type Bucket, NO_USAGE, perColumn, USAGE_ROWS, type Usage } from './usage.ts';

const integer = built(() => z.int());
const pico = built(() =>
  z
    .string()
    .regex(/^\d+$/)
    .transform((digits) => BigInt(digits)),
);
const rate = built(() => pico().transform((value) => picoRate(value)));
const names = built(() => z.array(z.string()));
const perUnit = <Value extends z.ZodType>(value: Value) =>
  z.partialRecord(z.enum(FEE_UNITS), value);

const BUCKETS_BY_COLUMN = new Map(USAGE_ROWS.map(({ column, bucket }) => [String(column), bucket]));
const bucket = built(() =>
  z.string().transform((column, context): Bucket => {
    const known = BUCKETS_BY_COLUMN.get(column);
    if (known !== undefined) return known;
    context.addIssue(`${column} is not a usage bucket`);
    return z.NEVER;
  }),
);

const rates = built(() =>
  z
    .record(z.string(), rate())
    .transform((stored) => storedRates(({ column }) => stored[column] ?? null)),
);

const conditions = built(() =>
  z.strictObject({
    tier: names().optional(),
    speed: names().optional(),
    geo: names().optional(),
    size: names().optional(),
    quality: names().optional(),
    promptOver: integer().optional(),
    promptFrom: integer().optional(),
    fromMs: integer().optional(),
    untilMs: integer().optional(),
    hours: z.array(z.strictObject({ from: integer(), to: integer() })).optional(),
    days: z.array(z.enum(WEEKDAYS)).optional(),
    notOn: names().optional(),
  }),
);
const when = built(() =>
  conditions().transform(
    (given): RowConditions =>
      Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  ),
);
const row = built(() =>
  z.strictObject({ when: when(), rates: rates().nullable(), unlisted: z.array(bucket()) }),
);
const nameMap = built(() =>
  z.record(z.string(), z.string()).transform((map) => new Map(Object.entries(map))),
);

const TERMS = built(() =>
  z.strictObject({
    rows: z.tuple([row()], row()),
    multiples: z.array(
      z.strictObject({
        when: when(),
        applies: z.enum(['tokens', 'fees']),
        numerator: pico(),
        denominator: pico(),
      }),
    ),
    fees: perUnit(rate()),
    roundRates: z.record(z.string(), rates()).transform((map) => new Map(Object.entries(map))),
    names: z.strictObject({
      ...{ tier: nameMap(), speed: nameMap(), geo: nameMap() },
      ...{ size: nameMap().prefault({}), quality: nameMap().prefault({}) },
    }),
    clock: z.strictObject({ zone: z.string(), at: z.enum(['start', 'end', 'highest']) }),
    admits: z.strictObject({
      tier: names(),
      speed: names(),
      geo: names(),
      size: names().default([]),
      quality: names().default([]),
      tools: z.array(z.enum(FEE_UNITS)),
      imageDetail: names(),
      cacheTtl: names(),
    }),
    limits: z.strictObject({
      uses: perUnit(integer()),
      tokensPerUse: perUnit(integer()),
    }),
  }),
);

/**
 * Returns the terms of a price card as JSON. Equal terms give equal text. The id of the price card
 * is derived from this text.
 */
export function termsJson(terms: CardTerms): string {
  const { rows, multiples, fees, roundRates, names: factNames, clock, admits, limits } = terms;
  return JSON.stringify({
    rows: rows.map(({ when, rates: own, unlisted }) => ({
      when,
      rates: own === null ? null : ratesBody(own),
      unlisted: unlisted.map(columnOf),
    })),
    multiples: multiples.map((each) => ({
      ...each,
      numerator: String(each.numerator),
      denominator: String(each.denominator),
    })),
    fees: Object.fromEntries(
      FEE_UNITS.flatMap((unit) => {
        const fee = fees[unit];
        return fee === undefined ? [] : [[unit, String(fee)]];
      }),
    ),
    roundRates: sorted([...roundRates].map(([model, own]) => [model, ratesBody(own)])),
    names: namesBody(factNames),
    clock,
    admits: withoutEmpty(admits),
    limits,
  });
}

/** Parses the terms of a price card. @throws Error when `termsJson` did not write the text. */
export function readTerms(text: string): CardTerms {
  return TERMS().parse(JSON.parse(text));
}

const ratesBody = (own: Rates) => perColumn(({ bucket: name }) => String(own[name]));
const namesBody = (factNames: FactNames) =>
  Object.fromEntries(
    FACT_NAMES.filter((name) => !isImageFact(name) || factNames[name].size > 0).map((name) => [
      name,
      sorted([...factNames[name]]),
    ]),
  );

/**
 * Leaves empty lists of sizes and qualities out of the JSON. These lists were added later, and the
 * ids of the price cards of text models must not change.
 */
const withoutEmpty = (admits: Admits): Partial<Admits> =>
  Object.fromEntries(
    Object.entries(admits).filter(([name, list]) => !isImageFact(name) || list.length > 0),
  );
const isImageFact = (name: string): boolean => IMAGE_FACTS.some((each) => each === name);
const sorted = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
const columnOf = (name: Bucket): string =>
  USAGE_ROWS.find((each) => each.bucket === name)?.column ?? name;

const value = built(() => z.string().nullable().default(null));
const values = built(() =>
  z.strictObject({
    tier: value(),
    speed: value(),
    geo: value(),
    size: value(),
    quality: value(),
  }),
);
const counts = built(() =>
  z.record(z.string(), integer()).transform((given): Usage => {
    const usage: { -readonly [Name in Bucket]: number } = { ...NO_USAGE };
    for (const { bucket: name, column } of USAGE_ROWS) usage[name] = given[column] ?? 0;
    return usage;
  }),
);
const FACTS = built(() =>
  z.strictObject({
    served: values().default(NO_FACTS),
    requested: values().default(NO_FACTS),
    model: z.string().nullable(),
    sentModel: z.string().nullable(),
    uses: perUnit(integer()).optional(),
    rounds: z.array(z.strictObject({ model: z.string().nullable(), usage: counts() })).optional(),
    at: z.tuple([integer(), integer()]),
    assumed: z.array(z.string()).default([]),
    unpriced: z.array(z.string()).default([]),
  }),
);

/**
 * The facts that a receipt stores: the facts on which the price depends, and which of them were
 * assumed or had no price on the price card.
 */
export type RecordedFacts = PriceFacts & Pick<Priced, 'assumed' | 'unpriced'>;

/** Returns the facts of a receipt as JSON, without empty fields. */
export function factsJson(facts: PriceFacts, priced: Pick<Priced, 'assumed' | 'unpriced'>): string {
  const { served, requested, model, sentModel, uses, rounds, startMs, endMs } = facts;
  return JSON.stringify({
    served: valuesBody(served),
    requested: valuesBody(requested),
    model,
    sentModel,
    uses: Object.keys(uses).length === 0 ? undefined : uses,
    rounds:
      rounds.length === 0
        ? undefined
        : rounds.map((round) => ({ model: round.model, usage: countsBody(round.usage) })),
    at: [startMs, endMs],
    assumed: priced.assumed.length === 0 ? undefined : priced.assumed,
    unpriced: priced.unpriced.length === 0 ? undefined : priced.unpriced,
  });
}

/** Parses the facts of a receipt. @throws Error when `factsJson` did not write the text. */
export function readFacts(text: string): RecordedFacts {
  const { uses = {}, rounds = [], at, ...facts } = FACTS().parse(JSON.parse(text));
  const [startMs, endMs] = at;
  return { ...facts, uses, rounds, startMs, endMs };
}

/**
 * Returns the served values for which the price card had no price.
 * @param facts the facts of a receipt as JSON.
 */
export const unpricedIn = (facts: string | null): readonly string[] =>
  facts?.includes('"unpriced":') === true ? readFacts(facts).unpriced : [];

function valuesBody(given: FactValues) {
  const known = FACT_NAMES.filter((name) => given[name] !== null);
  if (known.length === 0) return undefined;
  return Object.fromEntries(known.map((name) => [name, given[name]]));
}

const countsBody = (usage: Usage) =>
  Object.fromEntries(
    USAGE_ROWS.filter(({ bucket: name }) => usage[name] > 0).map(({ bucket: name, column }) => [
      column,
      usage[name],
    ]),
  );
