/** Statements that the store did not accept, and that are sent again until it does. */
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';

/** The most statements. Others are dropped; the leases of their claims end them. */
const MAX_OWED = 10_000;

type Owed = { readonly statement: SqlStatement; readonly onWritten: () => void };

export class OwedStatements {
  readonly #sql: SqlExecutor;
  /** By claim id. */
  readonly #owed = new Map<string, Owed>();
  #sending: Promise<void> | null = null;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** Returns whether the statement will be sent again. */
  add(claimId: string, statement: SqlStatement, onWritten: () => void = () => {}): boolean {
    if (this.#owed.size >= MAX_OWED) return false;
    this.#owed.set(claimId, { statement, onWritten });
    return true;
  }

  /** Sends the statements until one fails. Never rejects. Concurrent calls share a run. */
  send(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    for (const [claimId, { statement, onWritten }] of this.#owed) {
      try {
        await this.#sql.query(statement);
      } catch {
        // The failure was reported when it first happened. The next call sends it again.
        return;
      }
      this.#owed.delete(claimId);
      onWritten();
    }
  }
}
