/** Reads a provider's bill from a CSV file. The caller names the column of each field. */
import { GatewayError } from '../errors.ts';
import type { Currency } from '../money/amount.ts';
import { DAY_MS, dateOf, dayOf } from '../money/calendar.ts';
import { type Bill, type BillRow, MEASURES, type Measure, picoOf } from './bill.ts';

/**
 * The fields of a row. `uncached` counts input tokens that were not cached. A file must not have
 * both `uncached` and `prompt`.
 */
export const CSV_FIELDS = ['day', 'model', 'uncached', ...MEASURES] as const;
export type CsvField = (typeof CSV_FIELDS)[number];
/** The column name of each field. A field without an entry is in the column of its own name. */
export type CsvColumns = { readonly [Field in CsvField]?: string };

const MAX_ROWS = 50_000;

/** @throws GatewayError `invalid_value` that names the line or the column. */
export function csvBill(text: string, columns: CsvColumns, currency: Currency): Bill {
  const [header, ...lines] = csvLines(text);
  if (header === undefined) throw invalid('The CSV file is empty.');
  if (lines.length > MAX_ROWS) throw invalid(`The CSV file has more than ${MAX_ROWS} rows.`);
  const at = placesOf(header, columns);
  const measures = MEASURES.filter(
    (measure) => at.has(measure) || (measure === 'prompt' && at.has('uncached')),
  );
  if (measures.length === 0)
    throw invalid(`The CSV file has none of the columns ${MEASURES.join(', ')}. ${MAPPING}`);
  const needed = Math.max(...at.values()) + 1;
  const rows = lines.map((cells, index) => {
    const line = index + 2;
    if (cells.length < needed)
      throw invalid(`Row ${line} of the CSV file has too few cells. The file may be cut off.`);
    return rowOf({ cells, at, line });
  });
  return { currency, measures, rows };
}

type Line = {
  readonly cells: readonly string[];
  readonly at: ReadonlyMap<CsvField, number>;
  /**
   * The number of the line; the header is 1. Empty lines and line breaks within quotes do not
   * count.
   */
  readonly line: number;
};

function rowOf(of: Line): BillRow {
  const { at } = of;
  const day = dayFrom(cellOf(of, 'day'));
  if (day === null) throw wrong(of, 'day', 'a date such as 2026-11-21');
  const sums: { -readonly [Name in Measure]?: bigint } = {};
  for (const measure of MEASURES) {
    if (at.has(measure)) sums[measure] = measure === 'cost' ? costIn(of) : countIn(of, measure);
  }
  if (at.has('uncached')) {
    sums.prompt = countIn(of, 'uncached') + (sums.cache_read ?? 0n) + (sums.cache_write ?? 0n);
  }
  const model = cellOf(of, 'model').trim();
  return { day, model: model === '' ? null : model, sums };
}

/** Reads a count, which may have commas as thousands separators. An empty cell is zero. */
function countIn(of: Line, field: CsvField): bigint {
  const text = ungrouped(cellOf(of, field).trim());
  if (text === '') return 0n;
  if (/^\d{1,18}(?:\.0+)?$/.test(text)) return BigInt(text.replace(/\..*/, ''));
  throw wrong(of, field, 'a whole number');
}

function costIn(of: Line): bigint {
  const text = ungrouped(cellOf(of, 'cost').trim().replace(/^[$¥]/, ''));
  if (text === '') return 0n;
  const pico = picoOf(text);
  if (pico === null) throw wrong(of, 'cost', 'a decimal such as 12.34');
  return pico;
}

/** Removes thousands separators. A decimal comma, such as that of `1,5`, stays. */
const ungrouped = (text: string): string =>
  /^-?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(text) ? text.replaceAll(',', '') : text;

const DATE = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?!\d)/;
const TIME_WITH_OFFSET = /^[T ](\d{2}:\d{2})\S*? ?([+-]\d{2}):?(\d{2})$/;

/**
 * Returns the day of a text that begins with a date such as `2026-11-21`, `2026/11/21` or
 * `20261121`; null for any other text. A time with an offset, such as `+08:00`, counts on its UTC
 * day.
 */
function dayFrom(text: string): number | null {
  const [found = '', year, month, dayOfMonth] = DATE.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${dayOfMonth}`;
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  if (Number.isNaN(day) || dateOf(day) !== date) return null;
  const [, time, hours, minutes] = TIME_WITH_OFFSET.exec(text.trim().slice(found.length)) ?? [];
  if (time === undefined) return day;
  const atMs = Date.parse(`${date}T${time}:00${hours}:${minutes}`);
  return Number.isNaN(atMs) ? null : dayOf(atMs);
}

function placesOf(header: readonly string[], columns: CsvColumns): ReadonlyMap<CsvField, number> {
  const names = header.map((name) => name.trim().toLowerCase());
  const places = new Map<CsvField, number>();
  for (const field of CSV_FIELDS) {
    const wanted = columns[field];
    const place = names.indexOf((wanted ?? field).trim().toLowerCase());
    if (place >= 0) places.set(field, place);
    else if (wanted !== undefined || field === 'day' || field === 'model')
      throw invalid(
        `The CSV file has no column ${JSON.stringify(wanted ?? field)}. Its columns are ${header.join(', ')}. ${MAPPING}`,
      );
  }
  if (places.has('prompt') && places.has('uncached'))
    throw invalid('Map only one of `prompt` and `uncached`, because both count input tokens.');
  return places;
}

const MAPPING = 'Name the columns with --columns, such as "day=Date,model=Model,cost=Amount".';

const cellOf = ({ cells, at }: Line, field: CsvField): string => cells[at.get(field) ?? -1] ?? '';

const wrong = (of: Line, field: CsvField, form: string): GatewayError =>
  invalid(
    `Row ${of.line} of the CSV file: \`${field}\` must be ${form}, not ${JSON.stringify(cellOf(of, field).slice(0, 40))}.`,
  );

const invalid = (message: string): GatewayError =>
  new GatewayError('invalid_value', message, { param: 'csv' });

/**
 * Splits CSV (RFC 4180) into lines of cells. Empty lines are left out.
 * @throws GatewayError `invalid_value` for a misplaced quote.
 */
export function csvLines(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const end = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < end.length) {
    const from = cell.lastIndex;
    const found = cell.exec(end);
    if (found === null) throw invalid(`The CSV file has a misplaced quote at character ${from}.`);
    line.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') {
      if (cell.lastIndex === end.length) line.push('');
      continue;
    }
    if (line.some((it) => it !== '')) lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
