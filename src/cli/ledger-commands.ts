/** `ledger list`, an account's statement, and `ledger verify`. */
import { z } from 'zod';
import { VERIFY_TIMEOUT_MS } from './admin-client.ts';
import type { Command, CommandOption } from './command.ts';
import { printReport, REPORT_OPTIONS, reportQuery } from './report-paging.ts';
import { table } from './table.ts';

const VERIFICATION = z.looseObject({
  ok: z.boolean(),
  breach_count: z.number(),
  breaches: z.array(z.object({ invariant: z.string(), subject: z.string(), detail: z.string() })),
});

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

const ledgerVerify: Command = {
  words: 'ledger verify',
  summary: 'check every invariant of the books; exit 1 on any breach',
  args: [],
  options: [],
  run: async ({ connect, print }) => {
    const client = await connect();
    const result = await client.call(
      { method: 'GET', path: '/ledger/verify', timeoutMs: VERIFY_TIMEOUT_MS },
      VERIFICATION,
    );
    print(result, () => {
      if (result.ok) return 'The books hold: no invariant is breached.';
      const rows = result.breaches.map((it) => [it.invariant, it.subject, it.detail]);
      return `${table(['invariant', 'subject', 'detail'], rows)}\n\n${result.breach_count} in all.`;
    });
    return result.ok ? 0 : 1;
  },
};

export const LEDGER_COMMANDS: readonly Command[] = [ledgerVerify, ledgerList];
