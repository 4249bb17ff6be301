/**
 * Sells top-ups by card. An order is stored before the provider opens a payment page. The credited
 * amount always comes from the order, never from an event. The credit's id is derived from the
 * order, so each order is credited only once. An event is recorded after all its effects. If the
 * process dies before an event is recorded, the provider sends the event again.
 */
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { CreditCommand, Ledger, Outcome } from '../ledger/ledger.ts';
import { type Currency, formatAmount, type NanoAmount } from '../money/amount.ts';
import { type Bonuses, bonusIdOf, bonusOn, bonusShare } from './bonuses.ts';
import { applyReversals, excessOf, type ReversedEvent, reversalDetail } from './reversals.ts';
import type { CheckoutEvent, ProviderEvent, StripeProvider } from './stripe-provider.ts';
import {
  amountOfMinor,
  type EventOutcome,
  MAX_UNPAID_ORDERS,
  minorOf,
  type TopUpBy,
  type TopUpOrder,
  type TopUpOrders,
} from './top-up-orders.ts';

/** The path to which the payment provider redirects people after they pay. */
export const RETURN_PATH = '/top-ups/return';

/** A problem with a payment that an operator must solve. It is logged, and sent as an alert. */
export type PaymentProblem = {
  readonly type: 'payment.mismatch' | 'payment.reversed' | 'payment.unknown_order';
  readonly eventId: string;
  readonly accountId: string | null;
  readonly orderId: string | null;
  readonly detail: string;
};

export type AmountLimits = Readonly<
  Record<Currency, { readonly min: NanoAmount; readonly max: NanoAmount }>
>;

export type CardPaymentsDeps = {
  readonly orders: TopUpOrders;
  readonly ledger: Pick<Ledger, 'apply' | 'wallets' | 'inMemory'>;
  readonly clock: Clock;
  readonly provider: Pick<StripeProvider, 'open' | 'read' | 'orderIdOf'>;
  readonly limits: AmountLimits;
  /** Returns the current bonuses. An order keeps the bonus that it had when it was created. */
  readonly bonuses: () => Bonuses;
  /** Stores the problem. If this rejects, the provider sends the event again. */
  readonly onProblem: (trouble: PaymentProblem) => Promise<void>;
};

/** @throws GatewayError `store_unavailable`, from every method. */
export class CardPayments {
  readonly #deps: CardPaymentsDeps;

  constructor(deps: CardPaymentsDeps) {
    this.#deps = deps;
  }

  /** The minimum and the maximum amount of an order. */
  get limits(): AmountLimits {
    return this.#deps.limits;
  }

  get bonuses(): Bonuses {
    return this.#deps.bonuses();
  }

  /**
   * Creates an order and its payment page at the provider.
   * @throws GatewayError `invalid_value` (amount), `conflict` (too many unpaid orders),
   *   `payment_provider_failed`.
   */
  async order(
    wanted: { readonly amount: NanoAmount; readonly currency: Currency },
    { accountId, actor }: TopUpBy,
  ): Promise<TopUpOrder> {
    const { orders, provider, clock } = this.#deps;
    const { amount, currency } = wanted;
    const minorAmount = checkedMinor(amount, currency, this.limits);
    const nowMs = clock.nowMs();
    const id = newId(clock, 'top');
    const bonus = bonusOn(amount, this.bonuses[currency]);
    const row = { id, accountId, actor, currency, amount, minorAmount, bonus, createdAtMs: nowMs };
    if (!(await orders.insert(row))) throw tooManyUnpaid();
    const unpaid = { state: 'open', sessionId: null, paymentId: null, url: null } as const;
    const order = { ...row, ...unpaid, updatedAtMs: nowMs };
    const page = await provider.open(order).catch(async (thrown) => {
      await orders.move(id, 'failed', 'open', clock.nowMs());
      throw thrown;
    });
    await orders.opened(id, page.sessionId, page.url, clock.nowMs());
    return { ...order, ...page };
  }

  /** Returns an order of the caller's account. @throws GatewayError `not_found`. */
  async get(id: string, accountId: string): Promise<TopUpOrder> {
    const order = await this.#deps.orders.byId(id);
    if (order === null || order.accountId !== accountId) throw noSuchOrder();
    return order;
  }

