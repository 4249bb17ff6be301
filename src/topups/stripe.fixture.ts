/**
 * Simulates the payment provider's HTTP API on the loopback address, and creates events signed by
 * the official SDK.
 */
import Stripe from 'stripe';
import type { Clock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { StripeProvider } from './stripe-provider.ts';

export const WEBHOOK_SECRET = 'whsec_of_these_tests';

/** A request that the simulated API received: its form, and its idempotency key. */
export type Asked = { readonly form: URLSearchParams; readonly idempotencyKey: string | null };

export class StripeStandIn {
  readonly asked: Asked[] = [];
  /** The status with which all calls are answered; null for normal answers. */
  failure: number | null = null;
  readonly #pages = new Map<string, string>();
  /** Order ids in the metadata of payments, by the id of the payment. */
  readonly #orders = new Map<string, string>();
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const form = new URLSearchParams(await request.text());
      const idempotencyKey = request.headers.get('idempotency-key');
      this.asked.push({ form, idempotencyKey });
      const { pathname } = new URL(request.url);
      const paymentId = /^\/v1\/payment_intents\/(\w+)$/.exec(pathname)?.[1];
      const isKnown = pathname === '/v1/checkout/sessions' || paymentId !== undefined;
      if (!isKnown || this.failure !== null) {
        const error = { type: 'invalid_request_error', message: 'no' };
        return Response.json({ error }, { status: this.failure ?? 404 });
      }
      if (paymentId !== undefined) return Response.json(this.#paymentOf(paymentId));
      const orderId = form.get('payment_intent_data[metadata][order_id]');
      if (orderId !== null) this.#orders.set(`pi_${orderId}`, orderId);
      const id = this.#pageOf(idempotencyKey ?? '');
      const url = `https://pay.example/${id}`;
      return Response.json({ id, object: 'checkout.session', url });
    },
  });

  get apiBase(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  /**
   * Returns the id of the checkout page that belongs to an idempotency key. The same key always
   * gets the same id.
   */
  #pageOf(key: string): string {
    const id = this.#pages.get(key) ?? `cs_${this.#pages.size + 1}`;
    this.#pages.set(key, id);
    return id;
  }

  /** Returns a payment. One without an order was made by other software on the same account. */
  #paymentOf(id: string): object {
    const orderId = this.#orders.get(id);
    const metadata = orderId === undefined ? {} : { order_id: orderId };
    return { id, object: 'payment_intent', metadata };
  }
}

export const providerOf = (standIn: StripeStandIn, clock: Pick<Clock, 'nowMs'>) =>
  StripeProvider.load(
    {
      secret_key: new Secret('sk_test_x'),
      webhook_secret: new Secret(WEBHOOK_SECRET),
      api_base: standIn.apiBase,
    },
    clock,
    'http://gateway/top-ups/return',
  );

export type Signed = { readonly body: Uint8Array<ArrayBuffer>; readonly signature: string };

/** Returns an event with the body and signature that the provider would send at `atMs`. */
export async function signedEvent(
  event: { readonly id: string; readonly type: string; readonly object: object },
  atMs: number,
  secret = WEBHOOK_SECRET,
): Promise<Signed> {
  const { id, type, object } = event;
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const timestamp = Math.floor(atMs / 1000);
  const { webhooks } = new Stripe('sk_test_x');
  const signature = await webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
  return { body: new TextEncoder().encode(payload), signature };
}
