/**
 * Usage and charges by model, key, channel, day and account. Sums daily and monthly roll-ups, which
 * settlements keep up to date, and never reads receipts.
 */

import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { COUNT_COLUMNS } from '../store/columns.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import { all, clause, equal } from './report-walk.ts';
import { usageSpans } from './usage-spans.ts';

export const USAGE_DIMENSIONS = ['day', 'account', 'model', 'key', 'channel'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

/** Groups of one report before paging; beyond it the caller must narrow the query. */
export const MAX_GROUPS = 10_000;
/** Roll-ups that one statement sums: about 5 ms of the embedded store's time. */
const STEP_ROWS = 4_000;
/** This many take as long when they are read in group order, without sorting. */
const ORDERED_STEP_ROWS = 12_000;
const MAX_STEP_PERIODS = 64;
/** Periods of the first step, when the number of roll-ups per period is unknown. */
const FIRST_STEP_PERIODS = { day: 4, month: 1 } as const;

const LONGEST_MONTH = 31;

/** Null: any. Days since 1970 (UTC), both ends included. */
export type UsageFilter = {
  /** Null: all accounts, for administrators only. */
  readonly accountId: string | null;
  readonly fromDay: number;
  readonly toDay: number;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly currency: Currency | null;
};

type Count = (typeof COUNT_COLUMNS)[number];

/**
 * `charge` and `loss` are nano-units of the group's currency; `metered` is the charge in nano-USD.
 */
export type UsageCounts = Readonly<
  Record<Exclude<Count, 'charge' | 'loss' | 'metered'>, bigint>
> & {
  readonly charge: NanoAmount;
  readonly loss: NanoAmount;
  /** Each request at its own pinned rate. */
  readonly metered: NanoAmount;
};

/** Dimensions that are not grouped by are null. Each currency has its own groups. */
export type UsageGroup = UsageCounts & {
  readonly [Dimension in UsageDimension]: Dimension extends 'day' ? number | null : string | null;
} & { readonly currency: Currency };

/** `total`: one group per currency, over all pages. */
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

/** Every method @throws GatewayError `store_unavailable` when the store gives no answer. */
export class UsageReport {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Newest day first, then by name.
   * @param after the `next` of the previous page; null: the first page.
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

  /** Reads whole months from the monthly roll-ups, and the days around them from the daily ones. */
  async #sums(filter: UsageFilter, by: readonly UsageDimension[]): Promise<Groups> {
    const groups = new Groups(by);
    for (const { rollUp, periods } of usageSpans(filter)) {
      let count: number = FIRST_STEP_PERIODS[rollUp];
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
   * Reads groups of days newest first, no further than the page needs. When grouped by day only, it
   * queries each currency separately, so that the store reads the days in index order without
   * sorting. `isWhole`: the rows are complete.
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
    let count: number = FIRST_STEP_PERIODS.day;
    while (to >= filter.fromDay && rows.length < wanted) {
      // Each day has at least one row.
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

  /** Currencies with usage in the months of the days. */
  async #currencies({
    accountId,
    fromDay,
    toDay,
    currency,
  }: UsageFilter): Promise<readonly Currency[]> {
    const where = all([
      clause('account_id = ?', accountId),
      clause('month > ?', fromDay - LONGEST_MONTH),
      clause('month <= ?', toDay),
      ...equal([['currency', currency]]),
    ]);
    const rows = await this.#sql.query({
      sql: `SELECT DISTINCT currency FROM usage_month WHERE ${where.sql}`,
      params: where.params,
    });
    return rows.map((row) => currencyOf(row));
  }

  /** @returns the number of roll-ups that it summed. */
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

/** Roll-ups from `from` to `to`, both identified by their first day. */
export type UsageSpan = {
  readonly rollUp: 'day' | 'month';
  readonly from: number;
  readonly to: number;
};

/** The statement of `UsageReport`, exported for tests of the query plan. */
export function usageStatement(
  filter: UsageFilter,
  by: readonly UsageDimension[],
  { rollUp, from, to }: UsageSpan,
): SqlStatement {
  const where = all([
    ...equal([['account_id', filter.accountId]]),
    clause(`${rollUp} >= ?`, from),
    clause(`${rollUp} <= ?`, to),
    ...equal([
      ['key_id', filter.keyId],
      ['model', filter.model],
      ['channel', filter.channel],
      ['currency', filter.currency],
    ]),
  ]);
  const keys = [...by.map((dimension) => COLUMN[dimension]), 'currency'].join(', ');
  const sums = COUNT_COLUMNS.map((count) => `CAST(SUM(${count}) AS BIGINT) AS ${count}`).join(', ');
  return {
    sql: `SELECT ${keys}, COUNT(*) AS roll_ups, ${sums} FROM usage_${rollUp}
      WHERE ${where.sql} GROUP BY ${keys}`,
    params: where.params,
  };
}

/** The number of periods of the next step, from the roll-ups that the last one read. */
function nextCount(count: number, read: number, stepRows: number): number {
  if (read === 0) return Math.min(MAX_STEP_PERIODS, count * 4);
  return Math.max(1, Math.min(MAX_STEP_PERIODS, Math.floor((count * stepRows) / read)));
}

const OF_ALL = { day: null, account: null, model: null, key: null, channel: null } as const;

/** Sums by the given dimensions, and always by currency. */
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

/** Late receipts may move all usage of a group to another, such as another channel. */
const isUse = ({ requests, charge, loss }: UsageGroup): boolean =>
  requests !== 0n || charge !== 0n || loss !== 0n;

/** One group per currency. */
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

const countsOf = (of: (count: Count) => bigint): UsageCounts =>
  Object.fromEntries(COUNT_COLUMNS.map((count) => [count, of(count)])) as UsageCounts;

/** The negated day, so that newer ones come first, then the other dimensions, then the currency. */
function positionOf(group: UsageGroup, by: readonly UsageDimension[]): readonly string[] {
  const names = USAGE_DIMENSIONS.filter((it) => it !== 'day' && by.includes(it));
  const day = group.day === null ? [] : [String(-group.day)];
  return [...day, ...names.map((name) => String(group[name])), group.currency];
}

/** The number of parts of a position. */
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
    `group_by makes more than ${MAX_GROUPS} groups. Group by fewer, filter by key, model or channel, or shorten from and to.`,
    { param: 'group_by' },
  );
