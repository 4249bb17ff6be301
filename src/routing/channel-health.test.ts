import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { channelHealth, channelHours } from './channel-health.ts';
import { type AttemptResult, RouteHealthBook } from './route-health.ts';
import { channelOf, routeTo } from './routes.fixture.ts';

const SUCCESS: AttemptResult = { kind: 'success' };
const FAILURE: AttemptResult = { kind: 'failure', code: 'upstream_failed', cause: null };
const channel = channelOf('direct', routeTo('a'), routeTo('b'));

function bench() {
  const clock = manualClock();
  const book = new RouteHealthBook({ clock, onChange: () => {}, isProbed: () => false });
  const exchanges = (times: number, route: string, verdict: AttemptResult): void => {
    for (let i = 0; i < times; i++) {
      const trial = book.begin(route, 'stream');
      clock.advance(100);
      trial.firstByte();
      trial.end(verdict);
    }
  };
  const hours = () => channelHours(book, channel);
  return { clock, exchanges, hours, health: () => channelHealth(book, channel) };
}

test('reports nothing for a healthy channel with few requests', () => {
  const { exchanges, health } = bench();
  expect(health()).toBeNull();
  exchanges(19, 'a/x', SUCCESS);
  expect(health()).toBeNull();
});

test('combines the figures of its routes', () => {
  const { exchanges, health } = bench();
  exchanges(15, 'a/x', SUCCESS);
  exchanges(3, 'b/x', FAILURE);
  exchanges(2, 'b/x', SUCCESS);
  expect(health()).toEqual({
    status: 'healthy',
    successRatio: 0.85,
    firstByteMs: { p50: 101, p95: 101 },
  });
});

test('is degraded while one route is open, down while all are, and degraded on trial', () => {
  const { clock, exchanges, health } = bench();
  exchanges(5, 'a/x', FAILURE);
  expect(health()).toEqual({ status: 'degraded', successRatio: null, firstByteMs: null });
  exchanges(5, 'b/x', FAILURE);
  expect(health()?.status).toBe('down');
  clock.advance(10_000);
  expect(health()?.status).toBe('degraded');
  exchanges(2, 'a/x', SUCCESS);
  exchanges(2, 'b/x', SUCCESS);
  expect(health()).toBeNull();
});

test('reports the success ratio per hour, or null with too few requests', () => {
  const { clock, exchanges, hours } = bench();
  exchanges(15, 'a/x', SUCCESS);
  exchanges(5, 'b/x', FAILURE);
  clock.advance(3_600_000);
  exchanges(19, 'a/x', SUCCESS);
  clock.advance(3_600_000);
  exchanges(20, 'a/x', SUCCESS);
  expect(hours().slice(-4)).toEqual([null, 0.75, null, 1]);
  expect(hours()).toHaveLength(24);
  clock.advance(22 * 3_600_000);
  expect(hours().filter((ratio) => ratio !== null)).toEqual([1]);
});
