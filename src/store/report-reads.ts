/** Reads the data for reports, from the store itself or from a replica that may lag behind. */
import type { SqlExecutor } from './sql.ts';

export type ReportReads = SqlExecutor & {
  /**
   * Returns how recent the next reads are: the time (Unix milliseconds) up to which they contain
   * all data. Null if they contain the current data.
   */
  readonly asOfMs: () => number | null;
  /**
   * Returns the maximum age, in milliseconds, of the data that the next reads return; 0 if it is
   * current.
   */
  readonly ageMs: () => number;
};

export const readsOfStore = (sql: SqlExecutor): ReportReads => ({
  query: (statement) => sql.query(statement),
  transaction: (statements, audit) => sql.transaction(statements, audit),
  asOfMs: () => null,
  ageMs: () => 0,
});
