/**
 * Sums usage and charges from daily and monthly roll-ups of settlements. With PostgreSQL, views add
 * the newest receipts until the roll-ups include them.
 */

import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { COUNT_COLUMNS } from '../store/columns.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import {
  andEquals,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';
import { all, equal } from './report-walk.ts';
import { usageSpans } from './usage-spans.ts';

export const USAGE_DIMENSIONS = ['day', 'account', 'model', 'key', 'channel'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

/**
 * Maximum groups of one report over all pages. If there are more, the caller must narrow the query.
 */
export const MAX_GROUPS = 10_000;
/** Maximum roll-ups that one statement should sum: about 5 ms of the embedded store's time. */
const STEP_ROWS = 4_000;
/**
 * Like `STEP_ROWS`, but for a statement that reads roll-ups in the order in which it groups them.
 * Such a statement is faster, because it does not sort.
 */
const ORDERED_STEP_ROWS = 12_000;
const MAX_STEP_PERIODS = 64;
/**
 * The number of periods (days or months) that the first statement reads. It is small, since the
 * number of roll-ups per period is still unknown.
 */
const FIRST_STEP_PERIODS = 1;

const LONGEST_MONTH = 31;

/**
 * The filters of a report. A field that is null matches all usage. Days count from 1970 (UTC); both
 * ends are included.
 */
export type UsageFilter = {
  /** Null for all accounts, which only administrators may read. */
  readonly accountId: string | null;
  readonly fromDay: number;
  readonly toDay: number;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly currency: Currency | null;
};

type Count = (typeof COUNT_COLUMNS)[number];

/** The sums of a group. `charge` and `loss` are in nano-units of the group's currency. */
export type UsageCounts = Readonly<
  Record<Exclude<Count, 'charge' | 'loss' | 'metered'>, bigint>
> & {
  readonly charge: NanoAmount;
  readonly loss: NanoAmount;
  /** The charge in nano-USD. Each request is converted at its own exchange rate. */
  readonly metered: NanoAmount;
};

/** A group's usage in one currency. A dimension by which the report does not group is null. */
export type UsageGroup = UsageCounts & {
  readonly [Dimension in UsageDimension]: Dimension extends 'day' ? number | null : string | null;
} & { readonly currency: Currency };

/** A page of a usage report. `total` has one group per currency, which sums all pages. */
export type UsagePage = {
  readonly rows: readonly UsageGroup[];
  readonly total: readonly UsageGroup[];
  readonly next: readonly string[] | null;
};

const COLUMN: Readonly<Record<UsageDimension, string>> = {
  day: 'day',
  account: 'account_id',
  model: 'model',
  key: 'key_id',
  channel: 'channel',
};

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class UsageReport {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns a page of groups, sorted by day, newest first, and then by name. `after` is the `next`
   * of the previous page; null for the first page.
   * @throws GatewayError `invalid_value` when there are more than MAX_GROUPS groups.
   */
  async page(
    filter: UsageFilter,
    by: readonly UsageDimension[],
    limit: number,
    after: readonly string[] | null,
  ): Promise<UsagePage> {
    if (!by.includes('day')) {
      const groups = await this.#sums(filter, by);
      return { ...cut(groups.sorted(), by, limit, after), total: groups.totals() };
    }
    const { rows, isWhole } = await this.#days(filter, by, limit + 1, after);
    const total = isWhole ? totalsOf(rows) : (await this.#sums(filter, [])).totals();
    return { ...cut(rows, by, limit, after), total };
  }

  /** Sums all groups: whole months from monthly roll-ups, other days from daily roll-ups. */
  async #sums(filter: UsageFilter, by: readonly UsageDimension[]): Promise<Groups> {
    const groups = new Groups(by);
    for (const { rollUp, periods } of usageSpans(filter)) {
      let count: number = FIRST_STEP_PERIODS;
      let at = 0;
      for (let step = periods.slice(0, count); step.length > 0; ) {
        const [from = 0, to = from] = [step[0], step.at(-1)];
        const read = await this.#step(filter, { rollUp, from, to }, groups);
        at += step.length;
        count = nextCount(count, read, STEP_ROWS);
        step = periods.slice(at, at + count);
      }
    }
    return groups;
  }

  /**
   * Reads days, newest first, until there are `wanted` rows. A report by day alone queries each
   * currency separately, in index order without sorting. `isWhole` is true if the rows are the
   * complete report.
   */
  async #days(
    filter: UsageFilter,
    by: readonly UsageDimension[],
    wanted: number,
    after: readonly string[] | null,
  ): Promise<{ readonly rows: readonly UsageGroup[]; readonly isWhole: boolean }> {
    const ordered = by.length === 1 && filter.accountId !== null && filter.keyId === null;
    const currencies = ordered ? await this.#currencies(filter) : [filter.currency];
    const rows: UsageGroup[] = [];
    let to = after === null ? filter.toDay : Math.min(filter.toDay, -Number(after[0]));
    let count: number = FIRST_STEP_PERIODS;
    while (to >= filter.fromDay && rows.length < wanted) {
      // In a report by day alone, each day with usage fills at least one row. Therefore a step
      // reads at most as many days as there are rows left to fill on the page.
      const days = ordered ? Math.min(count, wanted - rows.length) : count;
      const from = Math.max(filter.fromDay, to - days + 1);
      const groups = new Groups(by);
      let read = 0;
      for (const currency of currencies) {
        read += await this.#step({ ...filter, currency }, { rollUp: 'day', from, to }, groups);
      }
      rows.push(...groups.sorted().filter((row) => isAfter(row, by, after)));
      to = from - 1;
      count = nextCount(days, read, ordered ? ORDERED_STEP_ROWS : STEP_ROWS);
    }
    return { rows, isWhole: after === null && to < filter.fromDay };
  }

  /** Returns the currencies with usage in the months that contain the filter's days. */
  async #currencies(filter: UsageFilter): Promise<readonly Currency[]> {
    const { accountId, fromDay, toDay, currency } = filter;
    const rows = await this.#sql.query(statement`SELECT DISTINCT currency FROM usage_by_month
      WHERE account_id = ${accountId} AND month > ${fromDay - LONGEST_MONTH} AND month <= ${toDay}
      ${andEquals('currency', currency)}`);
    return rows.map((row) => currencyOf(row));
  }

  /** Adds the roll-ups of a span to `into`, and returns how many roll-ups were summed. */
  async #step(filter: UsageFilter, span: UsageSpan, into: Groups): Promise<number> {
    const rows = await this.#sql.query(usageStatement(filter, into.by, span));
    let read = 0;
    for (const row of rows) {
      read += Number(integer(row, 'roll_ups'));
      into.add(row);
    }
    return read;
  }
}

/**
 * The daily or monthly roll-ups from `from` to `to`, both included. A roll-up is identified by its
 * first day.
 */
export type UsageSpan = {
  readonly rollUp: 'day' | 'month';
  readonly from: number;
  readonly to: number;
};

/** Returns the statement that sums a span of roll-ups. Exported for tests of the query plan. */
export function usageStatement(
  filter: UsageFilter,
  by: readonly UsageDimension[],
  { rollUp, from, to }: UsageSpan,
): SqlStatement {
  const { accountId, keyId, model, channel, currency } = filter;
  const period = raw(rollUp);
  const where = all([
    ...equal({ account_id: accountId }),
    statement`${period} >= ${from} AND ${period} <= ${to}`,
    ...equal({ key_id: keyId, model, channel, currency }),
  ]);
  const keys = raw([...by.map((dimension) => COLUMN[dimension]), 'currency'].join(', '));
  const sums = COUNT_COLUMNS.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(', ');
  return statement`SELECT ${keys}, COUNT(*) AS roll_ups, ${raw(sums)} FROM usage_by_${period}
    WHERE ${where} GROUP BY ${keys}`;
}

/**
 * Returns how many periods the next statement should read, so that it reads about `stepRows`
 * roll-ups. The last statement found `read` roll-ups in `count` periods.
 */
export function nextCount(count: number, read: number, stepRows: number): number {
  if (read === 0) return Math.min(MAX_STEP_PERIODS, count * 4);
  return Math.max(1, Math.min(MAX_STEP_PERIODS, Math.floor((count * stepRows) / read)));
}

const OF_ALL = { day: null, account: null, model: null, key: null, channel: null } as const;

/** Sums usage in groups by the given dimensions, and always by currency. */
class Groups {
  readonly by: readonly UsageDimension[];
  readonly #groups = new Map<string, UsageGroup>();

  constructor(by: readonly UsageDimension[]) {
    this.by = by;
  }

  add(row: SqlRow): void {
    const more = groupOf(row, this.by);
    const name = JSON.stringify(positionOf(more, this.by));
    const sum = this.#groups.get(name);
    this.#groups.set(name, sum === undefined ? more : added(sum, more));
    if (this.#groups.size > MAX_GROUPS) throw tooManyGroups();
  }

  totals(): readonly UsageGroup[] {
    return totalsOf(this.sorted());
  }

  sorted(): readonly UsageGroup[] {
    return [...this.#groups.values()].filter(isUse).sort((a, b) => compare(a, b, this.by));
  }
}

/**
 * Whether a group has any usage. It may have none after late receipts moved its usage to another
 * group.
 */
export const isUse = ({ requests, charge, loss }: UsageGroup): boolean =>
  requests !== 0n || charge !== 0n || loss !== 0n;

/** Returns the sums of all groups, one per currency. */
function totalsOf(groups: readonly UsageGroup[]): readonly UsageGroup[] {
  const sums = new Map<Currency, UsageGroup>();
  for (const group of groups) {
    const { currency } = group;
    const sum = sums.get(currency);
    sums.set(currency, sum === undefined ? { ...group, ...OF_ALL } : added(sum, group));
  }
  return [...sums.values()].sort((a, b) => compare(a, b, []));
}

function groupOf(row: SqlRow, by: readonly UsageDimension[]): UsageGroup {
  const named = (dimension: UsageDimension): string | null =>
    by.includes(dimension) ? text(row, COLUMN[dimension]) : null;
  return {
    day: by.includes('day') ? Number(row['day']) : null,
    account: named('account'),
    model: named('model'),
    key: named('key'),
    channel: named('channel'),
    currency: currencyOf(row),
    ...countsOf((count) => integer(row, count)),
  };
}

const added = (a: UsageGroup, b: UsageGroup): UsageGroup => ({
  ...a,
  ...countsOf((count) => a[count] + b[count]),
});

/** Returns the usage of a group minus the usage of a part of the group. */
export const without = (group: UsageGroup, part: UsageGroup): UsageGroup => ({
  ...group,
  ...countsOf((count) => group[count] - part[count]),
});

const countsOf = (of: (count: Count) => bigint): UsageCounts =>
  Object.fromEntries(COUNT_COLUMNS.map((count) => [count, of(count)])) as UsageCounts;

/**
 * Returns the position of a group in the report: the day, the names, then the currency. The day is
 * negated, so that the newest day is first.
 */
function positionOf(group: UsageGroup, by: readonly UsageDimension[]): readonly string[] {
  const names = USAGE_DIMENSIONS.filter((it) => it !== 'day' && by.includes(it));
  const day = group.day === null ? [] : [String(-group.day)];
  return [...day, ...names.map((name) => String(group[name])), group.currency];
}

/** The number of strings in the array that `positionOf` returns. */
export const positionParts = (by: readonly UsageDimension[]): number => by.length + 1;

function compare(a: UsageGroup, b: UsageGroup, by: readonly UsageDimension[]): number {
  if (a.day !== null && b.day !== null && a.day !== b.day) return b.day - a.day;
  return compareNames(namesOf(positionOf(a, by), by), namesOf(positionOf(b, by), by));
}

function isAfter(
  group: UsageGroup,
  by: readonly UsageDimension[],
  place: readonly string[] | null,
): boolean {
  if (place === null) return true;
  if (group.day !== null && -group.day !== Number(place[0])) return -group.day > Number(place[0]);
  return compareNames(namesOf(positionOf(group, by), by), namesOf(place, by)) > 0;
}

const namesOf = (place: readonly string[], by: readonly UsageDimension[]): readonly string[] =>
  by.includes('day') ? place.slice(1) : place;

function compareNames(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((name, i) => name !== b[i]);
  return at === -1 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

function cut(
  sorted: readonly UsageGroup[],
  by: readonly UsageDimension[],
  limit: number,
  after: readonly string[] | null,
): Pick<UsagePage, 'rows' | 'next'> {
  const rest = sorted.filter((group) => isAfter(group, by, after));
  const rows = rest.slice(0, limit);
  const last = rows.at(-1);
  const more = rest.length > limit && last !== undefined;
  return { rows, next: more ? positionOf(last, by) : null };
}

const tooManyGroups = (): GatewayError =>
  new GatewayError(
    'invalid_value',
    `group_by produces more than ${MAX_GROUPS} groups. Use fewer dimensions, filter by key, model or channel, or choose a shorter period between \`from\` and \`to\`.`,
    { param: 'group_by' },
  );
