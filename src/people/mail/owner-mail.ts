/**
 * Emails an account's alerts and receipts to its owners and to the member that they concern. Each
 * person gets each email once.
 */
import type { Clock } from '../../clock.ts';
import type { Mailer, Said } from '../../mail/mailer.ts';
import { dayOf } from '../../money/calendar.ts';
import { text } from '../../store/row.ts';
import { raw, type SqlExecutor, statement } from '../../store/sql.ts';
import { PLACES } from '../person-store.ts';
import { preferenceOf } from './mail-preferences.ts';

/** Maximum recipients of one email: first the member that it concerns, then the oldest owners. */
const MAX_RECIPIENTS = 20;
/**
 * Maximum emails about alerts that a node queues for an account per day (UTC). All accounts share
 * the queue, and an account causes an alert with every change of a limit that is reached.
 */
export const MAX_ALERTS_A_DAY = 500;
/** Maximum accounts whose emails are counted. At this limit, the counts begin again. */
const MAX_COUNTED = 10_000;

export type OwnerMailDeps = {
  readonly sql: Pick<SqlExecutor, 'query'>;
  readonly mailer: Mailer;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export class OwnerMail {
  readonly #deps: OwnerMailDeps;
  #day = 0;
  /** The number of emails about alerts that were queued for each account on `#day`. */
  readonly #alerts = new Map<string, number>();

  constructor(deps: OwnerMailDeps) {
    this.#deps = deps;
  }

  /**
   * Queues an email to the owners and administrators of the account, and to the member that it
   * concerns. People who have turned off alerts get no alert. Does nothing if email is off, or
   * after `MAX_ALERTS_A_DAY`.
   * @param kind `alert` or `receipt`.
   * @param event a unique name of the event. Each person gets only one email about it, even if
   *   several nodes send it.
   * @param said returns the text for an account name.
   * @param memberId the member that the email concerns; empty if it concerns no member.
   */
  async send(
    accountId: string,
    kind: 'alert' | 'receipt',
    event: string,
    said: (account: string) => Said,
    memberId = '',
  ): Promise<void> {
    const { sql, mailer } = this.#deps;
    if (!mailer.isOn) return;
    const isWanted =
      kind === 'alert' ? statement`AND COALESCE(mail_preference.alerts, 1) = 1` : raw('');
    const rows = await sql.query(statement`SELECT person.id, person.email, account.name,
        mail_preference.language, mail_preference.alerts
      FROM ${raw(PLACES)}
      LEFT JOIN mail_preference ON mail_preference.person_id = person.id
      WHERE place.account_id = ${accountId}
        AND (place.role IN ('owner', 'administrator') OR person.id = ${memberId})
        ${isWanted}
      ORDER BY CASE WHEN person.id = ${memberId} THEN 0 ELSE 1 END, person.id
      LIMIT ${MAX_RECIPIENTS}`);
    for (const row of rows) {
      if (kind === 'alert' && this.#alertsOf(accountId) >= MAX_ALERTS_A_DAY) return;
      const { language } = preferenceOf(row);
      const isQueued = await mailer.add(
        { kind, to: text(row, 'email'), accountId, language },
        said(text(row, 'name')),
        { event: `${event}:${text(row, 'id')}` },
      );
      if (isQueued && kind === 'alert') this.#alerts.set(accountId, this.#alertsOf(accountId) + 1);
    }
  }

  #alertsOf(accountId: string): number {
    const day = dayOf(this.#deps.clock.nowMs());
    if (day !== this.#day || this.#alerts.size >= MAX_COUNTED) this.#alerts.clear();
    this.#day = day;
    return this.#alerts.get(accountId) ?? 0;
  }
}
