/** The rows of accounts and keys: every query of this room, and nothing that decides. */
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { AuditEntry } from '../ledger/audit.ts';
import type { SqlExecutor, SqlStatement } from '../ledger/database.ts';
import { guardedExecutor } from '../ledger/guarded-executor.ts';
import {
  type AccountRecord,
  accountOf,
  bigMillis,
  type KeyPurpose,
  type KeyRecord,
  type KeyStanding,
  keyOf,
  standingOf,
  type Tables,
} from './account.ts';
import type { KeyEnds } from './api-key.ts';
import { type Limits, limitsText, type SpendCaps } from './limits/limits.ts';
import { queryBuilder, statementOf } from './sql-dialect.ts';

export type NewAccountRow = Pick<AccountRecord, 'id' | 'name' | 'allowExchange' | 'createdAtMs'> & {
  readonly revision: string;
};
export type NewKeyRow = KeyEnds & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly limits: Limits;
  readonly caps: SpendCaps;
  readonly revision: string;
  readonly purpose: KeyPurpose | null;
};
export type KeyUpdate = {
  readonly name: string;
  readonly expiresAtMs: number | null;
  readonly limits: Limits;
  readonly caps: SpendCaps;
};
export type AccountUpdate = KeyUpdate & Pick<AccountRecord, 'status' | 'allowExchange'>;
export type NewSecret = KeyEnds & { readonly hash: Uint8Array; readonly previousUntilMs: number };
/** A key, and whose it has to be; null: anyone's. */
export type KeyPlace = { readonly id: string; readonly accountId: string | null };
/** The row is changed only if it still is of revision `from`; then it is of revision `to`. */
export type Revision = { readonly from: string; readonly to: string };

/** `after` is the id that ended the page before; null begins. Ids sort by age. */
export type PageRequest = { readonly limit: number; readonly after: string | null };
/** `next` is the `after` of the page that follows; null when there is none. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: string | null };

/**
 * Every method @throws GatewayError `store_unavailable` when the store gives no answer. Each change takes
 * its audit entry, and leaves none when it changed nothing.
 */
