/**
 * Deletes the rows of holds that were resolved long ago, and of their extensions. Only repeated
 * commands and late settlements need such a row. The result of a settled hold stays in its receipt.
 */
import { type Clock, firstIdAt, type Timer } from '../../clock.ts';
import { text } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';

const HOUR_MS = 3_600_000;
/** Maximum rows that one statement deletes, which takes a few milliseconds. */
const SLICE_ROWS = 500;
/** Maximum statements of one round, for each table. The next round deletes the rest. */
const MAX_SLICES = 1_000;
/** The prefix of hold ids. Ids sort by time, so the index has the oldest holds first. */
const REQUEST_PREFIX = 'req';

export type ResolvedHoldsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  /** How long resolved holds are kept, in milliseconds. */
  readonly keptMs: () => number;
  /**
   * The epoch of this process. Only the live node with the smallest epoch deletes, for all nodes.
   */
  readonly epoch: () => string;
  /** Called when a round failed. The next round retries. */
  readonly onFailure: (thrown: unknown) => void;
};

export class ResolvedHolds {
  readonly #deps: ResolvedHoldsDeps;
  readonly #hourly: Timer;
  #working: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: ResolvedHoldsDeps) {
    this.#deps = deps;
    this.#hourly = deps.clock.every(HOUR_MS, () => void this.round());
  }

  /** Deletes old rows. Only one round runs at a time. Never rejects. */
  round(): Promise<void> {
    this.#working ??= this.#round().finally(() => {
      this.#working = null;
    });
    return this.#working;
  }

  /** Starts no further slice. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#hourly.cancel();
    await this.#working;
  }

  async #round(): Promise<void> {
    try {
      if (await this.#isFirst()) await this.#forget();
    } catch (thrown) {
      this.#deps.onFailure(thrown);
    }
  }

  async #isFirst(): Promise<boolean> {
    const { sql, epoch } = this.#deps;
    const [first] = await sql.query(statement`SELECT MIN(epoch) AS epoch FROM node
      WHERE lease_until_ms > books_now_ms()`);
    return first?.['epoch'] === epoch();
  }

  async #forget(): Promise<void> {
    const { clock, keptMs } = this.#deps;
    const beforeMs = clock.nowMs() - keptMs();
    const end = firstIdAt(REQUEST_PREFIX, beforeMs);
    await this.#inSlices(
      (from) => statement`DELETE FROM hold WHERE id IN (SELECT id FROM hold
        WHERE id >= ${from} AND id < ${end} AND state <> 'pending' AND resolved_at_ms < ${beforeMs}
        ORDER BY id LIMIT ${SLICE_ROWS}) RETURNING id`,
    );
    // Extensions have no index by hold, but their ids begin with the id of their hold.
    await this.#inSlices(
      (from) => statement`DELETE FROM extension WHERE id IN (SELECT x.id FROM extension x
        WHERE x.id >= ${from} AND x.id < ${end}
          AND NOT EXISTS (SELECT 1 FROM hold h WHERE h.id = x.hold_id)
        ORDER BY x.id LIMIT ${SLICE_ROWS}) RETURNING id`,
    );
  }

  /**
   * Deletes slice by slice. Each slice starts after the last deleted row, so that the index entries
   * of deleted rows are not read again.
   */
  async #inSlices(slice: (from: string) => SqlStatement): Promise<void> {
    let from = firstIdAt(REQUEST_PREFIX, 0);
    for (let slices = 0; slices < MAX_SLICES && !this.#isStopped; slices++) {
      const ids = (await this.#deps.sql.query(slice(from))).map((row) => text(row, 'id'));
      if (ids.length < SLICE_ROWS) return;
      from = ids.reduce((a, b) => (a > b ? a : b));
    }
  }
}
