/** Finds the row of a price card that applies to a request, and calculates the request's cost. */
import { parseAmount } from '#money/amount.ts';
import type { Channel, Model } from './models.ts';
import {
  type CostLine,
  imageLines,
  kindsIn,
  rateOf,
  type TokenCounts,
  tokenLines,
} from './price.ts';

type Terms = NonNullable<Channel['price_terms']>;
export type FeeUnit = Terms['fees'][number]['unit'];
type Conditions = Terms['rows'][number]['conditions'];
const ONE = parseAmount('1');

/**
 * The facts of a request: its properties, such as the service tier or the image size, on which the
 * conditions of a price card can depend.
 */
export const FACTS = ['tier', 'speed', 'geo', 'size', 'quality'] as const;
export type Fact = (typeof FACTS)[number];
/** The facts whose values a text request can choose. */
const TEXT_FACTS = ['tier', 'speed', 'geo'] as const;

/** A request for which a price is calculated. */
export type Situation = {
  /** The chosen value of each fact. An absent fact has its default value. */
  readonly facts: { readonly [Name in Fact]?: string };
  /** The time conditions that are assumed to hold, in the notation of the price card. */
  readonly times: readonly string[];
  readonly uses: ReadonlyMap<FeeUnit, number>;
};

export type SituationCost = {
  readonly lines: readonly CostLine[];
  /**
   * Explains the cost: the conditions of the row of prices that applies, and each multiple (a
   * factor on the prices) with its conditions.
   */
  readonly applied: readonly string[];
};

/**
 * Returns the facts, time conditions and tools that a visitor can choose on any of the channels.
 */
export function choicesOf(channels: readonly Pick<Channel, 'price_terms'>[]) {
  const terms = channels.flatMap(({ price_terms }) => price_terms ?? []);
  const conditions = terms.flatMap(({ rows, times }) => [...rows, ...times]);
  const distinct = <Value>(values: readonly Value[]) => [...new Set(values)];
  return {
    facts: TEXT_FACTS.map((name) => ({
      name,
      values: distinct(terms.flatMap(({ offers }) => offers[name])),
    })).filter(({ values }) => values.length > 1),
    times: distinct(conditions.flatMap(({ conditions: { time } }) => time ?? [])),
    tools: distinct(terms.flatMap(({ accepts }) => accepts.tools)),
  };
}

/**
 * The default values of the facts. `size` and `quality` are empty, because text requests have
 * neither.
 */
const BASE = { tier: 'default', speed: 'standard', geo: 'global', size: '', quality: '' } as const;

/**
 * Returns the exact cost of a request, as the gateway would calculate it; null if the channel
 * refuses the request.
 */
export function situationCost(
  { price, price_terms: terms }: Pick<Channel, 'price' | 'price_terms'>,
  counts: TokenCounts,
  situation: Situation,
): SituationCost | null {
  const { offers, rows, times, fees, accepts } = terms ?? NO_TERMS;
  const wanted = { ...BASE, ...situation.facts };
  // An empty list means that no price depends on this fact, such as the image size, so any value is
  // allowed.
  if (FACTS.some((name) => offers[name].length > 0 && !offers[name].includes(wanted[name])))
    return null;
  const used = unitsOf(situation);
  if (used.some(([unit]) => !accepts.tools.some((tool) => tool === unit))) return null;

  const prompt = counts.input + counts.cache_read + counts.cache_write;
  const holds = ({ conditions }: { readonly conditions: Conditions }): boolean =>
    FACTS.every((name) => conditions[name]?.includes(wanted[name]) ?? true) &&
    (conditions.prompt_over === null || prompt > conditions.prompt_over) &&
    (conditions.prompt_from === null || prompt >= conditions.prompt_from) &&
    (conditions.time === null || situation.times.includes(conditions.time));
  const row = rows.findLast(holds);
  const isPriced = (kind: ReturnType<typeof kindsIn>[number]): boolean =>
    (row === undefined ? rateOf(price, kind) : row[kind]) !== null;
  if (row?.sold === false) return null;
  if (kindsIn(counts).some((kind) => (counts[kind] ?? 0) > 0 && !isPriced(kind))) return null;

  const multiples = times.filter(holds);
  const tokens = tokenLines(row === undefined ? price : { ...price, ...row }, counts);
  const isUsed = used.length > 0 || kindsIn(counts).some((kind) => (counts[kind] ?? 0) > 0);
  const uses = new Map([...used, ...(isUsed ? [['request', 1] as const] : [])]);
  const feeLines = fees.map(({ unit, fee }): CostLine => {
    const count = uses.get(unit) ?? 0;
    return { kind: unit, count, amount: parseAmount(fee) * BigInt(count) };
  });
  return {
    lines: [...multiplied(tokens, 'tokens', multiples), ...multiplied(feeLines, 'fees', multiples)],
    applied: [
      ...(row === undefined ? [] : [row.when]),
      ...multiples.map(({ when, multiple }) => `× ${multiple}${when === '' ? '' : ` (${when})`}`),
    ],
  };
}

/**
 * The images for which a cost is calculated. The quality is null if the model has no such
 * parameter.
 */
export type ImageChoice = {
  readonly size: string;
  readonly quality: string | null;
  readonly count: number;
  readonly promptTokens: number;
};

/**
 * Returns the cost of a request for images; null if the channel refuses the request. When the
 * channel charges by the token, this is the highest possible cost.
 */
export function imagesCost(
  { image_tokens: bounds = {} }: Pick<Model, 'image_tokens'>,
  channel: Pick<Channel, 'price' | 'price_terms'>,
  { size, quality, count, promptTokens }: ImageChoice,
): SituationCost | null {
  const listed = channel.price.per_image ?? bounds;
  // A channel lists each price for a size and a quality together, or for a size alone.
  const key = [`${size}/${quality}`, size].find((name) => name in listed);
  if (key === undefined) return null;
  if (channel.price.per_image !== null)
    return { lines: imageLines(channel.price, key, count), applied: [] };
  const facts = { size: size.toLowerCase(), quality: quality?.toLowerCase() ?? '' };
  const counts = { input: promptTokens, cache_read: 0, cache_write: 0, output: 0 };
  const images = { ...counts, image_output: (bounds[key] ?? 0) * count };
  return situationCost(channel, images, { facts, times: [], uses: new Map() });
}

const NO_TERMS: Pick<Terms, 'offers' | 'rows' | 'times' | 'fees' | 'accepts'> = {
  offers: { tier: [BASE.tier], speed: [BASE.speed], geo: [BASE.geo], size: [], quality: [] },
  rows: [],
  times: [],
  fees: [],
  accepts: { tier: [], speed: [], geo: [], tools: [] },
};

const unitsOf = ({ uses }: Situation): readonly (readonly [FeeUnit, number])[] =>
  [...uses].filter(([, count]) => count > 0);

/**
 * Multiplies the amounts of the lines by the multiples of the price card. The result is exact,
 * because the gateway refuses price cards whose multiples would leave a remainder.
 */
const multiplied = (
  lines: readonly CostLine[],
  of: 'tokens' | 'fees',
  multiples: Terms['times'],
): readonly CostLine[] => {
  const own = multiples.filter((each) => each.of === of).map((each) => parseAmount(each.multiple));
  const numerator = own.reduce((product, each) => product * each, 1n);
  const denominator = ONE ** BigInt(own.length);
  return lines.map((line) => ({ ...line, amount: (line.amount * numerator) / denominator }));
};
