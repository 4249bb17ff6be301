/** Calculates the cost of an answer: estimated while it streams, and as charged afterwards. */
import type { Model } from '#catalogue/models.ts';
import { type CostLine, charged, type TokenCounts, tokenLines } from '#catalogue/price.ts';
import { type Situation, situationCost } from '#catalogue/price-situation.ts';
import type { Answer } from '#chat/answer.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { channelOf } from '#screens/playground/chat/settings/parameters.ts';

export type Cost = {
  readonly amount: string;
  readonly currency: string;
  /**
   * Whether the cost is based on estimated tokens, because the gateway has not reported the exact
   * number yet.
   */
  readonly isEstimate: boolean;
};

/**
 * Returns the cost of an answer; null when the cost is unknown, for example when the model is no
 * longer sold.
 */
export function costOf(answer: Answer, model: Model | undefined): Cost | null {
  const { usage } = answer;
  if (usage?.cost != null) return { ...usage.cost, isEstimate: false };
  const channel = model && channelOf(model, answer.channel ?? answer.requestedChannel);
  if (model === undefined || channel === undefined) return null;
  const lines = tokenLines(channel.price, {
    input: Math.ceil(answer.promptWeight),
    cache_read: 0,
    cache_write: 0,
    output: Math.ceil(answer.weight),
  });
  const amount = charged(lines, model.settlement_rate?.rate ?? null);
  return { amount: formatExact(amount), currency: model.settlement, isEstimate: true };
}

const USUAL: Situation = { facts: {}, times: [], uses: new Map() };

/**
 * Returns how much the prompt cache saved on an answer, as a decimal. This is the price of the same
 * tokens without a cache, minus the charge. It is negative when cache writes cost more than reads
 * saved. Null when the cache was not used, or when the current prices do not yield the charge, for
 * example because they have changed.
 */
export function cacheSaving({ usage, ...answer }: Answer, model: Model | undefined): string | null {
  if (model === undefined || usage?.cost == null) return null;
  const { input, cached, cacheWrite, output, cost } = usage;
  const channel = channelOf(model, answer.channel ?? answer.requestedChannel);
  if (channel === undefined || cached + cacheWrite === 0) return null;
  const priceOf = (counts: TokenCounts): bigint | null => {
    const lines: readonly CostLine[] | undefined = situationCost(channel, counts, USUAL)?.lines;
    return lines === undefined ? null : charged(lines, model.settlement_rate?.rate ?? null);
  };
  const plain = { input, cache_read: 0, cache_write: 0, output };
  const used = { ...plain, input: input - cached - cacheWrite };
  const charge = priceOf({ ...used, cache_read: cached, cache_write: cacheWrite });
  const without = priceOf(plain);
  if (without === null || charge === null || charge !== parseAmount(cost.amount)) return null;
  return formatExact(without - charge);
}
