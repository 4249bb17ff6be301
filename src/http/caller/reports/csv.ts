/** Comma-separated values as RFC 4180 has them, in UTF-8, safe to open in a spreadsheet. */

import { formatAmount, nano, parseAmount } from '../../../money/amount.ts';

/**
 * `text` is written by people, so it may try to be a formula; `figure` is a number or a time of ours.
 * `amount` (decimal) and `count` (whole) are figures that are summed in the last rows.
 */
export type CsvColumn = 'text' | 'figure' | 'amount' | 'count';
export type CsvColumns = Readonly<Record<string, CsvColumn>>;
export type CsvRow = Readonly<Record<string, unknown>>;

/** Without it spreadsheets read Chinese in the encoding of the machine. */
export const BYTE_ORDER_MARK = '\uFEFF';

const LINE_END = '\r\n';
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
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

/** The sums of the rows it was shown; each currency for itself. */
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

  /** One a currency, by its code; `total` stands in the first of the columns. None without sums. */
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

/** Words side by side; what has parts of its own as JSON. */
const listed = (value: object): string =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? value.join(' ')
    : JSON.stringify(value);

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
