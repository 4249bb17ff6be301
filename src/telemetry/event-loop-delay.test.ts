import { expect, test } from 'bun:test';
import type { Clock } from '../clock.ts';
import { EventLoopDelay } from './event-loop-delay.ts';

/** Creates a simulated event loop whose delay the test sets. */
function slowLoop() {
  let nowMs = 0;
  let run = (): void => {};
  let cancelled = 0;
  const clock: Pick<Clock, 'monotonicMs' | 'every'> = {
    monotonicMs: () => nowMs,
    every: (_periodMs, each) => {
      run = each;
      return {
        cancel: () => {
          cancelled += 1;
        },
      };
    },
  };
  const turn = (afterMs: number, times = 1): void => {
    for (let i = 0; i < times; i++) {
      nowMs += afterMs;
      run();
    }
  };
  return { clock, turn, cancelled: () => cancelled };
}

test('a punctual loop has no delay, nor has one before the first sample', () => {
  const loop = slowLoop();
  const delay = new EventLoopDelay(loop.clock);
  expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 });
  loop.turn(10, 100);
  expect(delay.read()).toEqual({ p50: 0, p99: 0, max: 0 });
});

test('reports how late the timer ran', () => {
  const loop = slowLoop();
  const delay = new EventLoopDelay(loop.clock);
  loop.turn(11, 97);
  loop.turn(60, 2);
  loop.turn(260);
  expect(delay.read()).toEqual({ p50: 1, p99: 250, max: 250 });
});

test('forgets samples older than a minute', () => {
  const loop = slowLoop();
  const delay = new EventLoopDelay(loop.clock);
  loop.turn(500);
  loop.turn(10, 5_999);
  expect(delay.read().max).toBe(490);
  loop.turn(10);
  expect(delay.read().max).toBe(0);
});

test('stops its timer', () => {
  const loop = slowLoop();
  new EventLoopDelay(loop.clock).stop();
  expect(loop.cancelled()).toBe(1);
});