  /**
   * Handles an event of the payment provider. Resolves when its effects are in the ledger, or when
   * a problem is reported that a retry cannot fix.
   * @throws GatewayError `invalid_value` (signature), `payment_provider_failed`.
   */
  async handleWebhook(body: Uint8Array, signature: string): Promise<void> {
    const event = await this.#deps.provider.read(body, signature);
    if (event.kind === 'other' || (await this.#deps.orders.knowsEvent(event.eventId))) return;
    await this.#handle(event);
  }

  async #handle(event: Exclude<ProviderEvent, { readonly kind: 'other' }>): Promise<void> {
    const order = await this.#orderOf(event);
    if (order === null) {
      const detail = 'The event is for an order that does not exist on this gateway.';
      await this.#report('payment.unknown_order', event.eventId, null, detail);
      return await this.#record(event, null, 'unknown_order', detail);
    }
    switch (event.kind) {
      case 'paid':
        return await this.#paid(event, order);
      case 'pending':
        await this.#deps.orders.move(order.id, 'pending', 'open', this.#deps.clock.nowMs());
        return await this.#record(event, order, 'noted', 'The payment is pending.');
      case 'failed':
      case 'expired':
        if (!isOurSession(event, order)) {
          return await this.#record(
            event,
            order,
            'ignored',
            'The event is for another payment page of this order.',
          );
        }
        await this.#deps.orders.move(order.id, event.kind, null, this.#deps.clock.nowMs());
        return await this.#record(event, order, 'noted', `The payment ${event.kind}.`);
      case 'refund':
      case 'dispute':
        return await this.#reversed(event, order);
    }
  }

  async #paid(event: CheckoutEvent, order: TopUpOrder): Promise<void> {
    const { orders, clock } = this.#deps;
    const difference = differenceOf(event, order);
    if (difference !== null) {
      await orders.move(order.id, 'review', null, clock.nowMs());
      await this.#report('payment.mismatch', event.eventId, order, difference);
      return await this.#record(event, order, 'mismatch', difference);
    }
    await this.#credit(order);
    await orders.paid(order.id, event.paymentId, clock.nowMs());
    // Deducts refunds and disputes whose events arrived before the event of the payment.
    await this.#applyReversals(event.eventId, { ...order, state: 'paid' });
    const bonus = order.bonus === 0n ? '' : ` and a bonus of ${formatAmount(order.bonus)}`;
    const detail = `${formatAmount(order.amount)} ${order.currency}${bonus}`;
    await this.#record(event, order, 'booked', detail);
  }

  async #credit(order: TopUpOrder): Promise<void> {
    const batch = creditsOf(order, this.#deps.clock.nowMs());
    const outcomes = await this.#deps.ledger.apply(batch);
    for (const index of batch.keys()) {
      const outcome = outcomes[index];
      if (outcome?.status !== 'applied' && outcome?.status !== 'already_applied') {
        throw notBooked(outcome);
      }
    }
  }

  async #reversed(event: ReversedEvent, order: TopUpOrder): Promise<void> {
    const { orders, clock } = this.#deps;
    const nowMs = clock.nowMs();
    if (event.currency.toUpperCase() !== order.currency) {
      const detail = `A ${event.kind} in ${event.currency} was reported for an order in ${order.currency}.`;
      await this.#report('payment.mismatch', event.eventId, order, detail);
      return await this.#record(event, order, 'mismatch', detail);
    }
    if (event.kind === 'dispute' && !event.isWithdrawn) {
      const disputed = formatAmount(amountOfMinor(BigInt(event.disputed)));
      const detail = `A dispute of ${disputed} ${order.currency} was reported without a withdrawal: nothing was deducted from the wallet.`;
      await this.#report('payment.reversed', event.eventId, order, detail);
      return await this.#record(event, order, 'noted', detail);
    }
    if (event.kind === 'refund') await orders.noteRefund(order, BigInt(event.refunded), nowMs);
    else await orders.noteDispute(order, event.disputeId, BigInt(event.disputed), nowMs);
    // The order is read again, because its payment may have been credited in the meantime.
    const current = (await orders.byId(order.id)) ?? order;
    await this.#applyReversals(event.eventId, current);
    const detail = reversalDetail(event);
    const excess = await excessOf(orders, event, order, detail);
    if (excess !== null) await this.#report('payment.reversed', event.eventId, order, excess);
    await this.#record(event, order, 'reversed', detail);
  }

  /**
   * If the order's payment is credited, deducts its refunds and disputes from the wallet.
   * Otherwise, reports them to the operator.
   */
  async #applyReversals(eventId: string, order: TopUpOrder): Promise<void> {
    if (order.state !== 'paid') {
      const waiting = await this.#deps.orders.reversals(order.id);
      if (waiting.length === 0) return;
      const detail = `Reversed at the provider before order ${order.id} was credited.`;
      return await this.#report('payment.reversed', eventId, order, detail);
    }
    for (const { reversal, taken } of await applyReversals(this.#deps, order)) {
      const bonus = bonusShare(order, reversal.amount);
      const what = `${reversal.kind} of ${formatAmount(amountOfMinor(reversal.amount))} ${order.currency}`;
      const share = bonus === 0n ? '' : ` and ${formatAmount(bonus)} of its bonus`;
      const detail = `${what}${share}: ${formatAmount(taken)} was deducted from the wallet.`;
      await this.#report('payment.reversed', eventId, order, detail);
      await this.#deps.orders.reversed(reversal.id, taken);
    }
  }

  async #orderOf(
    event: Exclude<ProviderEvent, { readonly kind: 'other' }>,
  ): Promise<TopUpOrder | null> {
    const { orders, provider } = this.#deps;
    if (event.orderId !== null) return await orders.byId(event.orderId);
    if (event.paymentId === null) return null;
    const paid = await orders.byPayment(event.paymentId);
    if (paid !== null || event.kind !== 'dispute') return paid;
    // The payment's own event, which stores its id, may arrive after the dispute.
    const orderId = await provider.orderIdOf(event.paymentId);
    return orderId === null ? null : await orders.byId(orderId);
  }

  async #report(
    type: PaymentProblem['type'],
    eventId: string,
    order: TopUpOrder | null,
    detail: string,
  ): Promise<void> {
    const accountId = order?.accountId ?? null;
    await this.#deps.onProblem({ type, eventId, accountId, orderId: order?.id ?? null, detail });
  }

  async #record(
    event: { readonly eventId: string; readonly type: string },
    order: TopUpOrder | null,
    outcome: EventOutcome,
    detail: string,
  ): Promise<void> {
    const { eventId: id, type } = event;
    const atMs = this.#deps.clock.nowMs();
    await this.#deps.orders.record({ id, type, orderId: order?.id ?? null, outcome, detail, atMs });
  }
}

