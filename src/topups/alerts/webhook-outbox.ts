/** Stores the deliveries to the webhooks of accounts, and the outcome of each delivery. */
import { type Clock, newId } from '../../clock.ts';
import { auditEntry } from '../../store/audit.ts';
import { integer, numberOrNull, text } from '../../store/row.ts';
import {
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../../store/sql.ts';
import { alertOf } from './alert-outbox.ts';
import {
  outcome,
  outcomeOf,
  outcomeText,
  outcomeWords,
  type WebhookOutcome,
} from './webhook-outcome.ts';

/** The maximum number of deliveries that `list` returns. */
const MAX_LISTED = 100;
/** Maximum rows that one statement deletes. */
const FORGET_ROWS = 500;
/** Maximum test deliveries of an account in 24 hours. */
export const MAX_TESTS = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

export const DELIVERY_STATES = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type Delivery = {
  readonly id: string;
  readonly accountId: string;
  readonly isTest: boolean;
  readonly body: string;
  readonly state: DeliveryState;
  /** The number of attempts, including a running one. */
  readonly attempts: number;
  /**
   * The outcome of the last attempt; null before the first attempt, and for a delivery that an
   * earlier version stored.
   */
  readonly outcome: WebhookOutcome | null;
  /** The outcome as a sentence; empty before the first attempt. */
  readonly answer: string;
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
};

/** Returns a statement that ends the queued deliveries of an account whose webhook is removed. */
export const endAllOf = (accountId: string, nowMs: number): SqlStatement => statement`
  UPDATE webhook_delivery SET state = 'given_up', ended_at_ms = ${nowMs},
    answer = ${outcomeText(outcome('removed'))}
  WHERE account_id = ${accountId} AND state = 'pending' RETURNING id`;

/** @throws GatewayError `store_unavailable`, from every method. */
export class WebhookOutbox {
  readonly #sql: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
  readonly #keptMs: () => number;

  /** @param keptMs returns how long deliveries are stored: as long as alerts. */
  constructor(sql: SqlExecutor, clock: Pick<Clock, 'nowMs' | 'randomBytes'>, keptMs: () => number) {
    this.#sql = sql;
    this.#clock = clock;
    this.#keptMs = keptMs;
  }

  /**
   * Queues a test delivery, and reserves it until `untilMs` for the caller, who sends it.
   * @returns the delivery's id; null if the account has no webhook, or had too many tests in 24
   *   hours.
   */
  async addTest(accountId: string, untilMs: number, actor: string): Promise<string | null> {
    const nowMs = this.#clock.nowMs();
    const id = newId(this.#clock, 'wht');
    const { body } = alertOf(id, { type: 'webhook.test', account_id: accountId }, nowMs);
    const [added = []] = await this.#sql.transaction(
      [
        statement`INSERT INTO webhook_delivery (id, account_id, is_test, body, next_at_ms,
            created_at_ms)
          SELECT CAST(${id} AS TEXT), account_id, 1, CAST(${body} AS TEXT),
            CAST(${untilMs} AS BIGINT), CAST(${nowMs} AS BIGINT)
          FROM account_webhook WHERE account_id = ${accountId} AND (SELECT COUNT(*)
            FROM webhook_delivery WHERE account_id = ${accountId} AND is_test = 1
            AND created_at_ms > ${nowMs - DAY_MS}) < ${MAX_TESTS} RETURNING id`,
      ],
      auditEntry(this.#clock, actor, 'account.webhook_test', accountId, { id }),
    );
    return added.length > 0 ? id : null;
  }

  /**
   * Reserves due deliveries until `untilMs`. It takes at most one per account, so that a receiver
   * that hangs does not delay other accounts. For each account, it takes the delivery with the
   * fewest attempts, so that a failing delivery does not delay newer ones.
   */
  async take(rows: number, untilMs: number): Promise<readonly Delivery[]> {
    const nowMs = this.#clock.nowMs();
    const taken = await this.#sql.query(statement`UPDATE webhook_delivery
      SET next_at_ms = ${untilMs}, attempts = attempts + 1
      WHERE state = 'pending' AND next_at_ms <= ${nowMs} AND id IN (
        SELECT id FROM (SELECT id, next_at_ms, ROW_NUMBER() OVER (PARTITION BY account_id
            ORDER BY attempts, created_at_ms, id) AS place
          FROM webhook_delivery WHERE state = 'pending' AND next_at_ms <= ${nowMs}) AS due
        WHERE place = 1 ORDER BY next_at_ms LIMIT ${rows}) RETURNING ${raw(COLUMNS)}`);
    return taken.map(deliveryOfRow);
  }

  /**
   * Counts a new attempt of a reserved delivery, and returns the delivery; null if it has ended.
   */
  async takeOne(id: string, untilMs: number): Promise<Delivery | null> {
    const [row] = await this.#sql.query(statement`UPDATE webhook_delivery
      SET next_at_ms = ${untilMs}, attempts = attempts + 1 WHERE id = ${id} AND state = 'pending'
      RETURNING ${raw(COLUMNS)}`);
    return row === undefined ? null : deliveryOfRow(row);
  }

  async end(id: string, state: 'delivered' | 'given_up', last: WebhookOutcome): Promise<void> {
    await this.#sql.query(statement`UPDATE webhook_delivery SET state = ${state},
      answer = ${outcomeText(last)}, ended_at_ms = ${this.#clock.nowMs()} WHERE id = ${id}
      AND state = 'pending' RETURNING id`);
  }

  /**
   * Postpones a failed delivery, and all other deliveries to the same receiver, until `nextAtMs`.
   */
  async later({ id, accountId }: Delivery, nextAtMs: number, last: WebhookOutcome): Promise<void> {
    await this.#sql.transaction([
      statement`UPDATE webhook_delivery SET next_at_ms = ${nextAtMs}, answer = ${outcomeText(last)}
        WHERE id = ${id} AND state = 'pending' RETURNING id`,
      statement`UPDATE webhook_delivery SET next_at_ms = ${nextAtMs}
        WHERE account_id = ${accountId} AND state = 'pending' AND next_at_ms < ${nextAtMs}
        RETURNING id`,
    ]);
  }

  async get(id: string): Promise<Delivery | null> {
    const [row] = await this.#sql.query(
      statement`SELECT ${raw(COLUMNS)} FROM webhook_delivery WHERE id = ${id}`,
    );
    return row === undefined ? null : deliveryOfRow(row);
  }

  /** Returns the account's stored deliveries, newest first. */
  async list(accountId: string): Promise<readonly Delivery[]> {
    const rows = await this.#sql.query(statement`SELECT ${raw(COLUMNS)} FROM webhook_delivery
      WHERE account_id = ${accountId} ORDER BY created_at_ms DESC, id LIMIT ${MAX_LISTED}`);
    return rows.map(deliveryOfRow);
  }

  /** Deletes up to `FORGET_ROWS` old deliveries, oldest first. */
  async forget(): Promise<void> {
    const beforeMs = this.#clock.nowMs() - this.#keptMs();
    await this.#sql.query(statement`DELETE FROM webhook_delivery WHERE id IN (
      SELECT id FROM webhook_delivery WHERE created_at_ms < ${beforeMs}
      ORDER BY created_at_ms LIMIT ${FORGET_ROWS}) RETURNING id`);
  }
}

const COLUMNS = `id, account_id, is_test, body, state, attempts, answer, next_at_ms, created_at_ms,
  ended_at_ms`;

function deliveryOfRow(row: SqlRow): Delivery {
  const stored = text(row, 'answer');
  const last = outcomeOf(stored);
  return {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    isTest: integer(row, 'is_test') !== 0n,
    body: text(row, 'body'),
    state: DELIVERY_STATES.find((state) => state === row['state']) ?? 'pending',
    attempts: Number(integer(row, 'attempts')),
    outcome: last,
    answer: last === null ? stored : outcomeWords(last),
    nextAtMs: Number(integer(row, 'next_at_ms')),
    createdAtMs: Number(integer(row, 'created_at_ms')),
    endedAtMs: numberOrNull(row, 'ended_at_ms'),
  };
}
