/** Computes what requests cost the operator, from the costs in the configuration. */
import type { Catalogue, ImagePrices, TokenPrices } from '../catalogue/catalogue.ts';
import { isChannelName } from '../catalogue/catalogue.ts';
import type { Receipt } from '../ledger/ledger.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { isFlat } from '../money/card-terms.ts';
import { costPico, imagesPico, settleAmount } from '../money/price.ts';
import { PLAIN_FACTS, type PriceFacts, priceOf } from '../money/price-of.ts';
import { readFacts } from '../money/terms-json.ts';

/** The fields of a receipt on which the operator's cost of the request depends. */
export type CostedRequest = Pick<
  Receipt,
  | 'model'
  | 'channel'
  | 'currency'
  | 'usage'
  | 'images'
  | 'facts'
  | 'upstreamModel'
  | 'startedAtMs'
  | 'durationMs'
>;

/** The prices that the operator pays a provider. */
export type OperatorPrices =
  | Pick<TokenPrices, 'unit' | 'currency' | 'rates' | 'terms'>
  | Pick<ImagePrices, 'unit' | 'currency' | 'perImage'>;

/** The exact cost of a request, in pico-units of `currency`. */
export type ExactCost = { readonly pico: bigint; readonly currency: Currency };

/** Returns the cost that is configured for a model on a channel; null if not configured. */
export const configuredCost = (
  { models }: Pick<Catalogue, 'models'>,
  model: string,
  channel: string,
): OperatorPrices | null =>
  isChannelName(channel) ? (models.get(model)?.channels.get(channel)?.cost ?? null) : null;

/**
 * Returns what a request cost the operator, by the `cost` configured for its channel; null if no
 * cost is configured, or if it has no price for the request's images.
 */
export function exactCost(
  { models }: Pick<Catalogue, 'models'>,
  request: CostedRequest,
): ExactCost | null {
  const cost = configuredCost({ models }, request.model, request.channel);
  const pico = cost === null ? null : picoOf(cost, request);
  return cost === null || pico === null ? null : { pico, currency: cost.currency };
}

/**
 * Like `exactCost`, but in nano-units of the request's currency. Also null if no exchange rate to
 * that currency is configured.
 */
export function operatorCost(
  { models, fx }: Pick<Catalogue, 'models' | 'fx'>,
  request: CostedRequest,
): NanoAmount | null {
  const cost = exactCost({ models }, request);
  return cost === null ? null : inCurrency(cost, request.currency, fx);
}

/**
 * Converts a cost to `currency` and rounds it only once, to nano-units; null if no exchange rate is
 * configured.
 */
export function inCurrency(
  cost: ExactCost,
  currency: Currency,
  fx: Catalogue['fx'],
): NanoAmount | null {
  const rate = cost.currency === currency ? null : fx.get(`${cost.currency}/${currency}`);
  return rate === undefined ? null : settleAmount(cost.pico, rate);
}

/**
 * Returns what a request costs at the prices in `cost`, in pico-units of the prices' currency; null
 * if `cost` has no price for the request's images.
 */
export function picoOf(cost: OperatorPrices, request: CostedRequest): bigint | null {
  const { usage, images } = request;
  if (cost.unit === 'token') {
    if (isFlat(cost.terms)) return costPico(usage, cost.rates);
    return priceOf(cost.terms, usage, factsOf(request)).costPico;
  }
  if (images === null) return 0n;
  const price = cost.perImage.get(images.priceKey);
  return price === undefined ? null : imagesPico(price, images.count);
}

/**
 * Returns the facts on the receipt, that is, the values on which the price depends, such as the
 * service tier. If the receipt has no facts, assumes the provider's default values.
 */
function factsOf({ facts, upstreamModel, startedAtMs, durationMs }: CostedRequest): PriceFacts {
  if (facts !== null) return readFacts(facts);
  const endMs = startedAtMs + Math.round(durationMs);
  return { ...PLAIN_FACTS, sentModel: upstreamModel, startMs: startedAtMs, endMs };
}
