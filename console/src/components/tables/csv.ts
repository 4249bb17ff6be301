/** A table as a file that spreadsheets open: UTF-8 with its mark, and no cell that they would take for a formula. */

export type CsvCell = string | number | bigint | null;

const LINE_END = '\r\n';
/** Without it a spreadsheet may take Chinese for something else. */
const BYTE_ORDER_MARK = '\uFEFF';
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** @param rows the headings first. An empty cell is null: there is nothing to tell, which is not zero. */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => row.map(cellText).join(',') + LINE_END).join('');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `modelgate-usage-2026-11-15-2026-11-21.csv`: what is in it, and of when. */
export const csvName = (...parts: readonly string[]): string =>
  `${['modelgate', ...parts].join('-').replace(/[^\w.-]+/g, '_')}.csv`;
