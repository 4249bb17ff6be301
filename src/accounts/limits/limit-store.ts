/**
 * What all nodes have used of limits, counted in the store that they share. The rows are not
 * durable: after a crash of the server, limits begin again.
 */
import { integer, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';

/** The question of one node about one limit. */
export type LimitAsk = {
  readonly name: string;
  readonly limit: number;
  readonly kind: 'rate' | 'running';
  /**
   * The concurrent requests of this node; or the requests or tokens that it used since `life`
   * began. They count in any case.
   */
  readonly used: number;
  /** Of a rate: the part of `used` that is counted if the store does not know this life. */
  readonly confirmed: number;
  readonly life: number;
  /** How much more to grant at most, and the least that is of use. */
  readonly want: number;
  readonly least: number;
};

export type LimitAnswer = {
  readonly granted: number;
  /** After the grant: the bucket's level in its units, or the concurrent requests of all nodes. */
  readonly level: number;
};

export type LimitStore = {
  /**
   * Counts and grants. A question is ignored after one of the same node with a higher `turn`, so
   * that one that arrives late changes nothing.
   */
  count(
    asks: readonly LimitAsk[],
    epoch: string,
    turn: number,
  ): Promise<ReadonlyMap<string, LimitAnswer>>;
  /** Deletes rows that were not used for an hour. */
  sweep(): Promise<void>;
};

const KEPT_MS = 3_600_000;

/** @param sql connections that reports do not delay. */
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
