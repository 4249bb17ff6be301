import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  capsAt,
  type Meter,
  type Meters,
  memberMeter,
  meteredCharge,
  meteredHold,
  meterRate,
} from './meter.ts';
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
        const room = capsAt({ key, member: null, account: NO_CAPS }, 0, by, 0n)?.room ?? -1n;
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

  test("a member's keys count together what they hold, and windows that have not ended", () => {
    const days = { day: 20n, week: 18n, month: 11n };
    const spent = { in_day: 1n, in_week: 10n, in_month: 100n };
    const caps = { cap_day: 7n, cap_week: 70n, cap_month: null };
    const meters = [
      { ...NO_CAPS, ...days, ...spent, held: 3n, total: 1_000n, cap_day: 1n },
      { ...NO_CAPS, ...days, ...spent, held: 4n, total: 2_000n, day: 19n, month: 10n },
      // The periods of this meter begin in the future, as after a clock that was ahead.
      { ...NO_CAPS, ...days, ...spent, day: 25n, week: 25n },
    ];
    expect(memberMeter({ caps, meters }, days)).toEqual({
      ...{ ...NO_CAPS, ...days, ...caps },
      ...{ held: 7n, total: 3_000n, in_day: 2n, in_week: 30n, in_month: 200n },
    });
  });

  test("the key's caps come first, then the member's, then the account's", () => {
    const capped = { ...NO_CAPS, cap_day: 5n };
    const member = { caps: { cap_day: null, cap_week: 5n, cap_month: 4n }, meters: [capped] };
    const refusalOf = (meters: Meters) => capsAt(meters, 0, null, 6n)?.refusal;
    expect(refusalOf({ key: capped, member, account: capped })).toMatchObject({ owner: 'key' });
    expect(refusalOf({ key: NO_CAPS, member, account: capped })).toEqual({
      ...({ owner: 'member', window: 'week', available: 4n } as const),
    });
    expect(refusalOf({ key: NO_CAPS, member: null, account: capped })).toMatchObject({
      owner: 'account',
    });
  });

  test('returns null without a cap', () => {
    expect(capsAt({ key: NO_CAPS, member: null, account: NO_CAPS }, 0, null, 1n)).toBeNull();
  });
});
