/** Comma-separated values as RFC 4180 has them, in UTF-8, safe to open in a spreadsheet. */

/** `text` is written by people, so it may try to be a formula; `number` is an amount, count or time of ours. */
export type CsvColumns = Readonly<Record<string, 'text' | 'number'>>;
export type CsvRow = Readonly<Record<string, unknown>>;

const LINE_END = '\r\n';
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

export const csvHeader = (columns: CsvColumns): string =>
  Object.keys(columns).map(quoted).join(',') + LINE_END;

/** Cells stand in the columns' order; a value that is absent or null is an empty one. */
export function csvLine(columns: CsvColumns, row: CsvRow): string {
  const cells = Object.entries(columns).map(([name, kind]) => {
    const value = row[name];
    if (value === null || value === undefined) return '';
    const text = typeof value === 'object' ? listed(value) : String(value);
    return quoted(kind === 'text' && FORMULA.test(text) ? `'${text}` : text);
  });
  return cells.join(',') + LINE_END;
}

/** Words side by side; what has parts of its own as JSON. */
const listed = (value: object): string =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(' ')
    : JSON.stringify(value);

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
