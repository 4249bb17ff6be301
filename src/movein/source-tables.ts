/** The tables of a source's database, in the same form for every database engine. */
import { isShowable, showable } from '../accounts/account.ts';

export type SourceValue = string | number | bigint | boolean | null | Uint8Array | Date;
export type SourceRow = Readonly<Record<string, unknown>>;
export type SourceTable = {
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
};
/** The tables of the source that exist, by name. */
export type SourceTables = ReadonlyMap<string, SourceTable>;

/** Thrown when a source has an unknown format. The message is a sentence for the operator. */
export class UnknownSource extends Error {}

/**
 * Returns the rows of a table that must exist and have these columns.
 * @throws UnknownSource if the table or a column is missing.
 */
export function requiredRows(
  tables: SourceTables,
  table: string,
  columns: readonly string[],
  makers: string,
): readonly SourceRow[] {
  const found = tables.get(table);
  if (found === undefined)
    throw new UnknownSource(
      `The source has no table \`${table}\`, so it is not a database of ${makers}.`,
    );
  const missing = columns.filter((column) => !found.columns.includes(column));
  if (missing.length === 0) return found.rows;
  throw new UnknownSource(
    `The table \`${table}\` of the source lacks \`${missing.join('`, `')}\`, so this version of ${makers} cannot be read.`,
  );
}

/** Returns the rows of a table that only some versions have; an empty list without the table. */
export const rowsOf = (tables: SourceTables, table: string): readonly SourceRow[] =>
  tables.get(table)?.rows ?? [];

/**
 * Returns the value of a column as text; empty if it is null or the source's version lacks the
 * column.
 */
export function textIn(row: SourceRow, column: string): string {
  const value = row[column];
  if (value === null || value === undefined) return '';
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/**
 * Returns the value of a column as an integer; `missing` if it is null or empty.
 * @throws UnknownSource if it is not an integer.
 */
export function wholeIn(row: SourceRow, column: string, missing = 0n): bigint {
  const value = row[column];
  if (value === null || value === undefined || value === '') return missing;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const text = String(value).trim();
  if (/^-?\d+$/.test(text)) return BigInt(text);
  throw new UnknownSource(
    `The column \`${column}\` of the source has a value that is not a whole number: ${text.slice(0, 40)}.`,
  );
}

/** Whether a column is true, in the notation of any of the database engines. */
export const isTrue = (row: SourceRow, column: string): boolean =>
  ['true', 't', '1'].includes(textIn(row, column).toLowerCase());

const MAX_NAME_CHARS = 100;

/**
 * Returns a name that can be displayed: one line of at most 100 characters. Returns `otherwise` if
 * that is empty.
 */
export function shownName(text: string, otherwise: string): string {
  const plain = showable(text.toWellFormed());
  const cut = [...plain].slice(0, MAX_NAME_CHARS).join('').slice(0, MAX_NAME_CHARS).toWellFormed();
  return isShowable(cut) ? cut.trim() : otherwise;
}
