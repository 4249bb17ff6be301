/**
 * Finds everything that a channel sells at a price below its `cost`, which is what the operator
 * pays. Checks every combination of the conditions in prices and costs.
 */
import { finish, type Steps } from '../config/document/steps.ts';
import { DAY_MS } from '../money/calendar.ts';
import {
  BASE_FACTS,
  type CardTerms,
  FACT_NAMES,
  type FactName,
  isFlat,
} from '../money/card-terms.ts';
import { dependsOnTime, factOf, holdsAt, Moment } from '../money/conditions.ts';
import { imagesPico } from '../money/price.ts';
import {
  combinations,
  PLAIN_FACTS,
  type PriceFacts,
  type PriceLine,
  priceOf,
} from '../money/price-of.ts';
import { COLUMN_OF, perBucket, USAGE_ROWS } from '../money/usage.ts';
import { findByImage } from '../protocols/images/choice.ts';
import { MAX_PROMPT_CHARACTERS } from '../protocols/images/request.ts';
import type { Channel, ImageCard, ImageModel, Model, TokenCard, TokenPrices } from './catalogue.ts';

export type BelowCost = {
  readonly model: string;
  readonly channel: string;
  /** The usage bucket (a kind of tokens), fee or image size whose price is below its cost. */
  readonly item: string;
  /**
   * The condition under which this price or cost applies, in the configuration's syntax; empty
   * without a condition.
   */
  readonly why: string;
  /**
   * The price in pico-units (1/10^12 of the currency) per token, use or image. All prices and costs
   * have the same currency.
   */
  readonly pricePico: bigint;
  readonly costPico: bigint;
};

/**
 * Time-dependent prices are checked at every half hour of a week, because no provider changes
 * prices more often.
 */
const STEP_MS = 30 * 60_000;
const WEEK_MS = 7 * DAY_MS;

/** Returns what `belowCostSteps` returns, without a pause. */
export const belowCost = (model: Model, nowMs: number): readonly BelowCost[] =>
  finish(belowCostSteps(model, nowMs));

/**
 * Returns the first case of a price below cost for each channel and item. The checked times start
 * at `nowMs`. Yields after each price, because dozens of conditions have thousands of combinations.
 */
export function* belowCostSteps(model: Model, nowMs: number): Steps<readonly BelowCost[]> {
  const found: BelowCost[] = [];
  for (const channel of model.channels.values()) {
    const items = new Set<string>();
    for (const pair of pairsOf(model, channel, nowMs)) {
      yield;
      if (pair.pricePico >= pair.costPico || items.has(pair.item)) continue;
      items.add(pair.item);
      found.push({ ...pair, model: model.id, channel: channel.name });
    }
  }
  return found;
}

type Pair = Omit<BelowCost, 'model' | 'channel'>;

function* pairsOf(
  model: Model,
  { card, cost }: Channel<TokenCard | ImageCard>,
  nowMs: number,
): Generator<Pair> {
  if (model.kind === 'image' && card.unit === 'image' && cost?.unit === 'image') {
    yield* imagePairs(model, card.perImage, cost.perImage);
  } else if (card.unit === 'token' && cost?.unit === 'token') {
    const longest = model.kind === 'image' ? MAX_PROMPT_CHARACTERS : model.contextWindow;
    yield* tokenPairs(card, cost, longest, nowMs);
  }
}

/**
 * Yields the price and the cost of each size and quality. A quality without its own price has the
 * price of its size.
 */
function* imagePairs(
  { sizes, qualities }: Pick<ImageModel, 'sizes' | 'qualities'>,
  prices: ImageCard['perImage'],
  costs: ImageCard['perImage'],
): Generator<Pair> {
  for (const size of sizes) {
    for (const quality of qualities.length === 0 ? [null] : qualities) {
      const price = findByImage(prices, size, quality);
      const paid = findByImage(costs, size, quality);
      if (price === null || paid === null) continue;
      const [pricePico, costPico] = [imagesPico(price.value, 1), imagesPico(paid.value, 1)];
      yield { item: price.key, why: '', pricePico, costPico };
    }
  }
}

