import { beforeEach, describe, expect, test } from 'bun:test';
import { manualClock } from './clock.fixture.ts';
import { newId, SharedTimers, systemClock } from './clock.ts';

test('a manual clock draws the same bytes in every run', () => {
  expect(manualClock().randomBytes(8)).toEqual(manualClock().randomBytes(8));
});

test('ids drawn at one moment differ, however many', () => {
  const clock = manualClock();
  const ids = Array.from({ length: 20_000 }, () => newId(clock, 'x'));
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids sort by the time they were made', () => {
  const clock = manualClock();
  const ids = Array.from({ length: 50 }, () => {
    clock.advance(7);
    return newId(clock, 'x');
  });
  expect(ids.toSorted()).toEqual(ids);
});

test('timers run in the order in which they fall due', () => {
  const clock = manualClock();
  const ran: string[] = [];
  clock.after(20, () => ran.push('late'));
  clock.after(10, () => ran.push('early'));
  clock.after(15, () => ran.push('never')).cancel();
  clock.advance(20);
  expect(ran).toEqual(['early', 'late']);
});

/**
 * The fake timers of the runtime, each with its due time and whether it keeps the process alive.
 */
let natives: { readonly run: () => void; readonly dueMs: number; isReferenced: boolean }[];
let nowMs: number;
let timers: SharedTimers;
let ran: string[];

beforeEach(() => {
  natives = [];
  nowMs = 0;
  ran = [];
  timers = new SharedTimers({
    nowMs: () => nowMs,
    start: (run, delayMs) => {
      const native = { run, dueMs: nowMs + delayMs, isReferenced: true };
      natives.push(native);
      return {
        ref: () => {
          native.isReferenced = true;
        },
        unref: () => {
          native.isReferenced = false;
        },
      };
    },
  });
});

const start = (delayMs: number, name: string) => timers.after(delayMs, () => ran.push(name));

/** Advances the time by `ms`, and fires the runtime's timers that become due meanwhile. */
function pass(ms: number): void {
  const untilMs = nowMs + ms;
  for (;;) {
    const [next] = natives.toSorted((one, other) => one.dueMs - other.dueMs);
    if (next === undefined || next.dueMs > untilMs) break;
    natives.splice(natives.indexOf(next), 1);
    nowMs = next.dueMs;
    next.run();
  }
  nowMs = untilMs;
}

test('each shared timer runs after its own delay, and once', () => {
  start(100, 'a');
  start(30, 'b');
  pass(50);
  start(100, 'c');
  pass(49);
  expect(ran).toEqual(['b']);
  pass(1);
  expect(ran).toEqual(['b', 'a']);
  pass(49);
  expect(ran).toEqual(['b', 'a']);
  pass(1);
  expect(ran).toEqual(['b', 'a', 'c']);
  pass(1000);
  expect(ran).toHaveLength(3);
});

describe('many shared timers of one delay', () => {
  test('share one timer of the runtime', () => {
    for (let at = 0; at < 1000; at++) {
      start(100, 'x').cancel();
      nowMs += 0.01;
    }
    start(100, 'last');
    expect(natives).toHaveLength(1);
    pass(95);
    expect(natives).toHaveLength(1);
    expect(ran).toEqual([]);
    pass(5);
    expect([ran, natives, timers.size]).toEqual([['last'], [], 0]);
  });

  test('keep the process alive only while one of them runs', () => {
    const one = start(100, 'one');
    const two = start(100, 'two');
    one.cancel();
    expect(natives[0]?.isReferenced).toBe(true);
    two.cancel();
    two.cancel();
    expect(natives[0]?.isReferenced).toBe(false);
    start(100, 'three');
    expect(natives[0]?.isReferenced).toBe(true);
  });
});

test('a shared timer may cancel another that is due, and start one', () => {
  const others: { cancel(): void }[] = [];
  timers.after(10, () => {
    for (const other of others) other.cancel();
    start(10, 'new');
  });
  others.push(start(10, 'canceled'));
  start(10, 'kept');
  pass(10);
  expect(ran).toEqual(['kept']);
  pass(10);
  expect(ran).toEqual(['kept', 'new']);
});

test('a shared timer may run longer than a timer of the runtime', () => {
  const longestMs = 2 ** 31 - 1;
  start(3 * longestMs, 'late');
  start(Number.POSITIVE_INFINITY, 'never');
  expect(natives.map(({ dueMs }) => dueMs)).toEqual([longestMs, longestMs]);
  pass(3 * longestMs - 1);
  expect(ran).toEqual([]);
  pass(1);
  expect(ran).toEqual(['late']);
});

test('a shared timer for a time that has passed runs without a delay', () => {
  timers.after(-4.6, () => ran.push('late'));
  expect(natives.map(({ dueMs }) => dueMs)).toEqual([0]);
  natives[0]?.run();
  expect(ran).toEqual(['late']);
});

test('sleeps longer than a timer of the runtime', async () => {
  const sleep = systemClock.sleep(2 ** 31).then(() => 'at once');
  expect(await Promise.race([sleep, systemClock.sleep(20)])).toBeUndefined();
});

test('an error does not stop the other shared timers', () => {
  timers.after(10, () => {
    throw new Error('a bug');
  });
  start(10, 'after');
  expect(() => pass(10)).toThrow('a bug');
  pass(0);
  expect(ran).toEqual(['after']);
});
