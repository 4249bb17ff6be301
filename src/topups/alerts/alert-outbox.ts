/**
 * Stores alerts and their deliveries to the operator's webhook, so that a restart loses no alert.
 */
import { createHash } from 'node:crypto';
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';

/**
 * How long the delivery of an alert is retried. If no attempt succeeds, the alert is still in the
 * log.
 */
export const SEND_FOR_MS = 24 * 60 * 60 * 1000;
/** Maximum alerts that one statement deletes. */
const FORGET_ROWS = 500;
/**
 * Maximum queued deliveries of an account, so that an unreachable receiver does not fill the store.
 */
export const MAX_WAITING = 100;

export type Alert = {
  readonly id: string;
  /** The exact text that is signed and sent. */
  readonly body: string;
  readonly createdAtMs: number;
  /** The account whose people see the alert; absent for alerts to the operator only. */
  readonly forAccount?: string;
};
export type TakenAlert = Alert & {
  /** The number of delivery attempts, including the current one. */
  readonly attempts: number;
};

/** The fields of an alert. `alertOf` adds `id` and `created` (ISO 8601). */
export type AlertFields = Readonly<Record<string, string | null>> & { readonly type: string };

/**
 * Returns an alert's id, derived from what it is about, so that all nodes together store only one
 * alert, even if the event is repeated.
 */
export const alertIdOf = (...parts: readonly (string | number | bigint)[]): string =>
  `alt_${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 26)}`;

export function alertOf(id: string, fields: AlertFields, nowMs: number): Alert {
  const body = JSON.stringify({ id, ...fields, created: new Date(nowMs).toISOString() });
  return { id, body, createdAtMs: nowMs };
}

/**
 * Returns a statement that queues an alert for its account's webhook, unless the account has none
 * or `MAX_WAITING` deliveries are queued. Must run after the statement that inserts the alert.
 */
export const deliveryOf = (alertId: string): SqlStatement => statement`
  INSERT INTO webhook_delivery (id, account_id, body, next_at_ms, created_at_ms)
  SELECT alert.id, alert.for_account, alert.body, alert.created_at_ms, alert.created_at_ms
  FROM alert JOIN account_webhook ON account_webhook.account_id = alert.for_account
  WHERE alert.id = ${alertId} AND (SELECT COUNT(*) FROM webhook_delivery AS waiting
    WHERE waiting.account_id = alert.for_account AND waiting.state = 'pending') < ${MAX_WAITING}
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** @throws GatewayError `store_unavailable`, from every method. */
export class AlertOutbox {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** Adds an alert. @returns false if the alert already exists. */
  async add({ id, body, createdAtMs, forAccount = '' }: Alert): Promise<boolean> {
    const [added = []] = await this.#sql.transaction([
      statement`INSERT INTO alert (id, body, next_at_ms, created_at_ms, for_account)
        VALUES (${id}, ${body}, ${createdAtMs}, ${createdAtMs}, ${forAccount || null})
        ON CONFLICT (id) DO NOTHING RETURNING id`,
      ...(forAccount === '' ? [] : [deliveryOf(id)]),
    ]);
    return added.length > 0;
  }

  /**
   * Reserves up to `rows` due alerts for the caller. No other node sends them before `untilMs`.
   * Leaves out alerts that are a day old and were never sent, such as those from before the webhook
   * was configured.
   */
  async take(rows: number, nowMs: number, untilMs: number): Promise<readonly TakenAlert[]> {
    const oldestMs = nowMs - SEND_FOR_MS;
    const taken = await this.#sql.query(statement`UPDATE alert SET next_at_ms = ${untilMs},
      attempts = attempts + 1 WHERE state = 'pending' AND next_at_ms <= ${nowMs} AND id IN
      (SELECT id FROM alert WHERE state = 'pending' AND next_at_ms <= ${nowMs}
      AND (attempts > 0 OR created_at_ms > ${oldestMs}) ORDER BY next_at_ms
      LIMIT ${rows}) RETURNING id, body, attempts, created_at_ms`);
    return taken.map((row) => ({
      id: text(row, 'id'),
      body: text(row, 'body'),
      attempts: Number(integer(row, 'attempts')),
      createdAtMs: Number(integer(row, 'created_at_ms')),
    }));
  }

  async end(id: string, state: 'delivered' | 'given_up'): Promise<void> {
    await this.#sql.query(statement`UPDATE alert SET state = ${state} WHERE id = ${id}
      AND state = 'pending' RETURNING id`);
  }

  async later(id: string, nextAtMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE alert SET next_at_ms = ${nextAtMs} WHERE id = ${id}
      AND state = 'pending' RETURNING id`);
  }

  /**
   * Deletes up to `FORGET_ROWS` alerts that are older than `beforeMs`, oldest first. Keeps alerts
   * about a limit on the total spending, because a stored alert is not sent again, and such a limit
   * stays reached.
   */
  async forget(beforeMs: number): Promise<void> {
    await this.#sql.query(statement`DELETE FROM alert WHERE id IN (SELECT id FROM alert
      WHERE created_at_ms < ${beforeMs} AND body NOT LIKE ${'%"window":"total"%'}
      ORDER BY created_at_ms LIMIT ${FORGET_ROWS}) RETURNING id`);
  }
}
