/** Tests of the route history that every store engine must pass. */
import { expect } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import type { AttemptRecord, Receipt } from '../ledger/ledger.ts';
import { NO_USAGE } from '../money/usage.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { finished, settledFor } from './finished.fixture.ts';
import { DAY_MS, HOUR_MS } from './hourly-counts.ts';
import { routeSummary } from './route-figures.ts';
import { KEPT_DAYS, KEPT_HOURS, RouteHistory } from './route-history.ts';

/** The time at which the tests' clock starts: midnight in UTC. */
const START_MS = 20_000 * DAY_MS;

export const attempt = (upstream: string, result: string, startMs = 0): AttemptRecord => ({
  ...{ channel: 'direct', upstream, model: 'x', result, startMs, durationMs: 1 },
});

/**
 * Returns a node that counts attempts. Each success with output costs 1,500 pico-USD. By default, a
 * request has 100 output tokens and generates them in one second.
 */
export function node(sql: SqlExecutor, clock = manualClock(START_MS)) {
  const failures: unknown[] = [];
  const history = new RouteHistory({
    ...{ sql, clock },
    costOf: ({ usage }) => (usage.output === 0 ? null : { pico: 1_500n, currency: 'USD' }),
    onFailure: (thrown) => failures.push(thrown),
  });
  const count = (times: number, given: Partial<Receipt>): void => {
    const receipt: Partial<Receipt> = {
      ...{ model: 'gen', streamed: true, firstByteMs: 600, durationMs: 1_600 },
      ...{ outcome: 'completed', errorCode: null, usage: { ...NO_USAGE, output: 100 } },
      ...given,
    };
    for (let i = 0; i < times; i++) {
      const settled = settledFor('req_1', receipt);
      history.finished(finished({ startedAtMs: clock.nowMs(), settled }));
    }
  };
  const of = (upstream: string, span: 'hour' | 'day' = 'hour', model: string | null = 'x') =>
    history.of({ upstream, model, span, fromMs: 0, toMs: clock.nowMs() + DAY_MS });
  return { clock, history, count, of, failures };
}

export function routeHistoryConformance(open: Open): void {
  rule(open, 'adds what several nodes counted, with times and costs', async ({ sql }) => {
    const [one, two] = [node(sql), node(sql)];
    one.count(3, { attempts: [attempt('a', '429'), attempt('b', '200', 100)] });
    two.count(1, { attempts: [attempt('b', '200', 100)] });
    await one.history.close();
    await two.history.close();
    const [a, b] = [await node(sql).of('a'), await node(sql).of('b')];
    expect(a.map(({ counts }) => routeSummary(counts).failures.rate_limited)).toEqual([3]);
    expect(b).toHaveLength(1);
    expect(b[0]?.cost).toEqual({ USD: 4n, CNY: 0n });
    expect(routeSummary(b[0]?.counts ?? [])).toMatchObject({
      ...{ successes: 4, successRatio: 1, costed: 4, tokensPerSecond: 100 },
      firstTokenMs: { p50: 650 },
      durationMs: { p50: 1_300 },
    });
    expect(await node(sql).of('b', 'day')).toEqual(b);
    expect(await node(sql).of('b', 'hour', 'other')).toEqual([]);
    expect(await node(sql).of('b', 'hour', null)).toEqual(b);
  });

  rule(open, 'keeps hours for eight days, and days for 90', async ({ sql }) => {
    const { clock, count, of } = node(sql);
    const one = (): void => count(1, { attempts: [attempt('a', '200')] });
    one();
    clock.advance(KEPT_HOURS * HOUR_MS);
    one();
    await of('a');
    one();
    expect([(await of('a')).length, (await of('a', 'day')).length]).toEqual([1, 2]);
    clock.advance(KEPT_DAYS * DAY_MS);
    one();
    await of('a');
    expect([(await of('a')).length, (await of('a', 'day')).length]).toEqual([1, 1]);
  });
}
