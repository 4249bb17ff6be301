/** A model as the catalogue shows it. */

import type { z } from 'zod';
import { announcedCards } from '../../catalogue/announced.ts';
import type {
  Card,
  Catalogue,
  Channel,
  ImagePrices,
  Model,
  TokenPrices,
} from '../../catalogue/catalogue.ts';
import {
  BASE_FACTS,
  type CardTerms,
  type FactName,
  isFlat,
  type RowConditions,
} from '../../money/card-terms.ts';
import { conditionsText, dependsOnTime, timeText } from '../../money/conditions.ts';
import {
  type FxRate,
  formatFee,
  formatFraction,
  formatFxRate,
  formatTokenPrice,
} from '../../money/price.ts';
import { admittedFacts } from '../../money/price-of.ts';
import { FEE_UNITS } from '../../money/served.ts';
import { PRICE_ROWS, perPrice } from '../../money/usage.ts';
import type { Parameter } from '../../routing/supported-parameters.ts';
import type { MODEL, PRICE, PRICE_TERMS, UPCOMING } from './catalogue-doc.ts';
import { type HealthOf, healthBody } from './channel-health-body.ts';

export type ModelBody = z.infer<ReturnType<typeof MODEL>>;

/** Data about channels that is not in the catalogue, and may change every minute. */
export type ChannelFacts = {
  readonly healthOf: HealthOf;
  readonly parameters: (channel: Channel<Card>) => readonly Parameter[];
};

export function modelBody(
  model: Model,
  { fx, loadedAtMs }: Pick<Catalogue, 'fx' | 'loadedAtMs'>,
  facts: ChannelFacts,
): ModelBody {
  const releasedMs = releasedMsOf(model);
  return {
    id: model.id,
    object: 'model',
    type: 'model',
    created: Math.floor((releasedMs ?? dayOf(loadedAtMs)) / 1000),
    created_at: isoSeconds(releasedMs ?? 0),
    owned_by: model.maker,
    display_name: model.name,
    shutdown_date: null,
    lifecycle: 'active',
    line: null,
    deprecated_at: null,
    retires_at: null,
    capabilities: null,
    allowed_fallback_models: [],
    name: model.name,
    maker: model.maker,
    kind: model.kind,
    description: model.description?.en ?? null,
    description_zh: model.description?.zh ?? null,
    tags: [...model.tags],
    ...limits(model),
    input_modalities: [...model.input],
    output_modalities: [...model.output],
    release_date: model.releaseDate,
    settlement: model.settlement,
    settlement_rate: rateBody(fx.get(`USD/${model.settlement}`)),
    channels: channelBodies(model, facts),
  };
}

/**
 * Returns the release time; null if unknown. For a model without a release time, `created_at` is
 * 1970, as the Messages protocol defines, and OpenAI's `created` is the day on which the catalogue
 * was loaded.
 */
const releasedMsOf = ({ releaseDate }: Model): number | null =>
  releaseDate === null ? null : Date.parse(`${releaseDate.replaceAll('/', '-')}T00:00:00Z`);

const DAY_MS = 86_400_000;
const dayOf = (timeMs: number): number => timeMs - (timeMs % DAY_MS);

function limits(model: Model) {
  if (model.kind === 'image') {
    return {
      context_length: null,
      max_output_tokens: null,
      max_input_tokens: null,
      max_tokens: null,
      sizes: [...model.sizes],
      max_images: model.maxImages,
      qualities: [...model.qualities],
      styles: [...model.styles],
      backgrounds: [...model.backgrounds],
      moderations: [...model.moderations],
      output_formats: [...model.outputFormats],
      max_partial_images: model.partialImages,
      max_input_images: model.maxInputImages,
      image_tokens: Object.fromEntries(model.imageTokens),
    };
  }
  if (model.kind === 'embedding') {
    return {
      context_length: model.contextWindow,
      max_output_tokens: null,
      max_input_tokens: model.contextWindow,
      max_tokens: null,
      max_inputs: model.maxInputs,
      max_total_tokens: model.maxTotalTokens,
      dimensions: model.dimensions,
      min_dimensions: model.minDimensions,
    };
  }
  return {
    context_length: model.contextWindow,
    max_output_tokens: model.maxOutput,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutput,
  };
}

