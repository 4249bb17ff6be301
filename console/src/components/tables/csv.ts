/**
 * Writes a table as CSV for spreadsheets or as JSON Lines for programs. The CSV is UTF-8 with a
 * byte order mark, and no cell can run as a formula.
 */

export type CsvCell = string | number | bigint | null;

const LINE_END = '\r\n';
/** The byte order mark. Without it, spreadsheets may misread Chinese text. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Writes the rows as CSV.
 * @param rows the headings, then the data. A null cell (no data) stays empty.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => row.map(cellText).join(',') + LINE_END).join('');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Writes each row as a JSON object. A bigint is written as a string, because a JSON number may not
 * represent it exactly.
 */
export const jsonLines = (
  names: readonly string[],
  rows: readonly (readonly CsvCell[])[],
): string =>
  rows
    .map((row) => {
      const object = Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]));
      return `${JSON.stringify(object, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}\n`;
    })
    .join('');

/** Joins the parts to a file name such as `modelgate-usage-2026-11-15-2026-11-21`. */
export const fileName = (...parts: readonly string[]): string =>
  ['modelgate', ...parts].join('-').replace(/[^\w.-]+/g, '_');
