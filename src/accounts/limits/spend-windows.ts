/**
 * Computes how much a key or an account has spent in each period, and how much its cap still
 * allows.
 */

import type { CapWindow } from '../../ledger/ledger.ts';
import type { Meter } from '../../ledger/meter.ts';
import { type NanoAmount, nano } from '../../money/amount.ts';
import { DAY_MS, daysAt, firstOfMonth } from '../../money/calendar.ts';
import { integer } from '../../store/row.ts';
import type { SqlRow } from '../../store/sql.ts';
import { CAP_WINDOWS, perWindow, type SpendCaps } from './limits.ts';

/** The spending in one period (day, week, month or total), in nano-USD. */
export type SpendWindow = {
  readonly cap: NanoAmount | null;
  readonly spent: NanoAmount;
  /**
   * The amount available for new holds: the cap minus the spent and held amounts, at least 0; null
   * without a cap.
   */
  readonly remaining: NanoAmount | null;
  /** The time when the period ends and the next begins; null for the total, which never ends. */
  readonly resetsAtMs: number | null;
};
export type SpendWindows = { readonly [Window in CapWindow]: SpendWindow };

export function spendWindows(meter: Meter, nowMs: number): SpendWindows {
  const days = daysAt(nowMs);
  const nextMonthMs = firstOfMonth(nowMs, 1) * DAY_MS;
  const window = (cap: bigint | null, spent: bigint, resetsAtMs: number | null): SpendWindow => {
    const left = cap === null ? null : cap - spent - meter.held;
    return {
      cap: cap === null ? null : nano(cap),
      spent: nano(spent),
      remaining: left === null ? null : nano(left > 0n ? left : 0n),
      resetsAtMs,
    };
  };
  // A counter may belong to an earlier day, week or month. In that case, nothing has been spent yet
  // in the current day, week or month.
  const inDay = meter.day < days.day ? 0n : meter.in_day;
  const inWeek = meter.week < days.week ? 0n : meter.in_week;
  const inMonth = meter.month < days.month ? 0n : meter.in_month;
  return {
    day: window(meter.cap_day, inDay, (Number(days.day) + 1) * DAY_MS),
    week: window(meter.cap_week, inWeek, (Number(days.week) + 7) * DAY_MS),
    month: window(meter.cap_month, inMonth, nextMonthMs),
    total: window(meter.cap_total, meter.total, null),
  };
}

/**
 * Converts a row of `spend_meter` to a meter.
 * @param inMemory the amount in nano-USD that is held in memory but not in the row.
 */
export function meterOf(row: SqlRow, inMemory: bigint): Meter {
  const cap = (column: string): bigint | null =>
    row[column] === null ? null : integer(row, column);
  return {
    day: integer(row, 'day'),
    week: integer(row, 'week'),
    month: integer(row, 'month'),
    held: integer(row, 'held') + inMemory,
    total: integer(row, 'total'),
    in_day: integer(row, 'in_day'),
    in_week: integer(row, 'in_week'),
    in_month: integer(row, 'in_month'),
    cap_day: cap('cap_day'),
    cap_week: cap('cap_week'),
    cap_month: cap('cap_month'),
    cap_total: cap('cap_total'),
  };
}

export const capsOf = (windows: SpendWindows): SpendCaps =>
  perWindow((window) => windows[window].cap);

/**
 * Returns the period whose cap has the least remaining. If several are equal, returns the shortest.
 * Returns null without a cap.
 */
export function tightestCap(windows: SpendWindows): CapWindow | null {
  let tightest: CapWindow | null = null;
  let least: bigint | null = null;
  for (const window of CAP_WINDOWS) {
    const { remaining } = windows[window];
    if (remaining !== null && (least === null || remaining < least)) {
      tightest = window;
      least = remaining;
    }
  }
  return tightest;
}
