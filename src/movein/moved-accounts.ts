/**
 * Writes moved accounts with their people, keys and credits. A repeated run writes nothing a second
 * time.
 */
import { MAX_KEYS } from '../accounts/account.ts';
import { setCaps } from '../accounts/account-store.ts';
import {
  capsBody,
  changedCaps,
  changedLimits,
  limitsBody,
  limitsText,
  NO_CAPS,
  NO_LIMITS,
} from '../accounts/limits/limits.ts';
import { DEFAULT_SCOPES, scopesText } from '../accounts/scopes.ts';
import { type Clock, newId } from '../clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatAmount } from '../money/amount.ts';
import { auditEntry } from '../store/audit.ts';
import { text } from '../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import type { MovedAccount, MovedCredit, MovedItem, MovedKey, MovedPerson } from './move-in.ts';

export type MovedAccountsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'apply'>;
  /** Whether a price list with this name is configured. */
  readonly hasPriceList: (name: string) => boolean;
};

/** The source of the data, the person who moves it, and whether it is a dry run. */
export type Moving = {
  readonly source: string;
  readonly actor: string;
  readonly isDryRun: boolean;
};

/**
 * The account to which people, keys and credits move. `id` is null in a dry run if the account does
 * not exist yet.
 */
type Place = { readonly id: string | null; readonly moving: Moving };

/** Writes moved objects. Every method that queries the store @throws `store_unavailable`. */
export class MovedAccounts {
  readonly #deps: MovedAccountsDeps;

  constructor(deps: MovedAccountsDeps) {
    this.#deps = deps;
  }

