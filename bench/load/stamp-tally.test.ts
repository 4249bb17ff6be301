import { describe, expect, test } from 'bun:test';
import { StampTally } from './stamp-tally.ts';

function tallyOf(...numbers: readonly number[]): StampTally {
  const tally = new StampTally(6, 2);
  for (const number of numbers) tally.add(number, number * 100);
  return tally;
}

const wrong = ({ lost, doubled, outOfOrder }: StampTally): object => ({
  lost,
  doubled,
  outOfOrder,
});

describe('stamp tally', () => {
  test('counts no errors in a complete stream, and no delays in its warm-up', () => {
    const tally = tallyOf(0, 1, 2, 3, 4, 5);
    expect(wrong(tally)).toEqual({ lost: 0, doubled: 0, outOfOrder: 0 });
    expect(tally.delaysUs).toEqual([200, 300, 400, 500]);
    expect(tally.count).toBe(6);
  });

  test('counts missing events as lost, in the middle and at the end', () => {
    expect(wrong(tallyOf(0, 1, 3))).toEqual({ lost: 3, doubled: 0, outOfOrder: 0 });
    expect(wrong(tallyOf())).toEqual({ lost: 6, doubled: 0, outOfOrder: 0 });
  });

  test('counts a late event as out of order, not as lost', () => {
    expect(wrong(tallyOf(0, 2, 1, 3, 5, 4))).toEqual({ lost: 0, doubled: 0, outOfOrder: 2 });
  });

  test('counts a repeated event as a duplicate, with one delay', () => {
    const tally = tallyOf(0, 1, 2, 3, 3, 4, 5, 2);
    expect(wrong(tally)).toEqual({ lost: 0, doubled: 2, outOfOrder: 0 });
    expect(tally.delaysUs).toEqual([200, 300, 400, 500]);
    expect(tally.count).toBe(8);
  });

  test('throws on an event of another stream and on one from the future', () => {
    expect(() => tallyOf(6)).toThrow('event 6 of 6');
    expect(() => new StampTally(1, 0).add(0, -2_000)).toThrow('before it was written');
  });
});
