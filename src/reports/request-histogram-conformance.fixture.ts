/**
 * The tests of request histograms that every engine must pass. They run after `reportsConformance`.
 */

import { expect, test } from 'bun:test';
import { AT_MS } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { DAYS } from './reports.fixture.ts';
import type { RequestFilter } from './request-filter.ts';
import { RequestHistogram } from './request-histogram.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { UsageReport } from './usage-report.ts';

const HOUR_MS = 3_600_000;
const SLOW_MS = 180_000;
const FIRST_DAY_MS = Math.floor(AT_MS / DAY_MS) * DAY_MS;
const ANY: RequestFilter = {
  accountId: 'alice',
  fromMs: FIRST_DAY_MS,
  toMs: FIRST_DAY_MS + (DAYS + 1) * DAY_MS,
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  outcomes: null,
  status: null,
  idPrefix: null,
  currency: null,
  minCost: null,
};
/** Time zones without daylight saving time, each with its offset from UTC. */
const ZONES = [
  ['Asia/Shanghai', 8 * HOUR_MS],
  ['America/Phoenix', -7 * HOUR_MS],
  ['Asia/Kathmandu', 5.75 * HOUR_MS],
] as const;
/**
 * Filters for which the histogram reads roll-ups only, receipts only, or both: receipts for a
 * range's ends within a day, and roll-ups for its whole days.
 */
const FILTERS: readonly Partial<RequestFilter>[] = [
  {},
  { accountId: null },
  { model: 'gen-v4-pro', channel: 'economical' },
  { status: 'failed' },
  { status: 'ok', currency: 'CNY' },
  { outcomes: ['caller_left'] },
  { fromMs: FIRST_DAY_MS + 7 * HOUR_MS + 1 },
  { fromMs: FIRST_DAY_MS + 7 * HOUR_MS + 1, toMs: FIRST_DAY_MS + 5 * DAY_MS + 3, status: 'failed' },
  { fromMs: FIRST_DAY_MS + DAY_MS, toMs: FIRST_DAY_MS + 4 * DAY_MS },
  { fromMs: FIRST_DAY_MS + DAY_MS + 1, toMs: FIRST_DAY_MS + 2 * DAY_MS, status: 'ok' },
];

export function histogramConformance(engine: string, database: () => Database): void {
  test(
    `${engine}: counts the requests of the list in its bars, under every filter`,
    async () => {
      const { sql } = database();
      const histogram = new RequestHistogram(sql, new UsageReport(sql));
      for (const part of FILTERS) {
        const filter = { ...ANY, ...part };
        const listed = await allOf(sql, filter);
        const { bucket, bars } = await histogram.of(filter);
        const widthMs = bucket === 'hour' ? HOUR_MS : DAY_MS;
        expect(bucket).toBe(filter.toMs - filter.fromMs <= 3 * DAY_MS ? 'hour' : 'day');
        const first = Math.floor(filter.fromMs / widthMs);
        const expected = Array.from(
          { length: Math.ceil(filter.toMs / widthMs) - first },
          (_, at) => {
            const startMs = (first + at) * widthMs;
            const here = listed.filter(
              ({ settledAtMs }) => settledAtMs >= startMs && settledAtMs < startMs + widthMs,
            );
            const failed = here.filter(({ outcome }) => outcome !== 'completed').length;
            return { startMs, requests: here.length, failed };
          },
        );
        expect(bars).toEqual(expected);
        expect(listed.length).toBeGreaterThan(0);
      }
    },
    SLOW_MS,
  );

  test(
    `${engine}: counts the requests of the list in the days of any time zone`,
    async () => {
      const { sql } = database();
      const histogram = new RequestHistogram(sql, new UsageReport(sql));
      for (const [timeZone, offsetMs] of ZONES) {
        const filter = { ...ANY, fromMs: FIRST_DAY_MS + HOUR_MS };
        const listed = await allOf(sql, filter);
        const { bars } = await histogram.of(filter, timeZone);
        const dayOf = (ms: number): number => Math.floor((ms + offsetMs) / DAY_MS);
        const first = dayOf(filter.fromMs);
        const expected = Array.from({ length: dayOf(filter.toMs - 1) - first + 1 }, (_, at) => {
          const here = listed.filter(({ settledAtMs }) => dayOf(settledAtMs) === first + at);
          const failed = here.filter(({ outcome }) => outcome !== 'completed').length;
          const startMs = (first + at) * DAY_MS - offsetMs;
          return { startMs, requests: here.length, failed };
        });
        expect(bars).toEqual(expected);
      }
    },
    SLOW_MS,
  );

  test(`${engine}: finds a request by id or prefix, for its own account only`, async () => {
    const { sql } = database();
    const every = (await allOf(sql, ANY)).map((it) => it.requestId);
    const [requestId = ''] = every;
    const ids = async (accountId: string, idPrefix: string): Promise<string[]> =>
      (await allOf(sql, { ...ANY, accountId, idPrefix })).map((it) => it.requestId);
    for (const prefix of [requestId, requestId.slice(0, -1), 'req_1']) {
      expect(await ids('alice', prefix)).toEqual(every.filter((id) => id.startsWith(prefix)));
    }
    expect(await ids('bob', requestId)).not.toContain(requestId);
    expect(await ids('alice', `${requestId}x`)).toEqual([]);
    const histogram = new RequestHistogram(sql, new UsageReport(sql));
    const { bars } = await histogram.of({ ...ANY, idPrefix: requestId });
    const own = every.filter((id) => id.startsWith(requestId)).length;
    expect(bars.reduce((sum, { requests }) => sum + requests, 0)).toBe(own);
  });
}

/** Reads all pages of the request log. */
async function allOf(sql: SqlExecutor, filter: RequestFilter): Promise<readonly LoggedRequest[]> {
  const log = new RequestLog(sql);
  const found: LoggedRequest[] = [];
  let after: Parameters<RequestLog['page']>[2] = null;
  do {
    const { rows, next } = await log.page(filter, 200, after);
    found.push(...rows);
    after = next;
  } while (after !== null);
  return found;
}
