/** The columns of a table, and the sorting of rows by the plain values of a column. */
import type { ReactNode } from 'react';
import { isAmount, parseAmount } from '#money/amount.ts';
import type { CsvCell } from './csv.ts';

/**
 * The place of a column's cell on a phone, where each row of the table is shown as a card. The
 * first line of the card has `title`, `amount` and `action`, and the second line has `state`. Each
 * `detail` has a line of its own, with the column's heading.
 */
export type PhonePlace = 'title' | 'amount' | 'state' | 'action' | 'detail' | 'hidden';

/** The text of a cell without a value. On a phone, a `detail` without a value is omitted. */
export const NOTHING = '–';

export type Column<Row> = {
  /** The name of the column, unique in the table. */
  readonly name: string;
  readonly heading: string;
  /** A second line of the heading, such as a unit. */
  readonly unit?: string;
  /** The explanation of the heading, shown on hover. */
  readonly hint?: string;
  /** Whether the cells are right-aligned, as for numbers. */
  readonly end?: boolean;
  /**
   * Renders the cell of a row.
   * @param places the maximum number of decimal places in the column.
   */
  readonly cell: (row: Row, places?: number) => ReactNode;
  /**
   * Returns the number of decimal places of the cell in a row. If this function is set, the numbers
   * of the column align at the decimal point.
   */
  readonly places?: (row: Row) => number;
  /**
   * Returns the plain value of a cell, for sorting and for the CSV file. A column without this
   * function can be neither sorted nor exported. Amounts are the decimal strings of the API.
   */
  readonly value?: (row: Row) => CsvCell;
  /** The cell of the totals row. */
  readonly total?: ReactNode | ((places: number) => ReactNode);
  /**
   * Where the cell is shown on a phone. Default: `title` for the first column, otherwise `detail`.
   */
  readonly phone?: PhonePlace;
  /**
   * When the column is shown:
   * - `always`, the default.
   * - `fits`: unless the table would scroll.
   * - `wide`: only in a wide window, unless the table would scroll.
   * - `chosen`: only when the person has chosen the column.
   */
  readonly show?: 'always' | 'fits' | 'wide' | 'chosen';
};

/** Returns the column with the numbers of these rows aligned at the decimal point. */
export function alignedColumn<Row>(column: Column<Row>, rows: readonly Row[]): Column<Row> {
  const { places, cell, total } = column;
  if (places === undefined) return column;
  const most = rows.reduce((most, row) => Math.max(most, places(row)), 0);
  return {
    ...column,
    cell: (row) => cell(row, most),
    ...(typeof total === 'function' ? { total: total(most) } : {}),
  };
}

/** The column to sort by, and the direction; null keeps the given order. */
export type Sort = { readonly column: string; readonly isDescending: boolean } | null;

/**
 * Returns the next sort when the heading of `column` is pressed: ascending, descending, then
 * unsorted.
 */
export function nextSort(column: string, sort: Sort): Sort {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? null : { column, isDescending: true };
}

const texts = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const isFigure = (value: CsvCell): value is number | bigint | string =>
  typeof value === 'number' || typeof value === 'bigint' || isDecimal(value);
const isDecimal = (value: CsvCell): value is string => typeof value === 'string' && isAmount(value);

/** Compares two cells: numbers exactly by size, texts alphabetically. Numbers come before texts. */
export function compareCells(a: CsvCell, b: CsvCell): number {
  if (!isFigure(a) || !isFigure(b)) {
    return Number(isFigure(b)) - Number(isFigure(a)) || texts.compare(String(a), String(b));
  }
  const [left, right] = isDecimal(a) && isDecimal(b) ? [parseAmount(a), parseAmount(b)] : [a, b];
  return left < right ? -1 : Number(left > right);
}

/**
 * Sorts the rows. Rows without a value are last in both directions. Rows with equal values keep
 * their order.
 */
export function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort,
): readonly Row[] {
  const value = columns.find(({ name }) => name === sort?.column)?.value;
  if (sort === null || value === undefined) return rows;
  const direction = sort.isDescending ? -1 : 1;
  return rows.toSorted((first, second) => {
    const [a, b] = [value(first), value(second)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compareCells(a, b);
  });
}
