/**
 * Emails an account's alerts and receipts to its owners and to the member that they concern. Each
 * person gets each email once.
 */
import type { Mailer, Said } from '../../mail/mailer.ts';
import { text } from '../../store/row.ts';
import { raw, type SqlExecutor, statement } from '../../store/sql.ts';
import { PLACES } from '../person-store.ts';
import { preferenceOf } from './mail-preferences.ts';

/** Maximum recipients of one email: first the member that it concerns, then the oldest owners. */
const MAX_RECIPIENTS = 20;

export type OwnerMailDeps = {
  readonly sql: SqlExecutor;
  readonly mailer: Mailer;
};

export class OwnerMail {
  readonly #deps: OwnerMailDeps;

  constructor(deps: OwnerMailDeps) {
    this.#deps = deps;
  }

  /**
   * Queues an email to the owners and administrators of the account, and to the member that it
   * concerns. People who have turned off alerts do not get it. Does nothing if email is off.
   * @param event a unique name of the event. Each person gets only one email about it, even if
   *   several nodes send it.
   * @param said returns the text for an account name.
   * @param memberId the member that the email concerns; empty if it concerns no member.
   */
  async send(
    accountId: string,
    kind: string,
    event: string,
    said: (account: string) => Said,
    memberId = '',
  ): Promise<void> {
    const { sql, mailer } = this.#deps;
    if (!mailer.isOn) return;
    const rows = await sql.query(statement`SELECT person.id, person.email, account.name,
        mail_preference.language, mail_preference.alerts
      FROM ${raw(PLACES)}
      LEFT JOIN mail_preference ON mail_preference.person_id = person.id
      WHERE place.account_id = ${accountId}
        AND (place.role IN ('owner', 'administrator') OR person.id = ${memberId})
        AND COALESCE(mail_preference.alerts, 1) = 1
      ORDER BY CASE WHEN person.id = ${memberId} THEN 0 ELSE 1 END, person.id
      LIMIT ${MAX_RECIPIENTS}`);
    for (const row of rows) {
      const { language } = preferenceOf(row);
      await mailer.add(
        { kind, to: text(row, 'email'), accountId, language },
        said(text(row, 'name')),
        { event: `${event}:${text(row, 'id')}` },
      );
    }
  }
}
