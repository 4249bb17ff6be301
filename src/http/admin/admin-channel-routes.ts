/** What each channel is sold for and what it costs the operator: for administrators alone. */
import { z } from 'zod';
import { type Catalogue, CHANNELS } from '../../catalogue/catalogue.ts';
import type { Config } from '../../config/config.ts';
import { priceBody } from '../caller/catalogue-body.ts';
import { PRICE } from '../caller/catalogue-doc.ts';
import { answerSchema, currency } from '../edge/answer-schema.ts';
import type { Route } from '../edge/route.ts';
import { adminRoute } from './admin-route.ts';

type Models = Config['models'];
type Channels = Models[string]['channels'];
type Cost = NonNullable<NonNullable<Channels[keyof Channels]>['cost']>;
type PriceBody = z.infer<typeof PRICE>;

const OFFER = z
  .strictObject({
    model: z.string(),
    model_name: z.string(),
    kind: z.enum(['chat', 'image']),
    settlement: currency,
    channel: z.enum(CHANNELS),
    default: z.boolean().meta({ description: "The model's default channel." }),
    example: z.boolean().meta({ description: 'A price made up by the shipped configuration.' }),
    price_card: z.string(),
    price: PRICE,
    cost: PRICE.nullable().meta({
      description: 'What the configuration notes that we pay; null: nothing is noted.',
    }),
  })
  .meta({ id: 'ChannelOffer' });

export type AdminChannelDeps = {
  readonly catalogue: () => Catalogue;
  /** As configured: costs are noted there, and are no part of a price card. */
  readonly models: () => Models;
};

export function adminChannelRoutes({ catalogue, models }: AdminChannelDeps): readonly Route[] {
  const summary = 'What each channel of each model is sold for, and what it costs';
  const response = answerSchema(z.strictObject({ data: z.array(OFFER) }));
  return [
    adminRoute('GET', '/channels', { summary, response }, async () =>
      Response.json({ data: [...offersOf(catalogue(), models())] }),
    ),
  ];
}

function* offersOf(catalogue: Catalogue, models: Models): Iterable<z.infer<typeof OFFER>> {
  for (const model of catalogue.models.values()) {
    const configured = models[model.id]?.channels;
    for (const { name, card } of model.channels.values()) {
      yield {
        model: model.id,
        model_name: model.name,
        kind: model.kind,
        settlement: model.settlement,
        channel: name,
        default: name === model.defaultChannel,
        example: card.example,
        price_card: card.id,
        price: priceBody(card),
        cost: costBody(configured?.[name]?.cost),
      };
    }
  }
}

/** In the shape of a price, so that the two can be laid beside each other. */
function costBody(cost: Cost | undefined): PriceBody | null {
  if (cost === undefined) return null;
  if ('per_image' in cost) {
    return { ...NOTHING, currency: cost.currency, unit: 'image', per_image: cost.per_image };
  }
  return {
    ...NOTHING,
    currency: cost.currency,
    unit: '1M tokens',
    input: cost.input,
    output: cost.output,
    cache_read: cost.cache_read ?? null,
    cache_write: cost.cache_write ?? null,
    cache_write_1h: cost.cache_write_1h ?? null,
  };
}

const NOTHING = {
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  per_image: null,
} as const;
