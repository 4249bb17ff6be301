/**
 * A report as a list: one page of it in JSON, or the whole of it as CSV, written page by page so that a
 * year of requests is never in memory at once. Both show the same columns under the same filters.
 */
import { MAX_PAGE } from '../../../accounts/page.ts';
import {
  BYTE_ORDER_MARK,
  type CsvColumns,
  type CsvRow,
  CsvTotals,
  csvHeader,
  csvLine,
} from './csv.ts';

export type ReportPage = {
  readonly rows: readonly CsvRow[];
  /** What `after` has to be for the next page; null at the end. */
  readonly next: string | null;
  /** What the JSON answer says beside its rows. */
  readonly beside?: Readonly<Record<string, unknown>>;
};

export type ReportList = {
  /** Of the file, such as `usage`. */
  readonly name: string;
  readonly columns: CsvColumns;
  readonly page: (limit: number, after: string | null) => Promise<ReportPage>;
};

/** Rows of a CSV answer that are read at a time. */
const CSV_PAGE = 500;
/** One account's own, and true only now. */
const PRIVATE = { 'cache-control': 'no-store' } as const;

export type ReportShape = {
  readonly csv: boolean;
  /** Null: a JSON page of the usual size, a CSV to the end of the list. */
  readonly limit: number | null;
  readonly after: string | null;
};

/** A program reads the rows; a person opens them in a spreadsheet, and wants their sums below them. */
export type Reader = 'program' | 'person';

export const DEFAULT_REPORT_PAGE = 100;

/** @throws GatewayError whatever reading the first page throws. */
export async function respond(
  list: ReportList,
  shape: ReportShape,
  reader: Reader,
): Promise<Response> {
  const { csv, limit, after } = shape;
  if (csv) return await csvResponse(list, limit, after, reader);
  const { rows, next, beside } = await list.page(limit ?? DEFAULT_REPORT_PAGE, after);
  return Response.json({ data: rows, next, ...beside }, { headers: PRIVATE });
}

/** Whether CSV is asked for: by `format`, or else by the media type that the caller accepts. */
export function wantsCsv(format: 'csv' | 'json' | undefined, headers: Headers): boolean {
  if (format !== undefined) return format === 'csv';
  return /(?:^|[,\s])text\/csv\b/i.test(headers.get('accept') ?? '');
}

async function csvResponse(
  list: ReportList,
  limit: number | null,
  after: string | null,
  reader: Reader,
): Promise<Response> {
  const { columns, name } = list;
  const totals = new CsvTotals(columns);
  const pageSize = Math.min(limit ?? CSV_PAGE, MAX_PAGE);
  // Read before the answer begins, so that a refusal is still one.
  const first = await list.page(pageSize, after);
  const text = ({ rows }: ReportPage): string => {
    for (const row of rows) totals.add(row);
    return rows.map((row) => csvLine(columns, row)).join('');
  };
  const end = (): string =>
    reader === 'person'
      ? totals
          .rows()
          .map((row) => csvLine(columns, row))
          .join('')
      : '';
  const begin = reader === 'person' ? BYTE_ORDER_MARK : '';
  const encoder = new TextEncoder();
  let next = limit === null ? first.next : null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(encoder.encode(begin + csvHeader(columns) + text(first))),
    pull: async (controller) => {
      if (next === null) {
        controller.enqueue(encoder.encode(end()));
        controller.close();
        return;
      }
      const page = await list.page(pageSize, next);
      next = page.next;
      // A page may be empty and still not the last: its steps found nothing under the filters.
      controller.enqueue(encoder.encode(text(page)));
    },
  });
  return new Response(body, {
    headers: {
      ...PRIVATE,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="modelgate-${name}.csv"`,
      ...(limit === null || first.next === null ? {} : { 'x-next': first.next }),
    },
  });
}
