/**
 * Reads lists in steps, each of which is one short SQL statement, since reports and settlements
 * share the embedded store's thread.
 */
import { raw, type SqlStatement, statement } from '../store/sql.ts';

/**
 * Maximum rows that the statement of one step reads, which takes about 3 ms of the store's time.
 */
export const STEP_ROWS = 1_000;
/**
 * Maximum steps per page. After so many steps, the page ends even if it is not full. The next page
 * continues there.
 */
export const MAX_STEPS = 40;

/** The result of one step. `end` is the last position read; null at the end of the list. */
export type Step<Row, Place> = { readonly rows: readonly Row[]; readonly end: Place | null };
/** The rows of a page. The next page starts after `next`, which is null at the end of the list. */
export type Walked<Row, Place> = { readonly rows: readonly Row[]; readonly next: Place | null };

/**
 * Runs `step` repeatedly until the page is full or the list ends. `step` returns at most `wanted`
 * rows after `place`.
 */
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

/** Joins conditions with AND. */
export const all = (conditions: readonly SqlStatement[]): SqlStatement => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  params: conditions.flatMap(({ params }) => params),
});

/** Joins conditions with OR. */
export const any = (conditions: readonly SqlStatement[]): SqlStatement => ({
  sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
  params: conditions.flatMap(({ params }) => params),
});

/** Returns a condition `column = value` for each value that is not null. */
export const equal = (values: Readonly<Record<string, string | null>>): SqlStatement[] =>
  Object.entries(values).flatMap(([column, value]) =>
    value === null ? [] : [statement`${raw(column)} = ${value}`],
  );
