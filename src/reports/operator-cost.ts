/** What requests cost the operator, by the costs that the configuration has beside its prices. */
import type { Catalogue, ImagePrices, TokenPrices } from '../catalogue/catalogue.ts';
import { isChannelName } from '../catalogue/catalogue.ts';
import type { Receipt } from '../ledger/ledger.ts';
import type { NanoAmount } from '../money/amount.ts';
import { costPico, imagesPico, settleAmount } from '../money/price.ts';

/** What it depends on. */
export type CostedRequest = Pick<Receipt, 'model' | 'channel' | 'currency' | 'usage' | 'images'>;

/**
 * In nano-units of the request's currency: what the channel that served it costs today, times what the
 * request used.
 * @returns null without a cost, or without a rate from the currency of the cost to that of the request.
 */
export function operatorCost(
  { models, fx }: Pick<Catalogue, 'models' | 'fx'>,
  request: CostedRequest,
): NanoAmount | null {
  const { model, channel, currency } = request;
  if (!isChannelName(channel)) return null;
  const cost = models.get(model)?.channels.get(channel)?.cost ?? null;
  if (cost === null) return null;
  const pico = picoOf(cost, request);
  const rate = cost.currency === currency ? null : fx.get(`${cost.currency}/${currency}`);
  return pico === null || rate === undefined ? null : settleAmount(pico, rate);
}

function picoOf(cost: TokenPrices | ImagePrices, { usage, images }: CostedRequest): bigint | null {
  if (cost.kind === 'chat') return costPico(usage, cost.rates);
  if (images === null) return 0n;
  const price = cost.perImage.get(images.priceKey);
  return price === undefined ? null : imagesPico(price, images.count);
}
