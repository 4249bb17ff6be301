/**
 * Stores the results of the nightly comparisons. A node reserves a comparison before it runs it, so
 * that no other node does.
 */
import { DAY_MS } from '../money/calendar.ts';
import { integer, text, textOrNull } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { RECONCILIATION, type Reconciliation } from './reconciliation.ts';

export type StoredReconciliation = {
  readonly upstream: string;
  /** The last of the compared days. */
  readonly day: number;
  readonly atMs: number;
  /** The result; null when the comparison failed. Then `failure` is the reason. */
  readonly result: Reconciliation | null;
  readonly failure: string | null;
};

/** Stores comparisons. Every method throws GatewayError `store_unavailable`. */
export class Reconciliations {
  readonly #sql: SqlExecutor;
  readonly #keptMs: () => number;

  /** @param keptMs how long results are stored. */
  constructor(sql: SqlExecutor, keptMs: () => number) {
    this.#sql = sql;
    this.#keptMs = keptMs;
  }

  /** Reserves a comparison until `untilMs`. @returns false when it is already reserved or done. */
  async claim(upstream: string, day: number, nowMs: number, untilMs: number): Promise<boolean> {
    const claimed = await this.#sql.query(statement`INSERT INTO reconciliation
      (upstream, day, claimed_until_ms) VALUES (${upstream}, ${day}, ${untilMs})
      ON CONFLICT (upstream, day) DO UPDATE SET claimed_until_ms = ${untilMs}
      WHERE reconciliation.body IS NULL AND reconciliation.claimed_until_ms <= ${nowMs}
      RETURNING upstream`);
    return claimed.length > 0;
  }

  async store(result: Reconciliation, day: number, nowMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE reconciliation SET at_ms = ${nowMs},
      body = ${JSON.stringify(result)}, failure = NULL
      WHERE upstream = ${result.upstream} AND day = ${day} RETURNING upstream`);
    const keptDays = Math.floor(this.#keptMs() / DAY_MS);
    await this.#sql.query(statement`DELETE FROM reconciliation WHERE day < ${day - keptDays}
      RETURNING upstream`);
  }

  /**
   * Stores why a comparison has no result. The comparison is repeated when its reservation ends.
   */
  async fail(upstream: string, day: number, failure: string, nowMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE reconciliation SET at_ms = ${nowMs},
      failure = ${failure} WHERE upstream = ${upstream} AND day = ${day} AND body IS NULL
      RETURNING upstream`);
  }

  /** Returns the finished and failed comparisons of all upstreams, newest first. */
  async newest(limit: number): Promise<readonly StoredReconciliation[]> {
    const rows = await this.#sql.query(statement`SELECT * FROM reconciliation
      WHERE at_ms IS NOT NULL ORDER BY day DESC, upstream LIMIT ${limit}`);
    return rows.map(storedOf);
  }
}

function storedOf(row: SqlRow): StoredReconciliation {
  const body = textOrNull(row, 'body');
  return {
    upstream: text(row, 'upstream'),
    day: Number(integer(row, 'day')),
    atMs: Number(integer(row, 'at_ms')),
    result: body === null ? null : RECONCILIATION().parse(JSON.parse(body)),
    failure: textOrNull(row, 'failure'),
  };
}
