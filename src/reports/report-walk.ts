/**
 * Reads a long list in short steps, because in the embedded store reports and settlements share a
 * thread. A step looks at a bounded number of rows, however few match its filters.
 */
import type { SqlStatement, SqlValue } from '../store/sql.ts';

/** Rows per step: about 3 ms of the store's time. */
export const STEP_ROWS = 1_000;
/** Steps per page. A page with too few matches ends early; the next one continues there. */
export const MAX_STEPS = 40;

/** `end`: the last position that the step looked at; null at the end of the list. */
export type Step<Row, Place> = { readonly rows: readonly Row[]; readonly end: Place | null };
/** `next`: the position after which to continue; null at the end of the list. */
export type Walked<Row, Place> = { readonly rows: readonly Row[]; readonly next: Place | null };

/** @param step reads at most `wanted` rows after `place`, in order. */
export async function walk<Row, Place>(
  start: Place,
  limit: number,
  placeOf: (row: Row) => Place,
  step: (place: Place, wanted: number) => Promise<Step<Row, Place>>,
): Promise<Walked<Row, Place>> {
  const rows: Row[] = [];
  let place = start;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const found = await step(place, limit + 1 - rows.length);
    rows.push(...found.rows);
    const last = rows[limit - 1];
    if (rows.length > limit && last !== undefined) {
      return { rows: rows.slice(0, limit), next: placeOf(last) };
    }
    if (found.end === null) return { rows, next: null };
    place = found.end;
  }
  return { rows, next: place };
}

/** A piece of SQL with its bound values. */
export const clause = (sql: string, ...params: readonly SqlValue[]): SqlStatement => ({
  sql,
  params,
});

/** Joins conditions with AND. */
export const all = (conditions: readonly SqlStatement[]): SqlStatement => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  params: conditions.flatMap(({ params }) => params),
});

/** `column = value` for each value that is not null. */
export function equal(pairs: readonly (readonly [string, string | null])[]): SqlStatement[] {
  return pairs.flatMap(([column, value]) =>
    value === null ? [] : [clause(`${column} = ?`, value)],
  );
}
