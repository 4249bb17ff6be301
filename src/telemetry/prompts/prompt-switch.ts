/** The accounts and API keys whose prompts are logged. Logging is off until it is turned on. */
import type { Clock, Timer } from '../../clock.ts';
import { auditEntry } from '../../store/audit.ts';
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';

/** Delay before the list is read again after a failure. */
const RETRY_MS = 5_000;

export type LoggedSubject = {
  /** The id of the account, if all its keys are logged; otherwise the id of one key. */
  readonly subject: string;
  readonly accountId: string;
  readonly sinceMs: number;
  /** The actor that turned logging on: the constant `admin`, or the id of a person. */
  readonly setBy: string;
};

type SwitchDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
};

export class PromptSwitch {
  readonly #deps: SwitchDeps;
  /** The ids of accounts and keys with logging on, as read by the last `refresh`. */
  #on: ReadonlySet<string> = new Set();
  #retry: Timer | null = null;

  constructor(deps: SwitchDeps) {
    this.#deps = deps;
  }

  /** Whether prompts of this key are logged. Called for every request. */
  isOn({ accountId, keyId }: { readonly accountId: string; readonly keyId: string }): boolean {
    return this.#on.size > 0 && (this.#on.has(accountId) || this.#on.has(keyId));
  }

  /**
   * Reads from the store which accounts and keys have logging on.
   * @throws GatewayError `store_unavailable`.
   */
  async refresh(): Promise<void> {
    const rows = await this.#deps.sql.query(statement`SELECT subject FROM prompt_logging`);
    this.#on = new Set(rows.map((row) => text(row, 'subject')));
  }

  /**
   * Reads the list after a node has changed it. Repeats the read until it succeeds, because this
   * node would otherwise log prompts that it no longer may. Never rejects.
   */
  async follow(onFailure: (thrown: unknown) => void): Promise<void> {
    this.stop();
    try {
      await this.refresh();
    } catch (thrown) {
      onFailure(thrown);
      this.stop();
      this.#retry = this.#deps.clock.after(RETRY_MS, () => void this.follow(onFailure));
    }
  }

  /** Cancels a repeated read. */
  stop(): void {
    this.#retry?.cancel();
    this.#retry = null;
  }

  /**
   * Lists the account itself, if logging is on for it, and then each of its keys with logging on.
   */
  async of(accountId: string): Promise<readonly LoggedSubject[]> {
    const rows = await this.#deps.sql.query(statement`SELECT * FROM prompt_logging
      WHERE account_id = ${accountId}
      ORDER BY CASE subject WHEN ${accountId} THEN 0 ELSE 1 END, subject`);
    return rows.map((row) => ({
      subject: text(row, 'subject'),
      accountId: text(row, 'account_id'),
      sinceMs: Number(integer(row, 'since_ms')),
      setBy: text(row, 'set_by'),
    }));
  }

  /** Turns logging on or off, with an entry in the audit log if the setting changes. */
  async set(
    { subject, accountId }: Pick<LoggedSubject, 'subject' | 'accountId'>,
    isOn: boolean,
    actor: string,
  ): Promise<void> {
    const { sql, clock } = this.#deps;
    const action = isOn ? 'prompt_log.on' : 'prompt_log.off';
    const audit = auditEntry(clock, actor, action, subject, { account_id: accountId });
    const change = isOn
      ? statement`INSERT INTO prompt_logging (subject, account_id, since_ms, set_by)
          VALUES (${subject}, ${accountId}, ${audit.atMs}, ${actor})
          ON CONFLICT (subject) DO NOTHING RETURNING subject`
      : statement`DELETE FROM prompt_logging
          WHERE subject = ${subject} AND account_id = ${accountId} RETURNING subject`;
    await sql.transaction([change], audit);
    await this.refresh();
  }
}
