/** Comma-separated values (RFC 4180) in UTF-8, safe to open in a spreadsheet. */

import { formatAmount, nano, parseAmount } from '../../../money/amount.ts';

/**
 * The kind of a column. `text` may contain user input, so formulas in it are escaped. `figure` is a
 * number or time that the gateway wrote. `CsvTotals` sums `amount` (decimal) and `count` (integer).
 */
export type CsvColumn = 'text' | 'figure' | 'amount' | 'count';
export type CsvColumns = Readonly<Record<string, CsvColumn>>;
export type CsvRow = Readonly<Record<string, unknown>>;

/** Without a byte order mark, spreadsheets read Chinese text in the machine's own encoding. */
export const BYTE_ORDER_MARK = '\uFEFF';

const LINE_END = '\r\n';
/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

export const csvHeader = (columns: CsvColumns): string =>
  Object.keys(columns).map(quoted).join(',') + LINE_END;

/** Returns a row as a line of CSV, in column order. A null or missing value is an empty cell. */
export function csvLine(columns: CsvColumns, row: CsvRow): string {
  const cells = Object.entries(columns).map(([name, kind]) => {
    const value = row[name];
    if (value === null || value === undefined) return '';
    const text = typeof value === 'object' ? listed(value) : String(value);
    return quoted(kind === 'text' && FORMULA.test(text) ? `'${text}` : text);
  });
  return cells.join(',') + LINE_END;
}

/** Sums the `amount` and `count` columns of all added rows, separately for each currency. */
export class CsvTotals {
  readonly #columns: CsvColumns;
  readonly #summed: readonly (readonly [string, CsvColumn])[];
  readonly #byCurrency = new Map<string, Map<string, bigint>>();

  constructor(columns: CsvColumns) {
    this.#columns = columns;
    this.#summed = Object.entries(columns).filter(
      ([, kind]) => kind === 'amount' || kind === 'count',
    );
  }

  add(row: CsvRow): void {
    const currency = String(row['currency']);
    const totals = this.#byCurrency.get(currency) ?? new Map<string, bigint>();
    for (const [name, kind] of this.#summed) {
      const text = String(row[name] ?? 0);
      const value = kind === 'amount' ? (parseAmount(text) ?? 0n) : BigInt(text);
      totals.set(name, (totals.get(name) ?? 0n) + value);
    }
    this.#byCurrency.set(currency, totals);
  }

  /** Returns a row per currency, with `total` in the first column; empty if no column is summed. */
  rows(): readonly CsvRow[] {
    if (this.#summed.length === 0) return [];
    const [first = ''] = Object.keys(this.#columns);
    const byCode = [...this.#byCurrency].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return byCode.map(([currency, totals]) => ({
      ...Object.fromEntries(
        [...totals].map(([name, total]) => [
          name,
          this.#columns[name] === 'amount' ? formatAmount(nano(total)) : `${total}`,
        ]),
      ),
      [first]: 'total',
      currency,
    }));
  }
}

/** Formats an object as a cell: a list of strings is joined by spaces, any other object is JSON. */
const listed = (value: object): string =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(' ')
    : JSON.stringify(value);

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
