/**
 * Counts requests and failures per hour or day. Whole UTC days come from the roll-ups if the
 * filters allow that. Everything else is counted from receipts, with short statements, since
 * reports and settlements share the embedded store's thread.
 */

import { DAY_MS, dayOf, QUARTER_MS, zonedDayStarts } from '../money/calendar.ts';
import { integer } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { all } from './report-walk.ts';
import {
  endOfStep,
  filtersOf,
  latest,
  placeOfRow,
  RECEIPTS,
  type RequestFilter,
  type RequestPlace,
  sourceOf,
  span,
  whereFailed,
} from './request-filter.ts';
import type { UsageReport } from './usage-report.ts';

const HOUR_MS = 3_600_000;
/** The longest range that is counted by hour: 72 bars. Longer ranges are counted by day. */
const LONGEST_BY_HOUR_MS = 3 * DAY_MS;
/** Maximum receipts that one statement counts: about 5 ms of the store's time. */
const STEP_ROWS = 1_000;
/** Maximum receipts that a statement counts if it reads only an index, which is faster. */
const INDEX_STEP_ROWS = 20_000;
/** Maximum roll-up groups per day: one for each currency. */
const ROWS_A_DAY = 2;

export type HistogramBar = {
  /** The start of the hour, or of the day in the time zone. */
  readonly startMs: number;
  readonly requests: number;
  /** The number of these requests that did not complete. */
  readonly failed: number;
};
export type Histogram = {
  readonly bucket: 'hour' | 'day';
  /** One bar per hour or day of the filter's range, oldest first. */
  readonly bars: readonly HistogramBar[];
};

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class RequestHistogram {
  readonly #sql: SqlExecutor;
  readonly #usage: Pick<UsageReport, 'page'>;

  constructor(sql: SqlExecutor, usage: Pick<UsageReport, 'page'>) {
    this.#sql = sql;
    this.#usage = usage;
  }

  /** @param timeZone the time zone in which days begin and end, a name of the IANA database. */
  async of(filter: RequestFilter, timeZone = 'UTC'): Promise<Histogram> {
    const { fromMs, toMs } = filter;
    const bucket = toMs - fromMs <= LONGEST_BY_HOUR_MS ? 'hour' : 'day';
    if (bucket === 'day' && timeZone !== 'UTC') {
      const quarters = new Tally(QUARTER_MS);
      await this.#countReceipts(filter, quarters);
      return { bucket, bars: quarters.between(zonedDayStarts(fromMs, toMs, timeZone), toMs) };
    }
    const tally = new Tally(bucket === 'hour' ? HOUR_MS : DAY_MS);
    const firstDay = Math.ceil(fromMs / DAY_MS);
    const endDay = dayOf(toMs);
    if (bucket === 'day' && firstDay < endDay && isOfRollUps(filter)) {
      await this.#countReceipts({ ...filter, toMs: firstDay * DAY_MS }, tally);
      await this.#addRollUps(filter, firstDay, endDay - 1, tally);
      await this.#countReceipts({ ...filter, fromMs: endDay * DAY_MS }, tally);
    } else {
      await this.#countReceipts(filter, tally);
    }
    return { bucket, bars: tally.bars(fromMs, toMs) };
  }

  async #addRollUps(
    filter: RequestFilter,
    fromDay: number,
    toDay: number,
    tally: Tally,
  ): Promise<void> {
    const most = (toDay - fromDay + 1) * ROWS_A_DAY;
    const { rows } = await this.#usage.page({ ...filter, fromDay, toDay }, ['day'], most, null);
    for (const { day, requests, incomplete } of rows) {
      const [whole, failed] = [Number(requests - incomplete), Number(incomplete)];
      if (filter.status !== 'failed') tally.add(Number(day), whole, 0);
      if (filter.status !== 'ok') tally.add(Number(day), failed, failed);
    }
  }

  async #countReceipts(filter: RequestFilter, tally: Tally): Promise<void> {
    const filters = filtersOf(filter);
    if (filter.idPrefix !== null) {
      const end = { settledAtMs: BigInt(filter.toMs), requestId: '' };
      const found = [...span(filter, end, null), ...filters];
      const source = sourceOf(filter.idPrefix);
      return await this.#count(countStatement(found, tally.bucketMs, source), tally);
    }
    if (isOfIndexes(filter)) return await this.#countIndexes(filter, tally);
    await this.#steps(filter, STEP_ROWS, (step) =>
      this.#count(countStatement([...step, ...filters], tally.bucketMs), tally),
    );
  }

  /**
   * Counts with indexes: all requests in the index of receipts, and failed requests in the index of
   * failures.
   */
  async #countIndexes(filter: RequestFilter, tally: Tally): Promise<void> {
    const all = { ...filter, status: null };
    const failed = { ...filter, status: 'failed' } as const;
    if (filter.status !== 'failed') {
      await this.#steps(all, INDEX_STEP_ROWS, (step) =>
        this.#count(wholeStatement(step, tally.bucketMs), tally),
      );
    }
    const sign = filter.status === 'ok' ? -1 : filter.status === 'failed' ? 1 : 0;
    await this.#steps(failed, STEP_ROWS, async (step) => {
      const conditions = [...step, ...filtersOf(failed)];
      for (const row of await this.#sql.query(countStatement(conditions, tally.bucketMs))) {
        const count = Number(integer(row, 'failed'));
        const shown = filter.status === 'ok' ? 0 : count;
        tally.add(Number(integer(row, 'bucket')), sign * count, shown);
      }
    });
  }

  /**
   * Splits the receipts into ranges of at most `rows`, and calls `count` with the conditions of
   * each range, newest first.
   */
  async #steps(
    filter: RequestFilter,
    rows: number,
    count: (step: readonly SqlStatement[]) => Promise<void>,
  ): Promise<void> {
    let place: RequestPlace | null = { settledAtMs: BigInt(filter.toMs), requestId: '' };
    while (place !== null) {
      const ofStep = whereFailed(filter);
      const rest = [...span(filter, place, null), ...ofStep];
      const [row] = await this.#sql.query(endOfStep(rest, rows));
      const end = placeOfRow(row);
      await count([...span(filter, place, end), ...ofStep]);
      place = end;
    }
  }

  async #count(statement: SqlStatement, tally: Tally): Promise<void> {
    for (const row of await this.#sql.query(statement)) {
      const [requests, failed] = [integer(row, 'requests'), integer(row, 'failed')];
      tally.add(Number(integer(row, 'bucket')), Number(requests), Number(failed));
    }
  }
}

