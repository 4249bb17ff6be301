/**
 * How an account's own key brings money in: redeem codes, and top-ups by card where a payment provider is
 * configured. Without one the card routes are not there at all, its webhook included.
 */
import { z } from 'zod';
import { DEFAULT_PAGE } from '../accounts/accounts.ts';
import type { CardPayments } from '../accounts/top-ups/card-payments.ts';
import type { RedeemCodes } from '../accounts/top-ups/redeem-codes.ts';
import type { TopUpOrder, TopUpOrders } from '../accounts/top-ups/top-up-orders.ts';
import { GatewayError } from '../errors.ts';
import { formatAmount } from '../money/amount.ts';
import { isoTime } from './account-body.ts';
import {
  checked,
  checkedQuery,
  jsonSchema,
  NEW_CREDIT,
  PAGE_QUERY,
} from './admin/admin-schemas.ts';
import type { KeyCall, Route, RouteDoc } from './route.ts';

const PREFIXES = ['/v1', '/v2'] as const;
const CREATED = 201;
const PRIVATE = { 'cache-control': 'no-store' } as const;
/** An event is a few kilobytes. */
const MAX_EVENT_BYTES = 512 * 1024;
/** Where the provider sends people back to. */
export const RETURN_PATH = '/top-ups/return';

const CODE = 'must be the text of a redeem code';
const REDEEM = z.strictObject({ code: z.string({ error: CODE }).min(1, { error: CODE }) });
const NEW_TOP_UP = z.strictObject({
  amount: NEW_CREDIT.shape.amount,
  currency: NEW_CREDIT.shape.currency,
});

export type Card = {
  readonly payments: Pick<CardPayments, 'order' | 'get' | 'hear'>;
  readonly orders: Pick<TopUpOrders, 'ofAccount' | 'events'>;
};
export type TopUpRouteDeps = {
  readonly codes: Pick<RedeemCodes, 'redeem'>;
  /** Null: no payment provider is configured. */
  readonly card: Card | null;
};

export function topUpRoutes({ codes, card }: TopUpRouteDeps): readonly Route[] {
  const redeem = withKey('POST', '/redeem', REDEEM_DOC, async (call) => {
    const { code } = checked(REDEEM, await call.readJson());
    const { id, amount, currency, available, alreadyApplied } = await codes.redeem(
      code,
      call.caller,
    );
    const body = {
      id,
      amount: formatAmount(amount),
      currency,
      available: formatAmount(available),
      already_applied: alreadyApplied,
    };
    return Response.json(body, { status: alreadyApplied ? 200 : CREATED, headers: PRIVATE });
  });
  return card === null ? redeem : [...redeem, ...cardRoutes(card)];
}

const REDEEM_DOC: Omit<RouteDoc, 'tag'> = {
  summary: 'Redeem a code: its money goes to the wallet of the calling key',
  request: jsonSchema(REDEEM),
  statuses: [200, CREATED],
};

function cardRoutes({ payments, orders }: Card): readonly Route[] {
  return [
    ...withKey(
      'POST',
      '/top-ups',
      {
        summary: 'Top up by card: answers the page to pay at',
        request: jsonSchema(NEW_TOP_UP),
        statuses: [CREATED],
      },
      async (call) => {
        const wanted = checked(NEW_TOP_UP, await call.readJson());
        const order = await payments.order(wanted, call.caller);
        return Response.json(orderBody(order), { status: CREATED, headers: PRIVATE });
      },
    ),
    ...withKey(
      'GET',
      '/top-ups',
      { summary: "The account's top-ups by card, newest first", query: jsonSchema(PAGE_QUERY) },
      async ({ url, caller }) => {
        const { items, next } = await orders.ofAccount(caller.accountId, pageOf(url));
        return Response.json({ data: items.map(orderBody), next }, { headers: PRIVATE });
      },
    ),
    ...withKey('GET', '/top-ups/:id', { summary: 'A top-up by card' }, async (call) => {
      const order = await payments.get(call.params['id'] ?? '', call.caller.accountId);
      return Response.json(orderBody(order), { headers: PRIVATE });
    }),
    webhook(payments),
    returnPage,
    paymentEvents(orders),
  ];
}

/** Stripe repeats what is not answered with a 2xx, so only a failure of ours is anything else. */
const webhook = (payments: Pick<CardPayments, 'hear'>): Route => ({
  method: 'POST',
  path: '/webhooks/stripe',
  auth: 'public',
  dialect: 'openai',
  maxBodyBytes: MAX_EVENT_BYTES,
  doc: { summary: 'Signed events of the payment provider', tag: 'service' },
  handle: async ({ request, readBytes }) => {
    const signature = request.headers.get('stripe-signature') ?? '';
    if (signature === '') throw unsigned();
    // The signature is of these very bytes.
    await payments.hear(await readBytes(), signature);
    return Response.json({ received: true });
  },
});

const returnPage: Route = {
  method: 'GET',
  path: RETURN_PATH,
  auth: 'public',
  dialect: 'openai',
  doc: {
    summary: 'Where people come back to after paying',
    tag: 'service',
    mediaTypes: ['text/html'],
  },
  handle: async ({ url }) => {
    const isPaid = url.searchParams.get('result') === 'paid';
    const text = isPaid
      ? 'Thank you. Your balance rises as soon as the payment is confirmed.'
      : 'Nothing was paid, and nothing was charged.';
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Top-up</title><p>${text}</p></html>`;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    };
    return new Response(page, { headers });
  },
};

const paymentEvents = (orders: Pick<TopUpOrders, 'events'>): Route => ({
  method: 'GET',
  path: '/admin/v1/payment-events',
  auth: 'admin',
  dialect: 'openai',
  doc: {
    summary: 'What the payment provider told, newest first, and what came of it',
    tag: 'admin',
    query: jsonSchema(PAGE_QUERY),
  },
  handle: async ({ url }) => {
    const { items, next } = await orders.events(pageOf(url));
    const data = items.map(({ id, type, orderId, outcome, detail, atMs }) => ({
      id,
      type,
      order_id: orderId,
      outcome,
      detail,
      created_at: isoTime(atMs),
    }));
    return Response.json({ data, next });
  },
});

function withKey(
  method: Route['method'],
  path: string,
  doc: Omit<RouteDoc, 'tag'>,
  handle: (call: KeyCall) => Promise<Response>,
): readonly Route[] {
  return PREFIXES.map((prefix) => ({
    method,
    path: prefix + path,
    auth: 'key',
    dialect: 'both',
    doc: { ...doc, tag: 'account' },
    handle,
  }));
}

function pageOf(url: URL) {
  const { query } = checkedQuery(PAGE_QUERY, url);
  return { limit: query.limit ?? DEFAULT_PAGE, after: query.after ?? null };
}

function orderBody(order: TopUpOrder) {
  return {
    id: order.id,
    // Nobody should pay what is not open any more.
    url: order.state === 'open' ? order.url : null,
    amount: formatAmount(order.amount),
    currency: order.currency,
    status: order.state,
    created_at: isoTime(order.createdAtMs),
  };
}

const unsigned = (): GatewayError =>
  new GatewayError('invalid_value', 'The call has no stripe-signature header.', {
    param: 'stripe-signature',
  });
