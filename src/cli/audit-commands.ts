/** `audit list`: who changed what. */
import type { Command, CommandOption } from './command.ts';
import { printReport, REPORT_OPTIONS, reportQuery } from './report-paging.ts';

const OPTIONS: readonly CommandOption[] = [
  { name: 'subject', value: 'ID', summary: 'what was done to this' },
  { name: 'actor', value: 'NAME', summary: 'what was done by this one' },
  { name: 'action', value: 'ACTION', summary: 'such as wallet.credit or key.revoke' },
  ...REPORT_OPTIONS,
];
const VERIFY: CommandOption = {
  name: 'verify',
  value: null,
  summary: 'check the chain of hashes up to the newest entry shown; a broken one is said below',
};

const auditList: Command = {
  words: 'audit list',
  summary: 'list who changed which price, key, limit, balance or role, newest first',
  args: [],
  options: [...OPTIONS, VERIFY],
  run: (context, input) => {
    const query = reportQuery(input, OPTIONS);
    if (input.has('verify')) query.set('verify', 'true');
    const columns = ['id', 'at', 'actor', 'action', 'subject', 'detail'];
    return printReport(context, `/audit?${query}`, columns, ({ chain }) => chainNote(chain));
  },
};

export const AUDIT_COMMANDS: readonly Command[] = [auditList];

function chainNote(chain: unknown): string {
  if (typeof chain !== 'object' || chain === null) return '';
  const broken = 'first_broken_id' in chain ? chain.first_broken_id : null;
  return broken === null
    ? '\n\nThe chain holds.'
    : `\n\nThe chain is broken: entry ${String(broken)} does not follow from the one before it.`;
}
