/** Prints lists as aligned columns, page by page. */
import { z } from 'zod';
import type { CommandContext, CommandOption, Input } from './command.ts';

export const PAGE_OPTIONS: readonly CommandOption[] = [
  { name: 'limit', value: 'N', summary: 'at most this many rows (default 100)' },
  { name: 'after', value: 'ID', summary: 'rows after this one' },
];
/** The options of every report. */
export const REPORT_OPTIONS: readonly CommandOption[] = [
  { name: 'from', value: 'WHEN', summary: 'the first date (2026-11-01, UTC)' },
  { name: 'to', value: 'WHEN', summary: 'the last date' },
  ...PAGE_OPTIONS,
];

/** Options whose query parameter has another name. */
const PARAM_OF = new Map([
  ['account', 'account_id'],
  ['key', 'key_id'],
]);

/** Returns the given options as query parameters, under their names in the API. */
export function queryOf(input: Input, options: readonly CommandOption[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of options) {
    const value = input.text(name);
    if (value !== null) query.set(PARAM_OF.get(name) ?? name, value);
  }
  return query;
}

/** Returns the schema of a page. A newer server may send fields that this version does not know. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ data: z.array(item), next: z.string().nullable() });

/** Prints a page with one row for each item. */
export async function printPage<Item extends z.ZodType>(
  { connect, print }: CommandContext,
  path: string,
  item: Item,
  header: readonly string[],
  row: (item: z.infer<Item>) => readonly string[],
): Promise<number> {
  const client = await connect();
  const page = await client.call({ method: 'GET', path }, pageOf(item));
  print(page, () => table(header, page.data.map(row)) + nextNote(page.next));
  return 0;
}

const ROW = z.record(z.string(), z.unknown());
const REPORT = pageOf(ROW);
export type ReportAnswer = z.infer<typeof REPORT>;

/** Prints the given columns of a report, then the text that `note` returns. */
export async function printReport(
  { connect, print }: CommandContext,
  path: string,
  columns: readonly string[],
  note: (answer: ReportAnswer) => string = () => '',
): Promise<number> {
  const client = await connect();
  const answer = await client.call({ method: 'GET', path }, REPORT);
  print(answer, () => {
    const rows = answer.data.map((row) => columns.map((name) => cellOf(row[name])));
    return table(columns, rows) + note(answer) + nextNote(answer.next);
  });
  return 0;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

const nextNote = (next: string | null): string =>
  next === null ? '' : `\n\nThere are more: add --after ${next}`;

/** Formats a table of aligned columns, two spaces apart, which both a person and `awk` can read. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    header.map((title) => title.toUpperCase()),
    ...rows.map((row) => row.map(oneLine)),
  ];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Replaces control characters: callers choose names, which must not control the terminal. */
const oneLine = (cell: string): string => cell.replace(/\p{Cc}/gu, ' ');