export class AccountStore {
  readonly #db: Kysely<Tables>;
  readonly #executor: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>) {
    this.#executor = guardedExecutor(executor);
    this.#db = queryBuilder<Tables>(this.#executor);
    this.#clock = clock;
  }

  async insertAccount(account: NewAccountRow, audit: AuditEntry): Promise<void> {
    const insert = this.#db
      .insertInto('account')
      .values({
        id: account.id,
        name: account.name,
        status: 'active',
        allow_exchange: account.allowExchange ? 1n : 0n,
        created_at_ms: BigInt(account.createdAtMs),
        limits: '{}',
        revision: account.revision,
      })
      .returning('id');
    await this.#executor.transaction([statementOf(insert.compile())], audit);
  }

  async account(id: string): Promise<AccountRecord | null> {
    const row = await this.#accounts().where('account.id', '=', id).executeTakeFirst();
    return row === undefined ? null : accountOf(row, this.#clock.nowMs());
  }

  async accounts(page: PageRequest): Promise<Page<AccountRecord>> {
    let query = this.#accounts()
      .orderBy('account.id')
      .limit(page.limit + 1);
    if (page.after !== null) query = query.where('account.id', '>', page.after);
    const nowMs = this.#clock.nowMs();
    const rows = await query.execute();
    return pageOf(
      rows.map((row) => accountOf(row, nowMs)),
      page.limit,
    );
  }

  /** False when it is not there in revision `from`. */
  async updateAccount(
    id: string,
    revision: Revision,
    update: AccountUpdate,
    audit: AuditEntry,
  ): Promise<boolean> {
    const change = this.#db
      .updateTable('account')
      .set({
        name: update.name,
        status: update.status,
        allow_exchange: update.allowExchange ? 1n : 0n,
        expires_at_ms: bigMillis(update.expiresAtMs),
        limits: limitsText(update.limits),
        revision: revision.to,
      })
      .where('id', '=', id)
      .where('revision', '=', revision.from)
      .returning('id');
    const caps = this.#setCaps(id, update.caps).where((where) =>
      where.exists(
        where
          .selectFrom('account')
          .select('account.id')
          .where('account.id', '=', id)
          .where('account.revision', '=', revision.to),
      ),
    );
    return await this.#change([change.compile(), caps.compile()].map(statementOf), audit);
  }

  /** False when a key with this hash or for this purpose is there already, or the account has `most` keys that are not revoked. */
  async insertKey(key: NewKeyRow, most: number, audit: AuditEntry): Promise<boolean> {
    const { id, accountId, name, hash, prefix, last4, revision, purpose } = key;
    const insert = this.#db
      .insertInto('api_key')
      .columns([
        ...([
          'id',
          'account_id',
          'name',
          'hash',
          'prefix',
          'last4',
          'revision',
          'purpose',
        ] as const),
        ...(['status', 'created_at_ms', 'expires_at_ms', 'limits'] as const),
      ])
      // Counted where it is written: of many that are made at once, only as many as fit are.
      .expression(
        this.#db
          .selectNoFrom(({ val }) => [
            val(id).as('id'),
            val(accountId).as('account_id'),
            val(name).as('name'),
            val(hash).as('hash'),
            val(prefix).as('prefix'),
            val(last4).as('last4'),
            val(revision).as('revision'),
            val(purpose).as('purpose'),
            val('active').as('status'),
            val(BigInt(key.createdAtMs)).as('created_at_ms'),
            val(bigMillis(key.expiresAtMs)).as('expires_at_ms'),
            val(limitsText(key.limits)).as('limits'),
          ])
          .where(this.#keysInUse(accountId), '<', BigInt(most)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('id');
    const statements = [insert.compile(), this.#setCaps(key.id, key.caps).compile()];
    return await this.#change(statements.map(statementOf), audit);
  }

  async key({ id, accountId }: KeyPlace): Promise<KeyRecord | null> {
    let query = this.#keys().where('api_key.id', '=', id);
    if (accountId !== null) query = query.where('api_key.account_id', '=', accountId);
    const row = await query.executeTakeFirst();
    return row === undefined ? null : keyOf(row, this.#clock.nowMs());
  }

  /** Keys of one account, or of all. */
  async keys(accountId: string | null, page: PageRequest): Promise<Page<KeyRecord>> {
    let query = this.#keys()
      .orderBy('api_key.id')
      .limit(page.limit + 1);
    if (accountId !== null) query = query.where('api_key.account_id', '=', accountId);
    if (page.after !== null) query = query.where('api_key.id', '>', page.after);
    const nowMs = this.#clock.nowMs();
    const rows = await query.execute();
    return pageOf(
      rows.map((row) => keyOf(row, nowMs)),
      page.limit,
    );
  }

  async countKeys(accountId: string): Promise<number> {
    const { keys } = await this.#keysInUse(accountId).executeTakeFirstOrThrow();
    return Number(keys);
  }

  /** The standing of the key whose newest secret, or the one before, has this SHA-256; null: there is none. */
  async standing(hash: Uint8Array): Promise<KeyStanding | null> {
    const row = await this.#standings()
      .where((where) =>
        where.or([where('api_key.hash', '=', hash), where('api_key.previous_hash', '=', hash)]),
      )
      .executeTakeFirst();
    if (row === undefined) return null;
    return standingOf(row, Buffer.from(row.hash).equals(hash));
  }

  /** The standing of the key that the account has for that; null: it has none that is not revoked. */
  async standingFor(accountId: string, purpose: KeyPurpose): Promise<KeyStanding | null> {
    const row = await this.#standings()
      .where('api_key.account_id', '=', accountId)
      .where('api_key.purpose', '=', purpose)
      .where('api_key.status', '<>', 'revoked')
      .executeTakeFirst();
    return row === undefined ? null : standingOf(row, true);
  }

  /** False when it is not there in revision `from`, or is revoked. */
  async updateKey(
    place: KeyPlace,
    revision: Revision,
    update: KeyUpdate,
    audit: AuditEntry,
  ): Promise<boolean> {
    const { id } = place;
    const change = this.#heldKey(place, revision)
      .set({
        name: update.name,
        expires_at_ms: bigMillis(update.expiresAtMs),
        limits: limitsText(update.limits),
      })
      .returning('id');
    const caps = this.#setCaps(id, update.caps).where((where) =>
      where.exists(
        where
          .selectFrom('api_key')
          .select('api_key.id')
          .where('api_key.id', '=', id)
          .where('api_key.revision', '=', revision.to),
      ),
    );
    return await this.#change([change.compile(), caps.compile()].map(statementOf), audit);
  }

  /** The secret that was the newest becomes the one before; what was that ends. False as `updateKey`. */
  async rotateKey(
    place: KeyPlace,
    revision: Revision,
    secret: NewSecret,
    audit: AuditEntry,
  ): Promise<boolean> {
    const change = this.#heldKey(place, revision)
      .set((row) => ({
        previous_hash: row.ref('hash'),
        previous_until_ms: BigInt(secret.previousUntilMs),
        hash: secret.hash,
        prefix: secret.prefix,
        last4: secret.last4,
      }))
      .returning('id');
    return await this.#change([statementOf(change.compile())], audit);
  }

  /** Takes a key out of use, or back into it. False as `updateKey`. */
  async turnKey(
    place: KeyPlace,
    revision: Revision,
    status: 'active' | 'disabled',
    audit: AuditEntry,
  ): Promise<boolean> {
    const change = this.#heldKey(place, revision).set({ status }).returning('id');
    return await this.#change([statementOf(change.compile())], audit);
  }

  /** False when it is not there or revoked already: a first revocation's time stays. */
  async revokeKey(place: KeyPlace, atMs: number, audit: AuditEntry): Promise<boolean> {
    const change = this.#ownKey(place)
      .set({ status: 'revoked', revoked_at_ms: BigInt(atMs) })
      .returning('id');
    return await this.#change([statementOf(change.compile())], audit);
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

  #standings() {
    return this.#db
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .select([
        'api_key.id as key_id',
        'api_key.name as key_name',
        'api_key.status',
        'api_key.expires_at_ms',
        'api_key.revoked_at_ms',
        'api_key.limits',
        'api_key.hash',
        'api_key.previous_until_ms',
        'account.id as account_id',
        'account.status as account_status',
        'account.allow_exchange',
        'account.limits as account_limits',
        'account.expires_at_ms as account_expires_at_ms',
      ]);
  }

  #accounts() {
    return this.#db
      .selectFrom('account')
      .innerJoin('spend_meter', 'spend_meter.owner_id', 'account.id')
      .selectAll();
  }

  #keys() {
    return this.#db
      .selectFrom('api_key')
      .innerJoin('spend_meter', 'spend_meter.owner_id', 'api_key.id')
      .selectAll();
  }

  /** How many keys of the account are not revoked. */
  #keysInUse(accountId: string) {
    return this.#db
      .selectFrom('api_key')
      .select((select) => select.fn.countAll<bigint>().as('keys'))
      .where('account_id', '=', accountId)
      .where('status', '<>', 'revoked');
  }

  #heldKey(place: KeyPlace, revision: Revision) {
    return this.#ownKey(place).set({ revision: revision.to }).where('revision', '=', revision.from);
  }

  /** One that is not revoked. */
  #ownKey({ id, accountId }: KeyPlace) {
    const update = this.#db
      .updateTable('api_key')
      .where('id', '=', id)
      .where('status', '<>', 'revoked');
    return accountId === null ? update : update.where('account_id', '=', accountId);
  }

  #setCaps(ownerId: string, caps: SpendCaps) {
    return this.#db
      .updateTable('spend_meter')
      .set({
        cap_day: caps.day,
        cap_week: caps.week,
        cap_month: caps.month,
        cap_total: caps.total,
      })
      .where('owner_id', '=', ownerId)
      .returning('owner_id');
  }

  /** Whether the first of the statements changed a row; the others change none then either. */
  async #change(statements: readonly SqlStatement[], audit: AuditEntry): Promise<boolean> {
    const [changed = []] = await this.#executor.transaction(statements, audit);
    return changed.length > 0;
  }
}

/** One row more than the page was asked for, which tells whether another page follows. */
function pageOf<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): Page<Item> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
