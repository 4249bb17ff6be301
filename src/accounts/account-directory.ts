/**
 * The administrator's list of accounts: searchable by name or id, with wallets and number of keys.
 */
import type { Clock } from '../clock.ts';
import type { Wallet } from '../ledger/ledger.ts';
import { CURRENCIES, nano } from '../money/amount.ts';
import { currencyOf, integer } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlValue } from '../store/sql.ts';
import type { AccountRecord } from './account.ts';
import { ACCOUNTS, accountOf } from './account-store.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';

export type AccountEntry = AccountRecord & {
  /** One for each currency. */
  readonly wallets: readonly Wallet[];
  /** The number of its keys that are not revoked. */
  readonly keys: number;
};

/** The characters that LIKE interprets, and `!`, which escapes them. */
const LIKE_SPECIALS = /[%_!]/g;

/** Every method @throws GatewayError `store_unavailable` when the store does not answer. */
export class AccountDirectory {
  readonly #sql: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>) {
    this.#sql = executor;
    this.#clock = clock;
  }

  /**
   * Oldest first.
   * @param search an id, or part of a name; null: any. ASCII letters are case-insensitive. Other
   *   letters match exactly, because a store may not know their other case.
   */
  async page(search: string | null, { limit, after }: PageRequest): Promise<Page<AccountEntry>> {
    const params: SqlValue[] = [after ?? ''];
    let isFound = '';
    if (search !== null) {
      const lowered = [search.toLowerCase(), search.replace(/[A-Z]+/g, (it) => it.toLowerCase())];
      params.push(search, ...lowered.map(likeAnywhere));
      isFound = `AND (account.id = $2 OR lower(account.name) LIKE $3 ESCAPE '!'
        OR lower(account.name) LIKE $4 ESCAPE '!')`;
    }
    const rows = await this.#sql.query({
      sql: `SELECT * FROM ${ACCOUNTS} WHERE account.id > $1 ${isFound}
        ORDER BY account.id LIMIT $${params.push(limit + 1)}`,
      params,
    });
    const nowMs = this.#clock.nowMs();
    const { items, next } = pageOf(
      rows.map((row) => accountOf(row, nowMs)),
      limit,
    );
    return { items: await this.#withWalletsAndKeys(items), next };
  }

  async #withWalletsAndKeys(accounts: readonly AccountRecord[]): Promise<readonly AccountEntry[]> {
    if (accounts.length === 0) return [];
    const ids = accounts.map(({ id }) => id);
    const among = `account_id IN (${ids.map((_, at) => `$${at + 1}`).join(', ')})`;
    const [wallets, keys] = await Promise.all([
      this.#sql.query({ sql: `SELECT * FROM wallet WHERE ${among}`, params: ids }),
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
        .map(walletOf)
        .toSorted((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency)),
      keys: Number(keys.find((row) => row['account_id'] === account.id)?.['keys'] ?? 0),
    }));
  }
}

const likeAnywhere = (part: string): string => `%${part.replace(LIKE_SPECIALS, '!$&')}%`;

const walletOf = (row: SqlRow): Wallet => ({
  currency: currencyOf(row),
  balance: nano(integer(row, 'balance')),
  held: nano(integer(row, 'held')),
  floor: nano(integer(row, 'floor')),
});
