/** Tests of the channel history that every store engine must pass. */
import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { summaryOf } from '../routing/channel-figures.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { ChannelHistory } from './channel-history.ts';
import { finished, settledFor } from './finished.fixture.ts';
import type { FinishedRequest } from './request-journal.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The time at which the tests' clock starts: midnight in UTC. */
const START_MS = 20_000 * DAY_MS;

export function channelHistoryConformance(engine: string, open: () => Promise<SqlExecutor>): void {
  const rule = (name: string, check: (sql: SqlExecutor) => Promise<void>): void =>
    test(`${engine}: ${name}`, async () => await check(await open()), 60_000);

  rule('adds what several nodes counted, and keeps it over a restart', async (sql) => {
    const [one, two] = [node(sql), node(sql)];
    one.requests(30, {});
    two.requests(10, { outcome: 'upstream_error', errorCode: 'upstream_failed' });
    await one.history.close();
    await two.history.close();
    const snapshot = await node(sql).history.current();
    const { hours, days } = snapshot.of('gen', 'direct');
    expect([hours.length, days.length]).toEqual([24, 90]);
    expect(summaryOf(hours.at(-1) ?? [])?.successRatio).toBe(0.75);
    expect(summaryOf(days.at(-1) ?? [])).toEqual(summaryOf(hours.at(-1) ?? []));
  });

  rule('merges failing hours in a row into one incident', async (sql) => {
    const { clock, requests, refreshed } = node(sql);
    const failing = { outcome: 'upstream_timeout', errorCode: 'upstream_timeout' } as const;
    requests(18, {});
    requests(2, failing);
    clock.advance(HOUR_MS);
    requests(20, failing);
    clock.advance(HOUR_MS);
    requests(19, {});
    requests(1, failing);
    expect((await refreshed()).incidents).toEqual([
      {
        model: 'gen',
        channel: 'direct',
        fromMs: START_MS,
        untilMs: START_MS + 2 * HOUR_MS,
        isOngoing: true,
        successRatio: 0.45,
      },
    ]);
    clock.advance(HOUR_MS);
    expect((await refreshed()).incidents[0]?.isOngoing).toBe(false);
  });

  rule('reads the rows in steps of any length', async (sql) => {
    const { clock, requests, refreshed } = node(sql);
    for (let hour = 0; hour < 3; hour += 1) {
      for (const channel of ['direct', 'economical', 'stable'])
        requests(20 + hour, {
          channel,
          outcome: 'upstream_timeout',
          errorCode: 'upstream_timeout',
        });
      clock.advance(HOUR_MS);
    }
    const whole = await refreshed();
    expect(whole.incidents).toHaveLength(3);
    for (const stepRows of [1, 2, 5]) {
      const read: number[] = [];
      const counting: SqlExecutor = {
        query: async (of) => {
          const rows = await sql.query(of);
          read.push(rows.length);
          return rows;
        },
        transaction: (of, audit) => sql.transaction(of, audit),
      };
      const deps = { sql: counting, clock, channelOf: () => null, onFailure: () => {}, stepRows };
      const snapshot = await new ChannelHistory(deps).current();
      expect(snapshot.incidents).toEqual(whole.incidents);
      for (const channel of ['direct', 'economical', 'stable'])
        expect(snapshot.of('gen', channel)).toEqual(whole.of('gen', channel));
      expect(Math.max(...read)).toBe(stepRows);
    }
  });

  rule('keeps days and incidents for 90 days, and other hours for one', async (sql) => {
    const { clock, requests, refreshed } = node(sql);
    requests(20, {});
    clock.advance(HOUR_MS);
    requests(20, { outcome: 'upstream_error', errorCode: 'upstream_failed' });
    clock.advance(2 * DAY_MS);
    requests(20, {});
    await refreshed();
    expect(await rowsOf(sql)).toEqual(['day 0', 'day 2', 'hour 1', 'hour 49']);
    expect((await refreshed()).incidents).toHaveLength(1);
    clock.advance(90 * DAY_MS);
    requests(20, {});
    await refreshed();
    expect(await rowsOf(sql)).toEqual(['day 92', 'hour 2209']);
  });
}

/**
 * Returns each row as text: `hour` or `day`, and how many hours or days after `START_MS` it starts.
 */
const rowsOf = async (sql: SqlExecutor): Promise<readonly string[]> =>
  (
    await sql.query({
      sql: 'SELECT span, start_ms FROM channel_figures ORDER BY span, start_ms',
      params: [],
    })
  ).map(({ span, start_ms: startMs }) => {
    const unitMs = span === 'day' ? DAY_MS : HOUR_MS;
    return `${span} ${(Number(startMs) - START_MS) / unitMs}`;
  });

/** Returns a node that counts requests for the model `gen`, whose default channel is `direct`. */
export function node(sql: SqlExecutor) {
  const clock = manualClock(START_MS);
  const failures: unknown[] = [];
  const history = new ChannelHistory({
    sql,
    clock,
    channelOf: (model) => (model === 'gen' ? 'direct' : null),
    onFailure: (thrown) => failures.push(thrown),
  });
  const count = (given: Partial<FinishedRequest>): void =>
    history.finished(finished({ startedAtMs: clock.nowMs(), ...given }));
  const requests = (times: number, given: Partial<Receipt>): void => {
    const receipt = { model: 'gen', channel: 'direct', attempts: [], ...given };
    for (let i = 0; i < times; i++) count({ settled: settledFor('req_1', receipt) });
  };
  const refreshed = async () => {
    await history.close();
    const later = new ChannelHistory({ sql, clock, channelOf: () => null, onFailure: () => {} });
    return await later.current();
  };
  return { clock, history, count, requests, refreshed, failures };
}
