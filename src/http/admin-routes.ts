/** The administrator's API, which the command line speaks: accounts, their money and keys, the books. */
import type { PageRequest } from '../accounts/account-store.ts';
import { type Accounts, DEFAULT_PAGE } from '../accounts/accounts.ts';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { CreditCommand, Ledger, Outcome } from '../ledger/ledger.ts';
import { formatAmount } from '../money/amount.ts';
import { accountBody, walletBody } from './account-body.ts';
import { adminKeyRoutes } from './admin-key-routes.ts';
import { ACCOUNT_CHANGE, limitsChange } from './admin-limit-schemas.ts';
import { checked, jsonSchema, NEW_ACCOUNT, NEW_CREDIT, PAGE_QUERY } from './admin-schemas.ts';
import type { Call, Route, RouteDoc } from './route.ts';

/** More breaches than this say nothing new; the count of all is beside them. */
const MAX_BREACHES_SHOWN = 100;
const CREATED = 201;
const ADMIN = 'admin';

export type AdminRouteDeps = {
  readonly accounts: Accounts;
  readonly ledger: Pick<Ledger, 'apply' | 'wallets' | 'verify'>;
  readonly clock: Clock;
};

type Handle = (deps: AdminRouteDeps, call: Call) => Promise<Response>;

export function adminRoutes(deps: AdminRouteDeps): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    doc: Omit<RouteDoc, 'tag'>,
    handle: Handle,
  ): Route => ({
    method,
    path: `/admin/v1${path}`,
    auth: 'admin',
    dialect: 'openai',
    doc: { ...doc, tag: 'admin' },
    handle: (call) => handle(deps, call),
  });
  return [
    route(
      'GET',
      '/accounts',
      { summary: 'Accounts, oldest first', query: jsonSchema(PAGE_QUERY) },
      listAccounts,
    ),
    route(
      'POST',
      '/accounts',
      { summary: 'Create an account', request: jsonSchema(NEW_ACCOUNT) },
      createAccount,
    ),
    route('GET', '/accounts/:id', { summary: 'An account and its wallets' }, getAccount),
    route(
      'PATCH',
      '/accounts/:id',
      {
        summary: 'Change an account and its limits, suspend or restore it',
        request: jsonSchema(ACCOUNT_CHANGE),
      },
      changeAccount,
    ),
    route(
      'POST',
      '/accounts/:id/credits',
      { summary: 'Put money in a wallet, once for each id', request: jsonSchema(NEW_CREDIT) },
      creditAccount,
    ),
    route('GET', '/ledger/verify', { summary: 'Check every invariant of the books' }, verify),
    ...adminKeyRoutes(deps.accounts),
  ];
}

const listAccounts: Handle = async ({ accounts }, { url }) => {
  const query = checked(PAGE_QUERY, Object.fromEntries(url.searchParams));
  const { items, next } = await accounts.listAccounts(pageOf(query));
  return Response.json({ data: items.map(accountBody), next });
};

const createAccount: Handle = async ({ accounts }, call) => {
  const body = checked(NEW_ACCOUNT, await call.readJson());
  const account = await accounts.createAccount(
    {
      name: body.name,
      allowExchange: body.allow_exchange ?? true,
    },
    ADMIN,
  );
  return Response.json(accountBody(account), { status: CREATED });
};

const getAccount: Handle = async ({ accounts, ledger }, call) => {
  const account = await accounts.getAccount(idOf(call));
  const wallets = await ledger.wallets(account.id);
  return Response.json({ ...accountBody(account), wallets: wallets.map(walletBody) });
};

const changeAccount: Handle = async ({ accounts }, call) => {
  const body = checked(ACCOUNT_CHANGE, await call.readJson());
  const change = {
    name: body.name,
    status: body.status,
    allowExchange: body.allow_exchange,
    expiresAtMs: body.expires_at,
    limits: limitsChange(body.limits),
  };
  return Response.json(accountBody(await accounts.updateAccount(idOf(call), change, ADMIN)));
};

const creditAccount: Handle = async ({ accounts, ledger, clock }, call) => {
  const body = checked(NEW_CREDIT, await call.readJson());
  const account = await accounts.getAccount(idOf(call));
  const command: CreditCommand = {
    kind: 'credit',
    id: body.id ?? newId(clock, 'crd'),
    accountId: account.id,
    currency: body.currency,
    amount: body.amount,
    source: 'top_up',
    reason: withReference(body.reason, body.reference),
    actor: 'admin',
    atMs: clock.nowMs(),
  };
  const [outcome] = await ledger.apply([command]);
  return credited(command, outcome);
};

/** The books keep one text: why, and what it is called elsewhere. */
const withReference = (reason: string, reference: string | undefined): string =>
  reference === undefined ? reason : `${reason} (reference: ${reference})`;

function credited(command: CreditCommand, outcome: Outcome | undefined): Response {
  switch (outcome?.status) {
    case 'applied':
    case 'already_applied':
      return Response.json(
        {
          id: command.id,
          account_id: command.accountId,
          amount: formatAmount(outcome.result.amount),
          currency: command.currency,
          available: formatAmount(outcome.result.available),
          already_applied: outcome.status === 'already_applied',
        },
        { status: outcome.status === 'applied' ? CREATED : 200 },
      );
    case 'id_reused':
      throw new GatewayError(
        'conflict',
        'id names another credit already. Send a new id, or the first credit unchanged.',
        { param: 'id' },
      );
    default:
      throw new GatewayError('internal_error', 'The credit was not booked.', {
        cause: new Error(`The ledger answered a credit with ${outcome?.status ?? 'nothing'}.`),
      });
  }
}

const verify: Handle = async ({ ledger }) => {
  const breaches = await ledger.verify();
  return Response.json({
    ok: breaches.length === 0,
    breach_count: breaches.length,
    breaches: breaches.slice(0, MAX_BREACHES_SHOWN),
  });
};

type PageQuery = { readonly limit?: number | undefined; readonly after?: string | undefined };

const pageOf = (query: PageQuery): PageRequest => ({
  limit: query.limit ?? DEFAULT_PAGE,
  after: query.after ?? null,
});

/** Long or odd ids are looked up like any other and found nowhere. */
const idOf = (call: Call): string => call.params['id'] ?? '';
