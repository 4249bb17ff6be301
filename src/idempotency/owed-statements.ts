/** Keeps statements that the store did not accept, and sends them until the store accepts them. */
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';

/** Maximum statements. If one is dropped because of this, its claim stays until its lease ends. */
const MAX_OWED = 10_000;

type Owed = { readonly statement: SqlStatement; readonly onWritten: () => void };

export class OwedStatements {
  readonly #sql: SqlExecutor;
  /** The statements by claim id. */
  readonly #owed = new Map<string, Owed>();
  #sending: Promise<void> | null = null;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** Returns false if the statement is dropped, because there are too many. */
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
        // Its first failure was reported already. The next call sends the statement again.
        return;
      }
      this.#owed.delete(claimId);
      onWritten();
    }
  }
}
