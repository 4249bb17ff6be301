/**
 * Account and admin routes behind the real HTTP edge, with an in-memory store and a simple ledger.
 */

import { AccountDirectory } from '../../accounts/account-directory.ts';
import { Accounts } from '../../accounts/accounts.ts';
import { MemoryStore, stoppedClock } from '../../accounts/store.fixture.ts';
import { Secret } from '../../config/secret.ts';
import type {
  Breach,
  CreditCommand,
  Ledger,
  Outcome,
  StoredReceipt,
  Wallet,
} from '../../ledger/ledger.ts';
import { NOTHING_HELD } from '../../ledger/nothing-held.fixture.ts';
import { nano, ZERO } from '../../money/amount.ts';
import { RequestCosts } from '../../reports/request-cost.ts';
import type { LoggedRequest, RequestLog } from '../../reports/request-log.ts';
import { Spending } from '../../reports/spending.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { watchBalances } from '../../topups/alerts/watched-ledger.ts';
import { type AdminAccountDeps, adminAccountRoutes } from '../admin/admin-account-routes.ts';
import { adminKeyRoutes } from '../admin/admin-key-routes.ts';
import { type AdminLedgerDeps, adminLedgerRoutes } from '../admin/admin-ledger-routes.ts';
import { type AdminMoneyDeps, adminMoneyRoutes } from '../admin/admin-money-routes.ts';
import { edgeOf } from '../edge/edge.fixture.ts';
import { type AccountRouteDeps, accountRoutes } from './account-routes.ts';
import { SeenBalances } from './seen-balances.fixture.ts';

export const ADMIN_TOKEN = 'admin-token-of-the-tests';
/** The time of the tests: 2026-11-21, a Saturday. */
export const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

type Books = Pick<Ledger, 'apply' | 'wallets' | 'verify'> &
  Pick<RequestLog, 'one' | 'refundUnder' | 'archivedIn'>;

/** An in-memory ledger with only the methods that the routes use. */
export class FewBooks implements Books {
  readonly credits = new Map<string, CreditCommand>();
  readonly receipts = new Map<string, StoredReceipt>();
  breaches: readonly Breach[] = [];

  async apply(batch: Parameters<Books['apply']>[0]): Promise<readonly Outcome[]> {
    return batch.map((command): Outcome => {
      if (command.kind !== 'credit') return { status: 'hold_unknown' };
      const first = this.credits.get(command.id);
      if (first !== undefined && first.amount !== command.amount) return { status: 'id_reused' };
      this.credits.set(command.id, first ?? command);
      const { amount } = command;
      const available = this.#balance(command.accountId, command.currency);
      const status = first === undefined ? 'applied' : 'already_applied';
      return { status, result: { amount, available, loss: ZERO } };
    });
  }

  async archivedIn(): Promise<null> {
    return null;
  }

  async wallets(accountId: string): Promise<readonly Wallet[]> {
    const balance = this.#balance(accountId, 'USD');
    const held = balance === ZERO ? ZERO : nano(250_000_000n);
    return [
      { currency: 'CNY', balance: ZERO, held: ZERO, floor: ZERO },
      { currency: 'USD', balance, held, floor: ZERO },
    ];
  }

  async one(requestId: string, accountId: string | null): Promise<LoggedRequest | null> {
    const receipt = this.receipts.get(requestId);
    if (receipt === undefined || receipt.accountId !== accountId) return null;
    return { ...receipt, settledAtMs: NOW_MS, refunded: ZERO, priceList: null };
  }

  async refundUnder(): Promise<null> {
    return null;
  }

  async verify(): Promise<readonly Breach[]> {
    return this.breaches;
  }

  #balance(accountId: string, currency: string) {
    const credits = [...this.credits.values()].filter(
      (it) => it.accountId === accountId && it.currency === currency,
    );
    return nano(credits.reduce((sum, it) => sum + it.amount, 0n));
  }
}

export type Room = ReturnType<typeof roomOver>;

/** Makes the routes with the given store and ledger. */
export function roomOver(
  deps: AccountRouteDeps &
    AdminAccountDeps &
    Pick<AdminLedgerDeps, 'ledger' | 'overruns'> &
    Omit<AdminMoneyDeps, 'catalogue'>,
) {
  const catalogue = () => ({ fx: new Map() });
  const routes = [
    ...accountRoutes(deps),
    ...adminAccountRoutes(deps),
    ...adminKeyRoutes(deps.accounts),
    ...adminLedgerRoutes({ ...deps, resetWindows: () => Promise.resolve(0) }),
    ...adminMoneyRoutes({ ...deps, catalogue }),
  ];
  const edge = edgeOf(routes, {
    journal: unreadJournal(deps.clock),
    authenticate: (headers, address) => deps.accounts.authenticateRequest(headers, address),
    trustedProxies: 1,
    adminToken: new Secret(ADMIN_TOKEN),
  });
  const send = async (
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const response = await edge.fetch(
      new Request(`http://gateway${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { routes, edge, send };
}

/** Makes the routes with a new in-memory store. */
export function openRoom() {
  const clock = stoppedClock(NOW_MS);
  const sql = new MemoryStore();
  const books = new FewBooks();
  const accounts = new Accounts({
    inMemory: NOTHING_HELD,
    sql,
    clock,
    onLastUsedFailure: () => {},
  });
  const lowBalance = new SeenBalances();
  const deps = {
    accounts,
    directory: new AccountDirectory(sql, clock, NOTHING_HELD),
    clock,
    ledger: {
      ...watchBalances(books, lowBalance, { observe: () => undefined }),
      wallets: (id: string) => books.wallets(id),
      verify: () => books.verify(),
    },
    memberCaps: { capped: () => Promise.resolve(null) },
    requests: books,
    costs: new RequestCosts(sql),
    overruns: { page: () => Promise.reject(new Error('no list of overruns is expected')) },
    spending: new Spending(sql, clock),
    priceLists: () => ['partners'],
  };
  return { sql, books, accounts, clock, lowBalance, ...roomOver(deps) };
}
