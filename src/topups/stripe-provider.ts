/**
 * Opens Stripe payment pages and reads Stripe's events. Loads Stripe's SDK only if Stripe is
 * configured.
 */
import type Stripe from 'stripe';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import type { TopUpOrder } from './top-up-orders.ts';

/** The timeout of a call. It is short, because a person is waiting for the payment page. */
const CALL_TIMEOUT_MS = 20_000;
/**
 * Maximum retries of a call. All retries use the order's idempotency key, so an order has only one
 * payment page.
 */
const CALL_RETRIES = 2;
/** The maximum age of an event's signature, which is the SDK's default. */
const TOLERANCE_SECONDS = 300;

/** The event of each withdrawal of a dispute's money by the payer's bank. */
export const WITHDRAWN = 'charge.dispute.funds_withdrawn';

export type StripeSettings = {
  readonly secret_key: Secret;
  /**
   * The secret with which Stripe signs webhooks. The configuration ensures that it is not empty.
   */
  readonly webhook_secret: Secret;
  /** The base URL of the API; null for Stripe's own. Tests use a simulated API. */
  readonly api_base: string | null;
};

export type CheckoutPage = { readonly sessionId: string; readonly url: string };

type EventBase = { readonly eventId: string; readonly type: string };
/** An event of a checkout session, which is one payment page of an order at Stripe. */
export type CheckoutEvent = EventBase & {
  readonly sessionId: string;
  readonly orderId: string | null;
  readonly paymentId: string | null;
  /** The total of the session in cents or fen; null if the event does not contain it. */
  readonly amountTotal: number | null;
  /** The currency in lower case, as the provider writes it. */
  readonly currency: string | null;
};
type Reversed = EventBase & {
  readonly orderId: string | null;
  readonly paymentId: string | null;
  readonly currency: string;
};

export type ProviderEvent =
  | (CheckoutEvent & { readonly kind: 'paid' | 'pending' | 'failed' | 'expired' })
  /** `refunded` is the sum of all refunds of the payment so far, in cents or fen. */
  | (Reversed & { readonly kind: 'refund'; readonly refunded: number })
  | (Reversed & {
      readonly kind: 'dispute';
      readonly disputeId: string;
      readonly disputed: number;
      /** Whether the payer's bank has withdrawn the money. */
      readonly isWithdrawn: boolean;
    })
  | (EventBase & { readonly kind: 'other' });

export class StripeProvider {
  readonly #client: Stripe;
  readonly #settings: StripeSettings;
  readonly #clock: Pick<Clock, 'nowMs'>;
  /** The URL of the page to which people return from the provider's page. */
  readonly #returnUrl: string;

  private constructor(
    client: Stripe,
    settings: StripeSettings,
    clock: Pick<Clock, 'nowMs'>,
    returnUrl: string,
  ) {
    this.#client = client;
    this.#settings = settings;
    this.#clock = clock;
    this.#returnUrl = returnUrl;
  }

  static async load(
    settings: StripeSettings,
    clock: Pick<Clock, 'nowMs'>,
    returnUrl: string,
  ): Promise<StripeProvider> {
    const { default: Sdk } = await import('stripe');
    const client = new Sdk(settings.secret_key.reveal(), {
      timeout: CALL_TIMEOUT_MS,
      maxNetworkRetries: CALL_RETRIES,
      telemetry: false,
      ...addressOf(settings.api_base),
    });
    return new StripeProvider(client, settings, clock, returnUrl);
  }

