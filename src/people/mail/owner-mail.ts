/** Letters to the owners of an account who want its alerts: receipts and alerts, once per event. */
import type { Mailer, Said } from '../../mail/mailer.ts';
import { text } from '../../store/row.ts';
import { raw, type SqlExecutor, statement } from '../../store/sql.ts';
import { PLACES } from '../person-store.ts';
import { preferenceOf } from './mail-preferences.ts';

/** The most owners of an account who get its letters, oldest first. */
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
   * Queues a letter for each owner. @param event its unique name, with which a repeated call and
   * other nodes queue nothing more. @param said the words, given the name of the account.
   */
  async send(
    accountId: string,
    kind: string,
    event: string,
    said: (account: string) => Said,
  ): Promise<void> {
    const { sql, mailer } = this.#deps;
    if (!mailer.isOn) return;
    const rows = await sql.query(statement`SELECT person.id, person.email, account.name,
        mail_preference.language, mail_preference.alerts
      FROM ${raw(PLACES)}
      LEFT JOIN mail_preference ON mail_preference.person_id = person.id
      WHERE place.account_id = ${accountId} AND place.role IN ('owner', 'administrator')
        AND COALESCE(mail_preference.alerts, 1) = 1
      ORDER BY person.id LIMIT ${MAX_RECIPIENTS}`);
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
