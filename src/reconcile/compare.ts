/** Compares a provider's bill with the receipts, and names the likely cause of each difference. */
import {
  type Bill,
  type BillRow,
  MEASURES,
  type Measure,
  modelKey,
  NO_SUMS,
  type Sums,
} from './bill.ts';
import { groupKey, type ReceiptSums } from './receipt-sums.ts';

/** Likely causes of a difference; `CAUSE_TEXTS` explains them. */
export const CAUSES = [
  'only_provider',
  'only_receipts',
  'day_boundary',
  'other_use',
  'estimated',
  'missing',
  'card',
  'apart',
] as const;
export type Cause = (typeof CAUSES)[number];

export const CAUSE_TEXTS: Readonly<Record<Cause, string>> = {
  only_provider: 'no receipt has this model: another program uses the key',
  only_receipts:
    'the report does not have this model: it is late, or it is for another key or project',
  day_boundary:
    'the days differ, but their sum agrees: requests around midnight were counted on different days',
  other_use:
    'the provider counts more: another program uses the key, or failed attempts were billed',
  estimated: 'some tokens are estimated: callers disconnected, or the provider reported no usage',
  missing: 'the provider counts less: its report is late, or the gateway counted some usage twice',
  card: 'the tokens agree, but the costs do not: the configured `cost` is wrong',
  apart: 'the provider bills fees, such as those for tools, separately from models',
};

export type Difference = {
  readonly day: number;
  /** The provider's name for the model; null for items that are not billed by model. */
  readonly model: string | null;
  readonly billed: Sums;
  readonly receipts: Sums;
  /** The number of receipts whose tokens are estimates. */
  readonly estimated: number;
  readonly cause: Cause;
  /**
   * Whether the difference exceeds the tolerance. False for a harmless cause, such as
   * `day_boundary`.
   */
  readonly isBeyond: boolean;
};

export type Comparison = {
  /** The number of compared pairs of a day and a model. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  /** The sums over all compared pairs. */
  readonly billed: Sums;
  readonly receipts: Sums;
  /**
   * Models whose cost was not compared, because no `cost` in this currency is configured for them.
   */
  readonly uncosted: readonly string[];
};

/**
 * Two amounts of money count as equal up to this difference: one cent, because providers round each
 * row.
 */
const MONEY_FLOOR_PICO = 10_000_000_000n;
const PARTS = 10_000n;

type Group = {
  readonly day: number;
  readonly model: string | null;
  readonly billed: Sums | null;
  readonly own: ReceiptSums | null;
};

/**
 * Compares a bill with the receipts. `tolerance` is the accepted difference between two numbers, in
 * hundredths of a percent of the larger one.
 */
export function compare(
  bill: Bill,
  receipts: ReadonlyMap<string, ReceiptSums>,
  tolerance: number,
): Comparison {
  const groups = joined(bill, receipts);
  const scale = new Scale(bill, tolerance);
  const whole: Whole = {
    scale,
    moved: movedModels(groups, scale),
    settled: settledDays(groups, scale),
  };
  const differences = groups
    .map((group) => differenceOf(group, whole))
    .filter((it) => it !== null)
    .toSorted((a, b) => a.day - b.day || (a.model ?? '').localeCompare(b.model ?? ''));
  const isCosted = bill.measures.includes('cost');
  const uncosted = groups.flatMap(({ own }) =>
    isCosted && own !== null && own.sums.cost === null ? [own.model] : [],
  );
  return {
    compared: groups.length,
    differences,
    billed: total(groups.map(({ billed }) => billed ?? scale.nothing)),
    receipts: total(groups.flatMap(({ own }) => own?.sums ?? [])),
    uncosted: [...new Set(uncosted)].toSorted(),
  };
}

/** Decides whether two numbers agree within the tolerance. */
class Scale {
  readonly #tolerance: bigint;
  /**
   * The compared measures. The number of requests is shown but not compared, because not all
   * providers count failed requests.
   */
  readonly measures: readonly Measure[];
  /**
   * The sums of a model without a row in the bill: zero for each measure that the bill contains,
   * null for all others.
   */
  readonly nothing: Sums;

  constructor({ measures }: Bill, tolerance: number) {
    this.#tolerance = BigInt(tolerance);
    this.measures = measures.filter((name) => name !== 'requests');
    this.nothing = { ...NO_SUMS, ...Object.fromEntries(measures.map((name) => [name, 0n])) };
  }

  /** Whether two numbers agree within the tolerance. An unknown number agrees with every other. */
  agree(measure: Measure, a: bigint | null, b: bigint | null): boolean {
    if (a === null || b === null) return true;
    const gap = absolute(a - b);
    if (measure === 'cost' && gap <= MONEY_FLOOR_PICO) return true;
    return gap * PARTS <= this.#tolerance * (absolute(a) > absolute(b) ? absolute(a) : absolute(b));
  }

  allAgree(a: Sums, b: Sums): boolean {
    return this.measures.every((name) => this.agree(name, a[name], b[name]));
  }
}

/**
 * Facts about all groups, each of which has one day and one model or none. They decide whether a
 * group's difference matters. `moved`: the models whose tokens differ only on single days, and the
 * cause of these differences. `settled`: the days on which the total cost agrees, including items
 * that are not billed by model.
 */
type Whole = {
  readonly scale: Scale;
  readonly moved: ReadonlyMap<string, Cause>;
  readonly settled: ReadonlySet<number>;
};

