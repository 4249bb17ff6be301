/**
 * Reads a long list in steps that are short each, since in the embedded store a report runs on the thread
 * that money moves on. A step looks at a bounded number of rows, whatever its filters let through.
 */
import type { SqlStatement, SqlValue } from '../store/sql.ts';

/** Rows that one step looks at: about 3 ms of the store's time. */
export const STEP_ROWS = 1_000;
/** Steps of one page; a page that finds too little in them ends early, and the next goes on from there. */
export const MAX_STEPS = 40;

/** `end`: the place up to which, and with which, it has looked; null when nothing lies beyond. */
export type Step<Row, Place> = { readonly rows: readonly Row[]; readonly end: Place | null };
/** `next`: the place after which to go on; null at the end of the list. */
export type Walked<Row, Place> = { readonly rows: readonly Row[]; readonly next: Place | null };

/** @param step the rows after `place`, in order, at most `wanted` of them. */
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

/** A piece of SQL with what is bound in it. */
export const clause = (sql: string, ...params: readonly SqlValue[]): SqlStatement => ({
  sql,
  params,
});

/** All of them, in one condition. */
export const all = (conditions: readonly SqlStatement[]): SqlStatement => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  params: conditions.flatMap(({ params }) => params),
});

/** `column = value` of each that has a value. */
export function equal(pairs: readonly (readonly [string, string | null])[]): SqlStatement[] {
  return pairs.flatMap(([column, value]) =>
    value === null ? [] : [clause(`${column} = ?`, value)],
  );
}
