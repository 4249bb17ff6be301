/**
 * Amounts by period and group (such as a model), for stacked bars and the matching table. Sums are
 * exact integers; only the height of a bar is a floating-point number.
 */
import type { Slots } from './palette.ts';

export type Piece = {
  /** The period of the amount, such as the day 2026-11-21. */
  readonly period: string;
  /** The group of the amount, such as a model. */
  readonly group: string;
  readonly amount: bigint;
};

export type StackRow = {
  readonly period: string;
  /**
   * One value per group, in the order of the groups. Null means no data, which differs from zero.
   */
  readonly amounts: readonly (bigint | null)[];
  readonly total: bigint | null;
};

export type Stack = {
  /** The groups in the order of their colors. The order is the same in all charts. */
  readonly groups: readonly string[];
  /** Whether each row ends with one more amount: the sum of all groups that are not in `groups`. */
  readonly hasOthers: boolean;
  readonly rows: readonly StackRow[];
  /** The totals over all periods. */
  readonly sum: Omit<StackRow, 'period'>;
};

/**
 * Sums the amounts by period and group.
 * @param periods all periods to show, in order; amounts of other periods are ignored.
 * @param slots the groups that have a color; all others are merged into "Other".
 */
export function stackOf(pieces: readonly Piece[], periods: readonly string[], slots: Slots): Stack {
  const shown = new Set(periods);
  const inside = pieces.filter(({ period }) => shown.has(period));
  const present = new Set(inside.map(({ group }) => group));
  const groups = [...present]
    .filter((group) => slots.has(group))
    .toSorted((a, b) => (slots.get(a) ?? 0) - (slots.get(b) ?? 0));
  const column = new Map(groups.map((group, index) => [group, index]));
  const hasOthers = groups.length < present.size;
  const rowOf = (own: readonly Piece[]): Omit<StackRow, 'period'> => {
    const amounts = Array.from<bigint | null>({ length: groups.length + (hasOthers ? 1 : 0) });
    amounts.fill(null);
    for (const { group, amount } of own) {
      const at = column.get(group) ?? groups.length;
      amounts[at] = (amounts[at] ?? 0n) + amount;
    }
    const total = own.reduce((sum, { amount }) => sum + amount, 0n);
    return { amounts, total: own.length === 0 ? null : total };
  };
  const byPeriod = Map.groupBy(inside, ({ period }) => period);
  return {
    groups,
    hasOthers,
    rows: periods.map((period) => ({ period, ...rowOf(byPeriod.get(period) ?? []) })),
    sum: rowOf(inside),
  };
}

const DAY_MS = 86_400_000;

/** The last `count` UTC days up to the day of `nowMs`, oldest first. */
export function daysUntil(nowMs: number, count: number): readonly string[] {
  const today = Math.floor(nowMs / DAY_MS);
  return Array.from({ length: count }, (_, index) =>
    new Date((today - count + 1 + index) * DAY_MS).toISOString().slice(0, 10),
  );
}
