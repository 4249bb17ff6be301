/**
 * Lists the alerts of an account for its members, each with the emails about the alert and their
 * states.
 */
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';

/** The maximum number of alerts that `of` returns. */
const MAX_LISTED = 100;

export type LoggedAlert = {
  readonly id: string;
  readonly createdAtMs: number;
  /** The fields of the alert. Each value is a string or null. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly letters: readonly { readonly to: string; readonly state: string }[];
};

export class AlertLog {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** Returns the account's stored alerts, newest first. */
  async of(accountId: string): Promise<readonly LoggedAlert[]> {
    const alerts = await this.#sql.query(statement`SELECT id, body, created_at_ms FROM alert
      WHERE for_account = ${accountId} ORDER BY created_at_ms DESC, id LIMIT ${MAX_LISTED}`);
    const letters = await this.#sql.query(statement`SELECT event, recipient, state FROM mail
      WHERE account_id = ${accountId} AND kind = 'alert' ORDER BY id DESC LIMIT ${MAX_LISTED * 20}`);
    const byAlert = new Map<string, { to: string; state: string }[]>();
    for (const row of letters) {
      const [id = ''] = String(row['event']).split(':');
      const letter = { to: text(row, 'recipient'), state: text(row, 'state') };
      byAlert.set(id, [...(byAlert.get(id) ?? []), letter]);
    }
    return alerts.map((row) => ({
      id: text(row, 'id'),
      createdAtMs: Number(integer(row, 'created_at_ms')),
      fields: Object(JSON.parse(text(row, 'body'))),
      letters: byAlert.get(text(row, 'id')) ?? [],
    }));
  }
}
