/**
 * Routes for published price cards and exchange rates. Each entry says whether it is currently in
 * effect.
 */

import * as z from 'zod';
import { DEFAULT_PAGE } from '../../accounts/page.ts';
import { datedCards } from '../../catalogue/announced.ts';
import {
  type Card,
  type Catalogue,
  CHANNELS,
  type Channel,
  type DatedCard,
} from '../../catalogue/catalogue.ts';
import { isReviewDue } from '../../catalogue/review.ts';
import type { Clock } from '../../clock.ts';
import { formatAmount } from '../../money/amount.ts';
import { formatFxRate, formatTokenPrice } from '../../money/price.ts';
import { perColumn } from '../../money/usage.ts';
import type {
  PublishedCard,
  PublishedPlace,
  PublishedPrices,
  PublishedRate,
} from '../../reports/published-prices.ts';
import { cursorOf, readCursor } from '../../reports/report-cursor.ts';
import { isoTime } from '../caller/account-body.ts';
import { termsBody } from '../caller/catalogue-body.ts';
import { PRICE_TERMS } from '../caller/catalogue-doc.ts';
import { CARDS_QUERY, RATES_QUERY } from '../caller/reports/report-query.ts';
import { amount, currency, page, time } from '../edge/answer-schema.ts';
import { checkedQuery } from '../edge/request-schema.ts';
import { type AdminCall, adminRoute, type Route } from '../edge/route.ts';

const CARD = z
  .strictObject({
    id: z.string(),
    model: z.string(),
    channel: z.string(),
    price_list: z.string().nullable().meta({
      description: 'The price list that the card belongs to; null for a public price.',
    }),
    currency,
    published_at: time,
    in_force: z.boolean().meta({ description: 'Whether requests are priced with this card now.' }),
    effective_from: time.nullable().meta({
      description: 'When the card takes or took effect; null: when it was published.',
    }),
    per_1m_tokens: z
      .strictObject(perColumn(() => amount))
      .nullable()
      .meta({ description: 'Prices per 1M tokens; null: the card has prices per image.' }),
    price_terms: PRICE_TERMS().nullable().meta({
      description: 'The conditions on which the price depends; null: no conditions.',
    }),
    per_image: z.record(z.string(), amount).nullable().meta({
      description:
        'Prices per image, by size, or size and quality; null: the card has prices per token.',
    }),
    source: z
      .string()
      .nullable()
      .meta({ description: 'Where the operator read the price in force.' }),
    review: z.string().nullable().meta({
      description: 'The date (YYYY-MM-DD) by which the operator wants to check the price again.',
    }),
    review_due: z.boolean().meta({ description: 'Whether the date in `review` has passed.' }),
  })
  .meta({ id: 'PriceCard' });

const FX_RATE = z
  .strictObject({
    id: z.string(),
    from: currency,
    to: currency,
    rate: amount.meta({ description: 'The amount of `to` that one unit of `from` buys.' }),
    published_at: time,
    in_force: z.boolean(),
  })
  .meta({ id: 'FxRate' });

export type AdminPriceDeps = {
  readonly prices: Pick<PublishedPrices, 'cards' | 'rates'>;
  readonly catalogue: () => Catalogue;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const adminPriceRoutes = (deps: AdminPriceDeps): readonly Route[] => [
  adminRoute(
    'GET /cards',
    {
      summary: 'List published price cards, newest first',
      query: CARDS_QUERY,
      response: page(CARD),
    },
    (call) => cards(deps, call),
  ),
  adminRoute(
    'GET /fx-rates',
    {
      summary: 'List published exchange rates, newest first',
      query: RATES_QUERY,
      response: page(FX_RATE),
    },
    (call) => rates(deps, call),
  ),
];

async function cards({ prices, catalogue, clock }: AdminPriceDeps, { url }: AdminCall) {
  const { query } = checkedQuery(CARDS_QUERY, url);
  const { model = null, channel = null, limit = DEFAULT_PAGE, after } = query;
  const { price_list: list = null } = query;
  const scope = JSON.stringify(['cards', model, channel, list]);
  const filter = { model, channel, list };
  const { rows, next } = await prices.cards(filter, limit, placeOf(scope, after));
  const current = catalogue();
  const data = rows.map((row) => {
    const ofList = row.list === null ? current : current.lists.get(row.list);
    const known = ofList?.models.get(row.model)?.channels;
    const dated = CHANNELS.flatMap((name): readonly Known[] => {
      const sold: Channel<Card> | undefined = known?.get(name);
      const inForce = sold?.card;
      return sold === undefined
        ? []
        : datedCards(sold).map((each) => ({ ...each, isInForce: each.card === inForce }));
    }).filter((each) => each.card.id === row.id);
    const own = dated.find(({ isInForce }) => isInForce) ?? dated.at(-1) ?? null;
    return cardBody(row, own, clock.nowMs());
  });
  return Response.json({ data, next: cursor(scope, next) });
}

async function rates({ prices, catalogue }: AdminPriceDeps, { url }: AdminCall) {
  const { limit = DEFAULT_PAGE, after } = checkedQuery(RATES_QUERY, url).query;
  const { rows, next } = await prices.rates(limit, placeOf(RATES, after));
  const inForce = new Set([...catalogue().fx.values()].map(({ id }) => id));
  const data = rows.map((rate) => rateBody(rate, inForce.has(rate.id)));
  return Response.json({ data, next: cursor(RATES, next) });
}

/** The scope of the cursors in the list of exchange rates. Cursors of other lists are refused. */
const RATES = 'fx-rates';

const cursor = (scope: string, next: PublishedPlace | null): string | null =>
  next === null ? null : cursorOf(scope, [`${next.atMs}`, next.id]);

function placeOf(scope: string, after: string | undefined): PublishedPlace | null {
  if (after === undefined) return null;
  const [atMs = '', id = ''] = readCursor(scope, after, 2);
  // Only a forged cursor contains a time that is not a number. The time then counts as 0, which
  // ends the list.
  return { atMs: /^\d{1,18}$/.test(atMs) ? BigInt(atMs) : 0n, id };
}

/** A price card in the configuration, and whether it is currently in effect. */
type Known = DatedCard<Card> & { readonly isInForce: boolean };

const cardBody = (
  { rates, terms, ...card }: PublishedCard,
  known: Known | null,
  nowMs: number,
): z.infer<typeof CARD> => ({
  id: card.id,
  model: card.model,
  channel: card.channel,
  price_list: card.list,
  currency: card.currency,
  published_at: isoTime(card.publishedAtMs),
  in_force: known?.isInForce === true,
  effective_from: (known?.fromMs ?? 0) === 0 ? null : isoTime(known?.fromMs ?? 0),
  per_1m_tokens: rates === null ? null : perColumn(({ bucket }) => formatTokenPrice(rates[bucket])),
  price_terms: terms === null ? null : termsBody(terms),
  per_image:
    card.perImage === null
      ? null
      : Object.fromEntries(
          Object.entries(card.perImage).map(([key, price]) => [key, formatAmount(price)]),
        ),
  source: known?.card.source ?? null,
  review: known?.card.review ?? null,
  review_due: known?.isInForce === true && isReviewDue(known.card, nowMs),
});

const rateBody = (rate: PublishedRate, isInForce: boolean): z.infer<typeof FX_RATE> => ({
  id: rate.id,
  from: rate.base,
  to: rate.quote,
  rate: formatFxRate(rate.scaled),
  published_at: isoTime(rate.publishedAtMs),
  in_force: isInForce,
});