function differenceOf(group: Group, whole: Whole): Difference | null {
  const { day, model, own } = group;
  const { scale, settled } = whole;
  const billed = group.billed ?? scale.nothing;
  const receipts = own?.sums ?? scale.nothing;
  const differing = scale.measures.filter((name) => !isEqual(billed[name], receipts[name]));
  if (differing.length === 0) return null;
  // A group is not listed if only its cost differs and the difference is within the tolerance,
  // because providers round each row of a bill.
  const isOnlyMoney = differing.every((name) => name === 'cost');
  if (isOnlyMoney && scale.agree('cost', billed.cost, receipts.cost)) return null;
  const cause = causeOf(group, whole, differing);
  const isHarmless = cause === 'day_boundary' || (cause === 'apart' && settled.has(day));
  const isBeyond = !isHarmless && !scale.allAgree(billed, receipts);
  return { day, model, billed, receipts, estimated: own?.estimated ?? 0, cause, isBeyond };
}

function causeOf({ day, model, billed, own }: Group, whole: Whole, on: readonly Measure[]): Cause {
  if (model === null) return 'apart';
  const counts = on.filter((name) => name !== 'cost');
  const moved = counts.length > 0 ? whole.moved.get(modelKey(model)) : undefined;
  if (moved !== undefined) return moved;
  if (own === null) return 'only_provider';
  if (billed === null) return 'only_receipts';
  if (counts.length === 0) return whole.settled.has(day) ? 'apart' : 'card';
  if (isMore(billed.requests, own.sums.requests)) return 'other_use';
  if (own.estimated > 0) return 'estimated';
  return counts.some((name) => isMore(billed[name], own.sums[name])) ? 'other_use' : 'missing';
}

const isMore = (a: bigint | null, b: bigint | null): boolean => a !== null && b !== null && a > b;

/**
 * Returns the models whose tokens agree in total over several days. If such a model differs on
 * single days, the bill and the receipts count some requests on different days. If the costs of all
 * days disagree nevertheless, the configured cost is wrong.
 */
function movedModels(groups: readonly Group[], scale: Scale): ReadonlyMap<string, Cause> {
  const counts = scale.measures.filter((name) => name !== 'cost');
  if (counts.length === 0) return new Map();
  const isWhole = isSettled(groups, scale);
  const byModel = Map.groupBy(groups, ({ model }) => (model === null ? null : modelKey(model)));
  return new Map(
    [...byModel].flatMap(([model, same]): [string, Cause][] => {
      if (model === null || same.length < 2) return [];
      const billed = total(same.map((it) => it.billed ?? scale.nothing));
      const own = total(same.map((it) => it.own?.sums ?? scale.nothing));
      if (!counts.every((name) => isEqual(billed[name], own[name]))) return [];
      const isPaid = isWhole || scale.agree('cost', billed.cost, own.cost);
      return [[model, isPaid ? 'day_boundary' : 'card']];
    }),
  );
}

const isEqual = (a: bigint | null, b: bigint | null): boolean =>
  a === null || b === null || a === b;

/**
 * Returns the days on which the total cost agrees, including items that are not billed by model.
 * Omits days on which the bill has no such items.
 */
function settledDays(groups: readonly Group[], scale: Scale): ReadonlySet<number> {
  const byDay = [...Map.groupBy(groups, ({ day }) => day)];
  return new Set(byDay.flatMap(([day, same]) => (isSettled(same, scale) ? [day] : [])));
}

/** Whether the total cost agrees, and includes items that are not billed by model. */
function isSettled(groups: readonly Group[], scale: Scale): boolean {
  if (!groups.some(({ model }) => model === null)) return false;
  const billed = total(groups.map((it) => it.billed ?? scale.nothing));
  const own = total(groups.flatMap((it) => it.own?.sums ?? []));
  return own.cost !== null && scale.agree('cost', billed.cost, own.cost);
}

/** Groups the rows of the bill and the receipts by day and model. */
function joined(
  { rows, measures }: Bill,
  receipts: ReadonlyMap<string, ReceiptSums>,
): readonly Group[] {
  const billed = new Map<string, BillRow & { readonly sums: Sums }>();
  for (const row of rows) {
    const key = groupKey(row.day, row.model);
    const before = billed.get(key)?.sums ?? NO_SUMS;
    const sums = { ...NO_SUMS };
    for (const name of measures) sums[name] = (before[name] ?? 0n) + (row.sums[name] ?? 0n);
    billed.set(key, { day: row.day, model: billed.get(key)?.model ?? row.model, sums });
  }
  const keys = new Set([...billed.keys(), ...receipts.keys()]);
  return [...keys].flatMap((key): Group[] => {
    const [there, own] = [billed.get(key) ?? null, receipts.get(key) ?? null];
    const place = there ?? own;
    if (place === null) return [];
    return [{ day: place.day, model: place.model, billed: there?.sums ?? null, own }];
  });
}

/**
 * Adds the sums measure by measure. The total of a measure is null if it is null in any of the
 * sums.
 */
function total(all: readonly Sums[]): Sums {
  const sums: { -readonly [Name in Measure]: bigint | null } = { ...NO_SUMS };
  for (const name of MEASURES) {
    sums[name] = all.reduce<bigint | null>((sum, it) => {
      const value = it[name];
      return sum === null || value === null ? null : sum + value;
    }, 0n);
  }
  return sums;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