const channelBodies = (model: Model, facts: ChannelFacts): ModelBody['channels'] =>
  [...model.channels.values()].map((channel: Channel<Card>) => ({
    channel: channel.name,
    default: channel.name === model.defaultChannel,
    example: channel.card.example,
    price_card: channel.card.id,
    price: priceBody(channel.card),
    price_terms: cardTermsBody(channel.card),
    upcoming: upcomingBody(channel),
    supported_parameters: model.kind !== 'chat' ? [] : [...facts.parameters(channel)],
    health: healthBody(facts.healthOf(model, channel)),
  }));

const cardTermsBody = (card: Card) => (card.unit === 'token' ? termsBody(card.terms) : null);

export const upcomingBody = (channel: Channel<Card>): z.infer<ReturnType<typeof UPCOMING>> =>
  announcedCards(channel).map(({ fromMs, card }) => ({
    effective_from: isoSeconds(fromMs),
    price_card: card.id,
    price: priceBody(card),
    price_terms: cardTermsBody(card),
  }));

/** A time in whole seconds: `2026-12-01T00:00:00Z`. */
export const isoSeconds = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** Returns the configured prices as decimal strings; null for a price that is not listed. */
export const priceBody = (
  prices: TokenPrices | ImagePrices,
): z.infer<ReturnType<typeof PRICE>> => ({
  currency: prices.currency,
  unit: prices.unit === 'token' ? '1M tokens' : 'image',
  ...(prices.unit === 'token' ? prices.listed : NO_TOKEN_PRICES),
  not_sold: prices.unit === 'token' ? notSold(prices.terms) : [],
  per_image: prices.unit === 'image' ? prices.listed : null,
});

const notSold = ({ rows: [{ unlisted }] }: CardTerms) =>
  PRICE_ROWS.filter(({ bucket }) => unlisted.includes(bucket)).map(({ price }) => price);

/**
 * Returns the conditions, other than token counts, that the price depends on; null if there are
 * none.
 */
export function termsBody(terms: CardTerms): z.infer<ReturnType<typeof PRICE_TERMS>> | null {
  if (isFlat(terms)) return null;
  const { rows, multiples, fees, admits, clock } = terms;
  const { tier, speed, geo, tools } = admits;
  return {
    rows: rows.slice(1).map(({ when, rates, unlisted }) => ({
      when: conditionsText(when),
      conditions: conditionsBody(when),
      sold: rates !== null,
      ...perPrice(({ bucket }) =>
        rates === null || unlisted.includes(bucket) ? null : formatTokenPrice(rates[bucket]),
      ),
    })),
    times: multiples.map(({ when, applies, numerator, denominator }) => ({
      when: conditionsText(when),
      conditions: conditionsBody(when),
      of: applies,
      multiple: formatFraction(numerator, denominator),
    })),
    fees: FEE_UNITS.flatMap((unit) => {
      const fee = fees[unit];
      return fee === undefined ? [] : [{ unit, fee: formatFee(fee) }];
    }),
    accepts: { tier: [...tier], speed: [...speed], geo: [...geo], tools: [...tools] },
    offers: {
      tier: offered(terms, 'tier'),
      speed: offered(terms, 'speed'),
      geo: offered(terms, 'geo'),
      size: [...admittedFacts(terms, 'size')],
      quality: [...admittedFacts(terms, 'quality')],
    },
    time_zone: clock.zone,
  };
}

const conditionsBody = (when: RowConditions) => ({
  tier: when.tier === undefined ? null : [...when.tier],
  speed: when.speed === undefined ? null : [...when.speed],
  geo: when.geo === undefined ? null : [...when.geo],
  size: when.size === undefined ? null : [...when.size],
  quality: when.quality === undefined ? null : [...when.quality],
  prompt_over: when.promptOver ?? null,
  prompt_from: when.promptFrom ?? null,
  time: dependsOnTime(when) ? timeText(when) : null,
});

const offered = (terms: CardTerms, name: FactName): string[] => [
  ...new Set([BASE_FACTS[name], ...admittedFacts(terms, name)]),
];

const NO_TOKEN_PRICES = perPrice(() => null);

/** Returns the exchange rate from USD, the currency of prices; null if the model settles in USD. */
const rateBody = (rate: FxRate | undefined): ModelBody['settlement_rate'] =>
  rate === undefined ? null : { id: rate.id, rate: formatFxRate(rate.scaled) };
