/** What every command that shows a report takes, and how it asks for one. */
import { z } from 'zod';
import type { CommandContext, CommandOption, Input } from './command.ts';
import { PAGE_OPTIONS, pageNote } from './paging.ts';
import { table } from './table.ts';

export const TIME_OPTIONS: readonly CommandOption[] = [
  { name: 'from', value: 'WHEN', summary: 'a date (2026-11-01, UTC) to begin with' },
  { name: 'to', value: 'WHEN', summary: 'a date to end with' },
];
export const REPORT_OPTIONS: readonly CommandOption[] = [...TIME_OPTIONS, ...PAGE_OPTIONS];

const REPORT = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  next: z.string().nullable(),
});
export type ReportAnswer = z.infer<typeof REPORT>;

/** Options that the API calls otherwise: nobody types "_id" of what only has an id. */
const PARAM_OF = new Map([
  ['account', 'account_id'],
  ['key', 'key_id'],
]);

/** The options that were given, under their names in the API. */
export function reportQuery(input: Input, options: readonly CommandOption[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of options) {
    const value = input.text(name);
    if (value !== null) query.set(PARAM_OF.get(name) ?? name.replaceAll('-', '_'), value);
  }
  return query;
}

/** Prints the columns of a page, and `after` it what else there is to say. */
export async function printReport(
  { connect, print }: CommandContext,
  path: string,
  columns: readonly string[],
  after: (answer: ReportAnswer) => string = () => '',
): Promise<number> {
  const client = await connect();
  const answer = await client.call({ method: 'GET', path }, REPORT);
  print(answer, () => {
    const rows = answer.data.map((row) => columns.map((name) => cellOf(row[name])));
    return table(columns, rows) + after(answer) + pageNote(answer.next);
  });
  return 0;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}
