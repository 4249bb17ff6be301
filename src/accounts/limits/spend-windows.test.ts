import { describe, expect, test } from 'bun:test';
import type { Meter } from '../../ledger/meter.ts';
import { nano } from '../../money/amount.ts';
import { daysAt } from '../../money/calendar.ts';
import { meterOf, spendWindows, tightestCap } from './spend-windows.ts';

/** A Wednesday, the last day of a month and of a year. */
const NOW_MS = Date.parse('2025-12-31T23:59:59Z');

/** Returns a meter that was last used at this time, with 7 held and caps of 100 and more. */
const meterAt = (time: string, changed: Partial<Meter> = {}): Meter => ({
  ...daysAt(Date.parse(time)),
  ...{ held: 7n, total: 40n, in_day: 10n, in_week: 20n, in_month: 30n },
  ...{ cap_day: 100n, cap_week: 200n, cap_month: 300n, cap_total: 400n },
  ...changed,
});

describe('the spending in each period', () => {
  test('leaves the cap without what is spent and held, until the period ends', () => {
    expect(spendWindows(meterAt('2025-12-31T00:00:00Z'), NOW_MS)).toEqual({
      day: {
        ...{ cap: nano(100n), spent: nano(10n), remaining: nano(83n) },
        resetsAtMs: Date.parse('2026-01-01T00:00:00Z'),
      },
      week: {
        ...{ cap: nano(200n), spent: nano(20n), remaining: nano(173n) },
        resetsAtMs: Date.parse('2026-01-05T00:00:00Z'),
      },
      month: {
        ...{ cap: nano(300n), spent: nano(30n), remaining: nano(263n) },
        resetsAtMs: Date.parse('2026-01-01T00:00:00Z'),
      },
      total: { cap: nano(400n), spent: nano(40n), remaining: nano(353n), resetsAtMs: null },
    });
  });

  test.each([
    ['yesterday', '2025-12-30T23:59:59Z', [0n, 20n, 30n, 40n]],
    ['last week', '2025-12-28T23:59:59Z', [0n, 0n, 30n, 40n]],
    ['last month', '2025-11-30T23:59:59Z', [0n, 0n, 0n, 40n]],
  ] as const)('does not include what a period before it had: %s', (_when, time, spent) => {
    const { day, week, month, total } = spendWindows(meterAt(time), NOW_MS);
    expect([day, week, month, total].map((window) => window.spent)).toEqual(spent.map(nano));
  });

  test('never leaves less than nothing, and has nothing left to report without a cap', () => {
    const meter = meterAt('2025-12-31T00:00:00Z', { cap_day: 16n, cap_week: null });
    const { day, week } = spendWindows(meter, NOW_MS);
    expect([day.remaining, week.cap, week.remaining]).toEqual([nano(0n), null, null]);
  });
});

test('the tightest cap is the one with the least remaining, the shortest period of equals', () => {
  const tightest = (caps: Partial<Meter>) =>
    tightestCap(spendWindows(meterAt('2025-12-31T00:00:00Z', caps), NOW_MS));
  expect(tightest({})).toBe('day');
  expect(tightest({ cap_month: 60n })).toBe('month');
  expect(tightest({ cap_week: 110n })).toBe('day');
  expect(tightest({ cap_day: null, cap_week: null })).toBe('month');
  const none = { cap_day: null, cap_week: null, cap_month: null, cap_total: null };
  expect(tightest(none)).toBeNull();
});

test('a meter read from its row includes what is held in memory', () => {
  const meter = meterAt('2025-12-31T00:00:00Z', { cap_week: null });
  expect(meterOf({ ...meter }, 5n)).toEqual({ ...meter, held: 12n });
});
