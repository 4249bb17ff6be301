/**
 * Stores orders of top-ups by card and the payment provider's events. Every change is a conditional
 * SQL statement.
 */

import type { Actor } from '../accounts/account.ts';
import { type Page, type PageRequest, pageOf } from '../accounts/page.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer, text, textOrNull } from '../store/row.ts';
import {
  andEquals,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';

/**
 * `pending`: the provider has not received the money yet. `review`: the payment does not match the
 * order, so a person must check it. `paid` replaces every other state, because events may arrive in
 * any order.
 */
export const ORDER_STATES = ['open', 'pending', 'paid', 'failed', 'expired', 'review'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The account to credit, and the actor who requests it: one of its keys, or a person. */
export type TopUpBy = { readonly accountId: string; readonly actor: Actor };

export type TopUpOrder = {
  readonly id: string;
  readonly accountId: string;
  readonly actor: Actor;
  readonly currency: Currency;
  readonly amount: NanoAmount;
  /** The order's amount in cents or fen, without the bonus. */
  readonly minorAmount: bigint;
  /** The bonus that is credited in addition to the amount. It was shown before the payment. */
  readonly bonus: NanoAmount;
  readonly state: OrderState;
  readonly sessionId: string | null;
  readonly paymentId: string | null;
  readonly url: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type EventOutcome =
  | 'booked'
  | 'noted'
  | 'ignored'
  | 'mismatch'
  | 'unknown_order'
  | 'reversed';

export type PaymentEvent = {
  readonly id: string;
  readonly type: string;
  readonly orderId: string | null;
  readonly outcome: EventOutcome;
  readonly detail: string;
  readonly atMs: number;
};

/**
 * A refund, or a dispute at a bank. `taken` is the amount that was deducted from the wallet; null
 * before the deduction.
 */
export type Reversal = {
  readonly id: string;
  readonly kind: 'refund' | 'dispute';
  /** The reversed amount in cents or fen. */
  readonly amount: bigint;
  readonly taken: NanoAmount | null;
};

/** Maximum unpaid orders per account, because each one costs a call to the payment provider. */
export const MAX_UNPAID_ORDERS = 20;
/**
 * The age above which an order no longer counts as unpaid. By then, the provider has closed its
 * payment page.
 */
const UNPAID_FOR_MS = 24 * 60 * 60 * 1000;

const NANO_PER_MINOR = 10_000_000n;
/** Returns the amount in cents or fen; null if it is not a whole number of them. */
export const minorOf = (amount: NanoAmount): bigint | null =>
  amount % NANO_PER_MINOR === 0n ? amount / NANO_PER_MINOR : null;
export const amountOfMinor = (minor: bigint): NanoAmount => nano(minor * NANO_PER_MINOR);

/** @throws GatewayError `store_unavailable`, from every method. */
export class TopUpOrders {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** Inserts an order; false if the account already has `MAX_UNPAID_ORDERS` unpaid orders. */
  async insert(
    order: Omit<TopUpOrder, 'state' | 'sessionId' | 'paymentId' | 'url' | 'updatedAtMs'>,
  ): Promise<boolean> {
    const rows = await this.#sql.query(statement`INSERT INTO top_up_order (id, account_id, actor,
      currency, amount, minor_amount, bonus, created_at_ms, updated_at_ms)
      SELECT CAST(${order.id} AS TEXT), CAST(${order.accountId} AS TEXT),
      CAST(${order.actor} AS TEXT), CAST(${order.currency} AS TEXT),
      CAST(${order.amount} AS BIGINT), CAST(${order.minorAmount} AS BIGINT),
      CAST(${order.bonus} AS BIGINT),
      CAST(${order.createdAtMs} AS BIGINT), CAST(${order.createdAtMs} AS BIGINT) WHERE
      (SELECT COUNT(*) FROM top_up_order WHERE account_id = ${order.accountId} AND state IN ('open',
      'pending') AND created_at_ms > ${order.createdAtMs - UNPAID_FOR_MS}) < ${MAX_UNPAID_ORDERS}
      RETURNING id`);
    return rows.length > 0;
  }

  async byId(id: string): Promise<TopUpOrder | null> {
    return first(await this.#sql.query(statement`SELECT * FROM top_up_order WHERE id = ${id}`));
  }

  async byPayment(paymentId: string): Promise<TopUpOrder | null> {
    return first(
      await this.#sql.query(statement`SELECT * FROM top_up_order WHERE payment_id = ${paymentId}`),
    );
  }

  /** Returns the account's orders, newest first. */
  async ofAccount(accountId: string, { limit, after }: PageRequest): Promise<Page<TopUpOrder>> {
    const rows = await this.#sql.query(
      // On the first page, `~` replaces the missing id, because it sorts after all ids.
      statement`SELECT * FROM top_up_order WHERE account_id = ${accountId} AND id < ${after ?? '~'}
        ORDER BY id DESC LIMIT ${limit + 1}`,
    );
    return pageOf(rows.map(orderOf), limit);
  }

  /** Stores the session and URL of the order's payment page. */
  async opened(id: string, sessionId: string, url: string, nowMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE top_up_order SET session_id = ${sessionId}, url = ${url},
      updated_at_ms = ${nowMs} WHERE id = ${id} RETURNING id`);
  }

  /**
   * Sets the state of an order, unless the order is paid or in review.
   * @param from the state that the order must currently have; null for any.
   */
  async move(id: string, to: OrderState, from: OrderState | null, nowMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE top_up_order SET state = ${to}, updated_at_ms = ${nowMs}
      WHERE id = ${id} AND state NOT IN ('paid', 'review') ${andEquals('state', from)} RETURNING id`);
  }

  /** Marks the order as paid, which is its final state, and stores the id of the payment. */
  async paid(id: string, paymentId: string | null, nowMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE top_up_order SET state = 'paid',
      updated_at_ms = ${nowMs}, payment_id = COALESCE(payment_id, NULLIF(${paymentId ?? ''}, ''))
      WHERE id = ${id} RETURNING id`);
  }

  async knowsEvent(id: string): Promise<boolean> {
    return (
      (await this.#sql.query(statement`SELECT id FROM payment_event WHERE id = ${id}`)).length > 0
    );
  }

  /** Whether an event of this type with these effects was recorded for the order. */
  async knowsEventLike({
    type,
    orderId,
    detail,
  }: Pick<PaymentEvent, 'type' | 'orderId' | 'detail'>): Promise<boolean> {
    const rows = await this.#sql.query(statement`SELECT id FROM payment_event WHERE type = ${type}
      AND order_id = ${orderId} AND detail = ${detail} LIMIT 1`);
    return rows.length > 0;
  }

  /** Records an event. @returns false if it was already recorded. */
  async record(event: PaymentEvent): Promise<boolean> {
    const { id, type, orderId, outcome, detail, atMs } = event;
    const rows = await this.#sql.query(statement`INSERT INTO payment_event (id, type, order_id,
      outcome, detail, at_ms) VALUES (${id}, ${type}, ${orderId}, ${outcome}, ${detail}, ${atMs})
      ON CONFLICT (id) DO NOTHING RETURNING id`);
    return rows.length > 0;
  }

  /** Returns the events, newest first. */
  async events({ limit, after }: PageRequest): Promise<Page<PaymentEvent>> {
    const { beforeMs, beforeId } = position(after);
    const rows = await this.#sql.query(statement`SELECT * FROM payment_event
      WHERE at_ms < ${beforeMs} OR (at_ms = ${beforeMs} AND id < ${beforeId}) ORDER BY at_ms DESC,
      id DESC LIMIT ${limit + 1}`);
    const items = rows.slice(0, limit).map(eventOf);
    const last = items.at(-1);
    const next = rows.length > limit && last !== undefined ? `${last.atMs}.${last.id}` : null;
    return { items, next };
  }

  /**
   * Records the part of `refunded` that is not recorded yet, as a reversal. `refunded` is the sum
   * of all refunds so far, in cents or fen, so events may arrive in any order. All reversals
   * together never exceed the order's amount.
   */
  async noteRefund(order: TopUpOrder, refunded: bigint, nowMs: number): Promise<void> {
    const id = `refund_${order.id}_${refunded}`;
    const delta = statement`CAST(${refunded} AS BIGINT) - (SELECT COALESCE(SUM(amount), 0)
      FROM payment_reversal WHERE order_id = ${order.id} AND kind = 'refund')`;
    await this.#note(id, nowMs, 'refund', order.id, delta);
  }

  /**
   * Inserts a reversal for a dispute: the payer's bank has withdrawn this amount, in cents or fen.
   */
  async noteDispute(order: TopUpOrder, dispute: string, disputed: bigint, nowMs: number) {
    const amount = statement`CAST(${disputed} AS BIGINT)`;
    await this.#note(disputeIdOf(dispute), nowMs, 'dispute', order.id, amount);
  }

  async reversals(orderId: string): Promise<readonly Reversal[]> {
    return (
      await this.#sql.query(statement`SELECT * FROM payment_reversal WHERE order_id = ${orderId}
        ORDER BY at_ms, id`)
    ).map(reversalOf);
  }

  /** Stores how much was deducted for the reversal. Only the first call has an effect. */
  async reversed(id: string, taken: NanoAmount): Promise<void> {
    await this.#sql.query(statement`UPDATE payment_reversal SET taken = ${taken} WHERE id = ${id}
      AND taken IS NULL RETURNING id`);
  }

  /** Returns how many of these ledger commands are booked, and how much they took from a wallet. */
  async takenBy(
    commandIds: readonly string[],
    accountId: string,
  ): Promise<{ readonly sum: bigint; readonly commands: number }> {
    const [row] = await this.#sql.query({
      sql: `SELECT COUNT(*) AS commands, CAST(COALESCE(SUM(-entry.amount), 0) AS BIGINT) AS taken
        FROM money_transaction JOIN entry ON entry.transaction_id = money_transaction.id
        WHERE entry.account_id = $1
          AND command_id IN (${commandIds.map((_, index) => `$${index + 2}`).join(', ')})`,
      params: [accountId, ...commandIds],
    });
    if (row === undefined) return { sum: 0n, commands: 0 };
    return { sum: integer(row, 'taken'), commands: Number(row['commands']) };
  }

  /**
   * Inserts a reversal of `amount`. If the part of the payment that is not reversed yet is less
   * than `amount`, inserts a reversal of that part. With PostgreSQL, a row lock serializes
   * concurrent inserts.
   */
  async #note(
    id: string,
    nowMs: number,
    kind: Reversal['kind'],
    orderId: string,
    amount: SqlStatement,
  ): Promise<void> {
    await this.#sql.transaction([
      statement`UPDATE top_up_order SET updated_at_ms = ${nowMs} WHERE id = ${orderId}`,
      statement`INSERT INTO payment_reversal (id, at_ms, kind, order_id, amount)
        SELECT CAST(${id} AS TEXT), CAST(${nowMs} AS BIGINT), CAST(${kind} AS TEXT), order_id,
          CASE WHEN wanted < unreversed THEN wanted ELSE unreversed END
        FROM (SELECT ${amount} AS wanted, minor_amount - (SELECT COALESCE(SUM(amount), 0)
            FROM payment_reversal WHERE order_id = ${orderId}) AS unreversed, id AS order_id
          FROM top_up_order WHERE id = ${orderId}) AS due
        WHERE wanted > 0 AND unreversed > 0
        ON CONFLICT (id) DO NOTHING`,
    ]);
  }
}

/** Returns the id of the reversal of a dispute. */
export const disputeIdOf = (dispute: string): string => `dispute_${dispute}`;

function position(after: string | null): { readonly beforeMs: number; readonly beforeId: string } {
  const match = /^(\d{1,15})\.(.+)$/.exec(after ?? '');
  return match === null
    ? { beforeMs: Number.MAX_SAFE_INTEGER, beforeId: '' }
    : { beforeMs: Number(match[1]), beforeId: match[2] ?? '' };
}

const first = (rows: readonly SqlRow[]): TopUpOrder | null => {
  const [row] = rows;
  return row === undefined ? null : orderOf(row);
};

const orderOf = (row: SqlRow): TopUpOrder => ({
  id: text(row, 'id'),
  accountId: text(row, 'account_id'),
  actor: text(row, 'actor'),
  currency: currencyOf(row),
  amount: nano(integer(row, 'amount')),
  minorAmount: integer(row, 'minor_amount'),
  bonus: nano(integer(row, 'bonus')),
  // The table's CHECK guarantees one of these states.
  state: text(row, 'state') as OrderState,
  sessionId: textOrNull(row, 'session_id'),
  paymentId: textOrNull(row, 'payment_id'),
  url: textOrNull(row, 'url'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  updatedAtMs: Number(integer(row, 'updated_at_ms')),
});

const eventOf = (row: SqlRow): PaymentEvent => ({
  id: text(row, 'id'),
  type: text(row, 'type'),
  orderId: textOrNull(row, 'order_id'),
  outcome: text(row, 'outcome') as EventOutcome,
  detail: text(row, 'detail'),
  atMs: Number(integer(row, 'at_ms')),
});

const reversalOf = (row: SqlRow): Reversal => ({
  id: text(row, 'id'),
  kind: row['kind'] === 'dispute' ? 'dispute' : 'refund',
  amount: integer(row, 'amount'),
  taken: row['taken'] === null ? null : nano(integer(row, 'taken')),
});
