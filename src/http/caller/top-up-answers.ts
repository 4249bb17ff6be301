/** Bodies of top-ups, which are the same for API keys and for signed-in people. */
import * as z from 'zod';
import { formatAmount } from '../../money/amount.ts';
import type { CardPayments } from '../../topups/card-payments.ts';
import type { RedeemCodes } from '../../topups/redeem-codes.ts';
import {
  ORDER_STATES,
  type TopUpBy,
  type TopUpOrder,
  type TopUpOrders,
} from '../../topups/top-up-orders.ts';
import { amount, CREATED, currency, NO_STORE, page, time } from '../edge/answer-schema.ts';
import {
  checked,
  checkedQuery,
  PAGE_QUERY,
  pageOf,
  positiveAmount,
  walletCurrency,
} from '../edge/request-schema.ts';
import { type Call, type Doc, idOf } from '../edge/route.ts';
import { isoTime } from './account-body.ts';

const CODE = 'must be the text of a redeem code';
const REDEEM = z.strictObject({ code: z.string({ error: CODE }).min(1, { error: CODE }) });
const NEW_TOP_UP = z.strictObject({
  amount: positiveAmount.meta({ description: 'The amount to pay, as a decimal string.' }),
  currency: walletCurrency,
});

export type Card = {
  readonly payments: Pick<CardPayments, 'order' | 'get' | 'handleWebhook' | 'limits' | 'bonuses'>;
  readonly orders: Pick<TopUpOrders, 'ofAccount' | 'events'>;
};

const REDEEMED = z
  .strictObject({
    id: z.string(),
    amount,
    currency,
    available: amount.meta({
      description:
        'The amount that new requests could spend from the wallet right after the booking. A repeat returns the amount of the first time.',
    }),
    already_applied: z.boolean(),
  })
  .meta({ id: 'Redeemed' });

export const TOP_UP = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the top-up.' }),
    url: z.string().nullable().meta({
      description: 'The URL of the payment page; null if the top-up can no longer be paid.',
    }),
    amount: amount.meta({ description: 'The amount of the payment, without the bonus.' }),
    bonus: amount.meta({
      description: 'The bonus that is credited on top of `amount` when the top-up is paid.',
    }),
    currency,
    status: z.enum(ORDER_STATES).meta({ description: 'The state of the top-up.' }),
    created_at: time,
  })
  .meta({ id: 'TopUp' });

export const REDEEM_DOC: Doc = {
  summary: "Redeem a code for credit in the account's wallet",
  request: REDEEM,
  response: REDEEMED,
  statuses: [200, CREATED],
};
export const TOP_UP_DOC: Doc = {
  summary: 'Start a top-up by card; the answer has the URL of the payment page',
  request: NEW_TOP_UP,
  response: TOP_UP,
  statuses: [CREATED],
};
export const TOP_UPS_DOC: Doc = {
  summary: "List the account's top-ups by card, newest first",
  query: PAGE_QUERY,
  response: page(TOP_UP),
};
export const ONE_TOP_UP_DOC: Doc = { summary: 'Read a top-up by card', response: TOP_UP };

export async function redeemed(
  codes: Pick<RedeemCodes, 'redeem'>,
  call: Call,
  by: TopUpBy,
): Promise<Response> {
  const { code } = checked(REDEEM, await call.readJson());
  const { id, alreadyApplied, ...credit } = await codes.redeem(code, by);
  const body: z.infer<typeof REDEEMED> = {
    id,
    amount: formatAmount(credit.amount),
    currency: credit.currency,
    available: formatAmount(credit.available),
    already_applied: alreadyApplied,
  };
  return Response.json(body, { status: alreadyApplied ? 200 : CREATED, headers: NO_STORE });
}

export async function ordered({ payments }: Card, call: Call, by: TopUpBy): Promise<Response> {
  const wanted = checked(NEW_TOP_UP, await call.readJson());
  return Response.json(orderBody(await payments.order(wanted, by)), {
    status: CREATED,
    headers: NO_STORE,
  });
}

export async function orders(card: Card, { url }: Call, { accountId }: TopUpBy): Promise<Response> {
  const { query } = checkedQuery(PAGE_QUERY, url);
  const { items, next } = await card.orders.ofAccount(accountId, pageOf(query));
  return Response.json({ data: items.map(orderBody), next }, { headers: NO_STORE });
}

export async function order({ payments }: Card, call: Call, by: TopUpBy): Promise<Response> {
  const found = await payments.get(idOf(call), by.accountId);
  return Response.json(orderBody(found), { headers: NO_STORE });
}

export function orderBody(order: TopUpOrder): z.infer<typeof TOP_UP> {
  return {
    id: order.id,
    // Only an open top-up can be paid, so no other top-up has a payment link.
    url: order.state === 'open' ? order.url : null,
    amount: formatAmount(order.amount),
    bonus: formatAmount(order.bonus),
    currency: order.currency,
    status: order.state,
    created_at: isoTime(order.createdAtMs),
  };
}
