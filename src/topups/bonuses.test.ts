import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nano } from '../money/amount.ts';
import { bonusesOf, bonusOn, bonusShare } from './bonuses.ts';

const { USD: STEPS } = bonusesOf({
  USD: { '1000': '10', '100': '5', '100.01': '7.5' },
  CNY: {},
});

test('the step with the largest amount that a payment reaches decides', () => {
  const bonus = (cents: bigint) => bonusOn(nano(cents * 10_000_000n), STEPS);
  expect([9_999n, 10_000n, 10_001n, 99_999n, 100_000n].map(bonus)).toEqual([
    ...[nano(0n), nano(5_000_000_000n), nano(7_500_750_000n)],
    ...[nano(74_999_250_000n), nano(100_000_000_000n)],
  ]);
  expect(bonusOn(nano(5n), [])).toBe(nano(0n));
});

test('a bonus and its parts are rounded down to a nano-unit', () => {
  const steps = bonusesOf({ USD: { '0': '0.0001' }, CNY: {} }).USD;
  expect(bonusOn(nano(10_000_000n), steps)).toBe(nano(10n));
  expect(bonusOn(nano(1_999_999n), steps)).toBe(nano(1n));
  fc.assert(
    fc.property(
      fc.bigInt(1n, 99_999_999n),
      fc.bigInt(0n, 10n ** 15n),
      fc.array(fc.bigInt(1n, 9_999n), { maxLength: 9 }),
      (minorAmount, whole, parts) => {
        const order = { bonus: nano(whole), minorAmount };
        expect(bonusShare(order, minorAmount)).toBe(nano(whole));
        let [left, taken] = [minorAmount, 0n];
        for (const part of [...parts, minorAmount]) {
          const minor = part < left ? part : left;
          left -= minor;
          taken += bonusShare(order, minor);
        }
        // Each part of the bonus is rounded down by less than one nano-unit, so the parts together
        // never exceed the bonus.
        expect(left).toBe(0n);
        expect(taken <= whole && whole - taken <= BigInt(parts.length)).toBe(true);
      },
    ),
    { seed: 66, numRuns: 200 },
  );
});
