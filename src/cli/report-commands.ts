/** The commands `usage`, `audit list` and `ledger list`, which print reports page by page. */
import * as z from 'zod';
import { CliError } from './cli-error.ts';
import type { Command, Options } from './command.ts';
import { printReport, queryOf, REPORT_OPTIONS, table } from './lists.ts';

const USAGE_OPTIONS: Options = {
  'account ID': 'only this account',
  'key ID': 'only this key',
  'model MODEL': 'only this model',
  'channel CHANNEL': 'only this channel',
  'currency CURRENCY': 'only this currency',
  ...REPORT_OPTIONS,
};
/** The column for each dimension by which usage can be grouped. */
const COLUMN_OF = new Map([
  ['day', 'day'],
  ['account', 'account_id'],
  ['model', 'model'],
  ['key', 'key_id'],
  ['channel', 'channel'],
]);
const COUNTS = ['currency', 'requests', 'input_tokens', 'output_tokens', 'images', 'charge'];
const TOTAL = z.array(z.record(z.string(), z.unknown()));

function columnOf(name: string): string {
  const column = COLUMN_OF.get(name.trim());
  if (column !== undefined) return column;
  const known = [...COLUMN_OF.keys()].join(', ');
  throw new CliError('usage', `--by cannot group by ${JSON.stringify(name)}, only by ${known}.`);
}

/** Formats one total for each currency, because amounts in different currencies are never added. */
function totalNote(answer: unknown): string {
  const total = TOTAL.safeParse(answer);
  if (!total.success || total.data.length === 0) return '';
  const rows = total.data.map((row) => COUNTS.map((name) => String(row[name] ?? '')));
  return `\n\nTotal:\n${table(COUNTS, rows)}`;
}

const AUDIT_OPTIONS: Options = {
  'subject ID': 'only actions on this object',
  'actor ID': 'only actions by this actor: the id of a person or key, admin or system',
  'action ACTION': 'only this action, such as wallet.credit or key.revoke',
  ...REPORT_OPTIONS,
};

function chainNote(chain: unknown): string {
  if (typeof chain !== 'object' || chain === null) return '';
  const broken = 'first_broken_id' in chain ? chain.first_broken_id : null;
  return broken === null
    ? '\n\nThe hash chain is intact.'
    : `\n\nThe hash chain is broken: entry ${String(broken)} does not follow from its predecessor.`;
}

const LEDGER_OPTIONS: Options = {
  'currency CURRENCY': 'only the wallet in this currency',
  'kind KIND':
    'only this kind: credit, settle, exchange, refund, adjust or late (corrected charges)',
  ...REPORT_OPTIONS,
};

export const REPORT_COMMANDS: readonly Command[] = [
  {
    words: 'ledger list',
    summary: "list every movement of an account's wallets, newest first",
    args: ['ACCOUNT'],
    options: LEDGER_OPTIONS,
    run: (context, input) => {
      const query = queryOf(input, LEDGER_OPTIONS);
      const columns = ['at', 'kind', 'amount', 'currency', 'balance_after', 'id', 'reason'];
      return printReport(
        context,
        `/accounts/${encodeURIComponent(input.arg(0))}/ledger?${query}`,
        columns,
      );
    },
  },
  {
    words: 'usage',
    summary: 'show usage and charges of the last 30 days, or of the given period',
    options: {
      'by NAMES': 'group by any of day, account, model, key, channel (a,b; default model)',
      ...USAGE_OPTIONS,
    },
    run: (context, input) => {
      const by = input.text('by') ?? 'model';
      const query = queryOf(input, USAGE_OPTIONS);
      query.set('group_by', by);
      const columns = [...by.split(',').map(columnOf), ...COUNTS, 'cost_usd'];
      return printReport(context, `/usage?${query}`, columns, ({ total }) => totalNote(total));
    },
  },
  {
    words: 'audit list',
    summary: 'list changes of prices, keys, limits, balances and roles, newest first',
    options: { ...AUDIT_OPTIONS, verify: 'verify the hash chain up to the newest entry shown' },
    run: (context, input) => {
      const query = queryOf(input, AUDIT_OPTIONS);
      if (input.has('verify')) query.set('verify', 'true');
      const columns = ['id', 'at', 'actor', 'action', 'subject', 'detail'];
      return printReport(context, `/audit?${query}`, columns, ({ chain }) => chainNote(chain));
    },
  },
];
