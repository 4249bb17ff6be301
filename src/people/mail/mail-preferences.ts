/**
 * Stores the language in which a person gets email, and whether the person gets alerts by email.
 */
import { LANGUAGES, type Language } from '../../mail/letter.ts';
import { integer } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../../store/sql.ts';

export type MailPreference = {
  readonly language: Language;
  /**
   * Whether the person gets alerts by email. Owners get the alerts of their account, other members
   * the alerts about their own spending limit.
   */
  readonly alerts: boolean;
};

const BY_DEFAULT: MailPreference = { language: 'en', alerts: true };

/**
 * Returns the language for email from a browser's `Accept-Language`; English unless Chinese comes
 * first.
 */
export function languageFrom(acceptLanguage: string | null): Language {
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/);
  return first.trim().toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export const preferenceOf = (row: SqlRow | undefined): MailPreference =>
  row === undefined || row['language'] === null
    ? BY_DEFAULT
    : {
        language: LANGUAGES.find((language) => language === row['language']) ?? 'en',
        alerts: integer(row, 'alerts') !== 0n,
      };

export class MailPreferences {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns the stored preference of a person, or the default if none is stored. The actors `admin`
   * and `system` always get the default.
   */
  async of(personId: string): Promise<MailPreference> {
    const [row] = await this.#sql.query(statement`SELECT language, alerts FROM mail_preference
      WHERE person_id = ${personId}`);
    return preferenceOf(row);
  }

  /** Stores the language of a person, unless a language is stored already. */
  async note(personId: string, language: Language): Promise<void> {
    await this.#sql.query(statement`INSERT INTO mail_preference (person_id, language)
      SELECT ${personId}, ${language} ON CONFLICT (person_id) DO NOTHING RETURNING person_id`);
  }

  async set(personId: string, { language, alerts }: MailPreference): Promise<void> {
    await this.#sql.query(statement`INSERT INTO mail_preference (person_id, language, alerts)
      VALUES (${personId}, ${language}, ${alerts ? 1 : 0}) ON CONFLICT (person_id)
      DO UPDATE SET language = excluded.language, alerts = excluded.alerts RETURNING person_id`);
  }
}
