import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { capsAt, type Meter, meteredCharge, meteredHold, meterRate } from './meter.ts';
import { MAX_AMOUNT } from './settlement-plan.ts';

const amount = fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.bigInt({ min: 0n, max: MAX_AMOUNT }));
const rate = fc.record({ scaled: fc.bigInt({ min: 1n, max: 10_000_000_000n }) });

const NO_CAPS: Meter = {
  ...{ held: 0n, total: 0n, day: 0n, in_day: 0n, week: 0n, in_week: 0n, month: 0n, in_month: 0n },
  ...{ cap_day: null, cap_week: null, cap_month: null, cap_total: null },
};

describe('spending caps', () => {
  test('a hold counts no less than any charge within it', () => {
    fc.assert(
      fc.property(amount, amount, fc.option(rate), (one, other, by) => {
        const [charge, hold] = one < other ? [one, other] : [other, one];
        expect(meteredCharge(charge, by)).toBeLessThanOrEqual(meteredHold(hold, by));
      }),
    );
  });

  test('what a cap leaves can be held, and counts no more', () => {
    fc.assert(
      fc.property(amount, amount, fc.option(rate), (cap, held, by) => {
        const key = { ...NO_CAPS, held, cap_total: cap };
        const room = capsAt({ key, account: NO_CAPS }, 0, by, 0n)?.room ?? -1n;
        const left = cap > held ? cap - held : 0n;
        expect(meteredHold(room, by)).toBeLessThanOrEqual(left);
        expect(meteredHold(room + 1n, by)).toBeGreaterThanOrEqual(left);
      }),
    );
  });

  test('only a rate from USD is used for metering', () => {
    expect(meterRate({ base: 'USD', scaled: 7n })).toMatchObject({ scaled: 7n });
    expect(meterRate({ base: 'CNY', scaled: 7n })).toBeNull();
    expect(meterRate(null)).toBeNull();
  });

  test('returns null without a cap', () => {
    expect(capsAt({ key: NO_CAPS, account: NO_CAPS }, 0, null, 1n)).toBeNull();
  });
});
