/** Reads columns of a row and checks that they have the expected type. */
import { type Currency, isCurrency } from '../money/amount.ts';
import type { SqlRow } from './sql.ts';

/** @throws Error when the column is not text. */
export function text(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`column ${column} is not text`);
  return value;
}

export const textOrNull = (row: SqlRow, column: string): string | null =>
  row[column] === null ? null : text(row, column);

/** @throws Error when the column is not an integer. */
export function integer(row: SqlRow, column: string): bigint {
  const value = row[column];
  if (typeof value !== 'bigint') throw new Error(`column ${column} is not an integer`);
  return value;
}

/** Reads a safe integer or null. @throws Error when the column is neither an integer nor null. */
export const numberOrNull = (row: SqlRow, column: string): number | null =>
  row[column] === null ? null : Number(integer(row, column));

/** @throws Error when the column contains an unknown currency. */
export function currencyOf(row: SqlRow, column = 'currency'): Currency {
  const currency = text(row, column);
  if (!isCurrency(currency))
    throw new Error(`column ${column} has the unknown currency ${currency}`);
  return currency;
}
