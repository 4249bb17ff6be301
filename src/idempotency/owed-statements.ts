/**
 * Keeps failed SQL statements of Idempotency-Keys in memory, and retries them until they succeed.
 */
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';

/**
 * Maximum waiting statements. If a statement is dropped because of this limit, the claim of an
 * Idempotency-Key that it would have ended stays until the claim's lease ends.
 */
const MAX_OWED = 10_000;

type Owed = { readonly statement: SqlStatement; readonly onWritten: () => void };

export class OwedStatements {
  readonly #sql: SqlExecutor;
  /** The failed statements that wait for a retry, by claim id. */
  readonly #owed = new Map<string, Owed>();
  #sending: Promise<void> | null = null;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  get size(): number {
    return this.#owed.size;
  }

  /** Adds a statement. Returns false if it is dropped, because there are too many. */
  add(claimId: string, statement: SqlStatement, onWritten: () => void = () => {}): boolean {
    if (this.#owed.size >= MAX_OWED) return false;
    this.#owed.set(claimId, { statement, onWritten });
    return true;
  }

  /** Sends the statements until one fails. Never rejects. Concurrent calls share one run. */
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
        // Reports nothing, because the first failure of the statement was already reported. The
        // next call retries the statement.
        return;
      }
      this.#owed.delete(claimId);
      onWritten();
    }
  }
}
