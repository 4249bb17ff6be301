/** Prints lists as aligned columns, page by page. */
import * as z from 'zod';
import {
  type Command,
  type CommandContext,
  type Input,
  listed,
  type Options,
  printAnswer,
} from './command.ts';

export const PAGE_OPTIONS: Options = {
  'limit N': 'at most this many rows (default 100)',
  'after ID': 'continue after this ID, which is shown below the previous page',
};
/** The options of every report. */
export const REPORT_OPTIONS: Options = {
  'from WHEN': 'the first date (2026-11-01, UTC)',
  'to WHEN': 'the last date',
  ...PAGE_OPTIONS,
};

/** Maps option names to the names of their query parameters, where the two differ. */
const PARAM_OF = new Map([
  ['account', 'account_id'],
  ['key', 'key_id'],
]);

/** Returns the options that were given as query parameters, with the API's names. */
export function queryOf(input: Input, options: Options): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of listed(options)) {
    const value = input.text(name);
    if (value !== null) query.set(PARAM_OF.get(name) ?? name, value);
  }
  return query;
}

/**
 * Returns the schema of a page of items. It accepts unknown fields, because a newer server may send
 * them.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ data: z.array(item), next: z.string().nullable() });

/** Returns a command that prints one page of the list at `path`, with one row for each item. */
export const pageCommand = <Item extends z.ZodType>({
  path,
  item,
  header,
  row,
  ...command
}: Omit<Command, 'run'> & {
  readonly path: string;
  readonly item: Item;
  readonly header: readonly string[];
  readonly row: (item: z.infer<Item>) => readonly string[];
}): Command => ({
  options: PAGE_OPTIONS,
  ...command,
  run: (context, input) => {
    const query = queryOf(input, command.options ?? PAGE_OPTIONS);
    const call = { method: 'GET', path: `${path}?${query}` } as const;
    return printAnswer(
      context,
      call,
      pageOf(item),
      ({ data, next }) => table(header, data.map(row)) + nextNote(next),
    );
  },
});

const ROW = z.record(z.string(), z.unknown());
const REPORT = pageOf(ROW);

/** Prints the given columns of a report, followed by the text that `note` returns. */
export const printReport = (
  context: CommandContext,
  path: string,
  columns: readonly string[],
  note: (answer: z.infer<typeof REPORT>) => string = () => '',
): Promise<number> =>
  printAnswer(context, { method: 'GET', path }, REPORT, (answer) => {
    const rows = answer.data.map((row) => columns.map((name) => cellOf(row[name])));
    return table(columns, rows) + note(answer) + nextNote(answer.next);
  });

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

const nextNote = (next: string | null): string =>
  next === null ? '' : `\n\nThere are more rows: add --after ${next}`;

/**
 * Formats a table of aligned columns, separated by at least two spaces. Both people and `awk` can
 * read it.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [
    header.map((title) => title.toUpperCase()),
    ...rows.map((row) => row.map(oneLine)),
  ];
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const padded = (cell: string, column: number): string => cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}

/** Replaces control characters, since a name that a caller chose must not control the terminal. */
const oneLine = (cell: string): string => cell.replace(/\p{Cc}/gu, ' ');
