/** The rows of accounts and keys: every query of this room, and nothing that decides. */
import type { Kysely } from 'kysely';
import type { SqlExecutor, SqlStatement } from '../ledger/database.ts';
import { type KeyEnds, maskOf } from './api-key.ts';
import { guardedExecutor } from './guarded-executor.ts';
import { queryBuilder, statementOf } from './sql-dialect.ts';

export type AccountStatus = 'active' | 'suspended';
export type KeyStatus = 'active' | 'revoked';

export type AccountRecord = {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Whether a wallet that is short may draw on the other currency. */
  readonly allowExchange: boolean;
  readonly createdAtMs: number;
};

/** A key as it may be shown: its secret is not in it. */
export type KeyRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `sk-mg-abcd...wxyz`. */
  readonly masked: string;
  readonly status: KeyStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** To the minute. */
  readonly lastUsedAtMs: number | null;
};

/** A key with what its account says of it: enough to decide whether it may be used. */
export type KeyStanding = {
  readonly keyId: string;
  readonly keyName: string;
  readonly keyStatus: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly accountId: string;
  readonly accountStatus: AccountStatus;
  readonly allowExchange: boolean;
};

export type NewKeyRow = KeyEnds & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
};

/** `after` is the id that ended the page before; null begins. Ids sort by age. */
export type PageRequest = { readonly limit: number; readonly after: string | null };
/** `next` is the `after` of the page that follows; null when there is none. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/** Integers are bigint, as every executor answers them. */
type AccountTable = {
  id: string;
  name: string;
  status: AccountStatus;
  allow_exchange: bigint;
  created_at_ms: bigint;
};
type ApiKeyTable = {
  id: string;
  account_id: string;
  name: string;
  hash: Uint8Array;
  prefix: string;
  last4: string;
  status: KeyStatus;
  created_at_ms: bigint;
  expires_at_ms: bigint | null;
  revoked_at_ms: bigint | null;
  last_used_at_ms: bigint | null;
};
type Tables = { account: AccountTable; api_key: ApiKeyTable };

/** Every method @throws GatewayError `store_unavailable` when the store gives no answer. */
export class AccountStore {
  readonly #db: Kysely<Tables>;
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = guardedExecutor(executor);
    this.#db = queryBuilder<Tables>(this.#executor);
  }

  async insertAccount(account: AccountRecord): Promise<void> {
    await this.#db
      .insertInto('account')
      .values({
        id: account.id,
        name: account.name,
        status: account.status,
        allow_exchange: account.allowExchange ? 1n : 0n,
        created_at_ms: BigInt(account.createdAtMs),
      })
      .execute();
  }

  async account(id: string): Promise<AccountRecord | null> {
    const row = await this.#db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : accountOf(row);
  }

  async accounts(page: PageRequest): Promise<Page<AccountRecord>> {
    let query = this.#db
      .selectFrom('account')
      .selectAll()
      .orderBy('id')
      .limit(page.limit + 1);
    if (page.after !== null) query = query.where('id', '>', page.after);
    return pageOf((await query.execute()).map(accountOf), page.limit);
  }

  /** The account as it is now; null when there is none. */
  async setAccountStatus(id: string, status: AccountStatus): Promise<AccountRecord | null> {
    const row = await this.#db
      .updateTable('account')
      .set({ status })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : accountOf(row);
  }

  /** Null when a key with this hash is there already. */
  async insertKey(key: NewKeyRow): Promise<KeyRecord | null> {
    const row = await this.#db
      .insertInto('api_key')
      .values({
        id: key.id,
        account_id: key.accountId,
        name: key.name,
        hash: key.hash,
        prefix: key.prefix,
        last4: key.last4,
        status: 'active',
        created_at_ms: BigInt(key.createdAtMs),
        expires_at_ms: key.expiresAtMs === null ? null : BigInt(key.expiresAtMs),
        revoked_at_ms: null,
        last_used_at_ms: null,
      })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : keyOf(row);
  }

  async key(id: string): Promise<KeyRecord | null> {
    const row = await this.#db
      .selectFrom('api_key')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : keyOf(row);
  }

  /** Keys of one account, or of all. */
  async keys(accountId: string | null, page: PageRequest): Promise<Page<KeyRecord>> {
    let query = this.#db
      .selectFrom('api_key')
      .selectAll()
      .orderBy('id')
      .limit(page.limit + 1);
    if (accountId !== null) query = query.where('account_id', '=', accountId);
    if (page.after !== null) query = query.where('id', '>', page.after);
    return pageOf((await query.execute()).map(keyOf), page.limit);
  }

  async countActiveKeys(accountId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('api_key')
      .select((select) => select.fn.countAll<bigint>().as('keys'))
      .where('account_id', '=', accountId)
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow();
    return Number(row.keys);
  }

  /** The standing of the key with this SHA-256; null when there is none. */
  async standing(hash: Uint8Array): Promise<KeyStanding | null> {
    const row = await this.#db
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select([
        'api_key.id as key_id',
        'api_key.name as key_name',
        'api_key.status as key_status',
        'api_key.expires_at_ms',
        'api_key.revoked_at_ms',
        'account.id as account_id',
        'account.status as account_status',
        'account.allow_exchange',
      ])
      .where('api_key.hash', '=', hash)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      keyId: row.key_id,
      keyName: row.key_name,
      keyStatus: row.key_status,
      expiresAtMs: millis(row.expires_at_ms),
      revokedAtMs: millis(row.revoked_at_ms),
      accountId: row.account_id,
      accountStatus: row.account_status,
      allowExchange: row.allow_exchange !== 0n,
    };
  }

  /** The hash of the key that is now revoked; null when there is no such key. A first revocation's time stays. */
  async revokeKey(id: string, atMs: number): Promise<Uint8Array | null> {
    const [, rows] = await this.#executor.transaction([
      statementOf(
        this.#db
          .updateTable('api_key')
          .set({ status: 'revoked', revoked_at_ms: BigInt(atMs) })
          .where('id', '=', id)
          .where('status', '=', 'active')
          .compile(),
      ),
      statementOf(this.#db.selectFrom('api_key').select('hash').where('id', '=', id).compile()),
    ]);
    const hash = rows?.[0]?.['hash'];
    return hash instanceof Uint8Array ? hash : null;
  }

  /** Writes when keys were last used, in one transaction. A later time that is there already stays. */
  async touchKeys(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    const touch = ([id, atMs]: [string, number]): SqlStatement =>
      statementOf(
        this.#db
          .updateTable('api_key')
          .set({ last_used_at_ms: BigInt(atMs) })
          .where('id', '=', id)
          .where((where) =>
            where.or([
              where('last_used_at_ms', 'is', null),
              where('last_used_at_ms', '<', BigInt(atMs)),
            ]),
          )
          .compile(),
      );
    await this.#executor.transaction([...lastUsed].map(touch));
  }
}

function accountOf(row: AccountTable): AccountRecord {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    allowExchange: row.allow_exchange !== 0n,
    createdAtMs: Number(row.created_at_ms),
  };
}

function keyOf(row: ApiKeyTable): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    masked: maskOf(row),
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: millis(row.expires_at_ms),
    revokedAtMs: millis(row.revoked_at_ms),
    lastUsedAtMs: millis(row.last_used_at_ms),
  };
}

const millis = (value: bigint | null): number | null => (value === null ? null : Number(value));

/** One row more than the page was asked for, which tells whether another page follows. */
function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
