/** The commands `account list|create|show|update`. */
import type { z } from 'zod';
import { ACCOUNT, ACCOUNT_WITH_WALLETS, type WALLET } from '../http/caller/account-body.ts';
import { CliError } from './cli-error.ts';
import { type Command, type Input, type Options, printAnswer } from './command.ts';
import { EXPIRES_OR_NONE, expiryChange, expiryNote } from './expiry.ts';
import { LIMIT_OPTIONS, limitsOf, limitsText, unsoldNote } from './limit-options.ts';
import { pageCommand, table } from './lists.ts';

const ALLOW_EXCHANGE: Options = {
  'allow-exchange yes|no':
    'whether the USD wallet pays for requests in CNY when the CNY wallet runs short (default for a new account: yes)',
};

function allowExchangeOf(input: Input): { readonly allow_exchange?: boolean } {
  const typed = input.text('allow-exchange');
  if (typed === null) return {};
  if (typed === 'yes' || typed === 'no') return { allow_exchange: typed === 'yes' };
  throw new CliError('usage', '--allow-exchange must be yes or no.');
}

const PRICE_LIST: Options = {
  'price-list NAME|none':
    'the price list whose prices the account pays; `none` for the public prices',
};

function priceListOf(input: Input): { readonly price_list?: string | null } {
  const typed = input.text('price-list');
  if (typed === null) return {};
  return { price_list: typed === 'none' ? null : typed };
}

function showAccount(account: z.infer<typeof ACCOUNT>): string {
  const { id, name, status, expires_at: expires, allow_exchange: mayExchange } = account;
  const exchange = mayExchange
    ? 'The USD wallet pays for requests in CNY when the CNY wallet runs short.'
    : 'Each wallet pays only for requests in its own currency.';
  const list = account.price_list;
  const prices = list === null ? '' : ` The account pays the prices of the price list ${list}.`;
  return `${id} (${name}): ${status}, ${expiryNote(expires)}. ${exchange}${prices}\n\n${limitsText(account)}`;
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

export const ACCOUNT_COMMANDS: readonly Command[] = [
  pageCommand({
    words: 'account list',
    summary: 'list accounts, oldest first',
    path: '/accounts',
    item: ACCOUNT.loose(),
    header: ['id', 'name', 'status', 'created'],
    row: (it) => [it.id, it.name, it.status, it.created_at],
  }),
  {
    words: 'account create',
    summary: 'create an account',
    args: ['NAME'],
    options: ALLOW_EXCHANGE,
    run: (context, input) => {
      const body = { name: input.arg(0), ...allowExchangeOf(input) };
      return printAnswer(
        context,
        { method: 'POST', path: '/accounts', body },
        ACCOUNT.loose(),
        ({ id, name }) => `Created account ${id} (${name}).`,
      );
    },
  },
  {
    words: 'account show',
    summary: 'show an account with its wallets and limits',
    args: ['ACCOUNT'],
    run: (context, input) =>
      printAnswer(
        context,
        { method: 'GET', path: accountPath(input) },
        ACCOUNT_WITH_WALLETS.loose(),
        (account) => `${showAccount(account)}\n\n${walletsTable(account.wallets)}`,
      ),
  },
  {
    words: 'account update',
    summary: 'change an account, suspend or restore it; omitted options stay unchanged',
    args: ['ACCOUNT'],
    options: {
      'name TEXT': 'a new name',
      'status STATUS': 'active or suspended',
      ...ALLOW_EXCHANGE,
      ...PRICE_LIST,
      ...EXPIRES_OR_NONE,
      ...LIMIT_OPTIONS,
    },
    run: async (context, input) => {
      const name = input.text('name');
      const status = input.text('status');
      const limits = limitsOf(input);
      const body = {
        ...(name === null ? {} : { name }),
        ...(status === null ? {} : { status }),
        ...allowExchangeOf(input),
        ...priceListOf(input),
        ...expiryChange(input, context.clock.nowMs()),
        ...limits,
      };
      const note = await unsoldNote(context.connect, limits);
      const call = { method: 'PATCH', path: accountPath(input), body } as const;
      return await printAnswer(context, call, ACCOUNT.loose(), (it) => showAccount(it) + note);
    },
  },
];
