/**
 * Sends a report: one page as JSON, or all rows as a CSV or JSON Lines file. A file is streamed, so
 * that it is never in memory as a whole.
 */

import type { z } from 'zod';
import { MAX_PAGE } from '../../../accounts/page.ts';
import { nextTurn } from '../../../clock.ts';
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

/** Number of rows that are read at a time for a file. */
const FILE_PAGE = 500;

const FILE_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;
export type FileFormat = keyof typeof FILE_TYPES;
export const REPORT_FORMATS = ['json', 'csv', 'jsonl'] as const;

export type ReportShape = {
  /** The format of a file; null for a JSON page. */
  readonly file: FileFormat | null;
  /**
   * The requested number of rows. If it is null, a JSON answer has the default number of rows, and
   * a file has all rows.
   */
  readonly limit: number | null;
  readonly after: string | null;
};

/**
 * The reader of a CSV file. The file ends with totals for a person, who opens it in a spreadsheet.
 */
export type Reader = 'program' | 'person';

export const DEFAULT_REPORT_PAGE = 100;

/** The description of a route that answers with `respond`. */
export const listDoc = (summary: string, query: z.ZodType, response: z.ZodType): Doc => ({
  summary,
  query,
  response,
  mediaTypes: ['application/json', ...Object.values(FILE_TYPES)],
});

/** Responds in the requested format. @throws GatewayError when the first page cannot be read. */
export async function respond(
  list: ReportList,
  shape: ReportShape,
  reader: Reader,
): Promise<Response> {
  const { file, limit, after } = shape;
  if (file !== null) return await fileResponse(list, shape, writerOf(file, list, reader));
  const { rows, next, beside } = await list.page(limit ?? DEFAULT_REPORT_PAGE, after);
  return Response.json({ data: rows, next, ...beside }, { headers: NO_STORE });
}

/**
 * Returns the file format that `format` requests, or the `accept` header if there is no `format`;
 * null for a JSON answer.
 */
export function fileFormatOf(
  format: (typeof REPORT_FORMATS)[number] | undefined,
  headers: Headers,
): FileFormat | null {
  if (format !== undefined) return format === 'json' ? null : format;
  const accepted = headers.get('accept') ?? '';
  if (/(?:^|[,\s])text\/csv\b/i.test(accepted)) return 'csv';
  return /(?:^|[,\s])application\/(?:jsonl|x-ndjson)\b/i.test(accepted) ? 'jsonl' : null;
}

/** Writes a file in one format: its beginning, its rows and its end. */
type FileWriter = {
  readonly ending: FileFormat;
  readonly contentType: string;
  readonly begin: string;
  readonly rows: (rows: readonly CsvRow[]) => string;
  readonly end: () => string;
};

const writerOf = (format: FileFormat, list: ReportList, reader: Reader): FileWriter =>
  format === 'csv' ? csvWriter(list, reader) : JSON_LINES;

/** One line per row, with the same JSON object as in a JSON answer. */
const JSON_LINES: FileWriter = {
  ending: 'jsonl',
  contentType: `${FILE_TYPES.jsonl}; charset=utf-8`,
  begin: '',
  rows: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  end: () => '',
};

function csvWriter({ columns }: ReportList, reader: Reader): FileWriter {
  const totals = new CsvTotals(columns);
  const lines = (rows: readonly CsvRow[]): string =>
    rows.map((row) => csvLine(columns, row)).join('');
  return {
    ending: 'csv',
    contentType: `${FILE_TYPES.csv}; charset=utf-8; header=present`,
    begin: (reader === 'person' ? BYTE_ORDER_MARK : '') + csvHeader(columns),
    rows: (rows) => {
      for (const row of rows) totals.add(row);
      return lines(rows);
    },
    end: () => (reader === 'program' ? '' : lines(totals.rows())),
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();
/**
 * Does the work of all files one after the other, and lets other requests run in between. The
 * answers of the store to several files would otherwise keep the event loop busy without a break.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(nextTurn).then(work);
  lastTurn = turn.catch(() => {});
  return turn;
}

async function fileResponse(
  list: ReportList,
  { limit, after }: ReportShape,
  writer: FileWriter,
): Promise<Response> {
  const pageSize = Math.min(limit ?? FILE_PAGE, MAX_PAGE);
  // The first page is read before the response starts, so that its errors still set the status.
  const first = await list.page(pageSize, after);
  const encoder = new TextEncoder();
  let next = limit === null ? first.next : null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(encoder.encode(writer.begin + writer.rows(first.rows))),
    pull: async (controller) => {
      if (next === null) {
        controller.enqueue(encoder.encode(writer.end()));
        controller.close();
        return;
      }
      const place = next;
      const page = await inTurn(() => list.page(pageSize, place));
      next = page.next;
      // Filters may leave a page empty although more pages follow, so the list ends only when
      // `next` is null.
      controller.enqueue(encoder.encode(writer.rows(page.rows)));
    },
  });
  return new Response(body, {
    headers: {
      ...NO_STORE,
      'content-type': writer.contentType,
      'content-disposition': `attachment; filename="modelgate-${list.name}.${writer.ending}"`,
      ...(limit === null || first.next === null ? {} : { 'x-next': first.next }),
    },
  });
}
