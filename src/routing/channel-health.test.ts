import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { figuresOf } from './channel-figures.fixture.ts';
import { NO_FIGURES } from './channel-figures.ts';
import { channelHealth } from './channel-health.ts';
import { type AttemptResult, RouteHealthBook } from './route-health.ts';
import { channelOf, routeTo } from './routes.fixture.ts';

const FAILURE: AttemptResult = { kind: 'failure', code: 'upstream_failed', cause: null };
const channel = channelOf('direct', routeTo('a'), routeTo('b'));

const OK = { ok: true, firstTokenMs: 100, generated: { tokens: 50, tookMs: 500 } };
const FAILED = { ok: false, firstTokenMs: null, generated: null };
const figures = (ok: number, failed: number) =>
  figuresOf(...Array(ok).fill(OK), ...Array(failed).fill(FAILED));

function bench() {
  const clock = manualClock();
  const book = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => false });
  const attempts = (times: number, route: string, result: AttemptResult): void => {
    for (let i = 0; i < times; i++) book.begin(route, 'stream').end(result);
  };
  const health = (hours = [NO_FIGURES]) => channelHealth(book, channel, { hours, days: hours });
  return { clock, attempts, health };
}

test('is unknown, not healthy, without requests in a day', () => {
  const { health } = bench();
  const none = { status: 'unknown', lastDay: null, last90Days: null } as const;
  expect(health()).toEqual(none);
  expect(health([figures(18, 1)])).toEqual(none);
});

test('few requests show that all succeeded, but no figures of their speed', () => {
  const { status, lastDay } = bench().health([figures(1, 0)]);
  expect(status).toBe('healthy');
  expect(lastDay).toEqual({ successRatio: 1, firstTokenMs: null, tokensPerSecond: null });
});

test('stays healthy for 24 hours after the last request', () => {
  const quiet = Array.from({ length: 23 }, () => NO_FIGURES);
  expect(bench().health([figures(20, 0), ...quiet]).status).toBe('healthy');
});

test('figures are of the channel: success, first token and speed', () => {
  expect(bench().health([figures(18, 2)]).lastDay).toEqual({
    successRatio: 0.9,
    firstTokenMs: { p50: 103, p95: 123 },
    tokensPerSecond: 100,
  });
});

test('is degraded while a tenth of the requests of this hour and the last fail', () => {
  const { health } = bench();
  expect(health([figures(18, 2), NO_FIGURES]).status).toBe('degraded');
  expect(health([figures(18, 2), NO_FIGURES, NO_FIGURES]).status).toBe('healthy');
  expect(health([figures(19, 1), NO_FIGURES]).status).toBe('healthy');
});

test('is degraded while one route is open, down while all are, and degraded on trial', () => {
  const { clock, attempts, health } = bench();
  attempts(5, 'a/x', FAILURE);
  expect(health().status).toBe('degraded');
  attempts(5, 'b/x', FAILURE);
  expect(health().status).toBe('down');
  clock.advance(10_000);
  expect(health().status).toBe('degraded');
  attempts(2, 'a/x', { kind: 'success' });
  attempts(2, 'b/x', { kind: 'success' });
  expect(health().status).toBe('unknown');
});

test('sums the counts only once', () => {
  const book = new RouteHealthBook({ ...bench(), onChange: () => {}, isProbed: () => false });
  let reads = 0;
  const counts = {
    hours: [figures(20, 0)],
    get days() {
      reads += 1;
      return [figures(20, 0)];
    },
  };
  const first = channelHealth(book, channel, counts);
  expect([channelHealth(book, channel, counts), reads]).toEqual([first, 1]);
});
