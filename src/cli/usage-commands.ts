/** `usage`: what was used and charged, by whatever is asked for. */
import { z } from 'zod';
import { CliError } from './cli-error.ts';
import type { Command, CommandOption } from './command.ts';
import { printReport, REPORT_OPTIONS, reportQuery } from './report-paging.ts';
import { table } from './table.ts';

const GROUP_BY: CommandOption = {
  name: 'by',
  value: 'NAMES',
  summary: 'any of day, account, model, key, channel, separated by commas (model)',
};
const OPTIONS: readonly CommandOption[] = [
  { name: 'account', value: 'ID', summary: 'of this account only' },
  { name: 'key', value: 'ID', summary: 'of this key only' },
  { name: 'model', value: 'MODEL', summary: 'of this model only' },
  { name: 'channel', value: 'CHANNEL', summary: 'of this channel only' },
  { name: 'currency', value: 'CURRENCY', summary: 'in this currency only' },
  ...REPORT_OPTIONS,
];
/** What use can be grouped by, and the column that tells it. */
const COLUMN_OF = new Map([
  ['day', 'day'],
  ['account', 'account_id'],
  ['model', 'model'],
  ['key', 'key_id'],
  ['channel', 'channel'],
]);
const COUNTS = ['currency', 'requests', 'input_tokens', 'output_tokens', 'images', 'charge'];
const TOTAL = z.array(z.record(z.string(), z.unknown()));

const usage: Command = {
  words: 'usage',
  summary: 'show use and charges of the last 30 days, or of the time you name',
  args: [],
  options: [GROUP_BY, ...OPTIONS],
  run: (context, input) => {
    const by = input.text('by') ?? 'model';
    const query = reportQuery(input, OPTIONS);
    query.set('group_by', by);
    const names = by.split(',').map(columnOf);
    return printReport(context, `/usage?${query}`, [...names, ...COUNTS, 'cost_usd'], ({ total }) =>
      totalNote(total),
    );
  },
};

function columnOf(name: string): string {
  const column = COLUMN_OF.get(name.trim());
  if (column !== undefined) return column;
  const known = [...COLUMN_OF.keys()].join(', ');
  throw new CliError('usage', `--by cannot group by ${JSON.stringify(name)}, only by ${known}.`);
}

export const USAGE_COMMANDS: readonly Command[] = [usage];

/** One line a currency: nothing is summed across them. */
function totalNote(answer: unknown): string {
  const total = TOTAL.safeParse(answer);
  if (!total.success || total.data.length === 0) return '';
  const rows = total.data.map((row) => COUNTS.map((name) => String(row[name] ?? '')));
  return `\n\nIn all:\n${table(COUNTS, rows)}`;
}