/** Returns the amount in cents or fen. @throws GatewayError `invalid_value`. */
function checkedMinor(amount: NanoAmount, currency: Currency, limits: AmountLimits): bigint {
  const { min, max } = limits[currency];
  const minor = minorOf(amount);
  if (minor !== null && amount >= min && amount <= max) return minor;
  throw new GatewayError(
    'invalid_value',
    `amount must be from ${formatAmount(min)} to ${formatAmount(max)} ${currency}, with at most two decimal places.`,
    { param: 'amount' },
  );
}

/**
 * Returns the credits of a paid order in one batch, the payment before its bonus. Apart from their
 * time, the commands depend only on the order, so a retry sends the same commands and credits
 * nothing more.
 */
function creditsOf(order: TopUpOrder, atMs: number): readonly CreditCommand[] {
  const { id, accountId, currency, amount, bonus } = order;
  const common = { kind: 'credit', accountId, currency, actor: 'system', atMs } as const;
  const payment: CreditCommand = {
    ...common,
    id: `payment_${id}`,
    amount,
    source: 'card_payment',
    reason: `card payment of ${id}`,
  };
  if (bonus === 0n) return [payment];
  const reason = `bonus on card payment of ${id}`;
  return [payment, { ...common, id: bonusIdOf(payment), amount: bonus, source: 'bonus', reason }];
}

/**
 * Whether the event belongs to the order's payment session. An order without a session accepts the
 * event of any session.
 */
const isOurSession = (event: CheckoutEvent, order: TopUpOrder): boolean =>
  order.sessionId === null || order.sessionId === event.sessionId;

/** Describes how the payment differs from the order; null when they match. */
function differenceOf(event: CheckoutEvent, order: TopUpOrder): string | null {
  const isSame =
    isOurSession(event, order) &&
    event.currency === order.currency.toLowerCase() &&
    event.amountTotal === Number(order.minorAmount);
  if (isSame) return null;
  const ordered = `${order.minorAmount} ${order.currency.toLowerCase()} on ${order.sessionId ?? 'any page'}`;
  return `Ordered ${ordered}, paid ${event.amountTotal} ${event.currency} on ${event.sessionId} (in the smallest unit, such as cents).`;
}

const noSuchOrder = (): GatewayError =>
  new GatewayError('not_found', 'This account has no top-up with this id.', { param: 'id' });

const tooManyUnpaid = (): GatewayError =>
  new GatewayError(
    'conflict',
    `The account has ${MAX_UNPAID_ORDERS} unpaid top-ups from the last 24 hours. Pay one of them, or wait.`,
  );

const notBooked = (outcome: Outcome | undefined): GatewayError =>
  new GatewayError('internal_error', 'The payment was not booked.', {
    cause: new Error(`The ledger answered a payment with ${outcome?.status ?? 'nothing'}.`),
  });
