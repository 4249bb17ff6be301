/** Where reports read: from the store itself, or from a replica of it that may be behind. */
import type { SqlExecutor } from './sql.ts';

export type ReportReads = SqlExecutor & {
  /**
   * A moment until which the next reads contain everything, in milliseconds since 1970; null when
   * they contain all of it.
   */
  readonly asOfMs: () => number | null;
  /** How old the data of the next reads may be, in milliseconds; 0 when it is not. */
  readonly ageMs: () => number;
};

export const readsOfStore = (sql: SqlExecutor): ReportReads => ({
  query: (statement) => sql.query(statement),
  transaction: (statements, audit) => sql.transaction(statements, audit),
  asOfMs: () => null,
  ageMs: () => 0,
});
