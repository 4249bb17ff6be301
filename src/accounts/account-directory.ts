/** All accounts as an administrator looks for one: by name or id, with what each has and how many keys. */
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import { guardedExecutor } from '../ledger/guarded-executor.ts';
import type { Wallet } from '../ledger/ledger.ts';
import { CURRENCIES, type Currency, nano } from '../money/amount.ts';
import { type AccountRecord, accountOf, type Tables } from './account.ts';
import type { Page, PageRequest } from './account-store.ts';
import { queryBuilder } from './sql-dialect.ts';

export type AccountEntry = AccountRecord & {
  /** One for each currency. */
  readonly wallets: readonly Wallet[];
  /** How many of its keys are not revoked. */
  readonly keys: number;
};

/** Kept by the ledger; this room only reads it. */
type WalletTable = {
  account_id: string;
  currency: Currency;
  balance: bigint;
  held: bigint;
  floor: bigint;
};

/** What has a meaning of its own in a LIKE pattern, and the sign that takes it away. */
const PATTERN_SIGNS = /[%_!]/g;

/** Every method @throws GatewayError `store_unavailable` when the store gives no answer. */
export class AccountDirectory {
  readonly #db: Kysely<Tables & { wallet: WalletTable }>;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>) {
    this.#db = queryBuilder(guardedExecutor(executor));
    this.#clock = clock;
  }

  /**
   * Those that came first, first.
   * @param search part of a name, in letters of either case, or an id; null: any. Letters beyond ASCII are
   *   found as they are written: a store may know of no other case of theirs.
   */
  async page(search: string | null, { limit, after }: PageRequest): Promise<Page<AccountEntry>> {
    let query = this.#db
      .selectFrom('account')
      .innerJoin('spend_meter', 'spend_meter.owner_id', 'account.id')
      .selectAll()
      .orderBy('account.id')
      .limit(limit + 1);
    if (after !== null) query = query.where('account.id', '>', after);
    if (search !== null) {
      const lowered = [search.toLowerCase(), search.replace(/[A-Z]+/g, (it) => it.toLowerCase())];
      query = query.where((where) =>
        where.or([where('account.id', '=', search), ...lowered.map(nameHas)]),
      );
    }
    const rows = await query.execute();
    const nowMs = this.#clock.nowMs();
    const accounts = rows.slice(0, limit).map((row) => accountOf(row, nowMs));
    const items = await this.#withBelongings(accounts);
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  async #withBelongings(accounts: readonly AccountRecord[]): Promise<readonly AccountEntry[]> {
    if (accounts.length === 0) return [];
    const ids = accounts.map(({ id }) => id);
    const [wallets, keys] = await Promise.all([
      this.#db.selectFrom('wallet').selectAll().where('account_id', 'in', ids).execute(),
      this.#db
        .selectFrom('api_key')
        .select(['account_id', (select) => select.fn.countAll<bigint>().as('keys')])
        .where('account_id', 'in', ids)
        .where('status', '<>', 'revoked')
        .groupBy('account_id')
        .execute(),
    ]);
    return accounts.map((account) => ({
      ...account,
      wallets: wallets
        .filter((wallet) => wallet.account_id === account.id)
        .map(walletOf)
        .toSorted((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency)),
      keys: Number(keys.find((of) => of.account_id === account.id)?.keys ?? 0),
    }));
  }
}

const nameHas = (lowered: string) =>
  sql<boolean>`lower(account.name) LIKE ${`%${lowered.replace(PATTERN_SIGNS, '!$&')}%`} ESCAPE '!'`;

const walletOf = ({ currency, balance, held, floor }: WalletTable): Wallet => ({
  currency,
  balance: nano(balance),
  held: nano(held),
  floor: nano(floor),
});
