/** Sets up card payments with a simulated payment provider, for the conformance suites. */
import { manualClock } from '../clock.fixture.ts';
import { systemClock } from '../clock.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { nano } from '../money/amount.ts';
import type { SqlExecutor } from '../store/sql.ts';
import type { Bonuses } from './bonuses.ts';
import { CardPayments, type PaymentProblem } from './card-payments.ts';
import { providerOf, type Signed, StripeStandIn, signedEvent } from './stripe.fixture.ts';
import { type TopUpOrder, TopUpOrders } from './top-up-orders.ts';

export const PAID = 'checkout.session.completed';
export const ALICE = { accountId: 'alice', actor: 'key_alice' };
export const TWENTY = nano(20_000_000_000n);
const LIMITS = {
  USD: { min: nano(5_000_000_000n), max: nano(1_000_000_000_000n) },
  CNY: { min: nano(35_000_000_000n), max: nano(7_000_000_000_000n) },
};

const NO_BONUSES: Bonuses = { USD: [], CNY: [] };

/** Sets up card payments on this store. Returns them with helper functions for a test. */
export async function roomOf(
  { sql, ledger }: Database,
  store: SqlExecutor = sql,
  bonuses: () => Bonuses = () => NO_BONUSES,
) {
  const clock = { ...manualClock(), randomBytes: systemClock.randomBytes };
  const standIn = new StripeStandIn();
  const provider = await providerOf(standIn, clock);
  const troubles: PaymentProblem[] = [];
  const onProblem = async (trouble: PaymentProblem): Promise<void> => void troubles.push(trouble);
  const orders = new TopUpOrders(store);
  const deps = { orders, ledger, clock, provider, onProblem, limits: LIMITS, bonuses };
  const payments = new CardPayments(deps);
  const handleWebhook = ({ body, signature }: Signed) => payments.handleWebhook(body, signature);
  const send = async (id: string, type: string, object: object) =>
    await handleWebhook(await signedEvent({ id, type, object }, clock.nowMs()));
  const order = () => payments.order({ amount: TWENTY, currency: 'USD' }, ALICE);
  const balance = async (): Promise<bigint | undefined> =>
    (await ledger.wallets('alice')).find(({ currency }) => currency === 'USD')?.balance;
  const outcomes = async () =>
    (await orders.events({ limit: 50, after: null })).items.map(({ outcome }) => outcome);
  return {
    deps,
    clock,
    standIn,
    troubles,
    orders,
    payments,
    handleWebhook,
    send,
    order,
    balance,
    outcomes,
  };
}

export type Room = Awaited<ReturnType<typeof roomOf>>;

export const session = (order: TopUpOrder, more: object = {}) => ({
  id: order.sessionId,
  object: 'checkout.session',
  client_reference_id: order.id,
  metadata: { order_id: order.id },
  payment_intent: `pi_${order.id}`,
  payment_status: 'paid',
  amount_total: Number(order.minorAmount),
  currency: order.currency.toLowerCase(),
  ...more,
});
export const refund = (order: TopUpOrder, cents: number) => ({
  id: `ch_${order.id}`,
  object: 'charge',
  payment_intent: `pi_${order.id}`,
  metadata: { order_id: order.id },
  amount_refunded: cents,
  currency: 'usd',
});
export const DISPUTED = 'charge.dispute.created';
export const WITHDRAWN = 'charge.dispute.funds_withdrawn';
export const dispute = (
  order: Pick<TopUpOrder, 'id'>,
  cents: number,
  status = 'needs_response',
) => ({
  id: `dp_${order.id}`,
  object: 'dispute',
  payment_intent: `pi_${order.id}`,
  amount: cents,
  currency: 'usd',
  status,
});

/** Registers a test of card payments, and gives it a database of its own. */
export type Law = (
  name: string,
  statement: (room: Room, database: Database) => Promise<void>,
) => void;

export const lawOf =
  (open: Open, bonuses?: () => Bonuses): Law =>
  (name, statement) =>
    rule(open, name, async (database) => {
      const room = await roomOf(database, database.sql, bonuses);
      try {
        await statement(room, database);
      } finally {
        await room.standIn.stop();
      }
    });

/** A store that executes `asksLeft` queries and fails all further ones. */
export class FailingStore implements SqlExecutor {
  asksLeft = Number.POSITIVE_INFINITY;
  readonly #inner: SqlExecutor;

  constructor(inner: SqlExecutor) {
    this.#inner = inner;
  }

  async query(statement: Parameters<SqlExecutor['query']>[0]) {
    this.#count();
    return await this.#inner.query(statement);
  }

  async transaction(...asked: Parameters<SqlExecutor['transaction']>) {
    this.#count();
    return await this.#inner.transaction(...asked);
  }

  #count(): void {
    this.asksLeft -= 1;
    if (this.asksLeft < 0) throw new Error('the store is away');
  }
}
