/** `account list|create|show|update|credit`. */
import { z } from 'zod';
import { newId } from '../clock.ts';
import { CliError } from './cli-error.ts';
import type { Command, CommandOption, Input } from './command.ts';
import { EXPIRES_OR_NONE, expiryChange, expiryNote } from './expiry.ts';
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

const ALLOW_EXCHANGE: CommandOption = {
  name: 'allow-exchange',
  value: 'yes|no',
  summary: 'whether a wallet that is short draws on the other currency (yes for a new account)',
};

function allowExchangeOf(input: Input): { readonly allow_exchange?: boolean } {
  const typed = input.text(ALLOW_EXCHANGE.name);
  if (typed === null) return {};
  if (typed === 'yes' || typed === 'no') return { allow_exchange: typed === 'yes' };
  throw new CliError('usage', '--allow-exchange must be yes or no.');
}

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
  options: [ALLOW_EXCHANGE],
  run: async ({ connect, print }, input) => {
    const body = { name: input.arg(0), ...allowExchangeOf(input) };
    const client = await connect();
    const account = await client.call({ method: 'POST', path: '/accounts', body }, ACCOUNT);
    print(account, () => `Created account ${account.id} (${account.name}).`);
    return 0;
  },
};

const WALLET = z.looseObject({
  currency: z.string(),
  balance: z.string(),
  held: z.string(),
  credit_limit: z.string(),
  available: z.string(),
});
const SHOWN_ACCOUNT = ACCOUNT.extend({
  ...LIMITED,
  allow_exchange: z.boolean(),
  expires_at: z.string().nullable(),
});
const ACCOUNT_WITH_WALLETS = SHOWN_ACCOUNT.extend({ wallets: z.array(WALLET) });

function showAccount(account: z.infer<typeof SHOWN_ACCOUNT>): string {
  const { id, name, status, expires_at: expires, allow_exchange: mayExchange } = account;
  const exchange = mayExchange
    ? 'A wallet that is short draws on the other currency.'
    : 'A wallet that is short does not draw on the other currency.';
  return `${id} (${name}): ${status}, ${expiryNote(expires)}. ${exchange}\n\n${limitsText(account)}`;
}

function walletsTable(wallets: readonly z.infer<typeof WALLET>[]): string {
  const header = ['wallet', 'balance', 'held', 'credit limit', 'available'];
  const rows = wallets.map((it) => [
    it.currency,
    it.balance,
    it.held,
    it.credit_limit,
    it.available,
  ]);
  return table(header, rows);
}
const accountPath = (input: Input): string => `/accounts/${encodeURIComponent(input.arg(0))}`;

const accountShow: Command = {
  words: 'account show',
  summary: 'show an account, its wallets, its limits and what they leave',
  args: ['ACCOUNT'],
  options: [],
  run: async ({ connect, print }, input) => {
    const client = await connect();
    const call = { method: 'GET', path: accountPath(input) } as const;
    const account = await client.call(call, ACCOUNT_WITH_WALLETS);
    print(account, () => `${showAccount(account)}\n\n${walletsTable(account.wallets)}`);
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
    ALLOW_EXCHANGE,
    EXPIRES_OR_NONE,
    ...LIMIT_OPTIONS,
  ],
  run: async ({ connect, print, clock }, input) => {
    const name = input.text('name');
    const status = input.text('status');
    const body = {
      ...(name === null ? {} : { name }),
      ...(status === null ? {} : { status }),
      ...allowExchangeOf(input),
      ...expiryChange(input, clock.nowMs()),
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

export const ACCOUNT_COMMANDS: readonly Command[] = [
  accountList,
  accountCreate,
  accountShow,
  accountUpdate,
  accountCredit,
];
