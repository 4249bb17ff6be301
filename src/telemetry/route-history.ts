/**
 * The history of routes, for operators: attempts, times and costs by hour and by day. It is
 * separate from the history of channels, which is public and names no provider. The counts also
 * differ: if a second route serves a request, the channel succeeded but the first route failed.
 */
import type { Clock, Timer } from '../clock.ts';
import type { Receipt } from '../ledger/ledger.ts';
import type { Currency } from '../money/amount.ts';
import { integer } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { deleteBefore, HourlyCounts, type Span, startOf } from './hourly-counts.ts';
import type { FinishedRequest } from './request-journal.ts';
import {
  attemptsOf,
  countAttempt,
  ROUTE_AMOUNTS,
  ROUTE_COUNTS,
  type RouteCounts,
} from './route-figures.ts';

const MINUTE_MS = 60_000;
/** The number of days that are stored, including the current one. */
export const KEPT_DAYS = 90;
/** The number of hours that are stored: enough for a week by the hour in every time zone. */
export const KEPT_HOURS = 8 * 24;
const TABLE = 'route_figures';
const COLUMNS = {
  keys: ['upstream', 'model'],
  counts: ROUTE_COUNTS,
  amounts: ROUTE_AMOUNTS,
} as const;
/** Maximum hours or days that a query returns: far more than are stored. */
const MAX_ROWS = 5_000;
const PICO_PER_NANO = 1_000n;

export type RoutePoint = {
  readonly startMs: number;
  readonly counts: RouteCounts;
  /** The operator's costs, in nano-units. */
  readonly cost: Readonly<Record<Currency, bigint>>;
};

export type RouteRange = {
  readonly upstream: string;
  /** The upstream's model name; null for all models of the upstream. */
  readonly model: string | null;
  readonly span: Span;
  readonly fromMs: number;
  /** The end of the time range, exclusive. */
  readonly toMs: number;
};

export type RouteHistoryDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  /** Returns the operator's cost of a request, in pico-units; null if unknown. */
  readonly costOf: (receipt: Receipt) => { pico: bigint; currency: Currency } | null;
  /** Called when a write fails. The next write includes the same counts. */
  readonly onFailure: (thrown: unknown) => void;
};

export class RouteHistory {
  readonly #deps: RouteHistoryDeps;
  readonly #counts: HourlyCounts;
  readonly #timer: Timer;

  constructor(deps: RouteHistoryDeps) {
    this.#deps = deps;
    const { sql, clock, onFailure } = deps;
    const prune = (nowMs: number) => [
      deleteBefore(TABLE, 'day', startOf('day', nowMs, KEPT_DAYS)),
      deleteBefore(TABLE, 'hour', startOf('hour', nowMs, KEPT_HOURS)),
    ];
    this.#counts = new HourlyCounts({
      ...{ sql, clock, onFailure, prune, table: TABLE, columns: COLUMNS },
    });
    this.#timer = clock.every(MINUTE_MS, () => void this.flush());
  }

  /** Counts the attempts of a request in memory. */
  finished({ settled, startedAtMs }: FinishedRequest): void {
    if (settled === null || settled.receipt.attempts.length === 0) return;
    const { receipt } = settled;
    const cost = this.#deps.costOf(receipt);
    for (const attempt of attemptsOf(receipt)) {
      const hour = this.#counts.at(startedAtMs, [attempt.upstream, attempt.model]);
      if (hour === null) continue;
      const isServed = attempt.result === 'success' && cost !== null;
      countAttempt(hour.counts, attempt, isServed);
      if (!isServed) continue;
      const at = cost.currency === 'USD' ? 0 : 1;
      hour.amounts[at] = (hour.amounts[at] ?? 0n) + cost.pico / PICO_PER_NANO;
    }
  }

  /** Writes the pending counts. Never rejects. */
  flush(): Promise<void> {
    return this.#counts.flush();
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#counts.close();
  }

  /**
   * Returns the hours or days with attempts, oldest first. Attempts that other nodes counted in the
   * last minute may be missing.
   * @throws GatewayError `store_unavailable`
   */
  async of({ upstream, model, span, fromMs, toMs }: RouteRange): Promise<readonly RoutePoint[]> {
    await this.flush();
    const sums = [...ROUTE_COUNTS, ...ROUTE_AMOUNTS].map(
      (name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`,
    );
    const ofModel = model === null ? raw('') : statement`AND model = ${model}`;
    const read = statement`SELECT start_ms, ${raw(sums.join(', '))} FROM route_figures
      WHERE span = ${span} AND upstream = ${upstream} ${ofModel}
        AND start_ms >= ${fromMs} AND start_ms < ${toMs}
      GROUP BY start_ms ORDER BY start_ms LIMIT ${MAX_ROWS}`;
    return (await this.#deps.sql.query(read)).map(pointOf);
  }
}

const pointOf = (row: SqlRow): RoutePoint => ({
  startMs: Number(integer(row, 'start_ms')),
  counts: ROUTE_COUNTS.map((name) => Number(integer(row, name))),
  cost: { USD: integer(row, 'cost_usd'), CNY: integer(row, 'cost_cny') },
});
