import { beforeEach, describe, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import { PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson } from '../money/terms-json.ts';
import { NO_USAGE } from '../money/usage.ts';
import { finished, settledFor } from './finished.fixture.ts';
import type { RouteStanding } from './gauges.ts';
import { Metrics } from './metrics.ts';

let cost: NanoAmount | null;
let routes: RouteStanding[];
let metrics: Metrics;
beforeEach(() => {
  cost = null;
  routes = [];
  metrics = new Metrics({
    clock: manualClock(),
    operatorCost: () => cost,
    gauged: {
      version: '1.2.3',
      runtime: 'bun 1',
      startedAtMs: 5_000,
      requestsInFlight: () => 3,
      requestsReadOn: () => 1,
      requestBytesInFlight: () => 1_024,
      busiestAddress: () => 7,
      addressRefusals: () => 2,
      routes: () => routes,
      loopDelay: () => ({ p50: 1, p99: 20, max: 300 }),
      settlementsSpooled: () => 4,
      recallsUnanswered: () => 0,
      reportAgeMs: () => 2_500,
      nodesWithOtherPrices: () => 0,
      backups: () => ({ intervalMs: 21_600_000, lastGoodMs: 1_790_000_000_000, failures: 2 }),
      configRevision: () => 7,
      logLinesDropped: () => 5,
      spansDropped: () => 6,
    },
  });
});

/** Returns the samples whose names begin with `name`. */
const samples = async (name: string): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

const tried = (result: string): AttemptRecord => ({
  channel: 'direct',
  upstream: 'up',
  model: 'm',
  result,
  startMs: 0,
  durationMs: 30,
});

describe('a settled request', () => {
  test('counts rare events from 0 on, so that an alert sees the first one', async () => {
    metrics.settled(settledFor('req_1', { model: 'gen', channel: 'direct' }, 10n));
    const rare = ['overruns_total', 'unpriced_total', 'operator_loss_currency_units_total'];
    const lines = await Promise.all(rare.map((name) => samples(`modelgate_${name}`)));
    expect(lines.flat()).toEqual([
      'modelgate_overruns_total{model="gen",channel="direct"} 0',
      'modelgate_unpriced_total{model="gen",channel="direct"} 0',
      'modelgate_operator_loss_currency_units_total{currency="USD"} 0',
    ]);
  });

  test('counts as an overrun when charge and loss are above its hold', async () => {
    const given = { model: 'gen' };
    metrics.settled(settledFor('req_1', given, 10n));
    metrics.settled({ ...settledFor('req_2', given, 10n), loss: nano(1n) });
    metrics.settled({ ...settledFor('req_3', given, 10n), held: nano(9n) });
    expect(await samples('modelgate_overruns_total')).toEqual([
      'modelgate_overruns_total{model="gen",channel="direct"} 2',
    ]);
  });

  test('counts answers that were served without a price', async () => {
    const facts = factsJson(PLAIN_FACTS, { assumed: [], unpriced: ['web_fetch'] });
    metrics.settled(settledFor('req_1', { model: 'gen', facts }, 10n));
    metrics.settled(settledFor('req_2', { model: 'gen' }, 10n));
    expect(await samples('modelgate_unpriced_total')).toEqual([
      'modelgate_unpriced_total{model="gen",channel="direct"} 1',
    ]);
  });

  test('counts by bucket, in the units of the metric names', async () => {
    cost = nano(500_000_000n);
    const usage = {
      ...NO_USAGE,
      input: 7,
      cacheRead: 0,
      cacheWrite5m: 2,
      cacheWrite1h: 0,
      output: 5,
    };
    const given = { model: 'gen', usage, durationMs: 1_500, firstByteMs: 250 };
    metrics.settled(settledFor('req_1', given, 1_250_000_000n));
    const of = 'model="gen",channel="direct"';
    expect(await samples('modelgate_tokens_total')).toEqual([
      `modelgate_tokens_total{${of},bucket="input"} 7`,
      `modelgate_tokens_total{${of},bucket="cache_write_5m"} 2`,
      `modelgate_tokens_total{${of},bucket="output"} 5`,
    ]);
    expect(await samples('modelgate_charged')).toEqual([
      `modelgate_charged_currency_units_total{${of},currency="USD"} 1.25`,
    ]);
    expect(await samples('modelgate_operator_cost')).toEqual([
      `modelgate_operator_cost_currency_units_total{${of},currency="USD"} 0.5`,
    ]);
    expect(await samples('modelgate_request_duration_seconds_sum')).toEqual([
      'modelgate_request_duration_seconds_sum{endpoint="chat",model="gen"} 1.5',
    ]);
    expect(await samples('modelgate_request_first_byte_seconds_sum')).toEqual([
      'modelgate_request_first_byte_seconds_sum{endpoint="chat",model="gen"} 0.25',
    ]);
  });

  test('counts requests that the upstream rejects apart from failures of the upstream', async () => {
    const failed = { model: 'gen', outcome: 'upstream_error' } as const;
    for (const errorCode of ['upstream_rejected_request', 'context_length_exceeded'])
      metrics.settled(settledFor('req_1', { ...failed, errorCode }, 0n));
    for (const errorCode of ['upstream_refused_us', 'upstream_overloaded', null])
      metrics.settled(settledFor('req_2', { ...failed, errorCode }, 0n));
    const of = 'endpoint="chat",model="gen",channel="direct"';
    expect(await samples('modelgate_requests_total')).toEqual([
      `modelgate_requests_total{${of},outcome="rejected_request"} 2`,
      `modelgate_requests_total{${of},outcome="upstream_error"} 3`,
    ]);
  });

  test('counts attempts with few labels, whatever an upstream answers', async () => {
    const odd = Array.from({ length: 900 }, (_, i) => tried(String(i + 100)));
    const codes = ['upstream_timeout', '200', '429', '07'].map(tried);
    metrics.settled(settledFor('req_1', { attempts: [...odd, ...codes] }));
    const found = await samples('modelgate_upstream_attempts_total');
    expect(found.length).toBeLessThan(25);
    const of = (result: string) =>
      `modelgate_upstream_attempts_total{upstream="up",result="${result}"}`;
    expect(found).toContain(`${of('upstream_timeout')} 1`);
    expect(found).toContain(`${of('429')} 2`);
    expect(found.find((line) => line.startsWith(of('4xx')))).toBeDefined();
    expect(found.find((line) => line.startsWith(of('other')))).toBeDefined();
  });
});

test('counts refusals by code only when nothing was sold', async () => {
  metrics.finished(finished({ settled: null, status: 401, errorCode: 'invalid_api_key' }));
  metrics.finished(finished({ settled: null, endpoint: null, errorCode: 'unknown_url' }));
  metrics.finished(finished({ status: 502, errorCode: 'upstream_failed' }));
  metrics.finished(finished({ settled: null, errorCode: null }));
  expect(await samples('modelgate_refusals_total')).toEqual([
    'modelgate_refusals_total{endpoint="chat",code="invalid_api_key"} 1',
    'modelgate_refusals_total{endpoint="other",code="unknown_url"} 1',
  ]);
});

test('routes that left the configuration leave the metrics', async () => {
  const open = { upstream: 'a', model: 'm', standing: 'open', inFlight: 2 } as const;
  routes = [open];
  expect(await samples('modelgate_route_')).toEqual([
    'modelgate_route_standing{upstream="a",model="m",standing="closed"} 0',
    'modelgate_route_standing{upstream="a",model="m",standing="half_open"} 0',
    'modelgate_route_standing{upstream="a",model="m",standing="open"} 1',
    'modelgate_route_standing{upstream="a",model="m",standing="cooling"} 0',
    'modelgate_route_standing{upstream="a",model="m",standing="off"} 0',
    'modelgate_route_requests_in_flight{upstream="a",model="m"} 2',
  ]);
  routes = [];
  expect(await samples('modelgate_route_')).toEqual([]);
});

test('reads external counts at each scrape', async () => {
  for (let i = 0; i < 2; i++) {
    const ofBackups = ['interval_seconds', 'last_success_timestamp_seconds', 'failures_total'];
    for (const [at, value] of [21_600, 1_790_000_000, 2].entries()) {
      const name = `modelgate_backup_${ofBackups[at]}`;
      expect(await samples(name)).toEqual([`${name} ${value}`]);
    }
    expect(await samples('modelgate_log_lines_dropped_total')).toEqual([
      'modelgate_log_lines_dropped_total 5',
    ]);
    expect(await samples('modelgate_event_loop_delay')).toEqual([
      'modelgate_event_loop_delay_p50_seconds 0.001',
      'modelgate_event_loop_delay_p99_seconds 0.02',
      'modelgate_event_loop_delay_max_seconds 0.3',
    ]);
    expect(await samples('modelgate_build_info')).toEqual([
      'modelgate_build_info{version="1.2.3",runtime="bun 1"} 1',
    ]);
  }
});
