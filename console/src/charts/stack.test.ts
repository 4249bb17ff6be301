import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { slotsOf } from './palette.ts';
import { daysUntil, type Piece, stackOf } from './stack.ts';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'];
const piece = (period: string, group: string, amount: bigint): Piece => ({ period, group, amount });

describe('a stack', () => {
  test('has the groups in the order of their colors and merges those without one', () => {
    const stack = stackOf(
      [
        piece('2026-11-20', 'b', 1n),
        piece('2026-11-20', 'a', 10n),
        piece('2026-11-20', 'gray', 3n),
        piece('2026-11-21', 'dull', 0n),
        piece('2026-11-21', 'b', 5n),
      ],
      DAYS,
      slotsOf(['unused', 'a', 'b'], []),
    );
    expect(stack.groups).toEqual(['a', 'b']);
    expect(stack.hasOthers).toBe(true);
    expect(stack.rows).toEqual([
      { period: '2026-11-20', amounts: [10n, 1n, 3n], total: 14n },
      { period: '2026-11-21', amounts: [null, 5n, 0n], total: 5n },
      { period: '2026-11-22', amounts: [null, null, null], total: null },
    ]);
    expect(stack.sum).toEqual({ amounts: [10n, 6n, 3n], total: 19n });
  });

  test('distinguishes no data from zero, and ignores other periods', () => {
    const slots = slotsOf(['a', 'b'], []);
    const stack = stackOf(
      [piece('2026-11-19', 'a', 7n), piece('2026-11-20', 'b', 0n)],
      DAYS,
      slots,
    );
    expect(stack.groups).toEqual(['b']);
    expect(stack.rows.map(({ total }) => total)).toEqual([0n, null, null]);
    expect(stackOf([], DAYS, slots).sum.total).toBeNull();
  });

  test('keeps the total, however groups are merged', () => {
    const pieces = fc.array(
      fc.record({
        period: fc.constantFrom(...DAYS),
        group: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        amount: fc.bigInt({ min: 0n, max: 10n ** 20n }),
      }),
    );
    const known = fc.subarray(['a', 'b', 'c', 'd', 'e']);
    fc.assert(
      fc.property(pieces, known, (given, colored) => {
        const { rows, sum } = stackOf(given, DAYS, slotsOf(colored, []));
        const all = given.reduce((total, { amount }) => total + amount, 0n);
        const of = (amounts: readonly (bigint | null)[]) =>
          amounts.reduce<bigint>((total, amount) => total + (amount ?? 0n), 0n);
        expect(sum.total ?? 0n).toBe(all);
        expect(of(sum.amounts)).toBe(all);
        expect(of(rows.flatMap(({ amounts }) => amounts))).toBe(all);
        expect(of(rows.map(({ total }) => total))).toBe(all);
      }),
    );
  });
});

test('days are counted in UTC, today last', () => {
  const midnight = Date.parse('2026-03-01T00:00:00Z');
  expect(daysUntil(midnight, 2)).toEqual(['2026-02-28', '2026-03-01']);
  expect(daysUntil(midnight - 1, 1)).toEqual(['2026-02-28']);
});
