/**
 * Amounts by period and group, for stacked bars and the matching table. Sums are exact integers;
 * only the height of a bar is a floating-point number.
 */

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
  /** The shown groups, the largest total first. */
  readonly groups: readonly string[];
  /** Whether the last column is the sum of all groups that are not in `groups`. */
  readonly hasOthers: boolean;
  readonly rows: readonly StackRow[];
  /** The totals over all periods. */
  readonly sum: Omit<StackRow, 'period'>;
};

/**
 * Sums the pieces by period and group.
 * @param periods all periods to show, in order; pieces of other periods are ignored.
 * @param maxGroups the maximum number of groups; the smallest groups are merged into "Other".
 * @param ranked the pieces by which groups are ranked, so that several charts show the same groups.
 */
export function stackOf(
  pieces: readonly Piece[],
  periods: readonly string[],
  maxGroups: number,
  ranked: readonly Piece[] = pieces,
): Stack {
  const shown = new Set(periods);
  const inside = pieces.filter(({ period }) => shown.has(period));
  const sums = sumsBy(
    ranked.filter(({ period }) => shown.has(period)),
    ({ group }) => group,
  );
  const groups = [...sums.keys()].toSorted((a, b) => compare(sums, a, b)).slice(0, maxGroups);
  const hasOthers = inside.some(({ group }) => !groups.includes(group));
  const column = new Map(groups.map((group, index) => [group, index]));
  const width = groups.length + (hasOthers ? 1 : 0);
  const byPeriod = Map.groupBy(inside, ({ period }) => period);
  const rows = periods.map((period) => ({
    period,
    ...rowOf(byPeriod.get(period) ?? [], (group) => column.get(group) ?? groups.length, width),
  }));
  return {
    groups,
    hasOthers,
    rows,
    sum: rowOf(inside, (group) => column.get(group) ?? groups.length, width),
  };
}

function rowOf(
  pieces: readonly Piece[],
  columnOf: (group: string) => number,
  width: number,
): Omit<StackRow, 'period'> {
  const sums = sumsBy(pieces, ({ group }) => columnOf(group));
  return {
    amounts: Array.from({ length: width }, (_, index) => sums.get(index) ?? null),
    total: pieces.length === 0 ? null : pieces.reduce((total, { amount }) => total + amount, 0n),
  };
}

function sumsBy<Key>(pieces: readonly Piece[], keyOf: (piece: Piece) => Key): Map<Key, bigint> {
  const sums = new Map<Key, bigint>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    sums.set(key, (sums.get(key) ?? 0n) + piece.amount);
  }
  return sums;
}

/** Sorts groups by total, the largest first, and ties by name so that colors stay stable. */
function compare(sums: ReadonlyMap<string, bigint>, a: string, b: string): number {
  const [first, second] = [sums.get(a) ?? 0n, sums.get(b) ?? 0n];
  if (first === second) return a < b ? -1 : 1;
  return first > second ? -1 : 1;
}

const DAY_MS = 86_400_000;

/** The last `count` UTC days up to the day of `nowMs`, oldest first. */
export function daysUntil(nowMs: number, count: number): readonly string[] {
  const today = Math.floor(nowMs / DAY_MS);
  return Array.from({ length: count }, (_, index) =>
    new Date((today - count + 1 + index) * DAY_MS).toISOString().slice(0, 10),
  );
}
