import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RollingSums } from './recent-figures.ts';

const SLOTS = 4;
const SLOT_MS = 10;

test('totals are the sum of the last slots', () => {
  const steps = fc.array(fc.tuple(fc.nat(45), fc.nat(2)), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (given) => {
      const sums = new RollingSums(3, { slots: SLOTS, slotMs: SLOT_MS });
      const counted: { slot: number; what: number }[] = [];
      let nowMs = 0;
      for (const [passedMs, what] of given) {
        nowMs += passedMs;
        sums.add(what, nowMs);
        const slot = Math.floor(nowMs / SLOT_MS);
        counted.push({ slot, what });
        const recent = counted.filter((each) => each.slot > slot - SLOTS);
        const expected = [0, 1, 2].map((kind) => recent.filter((e) => e.what === kind).length);
        expect([...sums.totals(nowMs)]).toEqual(expected);
      }
    }),
  );
});

test('totals expire without new counts', () => {
  const sums = new RollingSums(1, { slots: SLOTS, slotMs: SLOT_MS });
  sums.add(0, 5);
  expect([...sums.totals(39)]).toEqual([1]);
  expect([...sums.totals(40)]).toEqual([0]);
});