  /** Moves accounts one after the other, each with its people, keys and credits. */
  async move(accounts: readonly MovedAccount[], moving: Moving): Promise<readonly MovedItem[]> {
    const items: MovedItem[] = [];
    for (const account of accounts) items.push(...(await this.#account(account, moving)));
    return items;
  }

  async #account(account: MovedAccount, moving: Moving): Promise<readonly MovedItem[]> {
    const found = await this.#movedId(moving.source, account.ref);
    const { priceList, earlierRef = null } = account;
    if (found === null && earlierRef !== null) {
      const isMoved = (await this.#movedId(moving.source, earlierRef)) !== null;
      if (isMoved) return [itemOf('account', account, 'left', MOVED_BEFORE)];
    }
    if (found === null && priceList !== null && !this.#deps.hasPriceList(priceList)) {
      const reason = `The price list "${priceList}" is not configured. Add it and run again.`;
      return [itemOf('account', account, 'left', reason)];
    }
    const place = { id: found ?? (await this.#insertAccount(account, moving)), moving };
    const items = [itemOf('account', account, found === null ? 'moved' : 'present')];
    for (const person of account.people) items.push(await this.#person(person, place));
    for (const key of account.keys) items.push(await this.#key(key, place));
    for (const credit of account.credits) items.push(await this.#credit(credit, place));
    return items;
  }

  /** Inserts an account. Returns its id; null in a dry run. */
  async #insertAccount(account: MovedAccount, moving: Moving): Promise<string | null> {
    if (moving.isDryRun) return null;
    const { sql, clock } = this.#deps;
    const id = newId(clock, 'acc');
    const limits = changedLimits(NO_LIMITS, account.limits);
    const caps = changedCaps(NO_CAPS, account.limits);
    const status = account.suspended ? 'suspended' : 'active';
    const insert = statement`INSERT INTO account (id, name, status, allow_exchange, created_at_ms,
      price_list, limits, revision) SELECT ${id}, ${account.name}, ${status}, 1, ${clock.nowMs()},
      ${account.priceList}, ${limitsText(limits)}, ${newId(clock, 'rev')}
      WHERE NOT EXISTS ${movedUnder(moving.source, account.ref)} RETURNING id`;
    const detail = {
      ...{ source: moving.source, ref: account.ref, name: account.name, status },
      price_list: account.priceList,
      limits: JSON.stringify({ ...limitsBody(limits), spend: capsBody(caps) }),
    };
    const entry = auditEntry(clock, moving.actor, 'account.move_in', id, detail);
    const noted = this.#note(moving.source, account.ref, id, 'account');
    const [inserted = []] = await sql.transaction([insert, noted, setCaps(id, caps, null)], entry);
    // If a concurrent run inserted the account first, this run continues with that account.
    return inserted.length > 0 ? id : await this.#movedId(moving.source, account.ref);
  }

  async #person(person: MovedPerson, { id, moving }: Place): Promise<MovedItem> {
    const { sql, clock } = this.#deps;
    if ((await this.#movedId(moving.source, person.ref)) !== null)
      return itemOf('person', person, 'present');
    const [taken] = await sql.query(statement`SELECT id FROM person WHERE email = ${person.email}`);
    if (taken !== undefined) return itemOf('person', person, 'left', EMAIL_TAKEN);
    if (id === null || moving.isDryRun) return itemOf('person', person, 'moved');
    const personId = newId(clock, 'usr');
    const atMs = clock.nowMs();
    const insert = statement`INSERT INTO person (id, account_id, role, email, name, created_at_ms,
      updated_at_ms) SELECT ${personId}, ${id}, 'owner', ${person.email}, ${person.name}, ${atMs},
      ${atMs} WHERE NOT EXISTS ${movedUnder(moving.source, person.ref)}
      ON CONFLICT DO NOTHING RETURNING id`;
    const credential = statement`INSERT INTO credential (id, person_id, subject, provider,
      password_hash, created_at_ms, updated_at_ms) SELECT ${newId(clock, 'crd')}, ${personId},
      ${personId}, 'credential', ${person.passwordHash}, ${atMs}, ${atMs}
      WHERE EXISTS (SELECT 1 FROM person WHERE id = ${personId}) RETURNING id`;
    const entry = auditEntry(clock, moving.actor, 'person.move_in', personId, {
      ...{ source: moving.source, ref: person.ref, email: person.email, role: 'owner' },
      ...{ account_id: id, with_password: person.passwordHash !== null },
    });
    const noted = this.#note(moving.source, person.ref, personId, 'person');
    const all = [insert, noted, ...(person.passwordHash === null ? [] : [credential])];
    const [inserted = []] = await sql.transaction(all, entry);
    return inserted.length > 0
      ? itemOf('person', person, 'moved')
      : itemOf('person', person, 'left', EMAIL_TAKEN);
  }

  async #key(key: MovedKey, { id, moving }: Place): Promise<MovedItem> {
    const { sql, clock } = this.#deps;
    if ((await this.#movedId(moving.source, key.ref)) !== null)
      return itemOf('key', key, 'present');
    const hash = Uint8Array.fromHex(key.hash);
    const [taken] = await sql.query(statement`SELECT id FROM api_key WHERE hash = ${hash}
      OR previous_hash = ${hash}`);
    if (taken !== undefined) return itemOf('key', key, 'left', KEY_TAKEN);
    if (id === null || moving.isDryRun) return itemOf('key', key, 'moved');
    const keyId = newId(clock, 'key');
    const limits = changedLimits(NO_LIMITS, key.limits);
    const caps = changedCaps(NO_CAPS, key.limits);
    const status = key.disabled ? 'disabled' : 'active';
    const insert = statement`INSERT INTO api_key (id, account_id, name, hash, prefix, last4,
      revision, status, created_at_ms, expires_at_ms, scopes, limits) SELECT ${keyId}, ${id},
      ${key.name}, ${hash}, ${key.prefix}, ${key.last4}, ${newId(clock, 'rev')},
      ${status}, ${clock.nowMs()}, ${key.expiresAtMs}, ${scopesText(DEFAULT_SCOPES)},
      ${limitsText(limits)} WHERE NOT EXISTS ${movedUnder(moving.source, key.ref)}
      AND (SELECT COUNT(*) FROM api_key WHERE account_id = ${id} AND status <> 'revoked'
        AND purpose IS NULL) < ${MAX_KEYS}
      ON CONFLICT DO NOTHING RETURNING id`;
    const entry = auditEntry(clock, moving.actor, 'key.move_in', keyId, {
      ...{ source: moving.source, ref: key.ref, account_id: id, name: key.name, status },
      masked: `${key.prefix}...${key.last4}`,
      limits: JSON.stringify({ ...limitsBody(limits), spend: capsBody(caps) }),
    });
    const noted = this.#note(moving.source, key.ref, keyId, 'api_key');
    const form = key.form === null ? [] : [keepForm(key.form, keyId)];
    const statements = [insert, noted, ...form, setCaps(keyId, caps, null)];
    const [inserted = []] = await sql.transaction(statements, entry);
    return inserted.length > 0
      ? itemOf('key', key, 'moved')
      : itemOf('key', key, 'left', TOO_MANY_KEYS);
  }

  /**
   * Books a credit. The command's id is derived from the source and the ref, so the credit is
   * booked only once.
   */
  async #credit(credit: MovedCredit, { id, moving }: Place): Promise<MovedItem> {
    const { source, isDryRun } = moving;
    const { ref, currency, amount } = credit;
    const item = { ref, name: `${formatAmount(amount)} ${currency}` };
    const isBooked = (await this.#movedId(source, ref)) !== null;
    if (isBooked) return itemOf('credit', item, 'present');
    if (id === null || isDryRun) return itemOf('credit', item, 'moved');
    const command = `move_in/${source}/${ref}`;
    const [outcome] = await this.#deps.ledger.apply([
      {
        ...{ kind: 'credit', id: command, accountId: id, currency, amount, source: 'top_up' },
        reason: `balance at ${source} (${ref})`,
        // The ledger accepts a repeated command only if it is equal to the first one, so the actor
        // is always `system`.
        ...{ actor: 'system', atMs: this.#deps.clock.nowMs() },
      },
    ]);
    const { status } = outcome ?? { status: 'nothing' };
    if (status !== 'applied' && status !== 'already_applied')
      return itemOf('credit', item, 'left', OTHER_CREDIT);
    await this.#deps.sql.query(this.#note(source, ref, command, null));
    return itemOf('credit', item, status === 'applied' ? 'moved' : 'present');
  }

  /**
   * Returns this gateway's id of a moved object; null if no object with this ref (the object's name
   * at the source) has moved.
   */
  async #movedId(source: string, ref: string): Promise<string | null> {
    const [row] = await this.#deps.sql.query(statement`SELECT id FROM moved_in
      WHERE source = ${source} AND ref = ${ref}`);
    return row === undefined ? null : text(row, 'id');
  }

  /**
   * Returns the statement that records an object as moved, provided that `table` has it.
   * @param table the table of the object; null records it without this check.
   */
  #note(
    source: string,
    ref: string,
    id: string,
    table: keyof typeof EXISTS_IN | null,
  ): SqlStatement {
    const exists = table === null ? statement`1 = 1` : EXISTS_IN[table](id);
    return statement`INSERT INTO moved_in (source, ref, id, moved_at_ms)
      SELECT ${source}, ${ref}, ${id}, ${this.#deps.clock.nowMs()} WHERE ${exists}
      ON CONFLICT DO NOTHING RETURNING id`;
  }
}

const EXISTS_IN = {
  account: (id: string) => statement`EXISTS (SELECT 1 FROM account WHERE id = ${id})`,
  person: (id: string) => statement`EXISTS (SELECT 1 FROM person WHERE id = ${id})`,
  api_key: (id: string) => statement`EXISTS (SELECT 1 FROM api_key WHERE id = ${id})`,
} as const;

/**
 * Returns the statement that stores the format of a key from another gateway. Without it, the
 * gateway would not look up keys of this format.
 */
const keepForm = (form: string, keyId: string): SqlStatement =>
  statement`INSERT INTO key_form (form) SELECT ${form} WHERE ${EXISTS_IN.api_key(keyId)}
    ON CONFLICT DO NOTHING RETURNING form`;

const movedUnder = (source: string, ref: string): SqlStatement =>
  statement`(SELECT 1 FROM moved_in WHERE source = ${source} AND ref = ${ref})`;

const MOVED_BEFORE =
  'An earlier run imported an account with this number but without an invitation code. If it is ' +
  'this account, add by hand what is new since that run. Otherwise, add this account by hand.';
const EMAIL_TAKEN =
  'The email address belongs to a person of this gateway. Invite that person to the account.';
const KEY_TAKEN = 'The same key already exists here, and stays as it is.';
const TOO_MANY_KEYS = `The account has ${MAX_KEYS} keys already.`;
const OTHER_CREDIT =
  'An earlier run credited a different amount for this balance. That credit is not changed.';

const itemOf = (
  kind: MovedItem['kind'],
  { ref, name }: Pick<MovedItem, 'ref' | 'name'>,
  state: MovedItem['state'],
  reason: string | null = null,
): MovedItem => ({ kind, ref, name, state, reason });
