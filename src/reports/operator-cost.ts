/** What requests cost the operator, by the costs that the configuration notes beside its prices. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Config } from '../config/config.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { type Currency, type NanoAmount, nano, parseDecimal } from '../money/amount.ts';
import { type FxRate, settleAmount } from '../money/price.ts';
import type { Usage } from '../money/usage.ts';

/** Prices per 1M tokens in pico a token; prices of an image in pico. */
const RATE_DIGITS = 6;
const PICO_DIGITS = 12;

type Models = Config['models'];
type Channels = Models[string]['channels'];
type Cost = NonNullable<NonNullable<Channels[keyof Channels]>['cost']>;

/** What it depends on. */
export type CostedRequest = Pick<Receipt, 'model' | 'channel' | 'currency' | 'usage' | 'images'>;

/**
 * In nano-units of the request's currency: what the served channel is noted to cost today, times what the
 * request used. A cache bucket without a cost of its own costs what input does.
 * @returns null when no cost is noted, or no rate leads from its currency to the request's.
 */
export function operatorCost(
  models: Models,
  { fx }: Pick<Catalogue, 'fx'>,
  request: CostedRequest,
): NanoAmount | null {
  const channels = models[request.model]?.channels;
  const channel = Object.entries(channels ?? {}).find(([name]) => name === request.channel)?.[1];
  const cost = channel?.cost;
  if (cost === undefined) return null;
  const pico = 'per_image' in cost ? imagePico(cost, request) : tokenPico(cost, request.usage);
  if (pico === null) return null;
  const rate = rateTo(request.currency, cost.currency, fx);
  return rate === undefined ? null : settleAmount(pico, rate);
}

function tokenPico(cost: Exclude<Cost, { per_image: unknown }>, usage: Usage): bigint | null {
  const input = rateOf(cost.input);
  const cached = (listed: string | undefined): bigint =>
    listed === undefined ? input : rateOf(listed);
  return (
    BigInt(usage.input) * input +
    BigInt(usage.cacheRead) * cached(cost.cache_read) +
    BigInt(usage.cacheWrite5m) * cached(cost.cache_write) +
    BigInt(usage.cacheWrite1h) * cached(cost.cache_write_1h ?? cost.cache_write) +
    BigInt(usage.output) * rateOf(cost.output)
  );
}

function imagePico(
  cost: Extract<Cost, { per_image: unknown }>,
  { images }: CostedRequest,
): bigint | null {
  if (images === null) return nano(0n);
  const price = cost.per_image[images.priceKey];
  return price === undefined ? null : BigInt(images.count) * decimal(price, PICO_DIGITS);
}

/** Undefined: no rate is pinned. Null: none is needed. */
function rateTo(quote: Currency, base: Currency, fx: Catalogue['fx']): FxRate | null | undefined {
  return base === quote ? null : fx.get(`${base}/${quote}`);
}

const rateOf = (price: string): bigint => decimal(price, RATE_DIGITS);

/** The configuration was checked when it was loaded, so that a price is always a decimal. */
const decimal = (text: string, digits: number): bigint => parseDecimal(text, digits) ?? 0n;