function* tokenPairs(
  { terms, listed }: TokenPrices,
  { terms: costs, listed: listedCosts }: TokenPrices,
  contextWindow: number,
  nowMs: number,
): Generator<Pair> {
  const prompts = promptsOf([terms, costs], contextWindow);
  const uses = Object.fromEntries(terms.admits.tools.map((unit) => [unit, 1]));
  const facts = FACT_NAMES.map((name) => soldValues(terms, costs, name));
  // Skips a usage bucket if neither its price nor its cost is listed. In that case, its price and
  // cost are derived from those of another bucket, which is checked.
  const derived = new Set<string>(
    USAGE_ROWS.flatMap(({ price, column }) =>
      (listed[price] ?? listedCosts[price] ?? null) === null ? [column] : [],
    ),
  );
  for (const atMs of momentsOf([terms, costs], nowMs)) {
    for (const served of combinations(facts)) {
      const at: PriceFacts = { ...PLAIN_FACTS, served, uses, startMs: atMs, endMs: atMs };
      for (const prompt of prompts)
        for (const pair of pairsAt(terms, costs, prompt, at))
          if (!derived.has(pair.item)) yield pair;
    }
  }
}

/** The number of usage buckets for prompt tokens, not counting the bucket `input`. */
const OTHER_INPUTS = USAGE_ROWS.filter(({ part }) => part !== 'output').length - 1;

/**
 * Yields the price and the cost of each bucket and tool, for a request with `prompt` prompt tokens.
 */
function* pairsAt(
  terms: CardTerms,
  costs: CardTerms,
  prompt: number,
  facts: PriceFacts,
): Generator<Pair> {
  const rest = Math.max(1, prompt - OTHER_INPUTS);
  const usage = perBucket(({ bucket }) => (bucket === 'input' ? rest : 1));
  const sold = new Map(priceOf(terms, usage, facts).lines.map((line) => [itemOf(line), line]));
  for (const line of priceOf(costs, usage, facts).lines) {
    const item = itemOf(line);
    const price = sold.get(item);
    const why = [price?.why, line.why].find((text) => text !== undefined && text !== '') ?? '';
    yield { item, why, pricePico: price?.ratePico ?? 0n, costPico: line.ratePico };
  }
}

const itemOf = (line: PriceLine): string =>
  line.kind === 'fee' ? line.unit : COLUMN_OF[line.bucket];

/**
 * Returns the values of a fact that callers can request: the default and all admitted values. A
 * fact is a property of a request that affects its price, such as the tier.
 */
function soldValues(terms: CardTerms, costs: CardTerms, name: FactName): readonly string[] {
  const admitted = terms.admits[name].flatMap((value) => factOf(name, terms.names, value) ?? []);
  if (name !== 'size' && name !== 'quality') return [...new Set([BASE_FACTS[name], ...admitted])];
  // Callers can also request sizes and qualities that only the cost lists.
  const drawn = [...new Set([...admitted, ...costs.admits[name]])];
  return drawn.length === 0 ? [BASE_FACTS[name]] : drawn;
}

/** Returns the prompt lengths on both sides of each threshold in the conditions. */
function promptsOf(all: readonly CardTerms[], contextWindow: number): readonly number[] {
  const edges = conditionsOf(all).flatMap(({ promptOver, promptFrom }) => [
    ...(promptOver === undefined ? [] : [promptOver + 1]),
    ...(promptFrom === undefined ? [] : [promptFrom]),
  ]);
  const below = edges.map((edge) => edge - 1);
  return [...new Set([1, ...below, ...edges])].filter((it) => it >= 1 && it <= contextWindow);
}

/**
 * Returns the times to check. These are `nowMs` and, if prices depend on time, every half hour of a
 * week and every later time at which a condition begins or ends. Of the times at which the same
 * conditions hold, only the first is returned, because checking all of them would take a second.
 */
function momentsOf(all: readonly CardTerms[], nowMs: number): readonly number[] {
  const conditions = conditionsOf(all);
  if (all.every(isFlat) || !conditions.some(dependsOnTime)) return [nowMs];
  const later = conditions
    .flatMap(({ fromMs = nowMs, untilMs = nowMs }) => [fromMs, untilMs])
    .filter((moment) => moment > nowMs);
  const first = Math.ceil(nowMs / STEP_MS) * STEP_MS;
  const week = Array.from({ length: WEEK_MS / STEP_MS }, (_, step) => first + step * STEP_MS);
  const distinct = new Map<string, number>();
  for (const atMs of [nowMs, ...week, ...later]) {
    const held = all.map((terms) => {
      const moment = new Moment(atMs, terms.clock.zone);
      return conditionsOf([terms]).map((when) => Number(holdsAt(when, moment)));
    });
    const key = held.join();
    if (!distinct.has(key)) distinct.set(key, atMs);
  }
  return [...distinct.values()];
}

const conditionsOf = (all: readonly CardTerms[]) =>
  all.flatMap(({ rows, multiples }) => [...rows, ...multiples].map(({ when }) => when));
