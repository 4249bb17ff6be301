/** The administrator's list of accounts with wallets and key counts, searchable by name or id. */
import type { Clock } from '../clock.ts';
import type { HeldInMemory } from '../ledger/held-in-memory.ts';
import type { Wallet } from '../ledger/ledger.ts';
import { CURRENCIES, nano } from '../money/amount.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import {
  contains,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';
import type { AccountRecord } from './account.ts';
import { ACCOUNTS, accountOf } from './account-store.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';

export type AccountEntry = AccountRecord & {
  readonly wallets: readonly Wallet[];
  /** The number of the account's keys that are not revoked. */
  readonly keys: number;
};

/** Every method throws GatewayError `store_unavailable` when the store does not respond. */
export class AccountDirectory {
  readonly #sql: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #inMemory: HeldInMemory;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>, inMemory: HeldInMemory) {
    this.#sql = executor;
    this.#clock = clock;
    this.#inMemory = inMemory;
  }

  /**
   * Lists accounts, oldest first. `search` is an id or part of a name; null for all accounts.
   */
  async page(search: string | null, { limit, after }: PageRequest): Promise<Page<AccountEntry>> {
    const rows = await this.#sql.query(statement`SELECT * FROM ${raw(ACCOUNTS)}
      WHERE account.id > ${after ?? ''} ${search === null ? raw('') : isFoundBy(search)}
      ORDER BY account.id LIMIT ${limit + 1}`);
    const nowMs = this.#clock.nowMs();
    const { items, next } = pageOf(
      rows.map((row) => accountOf(row, nowMs, this.#inMemory)),
      limit,
    );
    return { items: await this.#withWalletsAndKeys(items), next };
  }

  async #withWalletsAndKeys(accounts: readonly AccountRecord[]): Promise<readonly AccountEntry[]> {
    if (accounts.length === 0) return [];
    const ids = accounts.map(({ id }) => id);
    const among = `account_id IN (${ids.map((_, at) => `$${at + 1}`).join(', ')})`;
    const [wallets, keys] = await Promise.all([
      this.#sql.query({ sql: `SELECT * FROM wallet_in_use WHERE ${among}`, params: ids }),
      this.#sql.query({
        sql: `SELECT account_id, COUNT(*) AS keys FROM api_key
          WHERE ${among} AND status <> 'revoked' GROUP BY account_id`,
        params: ids,
      }),
    ]);
    return accounts.map((account) => ({
      ...account,
      wallets: wallets
        .filter((row) => row['account_id'] === account.id)
        .map((row) => walletOf(row, this.#inMemory))
        .toSorted((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency)),
      keys: Number(keys.find((row) => row['account_id'] === account.id)?.['keys'] ?? 0),
    }));
  }
}

const isFoundBy = (search: string): SqlStatement =>
  statement`AND (account.id = ${search} OR ${contains('account.name', search)})`;

function walletOf(row: SqlRow, inMemory: HeldInMemory): Wallet {
  const currency = currencyOf(row);
  const held = inMemory.wallet(text(row, 'account_id'), currency);
  return {
    currency,
    balance: nano(integer(row, 'balance')),
    held: nano(integer(row, 'held') + held),
    floor: nano(integer(row, 'floor')),
  };
}
