/**
 * Writes a table as CSV for spreadsheets: UTF-8 with a byte order mark, and no cell that would run
 * as a formula.
 */

export type CsvCell = string | number | bigint | null;

const LINE_END = '\r\n';
/** Without it, spreadsheets may misread Chinese text. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** @param rows headings first. A null cell stays empty: no data, which differs from zero. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => row.map(cellText).join(',') + LINE_END).join('');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Such as `modelgate-usage-2026-11-15-2026-11-21.csv`. */
export const csvName = (...parts: readonly string[]): string =>
  `${['modelgate', ...parts].join('-').replace(/[^\w.-]+/g, '_')}.csv`;
