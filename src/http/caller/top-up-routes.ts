/**
 * Top-ups with an API key. The routes for card payments and for the payment provider's webhook
 * exist only if a payment provider is configured.
 */
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { languageFrom } from '../../people/mail/mail-preferences.ts';
import { type CardPayments, RETURN_PATH } from '../../topups/card-payments.ts';
import type { RedeemCodes } from '../../topups/redeem-codes.ts';
import type { TopUpBy, TopUpOrders } from '../../topups/top-up-orders.ts';
import { page, time } from '../edge/answer-schema.ts';
import { checkedQuery, PAGE_QUERY, pageOf } from '../edge/request-schema.ts';
import { adminRoute, callerRoutes, type KeyCall, type Route } from '../edge/route.ts';
import { isoTime } from './account-body.ts';
import {
  type Card,
  ONE_TOP_UP_DOC,
  order,
  ordered,
  orders,
  REDEEM_DOC,
  redeemed,
  TOP_UP_DOC,
  TOP_UPS_DOC,
} from './top-up-answers.ts';

/** Maximum bytes of the payment provider's event. Most events have a few kilobytes. */
const MAX_EVENT_BYTES = 512 * 1024;

export type TopUpRouteDeps = {
  readonly codes: Pick<RedeemCodes, 'redeem'>;
  /** Card payments; null if no payment provider is configured. */
  readonly card: Card | null;
};

export function topUpRoutes({ codes, card }: TopUpRouteDeps): readonly Route[] {
  const redeem = callerRoutes('POST /redeem', 'top_up', REDEEM_DOC, (call) =>
    redeemed(codes, call, by(call)),
  );
  return card === null ? redeem : [...redeem, ...cardRoutes(card)];
}

const by = ({ caller }: KeyCall): TopUpBy => ({
  accountId: caller.accountId,
  actor: caller.keyId,
});

function cardRoutes(card: Card): readonly Route[] {
  return [
    ...callerRoutes('POST /top-ups', 'top_up', TOP_UP_DOC, (call) => ordered(card, call, by(call))),
    ...callerRoutes('GET /top-ups', 'top_up', TOP_UPS_DOC, (call) => orders(card, call, by(call))),
    ...callerRoutes('GET /top-ups/:id', 'top_up', ONE_TOP_UP_DOC, (call) =>
      order(card, call, by(call)),
    ),
    webhook(card.payments),
    returnPage,
    paymentEvents(card.orders),
  ];
}

/** Stripe retries an event until the status is 2xx, so ignored events return 200 as well. */
const webhook = (payments: Pick<CardPayments, 'handleWebhook'>): Route => ({
  method: 'POST',
  path: '/webhooks/stripe',
  auth: 'public',
  dialect: 'openai',
  maxBodyBytes: MAX_EVENT_BYTES,
  doc: {
    summary: 'Receive signed events of the payment provider',
    tag: 'service',
    response: z.strictObject({ received: z.literal(true) }),
  },
  handle: async (call) => {
    const signature = call.request.headers.get('stripe-signature') ?? '';
    if (signature === '') throw unsigned();
    // The signature covers exactly these bytes, so they are not parsed first.
    await payments.handleWebhook(await call.readBytes(), signature);
    return Response.json({ received: true });
  },
});

const RETURN_STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto;padding:0 1rem}';
const RETURN_TEXTS = {
  en: {
    title: 'Top-up',
    paid: 'Thank you. Your balance is credited once the payment is confirmed.',
    cancelled: 'The payment was not completed, and nothing was charged.',
    back: 'To the console',
  },
  zh: {
    title: '充值',
    paid: '感谢您的付款。付款确认后，金额将计入您的余额。',
    cancelled: '付款未完成，您没有被扣款。',
    back: '前往控制台',
  },
};

const returnPage: Route = {
  method: 'GET',
  path: RETURN_PATH,
  auth: 'public',
  dialect: 'openai',
  doc: {
    summary: 'Show the page to which people return after paying',
    tag: 'service',
    mediaTypes: ['text/html'],
  },
  handle: async ({ url, request }) => {
    const result = url.searchParams.get('result') === 'paid' ? 'paid' : 'cancelled';
    const language = languageFrom(request.headers.get('accept-language'));
    const texts = RETURN_TEXTS[language];
    // The page that the payer sees after the payment links to the console. It does not redirect,
    // because not every payer has a login.
    const console = `/console/billing?payment=${result}`;
    const page = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${texts.title}</title><style>${RETURN_STYLE}</style><p>${texts[result]}</p><p><a href="${console}">${texts.back}</a></p></html>`;
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    };
    return new Response(page, { headers });
  },
};

const PAYMENT_EVENT = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the event at the payment provider.' }),
    type: z.string().meta({ description: 'The event type, as the payment provider names it.' }),
    order_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the top-up; null: this gateway has no such top-up.' }),
    outcome: z
      .enum(['booked', 'noted', 'ignored', 'mismatch', 'unknown_order', 'reversed'])
      .meta({ description: 'What the gateway did with the event.' }),
    detail: z.string().meta({
      description: 'Details of the outcome, such as the credited amount or the mismatch.',
    }),
    created_at: time,
  })
  .meta({ id: 'PaymentEvent' });

const paymentEvents = (orders: Pick<TopUpOrders, 'events'>): Route =>
  adminRoute(
    'GET /payment-events',
    {
      summary: 'List the events of the payment provider and their outcomes, newest first',
      query: PAGE_QUERY,
      response: page(PAYMENT_EVENT),
    },
    async ({ url }) => {
      const { query } = checkedQuery(PAGE_QUERY, url);
      const { items, next } = await orders.events(pageOf(query));
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
  );

const unsigned = (): GatewayError =>
  new GatewayError('invalid_value', 'The request has no stripe-signature header.', {
    param: 'stripe-signature',
  });
