/** The arithmetic of spending caps. Caps count nano-USD, so that one cap covers both wallets. */

import { type Currency, divideHalfEven } from '../money/amount.ts';
import { type Days, daysAt } from '../money/calendar.ts';
import { FX_SCALE, type FxRate } from '../money/price.ts';
import type { CapOwner, CapWindow } from './ledger.ts';

/** The currency of spending caps. */
export const METER_CURRENCY: Currency = 'USD';

/** The exchange rate from USD to the currency of an amount; null when the amount is in USD. */
type Rate = Pick<FxRate, 'scaled'> | null;

/**
 * A row of `spend_meter`: the spending and caps of a key or account. For example, `in_day` is the
 * amount spent on the day `day`.
 */
export type Meter = Days & {
  readonly held: bigint;
  readonly total: bigint;
  readonly in_day: bigint;
  readonly in_week: bigint;
  readonly in_month: bigint;
  readonly cap_day: bigint | null;
  readonly cap_week: bigint | null;
  readonly cap_month: bigint | null;
  readonly cap_total: bigint | null;
};

/**
 * Returns the amount, in nano-USD, by which a hold counts against caps. Rounds up, so that a charge
 * within the hold never counts more.
 */
export function meteredHold(amount: bigint, rate: Rate): bigint {
  return rate === null ? amount : (amount * FX_SCALE + rate.scaled - 1n) / rate.scaled;
}

/** Returns the amount, in nano-USD, that a charge uses of caps, rounded half to even. */
export function meteredCharge(charge: bigint, rate: Rate): bigint {
  return rate === null ? charge : divideHalfEven(charge * FX_SCALE, rate.scaled);
}

/**
 * Adds a charge to a meter. Periods only move forward. If a clock jumps back, a charge counts in
 * the current period, so that a cap may refuse too early but never too late.
 */
export function spend(
  meter: { -readonly [Field in keyof Meter]: Meter[Field] },
  metered: bigint,
  { day, week, month }: Days,
): void {
  meter.total += metered;
  meter.in_day = day > meter.day ? metered : meter.in_day + metered;
  meter.in_week = week > meter.week ? metered : meter.in_week + metered;
  meter.in_month = month > meter.month ? metered : meter.in_month + metered;
  if (day > meter.day) meter.day = day;
  if (week > meter.week) meter.week = week;
  if (month > meter.month) meter.month = month;
}

/**
 * Returns the exchange rate of a receipt if the rate's base is USD; otherwise null. Without a rate,
 * an amount in CNY counts as if it were USD. That is never too little, because 1 CNY is worth less
 * than 1 USD.
 */
export const meterRate = (rate: Pick<FxRate, 'base' | 'scaled'> | null): Rate =>
  rate?.base === METER_CURRENCY ? rate : null;

/**
 * A refusal by caps. `owner` and `window` name the first cap that allows too little. `available` is
 * the smallest amount that any cap still allows, in the command's currency.
 */
export type CapRefusal = {
  readonly owner: CapOwner;
  readonly window: CapWindow;
  readonly available: bigint;
};

/** The caps of a member, and the meters of all keys of the account that the member created. */
export type Member = {
  readonly caps: Pick<Meter, 'cap_day' | 'cap_week' | 'cap_month'>;
  readonly meters: readonly Meter[];
};

/**
 * The meters of a key, of the member who created it, and of the account; `member` is null if that
 * member has no cap.
 */
export type Meters = {
  readonly key: Meter;
  readonly member: Member | null;
  readonly account: Meter;
};

/**
 * Returns a member's meter: the member's caps, and the sums of what the member's keys hold and have
 * spent in the periods of `days`.
 */
export function memberMeter({ caps, meters }: Member, days: Days): Meter {
  const sum = { held: 0n, total: 0n, in_day: 0n, in_week: 0n, in_month: 0n };
  for (const meter of meters) {
    sum.held += meter.held;
    sum.total += meter.total;
    sum.in_day += meter.day < days.day ? 0n : meter.in_day;
    sum.in_week += meter.week < days.week ? 0n : meter.in_week;
    sum.in_month += meter.month < days.month ? 0n : meter.in_month;
  }
  return { ...caps, ...days, ...sum, cap_total: null };
}

/**
 * Returns a `room` for each cap: the amount that it still allows, in nano-USD. The key's caps come
 * first, then the member's, then the account's; within each, shorter periods come first.
 */
function roomsAt({ key, member, account }: Meters, days: Days) {
  const rooms: { owner: CapOwner; window: CapWindow; room: bigint }[] = [];
  const owners: (readonly [CapOwner, Meter])[] = [['key', key]];
  if (member !== null) owners.push(['member', memberMeter(member, days)]);
  owners.push(['account', account]);
  for (const [owner, meter] of owners) {
    const add = (window: CapWindow, cap: bigint | null, spent: bigint): void => {
      if (cap === null) return;
      const room = cap - spent - meter.held;
      rooms.push({ owner, window, room: room < 0n ? 0n : room });
    };
    add('day', meter.cap_day, meter.day < days.day ? 0n : meter.in_day);
    add('week', meter.cap_week, meter.week < days.week ? 0n : meter.in_week);
    add('month', meter.cap_month, meter.month < days.month ? 0n : meter.in_month);
    add('total', meter.cap_total, meter.total);
  }
  return rooms;
}

const hasCap = (meter: Meter): boolean =>
  meter.cap_day !== null ||
  meter.cap_week !== null ||
  meter.cap_month !== null ||
  meter.cap_total !== null;

/**
 * Returns `room`, the smallest amount that any cap still allows, converted by the exchange rate
 * `rate`. `refusal` names the first cap that allows less than `atLeast`. Returns null when there is
 * no cap.
 */
export function capsAt(
  meters: Meters,
  atMs: number,
  rate: Rate,
  atLeast: bigint,
): { readonly room: bigint; readonly refusal: CapRefusal | null } | null {
  if (!hasCap(meters.key) && meters.member === null && !hasCap(meters.account)) return null;
  const rooms = roomsAt(meters, daysAt(atMs)).map((each) => ({
    ...each,
    room: rate === null ? each.room : (each.room * rate.scaled) / FX_SCALE,
  }));
  const room = rooms.reduce((least, each) => (each.room < least ? each.room : least), UNCAPPED);
  const first = rooms.find((each) => each.room < atLeast);
  if (first === undefined) return { room, refusal: null };
  return { room, refusal: { owner: first.owner, window: first.window, available: room } };
}

/** More than any cap allows, even converted to another currency: caps are 64-bit amounts. */
const UNCAPPED = 1n << 128n;
