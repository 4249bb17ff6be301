/**
 * Administrators' routes that create, limit and suspend accounts, and return accounts with their
 * wallets.
 */
import * as z from 'zod';
import type { AccountDirectory } from '../../accounts/account-directory.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { GatewayError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { ACCOUNT, ACCOUNT_WITH_WALLETS, accountBody, walletBody } from '../caller/account-body.ts';
import { limits, limitsChange } from '../caller/keys/key-schemas.ts';
import { CREATED, count, page, tagged } from '../edge/answer-schema.ts';
import {
  checked,
  checkedQuery,
  expiresAt,
  name,
  PAGE_QUERY,
  pageOf,
  search,
  trueOrFalse,
} from '../edge/request-schema.ts';
import { IF_MATCH, ifMatchOf } from '../edge/response-headers.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../edge/route.ts';

const ACCOUNTS_QUERY = PAGE_QUERY.extend({ search: search.optional() });
const NEW_ACCOUNT = z.strictObject({ name, allow_exchange: trueOrFalse.optional() });
const priceListName = z.string({ error: 'must be the name of a price list, or null' });
const ACCOUNT_CHANGE = z.strictObject({
  name: name.optional(),
  status: z.enum(['active', 'suspended'], { error: 'must be "active" or "suspended"' }).optional(),
  allow_exchange: trueOrFalse.optional(),
  price_list: priceListName.nullable().optional(),
  expires_at: expiresAt,
  limits,
});

/** An account in the list of all accounts. */
const ACCOUNT_ENTRY = ACCOUNT_WITH_WALLETS.extend({
  keys: count.meta({ description: 'The number of API keys of the account that are not revoked.' }),
}).meta({ id: 'AccountEntry' });

export type AdminAccountDeps = {
  readonly directory: Pick<AccountDirectory, 'page'>;
  readonly accounts: Accounts;
  readonly ledger: Pick<Ledger, 'wallets'>;
  /** Returns the names of the current price lists. */
  readonly priceLists: () => readonly string[];
};

type Handle = (deps: AdminAccountDeps, call: AdminCall) => Promise<Response>;

export function adminAccountRoutes(deps: AdminAccountDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call));
  return [
    route(
      'GET /accounts',
      {
        summary:
          'List the accounts, oldest first; `search` matches a part of a name or a complete id',
        query: ACCOUNTS_QUERY,
        response: page(ACCOUNT_ENTRY),
      },
      listAccounts,
    ),
    route(
      'POST /accounts',
      {
        summary: 'Create an account',
        request: NEW_ACCOUNT,
        response: ACCOUNT,
        statuses: [CREATED],
      },
      createAccount,
    ),
    route(
      'GET /accounts/:id',
      { summary: 'Read an account with its wallets', response: ACCOUNT_WITH_WALLETS },
      getAccount,
    ),
    route(
      'PATCH /accounts/:id',
      {
        summary: 'Change an account and its limits, suspend or restore it',
        headers: IF_MATCH,
        request: ACCOUNT_CHANGE,
        response: ACCOUNT,
      },
      changeAccount,
    ),
  ];
}

const listAccounts: Handle = async ({ directory }, { url }) => {
  const { query } = checkedQuery(ACCOUNTS_QUERY, url);
  const { items, next } = await directory.page(query.search ?? null, pageOf(query));
  const data = items.map((account) => ({
    ...accountBody(account),
    wallets: account.wallets.map(walletBody),
    keys: account.keys,
  }));
  return Response.json({ data, next });
};

const createAccount: Handle = async ({ accounts }, call) => {
  const body = checked(NEW_ACCOUNT, await call.readJson());
  const account = await accounts.createAccount(
    {
      name: body.name,
      allowExchange: body.allow_exchange ?? true,
    },
    call.actor,
  );
  return Response.json(accountBody(account), { status: CREATED });
};

const getAccount: Handle = async ({ accounts, ledger }, call) => {
  const account = await accounts.getAccount(idOf(call));
  const wallets = await ledger.wallets(account.id);
  return tagged({ ...accountBody(account), wallets: wallets.map(walletBody) });
};

const changeAccount: Handle = async ({ accounts, priceLists }, call) => {
  const body = checked(ACCOUNT_CHANGE, await call.readJson());
  if (typeof body.price_list === 'string') requireList(body.price_list, priceLists());
  const change = {
    name: body.name,
    status: body.status,
    allowExchange: body.allow_exchange,
    priceList: body.price_list,
    expiresAtMs: body.expires_at,
    limits: limitsChange(body.limits),
  };
  const ifMatch = ifMatchOf(call.request);
  return tagged(accountBody(await accounts.updateAccount(idOf(call), change, call.actor, ifMatch)));
};

/** Throws if the price list is not configured. @throws GatewayError `invalid_value`. */
function requireList(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const remedy =
    known.length === 0 ? 'None is configured.' : `Use one of ${known.join(', ')}, or null.`;
  throw new GatewayError(
    'invalid_value',
    `There is no price list "${name.slice(0, MAX_ECHO_CHARACTERS)}". ${remedy}`,
    { param: 'price_list' },
  );
}

const MAX_ECHO_CHARACTERS = 64;
