/** `account list|create|show|update|credit` and `ledger verify`. */
import { z } from 'zod';
import { newId } from '../clock.ts';
import { VERIFY_TIMEOUT_MS } from './admin-client.ts';
import { CliError } from './cli-error.ts';
import type { Command, Input } from './command.ts';
import { LIMIT_OPTIONS, LIMITED, limitsOf, limitsText } from './limit-options.ts';
import { PAGE_OPTIONS, pageNote, pageQuery } from './paging.ts';
import { table } from './table.ts';

const ACCOUNT = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  created_at: z.string(),
});
export const ACCOUNT_PAGE = z.looseObject({
  data: z.array(ACCOUNT),
  next: z.string().nullable(),
});
const CREDIT = z.looseObject({
  id: z.string(),
  amount: z.string(),
  currency: z.string(),
  available: z.string(),
  already_applied: z.boolean(),
});
const VERIFICATION = z.looseObject({
  ok: z.boolean(),
  breach_count: z.number(),
  breaches: z.array(z.object({ invariant: z.string(), subject: z.string(), detail: z.string() })),
});

const accountList: Command = {
  words: 'account list',
  summary: 'list accounts, oldest first',
  args: [],
  options: PAGE_OPTIONS,
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const path = `/accounts?${pageQuery(input)}`;
    const page = await client.call({ method: 'GET', path }, ACCOUNT_PAGE);
    print(page, () => {
      const rows = page.data.map((it) => [it.id, it.name, it.status, it.created_at]);
      return table(['id', 'name', 'status', 'created'], rows) + pageNote(page.next);
    });
    return 0;
  },
};

const accountCreate: Command = {
  words: 'account create',
  summary: 'create an account',
  args: ['NAME'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const body = { name: input.arg(0) };
    const account = await client.call({ method: 'POST', path: '/accounts', body }, ACCOUNT);
    print(account, () => `Created account ${account.id} (${account.name}).`);
    return 0;
  },
};

const SHOWN_ACCOUNT = ACCOUNT.extend(LIMITED);
const showAccount = (account: z.infer<typeof SHOWN_ACCOUNT>): string =>
  `${account.id} (${account.name}): ${account.status}.\n\n${limitsText(account)}`;
const accountPath = (input: Input): string => `/accounts/${encodeURIComponent(input.arg(0))}`;

const accountShow: Command = {
  words: 'account show',
  summary: 'show an account, its limits and what they leave',
  args: ['ACCOUNT'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const account = await client.call({ method: 'GET', path: accountPath(input) }, SHOWN_ACCOUNT);
    print(account, () => showAccount(account));
    return 0;
  },
};

const accountUpdate: Command = {
  words: 'account update',
  summary: 'change an account, suspend or restore it; what is left out stays',
  args: ['ACCOUNT'],
  options: [
    { name: 'name', value: 'TEXT', summary: 'what it is called' },
    { name: 'status', value: 'STATUS', summary: 'active or suspended' },
    ...LIMIT_OPTIONS,
  ],
  run: async ({ connect, print }, input) => {
    const name = input.text('name');
    const status = input.text('status');
    const body = {
      ...(name === null ? {} : { name }),
      ...(status === null ? {} : { status }),
      ...limitsOf(input),
    };
    const client = await connect();
    const call = { method: 'PATCH', path: accountPath(input), body } as const;
    const account = await client.call(call, SHOWN_ACCOUNT);
    print(account, () => showAccount(account));
    return 0;
  },
};

const accountCredit: Command = {
  words: 'account credit',
  summary: 'put money in a wallet, such as `account credit acc_... 100 USD --reason "invoice 7"`',
  args: ['ACCOUNT', 'AMOUNT', 'CURRENCY'],
  options: [
    { name: 'reason', value: 'TEXT', summary: 'why, for the books', required: true },
    { name: 'id', value: 'ID', summary: 'books it once, however often it is sent' },
  ],
  run: async ({ connect, print, clock }, input) => {
    const client = await connect();
    const id = input.text('id') ?? newId(clock, 'crd');
    const body = {
      amount: input.arg(1),
      currency: input.arg(2).toUpperCase(),
      reason: input.text('reason') ?? '',
      id,
    };
    const path = `/accounts/${encodeURIComponent(input.arg(0))}/credits`;
    const credit = await client.call({ method: 'POST', path, body }, CREDIT).catch((thrown) => {
      if (!(thrown instanceof CliError) || thrown.fault !== 'unanswered') throw thrown;
      throw new CliError('unanswered', `${thrown.message}\nTo repeat it safely, add --id ${id}`, {
        cause: thrown,
      });
    });
    print(credit, () => {
      const verb = credit.already_applied ? 'Had already booked' : 'Booked';
      const { amount, currency, available } = credit;
      return `${verb} ${amount} ${currency} as ${credit.id}. Available: ${available} ${currency}.`;
    });
    return 0;
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

export const ACCOUNT_COMMANDS: readonly Command[] = [
  accountList,
  accountCreate,
  accountShow,
  accountUpdate,
  accountCredit,
  ledgerVerify,
];
