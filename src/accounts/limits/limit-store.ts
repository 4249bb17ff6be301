/**
 * Counts in the shared store how much of each limit all nodes together have used. The rows are not
 * durable: a crash of the database server resets all counts to zero.
 */
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';

/**
 * A node's query about one limit: how much the node has used, and how much more it wants to use.
 */
export type LimitAsk = {
  readonly name: string;
  readonly limit: number;
  readonly kind: 'rate' | 'running';
  /**
   * The use so far, which the store counts even if it exceeds the limit. For `running`: the number
   * of concurrent requests of this node. For `rate`: the number of requests or tokens that this
   * node has used since `life`, the time when it started this count.
   */
  readonly used: number;
  /**
   * For `rate`: the part of `used` that the store has already counted. The store needs this value
   * only if it has lost its count of this `life`, for example in a crash.
   */
  readonly confirmed: number;
  readonly life: number;
  /** The maximum number of further requests or tokens that the store should grant. */
  readonly want: number;
  /**
   * For `rate`: the smallest number of requests or tokens that the node can use. If less than this
   * number remains of the limit, the store grants 0.
   */
  readonly least: number;
};

export type LimitAnswer = {
  readonly granted: number;
  /**
   * The state of the limit after the grant. For `rate`: the level of the leaky bucket, in units.
   * For `running`: the number of concurrent requests of all nodes.
   */
  readonly level: number;
};

export type LimitStore = {
  /**
   * Counts the use that this node reports, and grants further use. Ignores a report if the node has
   * already sent one with the same or a higher `turn`, so that a delayed report has no effect.
   */
  count(
    asks: readonly LimitAsk[],
    epoch: string,
    turn: number,
  ): Promise<ReadonlyMap<string, LimitAnswer>>;
  /** Deletes rows that have not been used for an hour. */
  sweep(): Promise<void>;
};

const KEPT_MS = 3_600_000;

/**
 * @param sql a connection pool that no report uses, because the slow queries of reports would
 *   delay requests.
 */
export const limitStore = (sql: Pick<SqlExecutor, 'query'>): LimitStore => ({
  count: async (asks, epoch, turn) => {
    const rows = await sql.query(
      statement`SELECT of_name, granted, level
        FROM books_count_limits(${JSON.stringify(asks)}, ${epoch}, ${turn})`,
    );
    return new Map(
      rows.map((row) => [
        text(row, 'of_name'),
        { granted: Number(integer(row, 'granted')), level: Number(integer(row, 'level')) },
      ]),
    );
  },
  sweep: async () => {
    await sql.query(statement`DELETE FROM limit_use WHERE at_ms < books_now_ms() - ${KEPT_MS}`);
  },
});
