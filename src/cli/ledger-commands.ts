/** The commands `ledger verify|archive|reset-windows`, which affect all accounts. */
import type { z } from 'zod';
import { VERIFICATION, WINDOWS_RESET } from '../http/admin/admin-ledger-routes.ts';
import { ARCHIVE, ARCHIVE_MONTHS } from '../http/admin/archives/archive-routes.ts';
import { VERIFY_TIMEOUT_MS } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Command } from './command.ts';
import { table } from './lists.ts';

/** The timeout for archiving a month. Ten million receipts take half an hour. */
const ARCHIVE_TIMEOUT_MS = 60 * 60_000;

export const LEDGER_COMMANDS: readonly Command[] = [
  {
    words: 'ledger verify',
    summary: 'check every invariant of the ledger; exit 1 on any breach',
    run: async ({ connect, print }) => {
      const client = await connect();
      const result = await client.call(
        { method: 'GET', path: '/ledger/verify', timeoutMs: VERIFY_TIMEOUT_MS },
        VERIFICATION.loose(),
      );
      print(result, () => {
        if (result.ok) return 'The ledger is sound: no invariant is broken.';
        const rows = result.breaches.map((it) => [it.invariant, it.subject, it.detail]);
        return `${table(['invariant', 'subject', 'detail'], rows)}\n\nBreaches in total: ${result.breach_count}.`;
      });
      return result.ok ? 0 : 1;
    },
  },
  {
    words: 'ledger archive',
    summary: 'move the receipts of past months to files in the data folder, a month at a time',
    options: {
      'before MONTH': 'move only months before this one, such as 2025-02',
      'dry-run': 'only list the months',
    },
    required: ['before'],
    run: async ({ connect, print }, input) => {
      const before = input.text('before') ?? '';
      if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(before))
        throw new CliError('usage', '--before must be a month such as 2025-02.');
      const client = await connect();
      const list = { method: 'GET', path: '/ledger/archives' } as const;
      const { data } = await client.call(list, ARCHIVE_MONTHS.loose());
      const made: (z.infer<typeof ARCHIVE> & { month: string })[] = [];
      const due = data.filter(({ month }) => month < before);
      for (const { month, requests, archived } of input.has('dry-run') ? [] : due) {
        if (requests === archived) continue;
        const body = { month };
        const call = {
          method: 'POST',
          path: '/ledger/archives',
          body,
          timeoutMs: ARCHIVE_TIMEOUT_MS,
        } as const;
        made.push({ month, ...(await client.call(call, ARCHIVE.loose())) });
      }
      const isDryRun = input.has('dry-run');
      print({ months: due, archives: made }, () => {
        if ((isDryRun ? due : made).length === 0)
          return `There is nothing to archive before ${before}. Receipts of the last 13 months stay.`;
        return isDryRun
          ? table(
              ['month', 'requests', 'archived'],
              due.map((it) => [it.month, `${it.requests}`, `${it.archived}`]),
            )
          : table(
              ['month', 'receipts', 'file'],
              made.map((it) => [it.month, `${it.receipts}`, it.file ?? 'none']),
            );
      });
      return 0;
    },
  },
  {
    words: 'ledger reset-windows',
    summary: 'reset periods of spending limits that a wrong clock moved into the future',
    run: async ({ connect, print }) => {
      const client = await connect();
      const call = { method: 'POST', path: '/ledger/reset-windows' } as const;
      const { now, changed, ...rest } = await client.call(call, WINDOWS_RESET.loose());
      print({ now, changed, ...rest }, () =>
        changed === 0
          ? `No spending period begins in the future (after ${now}). Nothing was reset.`
          : `Reset the spending periods of ${changed} keys and accounts to the periods that include ${now}.`,
      );
      return 0;
    },
  },
];
