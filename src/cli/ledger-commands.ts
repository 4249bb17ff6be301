/** `ledger list`: an account's statement. */
import type { Command, CommandOption } from './command.ts';
import { printReport, REPORT_OPTIONS, reportQuery } from './report-paging.ts';

const OPTIONS: readonly CommandOption[] = [
  { name: 'currency', value: 'CURRENCY', summary: 'of this wallet only' },
  {
    name: 'kind',
    value: 'KIND',
    summary: 'credit, settle, exchange, refund, adjust or late',
  },
  ...REPORT_OPTIONS,
];

const ledgerList: Command = {
  words: 'ledger list',
  summary: "list every movement of an account's wallets, newest first",
  args: ['ACCOUNT'],
  options: OPTIONS,
  run: (context, input) => {
    const path = `/accounts/${encodeURIComponent(input.arg(0))}/ledger?${reportQuery(input, OPTIONS)}`;
    const columns = ['at', 'kind', 'amount', 'currency', 'balance_after', 'id', 'reason'];
    return printReport(context, path, columns);
  },
};

export const LEDGER_COMMANDS: readonly Command[] = [ledgerList];
