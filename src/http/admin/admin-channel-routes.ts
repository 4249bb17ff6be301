/** The route that compares channel prices with the operator's costs, for administrators only. */
import * as z from 'zod';
import { type Card, type Catalogue, CHANNELS, type Channel } from '../../catalogue/catalogue.ts';
import { isReviewDue } from '../../catalogue/review.ts';
import type { Clock } from '../../clock.ts';
import { priceBody, upcomingBody } from '../caller/catalogue-body.ts';
import { PRICE, UPCOMING } from '../caller/catalogue-doc.ts';
import { currency } from '../edge/answer-schema.ts';
import { adminRoute, type Route } from '../edge/route.ts';

const OFFER = z
  .strictObject({
    model: z.string(),
    model_name: z.string(),
    kind: z.enum(['chat', 'image', 'embedding']),
    settlement: currency,
    channel: z.enum(CHANNELS),
    default: z.boolean().meta({ description: 'Whether this is the default channel of the model.' }),
    only_on: z.array(z.string()).nullable().meta({
      description:
        'Only accounts on these price lists may use the channel; null: all accounts may.',
    }),
    example: z.boolean().meta({
      description: 'Whether the configuration marks the price as an example.',
    }),
    price_card: z.string(),
    price: PRICE(),
    upcoming: UPCOMING(),
    source: z
      .string()
      .nullable()
      .meta({ description: 'Where the operator read the price, as noted in the configuration.' }),
    review: z.string().nullable().meta({
      description: 'The date (YYYY-MM-DD) by which the operator wants to check the price again.',
    }),
    review_due: z.boolean().meta({ description: 'Whether the date in `review` has passed.' }),
    cost: PRICE().nullable().meta({
      description: 'The prices that the operator pays, as configured; null: not configured.',
    }),
  })
  .meta({ id: 'ChannelOffer' });

export function adminChannelRoutes(deps: {
  readonly catalogue: () => Catalogue;
  readonly clock: Pick<Clock, 'nowMs'>;
}): readonly Route[] {
  const summary = 'Compare the price and the cost of each channel of each model';
  const response = z.strictObject({ data: z.array(OFFER) });
  return [
    adminRoute('GET /channels', { summary, response }, async () =>
      Response.json({ data: [...offersOf(deps.catalogue(), deps.clock.nowMs())] }),
    ),
  ];
}

function* offersOf(catalogue: Catalogue, nowMs: number): Iterable<z.infer<typeof OFFER>> {
  for (const model of catalogue.models.values()) {
    for (const channel of model.channels.values()) {
      const { name, card, cost, onlyOn }: Channel<Card> = channel;
      yield {
        model: model.id,
        model_name: model.name,
        kind: model.kind,
        settlement: model.settlement,
        channel: name,
        default: name === model.defaultChannel,
        only_on: listsOf(onlyOn ?? model.onlyOn),
        example: card.example,
        price_card: card.id,
        price: priceBody(card),
        upcoming: upcomingBody(channel),
        source: card.source ?? null,
        review: card.review ?? null,
        review_due: isReviewDue(card, nowMs),
        cost: cost === null ? null : priceBody(cost),
      };
    }
  }
}

const listsOf = (names: readonly string[] | null): string[] | null =>
  names === null ? null : [...names];
