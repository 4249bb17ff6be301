import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FX_SCALE } from '../money/price.ts';
import {
  affordable,
  MAX_AMOUNT,
  MAX_BALANCE,
  type Means,
  planHold,
  planSettle,
} from './settlement-plan.ts';

const amount = fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.bigInt({ min: 0n, max: MAX_AMOUNT }));
const rate = fc.option(
  fc
    .oneof(fc.bigInt({ min: 1n, max: 1_000_000_000n }), fc.constant(710_000_000n))
    .map((scaled) => ({
      scaled,
    })),
);
const means: fc.Arbitrary<Means> = fc.record({ own: amount, other: amount, rate });

describe('a hold', () => {
  test('is granted in full, in part down to its minimum, or not at all', () => {
    fc.assert(
      fc.property(means, amount, amount, (has, wanted, least) => {
        const atLeast = least < wanted ? least : wanted;
        const most = affordable(has);
        const plan = planHold(wanted, atLeast, has);
        expect(plan?.amount ?? null).toBe(most < atLeast ? null : most < wanted ? most : wanted);
      }),
    );
  });

  test('never takes more than there is, and its reserve buys the missing part', () => {
    fc.assert(
      fc.property(means, amount, (has, wanted) => {
        const plan = planHold(wanted, 0n, has);
        if (plan === null) throw new Error('a hold of at least nothing is always granted');
        expect(plan.own).toBeLessThanOrEqual(has.own);
        expect(plan.reserve).toBeLessThanOrEqual(has.other);
        const bought = (plan.reserve * (has.rate?.scaled ?? 0n)) / FX_SCALE;
        expect(plan.own + bought).toBeGreaterThanOrEqual(plan.amount);
      }),
    );
  });

  test('never reports more than the maximum of a wallet as affordable', () => {
    const rich = { own: MAX_AMOUNT, other: MAX_AMOUNT, rate: { scaled: 710_000_000n } };
    expect(affordable(rich)).toBe(MAX_BALANCE);
  });
});

describe('a settlement', () => {
  test('accounts for the whole charge, within the means', () => {
    fc.assert(
      fc.property(means, amount, (has, charge) => {
        const { taken, bought, sold, loss } = planSettle(charge, has);
        expect(taken + loss).toBe(charge);
        expect(taken - bought).toBeLessThanOrEqual(has.own);
        expect(sold).toBeLessThanOrEqual(has.other);
        expect(loss >= 0n && bought >= 0n && sold >= 0n).toBe(true);
      }),
    );
  });

  test('within its hold is never a loss', () => {
    fc.assert(
      fc.property(means, amount, amount, (has, wanted, least) => {
        const plan = planHold(wanted, 0n, has);
        const charge = least < (plan?.amount ?? 0n) ? least : (plan?.amount ?? 0n);
        const held = { own: plan?.own ?? 0n, other: plan?.reserve ?? 0n, rate: has.rate };
        expect(planSettle(charge, held).loss).toBe(0n);
      }),
    );
  });
});