  /** Opens a payment page. @throws GatewayError `payment_provider_failed`. */
  async open(order: TopUpOrder): Promise<CheckoutPage> {
    const { id, currency, minorAmount } = order;
    try {
      const session = await this.#client.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: id,
          metadata: { order_id: id },
          // Refund events name the payment but not the checkout session, so the payment's metadata
          // must contain the order id too.
          payment_intent_data: { metadata: { order_id: id } },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: Number(minorAmount),
                product_data: { name: 'Balance top-up' },
              },
            },
          ],
          success_url: `${this.#returnUrl}?result=paid`,
          cancel_url: `${this.#returnUrl}?result=cancelled`,
        },
        { idempotencyKey: id },
      );
      if (session.url === null) throw new Error('the provider returned no payment page');
      return { sessionId: session.id, url: session.url };
    } catch (cause) {
      throw new GatewayError(
        'payment_provider_failed',
        'The payment provider did not open a payment page. Nothing was charged. Try again.',
        { cause },
      );
    }
  }

  /**
   * Returns the order id that `open` added to a payment; null if the payment has none. Dispute
   * events do not contain it.
   * @throws GatewayError `payment_provider_failed`.
   */
  async orderIdOf(paymentId: string): Promise<string | null> {
    try {
      const { metadata } = await this.#client.paymentIntents.retrieve(paymentId);
      return metadata['order_id'] ?? null;
    } catch (cause) {
      throw new GatewayError(
        'payment_provider_failed',
        `The payment provider did not return the payment ${paymentId}, which is disputed. Check that secret_key may read PaymentIntents, then send the event again.`,
        { cause },
      );
    }
  }

  /** Verifies and reads an event. @throws GatewayError `invalid_value` (signature). */
  async read(body: Uint8Array, signature: string): Promise<ProviderEvent> {
    return newsOf(await this.#verified(body, signature));
  }

  async #verified(body: Uint8Array, signature: string): Promise<Stripe.Event> {
    try {
      return await this.#client.webhooks.constructEventAsync(
        body,
        signature,
        this.#settings.webhook_secret.reveal(),
        TOLERANCE_SECONDS,
        undefined,
        this.#clock.nowMs(),
      );
    } catch (cause) {
      throw new GatewayError(
        'invalid_value',
        'The stripe-signature header is invalid: the call is not from Stripe, the call is too old, or webhook_secret belongs to another endpoint.',
        { param: 'stripe-signature', cause },
      );
    }
  }
}

function newsOf(event: Stripe.Event): ProviderEvent {
  const base: EventBase = { eventId: event.id, type: event.type };
  switch (event.type) {
    case 'checkout.session.completed': {
      const session = event.data.object;
      return {
        ...base,
        ...sessionOf(session),
        kind: session.payment_status === 'paid' ? 'paid' : 'pending',
      };
    }
    case 'checkout.session.async_payment_succeeded':
      return { ...base, ...sessionOf(event.data.object), kind: 'paid' };
    case 'checkout.session.async_payment_failed':
      return { ...base, ...sessionOf(event.data.object), kind: 'failed' };
    case 'checkout.session.expired':
      return { ...base, ...sessionOf(event.data.object), kind: 'expired' };
    case 'charge.refunded': {
      const charge = event.data.object;
      const { currency, amount_refunded: refunded } = charge;
      const orderId = charge.metadata?.['order_id'] ?? null;
      const paymentId = idOf(charge.payment_intent);
      return { ...base, kind: 'refund', orderId, paymentId, currency, refunded };
    }
    case 'charge.dispute.created':
      return { ...base, ...disputeOf(event.data.object) };
    case WITHDRAWN:
      return { ...base, ...disputeOf(event.data.object), isWithdrawn: true };
    default:
      return { ...base, kind: 'other' };
  }
}

function sessionOf(session: Stripe.Checkout.Session): Omit<CheckoutEvent, keyof EventBase> {
  return {
    sessionId: session.id,
    orderId: session.client_reference_id ?? session.metadata?.['order_id'] ?? null,
    paymentId: idOf(session.payment_intent),
    amountTotal: session.amount_total,
    currency: session.currency,
  };
}

function disputeOf({ id, payment_intent, amount, currency, status }: Stripe.Dispute) {
  return {
    kind: 'dispute' as const,
    orderId: null,
    paymentId: idOf(payment_intent),
    currency,
    disputeId: id,
    disputed: amount,
    // Inquiries, whose status begins with `warning_`, and prevented disputes withdraw no money.
    isWithdrawn: !status.startsWith('warning_') && status !== 'prevented',
  };
}

/** Returns an object's id. The provider sends either the object or only its id. */
const idOf = (it: string | { readonly id: string } | null): string | null =>
  it === null || typeof it === 'string' ? it : it.id;

function addressOf(apiBase: string | null) {
  if (apiBase === null) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const isHttp = protocol === 'http:';
  return {
    protocol: isHttp ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isHttp ? 80 : 443) : Number(port),
  };
}
