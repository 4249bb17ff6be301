/**
 * Counts in the shared store how much of each limit all nodes together have used. The rows are not
 * durable: after a crash of the database server, all counts are zero.
 */
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';

/** A node's question about one limit: the use that it reports, and the use that it requests. */
export type LimitAsk = {
  readonly name: string;
  readonly limit: number;
  readonly kind: 'rate' | 'running';
  /**
   * For `running`: the number of concurrent requests of this node. For `rate`: the number of
   * requests or tokens that the node has used since `life` began. The store counts them even above
   * the limit.
   */
  readonly used: number;
  /**
   * For `rate`: the part of `used` that the store has already counted. The store needs it only if
   * it has no count of this `life`, for example after a crash.
   */
  readonly confirmed: number;
  readonly life: number;
  /** The maximum number of further requests or tokens that the store should grant. */
  readonly want: number;
  /** For `rate`: the smallest useful grant. If less is left of the limit, the store grants 0. */
  readonly least: number;
};

export type LimitAnswer = {
  readonly granted: number;
  /** After the grant: the bucket's level in units, or the concurrent requests of all nodes. */
  readonly level: number;
};

export type LimitStore = {
  /**
   * Counts the reported use and grants more. Ignores a question if the same node has already asked
   * with this or a higher `turn`, so that a late question has no effect.
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

/** @param sql connections that are not shared with reports, which would delay requests. */
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
