/**
 * Routes for top-ups by a signed-in person. The list of top-ups also says whether card payments are
 * accepted.
 */
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { type Currency, formatAmount } from '../../money/amount.ts';
import type { BonusStep } from '../../topups/bonuses.ts';
import type { AmountLimits } from '../../topups/card-payments.ts';
import type { TopUpBy } from '../../topups/top-up-orders.ts';
import {
  type Card,
  ONE_TOP_UP_DOC,
  order,
  orderBody,
  ordered,
  REDEEM_DOC,
  redeemed,
  TOP_UP,
  TOP_UP_DOC,
  TOP_UPS_DOC,
} from '../caller/top-up-answers.ts';
import type { TopUpRouteDeps } from '../caller/top-up-routes.ts';
import { amount, NO_STORE, next } from '../edge/answer-schema.ts';
import { checkedQuery, PAGE_QUERY, pageOf } from '../edge/request-schema.ts';
import { consoleRoute, type Route, type SessionCall } from '../edge/route.ts';

const RANGE = z.strictObject({ min: amount, max: amount });
const STEPS = z.array(
  z
    .strictObject({
      from: amount.meta({ description: 'The smallest payment that gets the bonus.' }),
      percent: z
        .string()
        .meta({ description: 'The bonus in percent of the payment, such as `5` or `7.5`.' }),
    })
    .meta({ id: 'TopUpBonus' }),
);
const TOP_UPS = z.strictObject({
  card_limits: z.strictObject({ USD: RANGE, CNY: RANGE }).nullable().meta({
    description:
      'The smallest and the largest payment by card; null: no payment provider is configured.',
  }),
  bonuses: z.strictObject({ USD: STEPS, CNY: STEPS }).meta({
    description:
      'The bonuses on payments. A payment gets the bonus of the largest `from` that it reaches.',
  }),
  data: z.array(TOP_UP),
  next,
});

export const consoleTopUpRoutes = ({ codes, card }: TopUpRouteDeps): readonly Route[] => [
  consoleRoute('POST /redeem', 'owner', REDEEM_DOC, (call) => redeemed(codes, call, by(call))),
  consoleRoute('GET /top-ups', 'read_only', { ...TOP_UPS_DOC, response: TOP_UPS }, (call) =>
    topUps(card, call),
  ),
  consoleRoute('POST /top-ups', 'owner', TOP_UP_DOC, (call) =>
    ordered(configured(card), call, by(call)),
  ),
  consoleRoute('GET /top-ups/:id', 'read_only', ONE_TOP_UP_DOC, (call) =>
    order(configured(card), call, by(call)),
  ),
];

const by = ({ person }: SessionCall): TopUpBy => ({
  accountId: person.accountId,
  actor: person.id,
});

async function topUps(card: Card | null, { url, person }: SessionCall): Promise<Response> {
  const { query } = checkedQuery(PAGE_QUERY, url);
  if (card === null) return Response.json(CLOSED);
  const { items, next } = await card.orders.ofAccount(person.accountId, pageOf(query));
  const body: z.infer<typeof TOP_UPS> = {
    card_limits: limitsBody(card.payments.limits),
    bonuses: {
      USD: card.payments.bonuses.USD.map(stepBody),
      CNY: card.payments.bonuses.CNY.map(stepBody),
    },
    data: items.map(orderBody),
    next,
  };
  return Response.json(body, { headers: NO_STORE });
}

const CLOSED: z.infer<typeof TOP_UPS> = {
  ...{ card_limits: null, bonuses: { USD: [], CNY: [] }, data: [], next: null },
};

const stepBody = ({ from, percent }: BonusStep) => ({ from: formatAmount(from), percent });

const limitsBody = (limits: AmountLimits) => ({
  USD: rangeBody(limits, 'USD'),
  CNY: rangeBody(limits, 'CNY'),
});
const rangeBody = (limits: AmountLimits, currency: Currency) => ({
  min: formatAmount(limits[currency].min),
  max: formatAmount(limits[currency].max),
});

/**
 * Returns `card`, which handles card payments.
 * @throws GatewayError `not_found` if no payment provider is configured.
 */
function configured(card: Card | null): Card {
  if (card !== null) return card;
  throw new GatewayError(
    'not_found',
    'Card payments are not available: no payment provider is configured. Redeem a code, or ask the administrator for credit.',
  );
}
