/** Where reports read their data: from the store itself, or from a replica that may lag behind. */
import type { SqlExecutor } from './sql.ts';

export type ReportReads = SqlExecutor & {
  /**
   * The time, in Unix milliseconds, up to which the data of the next reads is complete; null when
   * the data is current.
   */
  readonly asOfMs: () => number | null;
  /**
   * The maximum age of the data that the next reads return, in milliseconds; 0 if it is current.
   */
  readonly ageMs: () => number;
};

export const readsOfStore = (sql: SqlExecutor): ReportReads => ({
  query: (statement) => sql.query(statement),
  transaction: (statements, audit) => sql.transaction(statements, audit),
  asOfMs: () => null,
  ageMs: () => 0,
});
