/** Calculates the cost of an answer: estimated while it streams, and as charged afterwards. */
import type { Model } from '#catalogue/models.ts';
import { charged, tokenLines } from '#catalogue/price.ts';
import type { Answer } from '#chat/answer.ts';
import { formatExact } from '#money/amount.ts';
import { channelOf } from '#screens/playground/chat/settings/parameters.ts';

export type Cost = {
  readonly amount: string;
  readonly currency: string;
  /** Whether the cost is the price of estimated tokens, because the gateway has not counted yet. */
  readonly isEstimate: boolean;
};

/**
 * Returns the cost of an answer; null when nothing is known, for example when the model is no
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
