/** `ledger verify` and `ledger reset-windows`: commands about the whole ledger. */
import { VERIFICATION, WINDOWS_RESET } from '../http/admin/admin-ledger-routes.ts';
import { VERIFY_TIMEOUT_MS } from './admin-client.ts';
import type { Command } from './command.ts';
import { table } from './lists.ts';

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
        if (result.ok) return 'The ledger is sound: no invariant is breached.';
        const rows = result.breaches.map((it) => [it.invariant, it.subject, it.detail]);
        return `${table(['invariant', 'subject', 'detail'], rows)}\n\n${result.breach_count} in all.`;
      });
      return result.ok ? 0 : 1;
    },
  },
  {
    words: 'ledger reset-windows',
    summary: 'reset spending windows that a wrong clock moved into the future',
    run: async ({ connect, print }) => {
      const client = await connect();
      const call = { method: 'POST', path: '/ledger/reset-windows' } as const;
      const { now, changed, ...rest } = await client.call(call, WINDOWS_RESET.loose());
      print({ now, changed, ...rest }, () =>
        changed === 0
          ? `No spending window begins after ${now}.`
          : `Reset the spending windows of ${changed} keys and accounts to those of ${now}.`,
      );
      return 0;
    },
  },
];
