import { expect, test } from 'bun:test';
import { finish, inSlices, type Steps } from './steps.ts';

/** Counts to `last`, one number per step. Each step advances `clock` by a millisecond. */
function* counting(last: number, clock: { nowMs: number }): Steps<number> {
  for (let at = 0; at < last; at += 1) {
    clock.nowMs += 1;
    yield;
  }
  return last;
}

test('steps run at once, or in slices of a few milliseconds with turns between them', async () => {
  const clock = { nowMs: 0 };
  const turns: number[] = [];
  const sliced = {
    monotonicMs: () => clock.nowMs,
    sleep: async () => void turns.push(clock.nowMs),
  };
  expect(finish(counting(10, clock))).toBe(10);
  clock.nowMs = 0;
  expect(await inSlices(counting(10, clock), sliced)).toBe(10);
  expect(turns).toEqual([2, 4, 6, 8, 10]);
  expect(await inSlices(counting(1, clock), sliced)).toBe(1);
  expect(turns).toHaveLength(5);
});