/** Returns the statement that counts receipts per bar. Exported for tests of the query plan. */
export function countStatement(
  conditions: readonly SqlStatement[],
  bucketMs: number,
  source: SqlStatement = RECEIPTS,
): SqlStatement {
  const failed = `SUM(CASE WHEN ${latest('outcome')} <> 'completed' THEN 1 ELSE 0 END)`;
  return barsStatement(failed, source, conditions, bucketMs);
}

/**
 * Returns the statement that counts requests but no failures: `failed` is zero. Because it needs no
 * outcomes, it can read an index that lacks them.
 */
const wholeStatement = (conditions: readonly SqlStatement[], bucketMs: number): SqlStatement =>
  barsStatement('0', raw('receipt r'), conditions, bucketMs);

function barsStatement(
  failed: string,
  source: SqlStatement,
  conditions: readonly SqlStatement[],
  bucketMs: number,
): SqlStatement {
  const bucket = raw(`r.settled_at_ms / ${bucketMs}`);
  return statement`SELECT ${bucket} AS bucket, COUNT(*) AS requests,
      CAST(${raw(failed)} AS BIGINT) AS failed
    FROM ${source} WHERE ${all(conditions)} GROUP BY ${bucket}`;
}

/** Whether the indexes suffice to apply the filter. They contain only account, time and failure. */
const isOfIndexes = (filter: RequestFilter): boolean =>
  filtersOf({ ...filter, status: null }).length === 0;

/**
 * Whether the roll-ups suffice to apply the filter. They lack the upstream, outcome, cost and id of
 * requests.
 */
const isOfRollUps = ({ outcomes, minCost, idPrefix, upstream }: RequestFilter): boolean =>
  outcomes === null && minCost === null && idPrefix === null && upstream === null;

/**
 * Counts requests by bucket. A bucket is a quarter of an hour, an hour or a day, numbered since
 * 1970.
 */
class Tally {
  readonly bucketMs: number;
  readonly #counts = new Map<number, { requests: number; failed: number }>();

  constructor(bucketMs: number) {
    this.bucketMs = bucketMs;
  }

  add(bucket: number, requests: number, failed: number): void {
    const counts = this.#counts.get(bucket) ?? { requests: 0, failed: 0 };
    counts.requests += requests;
    counts.failed += failed;
    this.#counts.set(bucket, counts);
  }

  bars(fromMs: number, toMs: number): readonly HistogramBar[] {
    const first = Math.floor(fromMs / this.bucketMs);
    const end = Math.ceil(toMs / this.bucketMs);
    return Array.from({ length: end - first }, (_, index) => ({
      startMs: (first + index) * this.bucketMs,
      ...(this.#counts.get(first + index) ?? { requests: 0, failed: 0 }),
    }));
  }
  /**
   * Returns a bar for each of `starts`. A bar lasts until the next start, and the last bar lasts
   * until `toMs`.
   */
  between(starts: readonly number[], toMs: number): readonly HistogramBar[] {
    return starts.map((startMs, index) => {
      const bars = this.bars(startMs, starts[index + 1] ?? toMs);
      const sum = (of: 'requests' | 'failed') => bars.reduce((all, bar) => all + bar[of], 0);
      return { startMs, requests: sum('requests'), failed: sum('failed') };
    });
  }
}
