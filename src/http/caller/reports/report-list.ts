/** Sends a report: one page as JSON, or all rows as CSV, streamed so that they fill no memory. */

import type { z } from 'zod';
import { MAX_PAGE } from '../../../accounts/page.ts';
import { NO_STORE } from '../../edge/answer-schema.ts';
import type { Doc } from '../../edge/route.ts';
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
  /** The value of `after` for the next page; null at the end of the list. */
  readonly next: string | null;
  /** Further fields of the JSON answer, next to `data`. */
  readonly beside?: Readonly<Record<string, unknown>>;
};

export type ReportList = {
  /** The report's part of the file name, such as `usage`. */
  readonly name: string;
  readonly columns: CsvColumns;
  readonly page: (limit: number, after: string | null) => Promise<ReportPage>;
};

/** How many rows a CSV answer reads at a time. */
const CSV_PAGE = 500;
export type ReportShape = {
  readonly csv: boolean;
  /** The requested number of rows; null: the default page for JSON, the whole list for CSV. */
  readonly limit: number | null;
  readonly after: string | null;
};

/** Who reads the CSV. For a person, who opens a spreadsheet, the CSV ends with sums. */
export type Reader = 'program' | 'person';

export const DEFAULT_REPORT_PAGE = 100;

/** The description of a route that answers with `respond`. */
export const listDoc = (summary: string, query: z.ZodType, response: z.ZodType): Doc => ({
  summary,
  query,
  response,
  mediaTypes: ['application/json', 'text/csv'],
});

/** Responds in the requested format. @throws GatewayError when the first page cannot be read. */
export async function respond(
  list: ReportList,
  shape: ReportShape,
  reader: Reader,
): Promise<Response> {
  const { csv, limit, after } = shape;
  if (csv) return await csvResponse(list, limit, after, reader);
  const { rows, next, beside } = await list.page(limit ?? DEFAULT_REPORT_PAGE, after);
  return Response.json({ data: rows, next, ...beside }, { headers: NO_STORE });
}

/** Whether `format` requests CSV, or the `accept` header if there is no `format`. */
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
  // The first page is read before the response starts, so that its errors still set the status.
  const first = await list.page(pageSize, after);
  const text = ({ rows }: ReportPage): string => {
    for (const row of rows) totals.add(row);
    return rows.map((row) => csvLine(columns, row)).join('');
  };
  const sums = (): string => {
    if (reader === 'program') return '';
    return totals
      .rows()
      .map((row) => csvLine(columns, row))
      .join('');
  };
  const begin = reader === 'person' ? BYTE_ORDER_MARK : '';
  const encoder = new TextEncoder();
  let next = limit === null ? first.next : null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(encoder.encode(begin + csvHeader(columns) + text(first))),
    pull: async (controller) => {
      if (next === null) {
        controller.enqueue(encoder.encode(sums()));
        controller.close();
        return;
      }
      const page = await list.page(pageSize, next);
      next = page.next;
      // Filters may leave a page without rows before the last one, so only `next` ends the list.
      controller.enqueue(encoder.encode(text(page)));
    },
  });
  return new Response(body, {
    headers: {
      ...NO_STORE,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="modelgate-${name}.csv"`,
      ...(limit === null || first.next === null ? {} : { 'x-next': first.next }),
    },
  });
}
