/**
 * Stores secrets: provider keys and other credentials of the operator. They are encrypted in the
 * store, and unencrypted in this process's memory. Only `find`, which the settings use, returns a
 * secret's value.
 */
import type { Clock } from '../clock.ts';
import {
  type FindSecret,
  type FoundSecret,
  SECRET_NAME,
  SECRET_NAME_REMEDY,
} from '../config/document/secret-name.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { auditEntry } from '../store/audit.ts';
import { integer, text, textOrNull } from '../store/row.ts';
import { NONCE_BYTES, openBytes, sealBytes } from '../store/sealed-bytes.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import type { SecretKey, SecretKeys } from './secret-keys.ts';

/** Maximum bytes of a value. A service account key, the longest usual credential, has 2,400. */
export const MAX_SECRET_BYTES = 16 * 1024;
/** Maximum number of secrets, since all of them stay in memory. */
export const MAX_SECRETS = 1000;
/**
 * Minimum length of a value whose last four characters are shown. A shorter one reveals too much.
 */
export const MIN_CHARS_FOR_LAST_FOUR = 20;

/** A secret without its value. */
export type SecretRecord = {
  readonly name: string;
  /**
   * The last four characters; null if the value is short, or one of them is not a visible ASCII
   * character.
   */
  readonly lastFour: string | null;
  readonly setAtMs: number;
  /** Who set the secret: `admin`, or the id of a person. */
  readonly setBy: string;
  /** The name of the person in `setBy`; null if the person was removed, or for `admin`. */
  readonly setByName: string | null;
  /** `unreadable`: no key of this node decrypts it, or the row was altered. */
  readonly state: 'ready' | 'unreadable';
};

type Row = Omit<SecretRecord, 'state'> & { readonly sealed: Uint8Array; readonly keyId: string };

/**
 * The result of a rotation, as three lists of names of secrets. `rotated` were encrypted again.
 * `current` were already encrypted with the key `keyId`. `unreadable` are unchanged, because no key
 * decrypts them. A secret that was changed during the rotation is in no list.
 */
export type Rotated = {
  readonly keyId: string;
  readonly rotated: readonly string[];
  readonly current: readonly string[];
  readonly unreadable: readonly string[];
};

export type SecretVaultDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
  /** Reads the keys from their source. Never rejects. */
  readonly readKeys: () => Promise<SecretKeys>;
};

/** Every method that uses the store throws GatewayError `store_unavailable`. */
export class SecretVault {
  readonly #deps: SecretVaultDeps;
  #keys: SecretKeys = { keys: [], problem: 'the keys were not read yet' };
  /** Why the last reading of the keys failed; null if it succeeded. */
  #problem: string | null = null;
  #rows: readonly Row[] = [];
  #found: ReadonlyMap<string, FoundSecret> = new Map();
  #refreshing: Promise<void> = Promise.resolve();

  private constructor(deps: SecretVaultDeps) {
    this.#deps = deps;
  }

  static async open(deps: SecretVaultDeps): Promise<SecretVault> {
    const vault = new SecretVault(deps);
    await vault.#readKeys();
    await vault.refresh();
    return vault;
  }

  /** Returns a secret as it was at the last `refresh`. */
  readonly find: FindSecret = (name) => this.#found.get(name) ?? { state: 'unset' };

  /** The reason why this node has no key, or could not read a newer one; null if neither. */
  get keyProblem(): string | null {
    return this.#problem;
  }

  /** Whether this node uses earlier keys because it could not read newer ones. */
  get isOutdated(): boolean {
    return this.#problem !== null && this.#keys.keys.length > 0;
  }

  /** Lists all secrets as they were at the last `refresh`, without their values. */
  list(): readonly SecretRecord[] {
    return this.#rows.map(({ name, lastFour, setAtMs, setBy, setByName }) => {
      const state = this.find(name).state === 'ready' ? 'ready' : 'unreadable';
      return { name, lastFour, setAtMs, setBy, setByName, state };
    });
  }

  /**
   * Reads all secrets from the store; concurrent calls run one by one. If a secret is encrypted
   * with an unknown key, reads the keys again, because the operator may have added one.
   */
  refresh(): Promise<void> {
    const done = this.#refreshing.then(() => this.#refresh());
    this.#refreshing = done.catch(() => {});
    return done;
  }

  async #refresh(): Promise<void> {
    const rows = (await this.#deps.sql.query(ALL)).map(rowOf);
    const isKnown = ({ keyId }: Row): boolean => this.keyOf(keyId) !== null;
    if (!rows.every(isKnown)) await this.#readKeys();
    else if (this.isOutdated) this.#problem = null;
    this.#rows = rows;
    this.#found = new Map(rows.map((row) => [row.name, this.#open(row)]));
  }

  /** Reads the keys. If that fails, keeps those that were read before. */
  async #readKeys(): Promise<void> {
    const read = await this.#deps.readKeys();
    this.#problem = 'problem' in read ? read.problem : null;
    if (this.#problem === null || this.#keys.keys.length === 0) this.#keys = read;
  }

  /**
   * Stores a secret. Replaces an earlier one of this name.
   * @throws GatewayError `invalid_value`, `conflict` (too many), `secrets_key_missing`.
   */
  async set(name: string, value: Secret, actor: string): Promise<void> {
    checkName(name);
    checkValue(value.reveal());
    if (this.#rows.length >= MAX_SECRETS && !this.#found.has(name)) throw tooMany();
    const key = this.firstKey();
    const sealed = this.#seal(name, key, value);
    const audit = auditEntry(this.#deps.clock, actor, 'secret.set', name, { key_id: key.id });
    const insert = statement`INSERT INTO secret (name, sealed, key_id, last_four, set_at_ms, set_by)
      VALUES (${name}, ${sealed}, ${key.id}, ${lastFourOf(value)}, ${audit.atMs}, ${actor})
      ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, key_id = excluded.key_id,
        last_four = excluded.last_four, set_at_ms = excluded.set_at_ms, set_by = excluded.set_by
      RETURNING name`;
    await this.#deps.sql.transaction([insert], audit);
    await this.refresh();
  }

  /** Deletes a secret. @throws GatewayError `not_found`. */
  async delete(name: string, actor: string): Promise<void> {
    if (!SECRET_NAME.test(name)) throw noSuchSecret(name);
    const audit = auditEntry(this.#deps.clock, actor, 'secret.delete', name);
    const remove = statement`DELETE FROM secret WHERE name = ${name} RETURNING name`;
    const [removed = []] = await this.#deps.sql.transaction([remove], audit);
    if (removed.length === 0) throw noSuchSecret(name);
    await this.refresh();
  }

  /**
   * Reads the keys again. Then encrypts with the first key all secrets that are encrypted with
   * other keys. Unreadable secrets stay as they are. Each secret has its own transaction, so after
   * an interruption the next rotation continues.
   * @throws GatewayError `secrets_key_missing` if this node has no key or cannot read the keys.
   */
  async rotate(actor: string): Promise<Rotated> {
    await this.#readKeys();
    if (this.#problem !== null) throw keyMissing(this.#problem);
    await this.refresh();
    const key = this.firstKey();
    const [rotated, current, unreadable]: [string[], string[], string[]] = [[], [], []];
    for (const row of this.#rows) {
      const found = this.find(row.name);
      if (found.state !== 'ready') unreadable.push(row.name);
      else if (row.keyId === key.id) current.push(row.name);
      else if (await this.#reseal(row, key, found.value, actor)) rotated.push(row.name);
    }
    await this.refresh();
    return { keyId: key.id, rotated, current, unreadable };
  }

  /**
   * Encrypts a stored secret again, with `key`. Returns false and changes nothing if the secret was
   * replaced, deleted or encrypted again since `row` was read.
   */
  async #reseal(row: Row, key: SecretKey, value: Secret, actor: string): Promise<boolean> {
    const detail = { from_key_id: row.keyId, key_id: key.id };
    const audit = auditEntry(this.#deps.clock, actor, 'secret.rotate', row.name, detail);
    const sealed = this.#seal(row.name, key, value);
    const update = statement`UPDATE secret SET sealed = ${sealed}, key_id = ${key.id}
      WHERE name = ${row.name} AND sealed = ${row.sealed} RETURNING name`;
    const [changed = []] = await this.#deps.sql.transaction([update], audit);
    return changed.length > 0;
  }

  /**
   * Returns the key that encrypts new secrets and logged prompts.
   * @throws GatewayError `secrets_key_missing`.
   */
  firstKey(): SecretKey {
    if (!('problem' in this.#keys)) return this.#keys.keys[0];
    throw keyMissing(this.#keys.problem);
  }

  keyOf(id: string): SecretKey | null {
    return this.#keys.keys.find((key) => key.id === id) ?? null;
  }

  #seal(name: string, key: SecretKey, value: Secret): Uint8Array {
    const nonce = this.#deps.clock.randomBytes(NONCE_BYTES);
    return sealBytes(key.bytes, boundTo(name, key.id), nonce, Buffer.from(value.reveal()));
  }

  #open({ name, keyId, sealed }: Row): FoundSecret {
    const key = this.keyOf(keyId);
    if (key === null) return UNREADABLE;
    try {
      const bytes = openBytes(key.bytes, boundTo(name, keyId), sealed);
      return { state: 'ready', value: new Secret(Buffer.from(bytes).toString('utf8')) };
    } catch {
      // The ciphertext was truncated, altered or moved to another name. The list shows the secret
      // as unreadable.
      return UNREADABLE;
    }
  }
}

const UNREADABLE: FoundSecret = { state: 'unreadable' };

const ALL = statement`SELECT secret.*, person.name AS set_by_name
  FROM secret LEFT JOIN person ON person.id = secret.set_by ORDER BY secret.name`;

/**
 * Returns the associated data of a ciphertext. It makes decryption fail for any other name or key.
 */
const boundTo = (name: string, keyId: string): string =>
  `modelgate: secret ${name} under key ${keyId}`;

function rowOf(row: SqlRow): Row {
  const { sealed } = row;
  if (!(sealed instanceof Uint8Array)) throw new Error('column sealed is not bytes');
  return {
    sealed,
    name: text(row, 'name'),
    keyId: text(row, 'key_id'),
    lastFour: textOrNull(row, 'last_four'),
    setAtMs: Number(integer(row, 'set_at_ms')),
    setBy: text(row, 'set_by'),
    setByName: textOrNull(row, 'set_by_name'),
  };
}

function lastFourOf(secret: Secret): string | null {
  const value = secret.reveal();
  const end = value.slice(-4);
  return value.length >= MIN_CHARS_FOR_LAST_FOUR && /^[\x21-\x7e]{4}$/.test(end) ? end : null;
}

function checkName(name: string): void {
  if (SECRET_NAME.test(name)) return;
  const message = `The name of a secret is not valid; ${SECRET_NAME_REMEDY}.`;
  throw new GatewayError('invalid_value', message, { param: 'name' });
}

function checkValue(value: string): void {
  const bytes = Buffer.byteLength(value);
  const problem =
    value === ''
      ? 'must not be empty; delete the secret instead'
      : bytes > MAX_SECRET_BYTES
        ? `has ${bytes} bytes; a secret has at most ${MAX_SECRET_BYTES}`
        : value.includes('\0') || !value.isWellFormed()
          ? 'must be text without NUL characters'
          : null;
  if (problem === null) return;
  throw new GatewayError('invalid_value', `value ${problem}.`, { param: 'value' });
}

const keyMissing = (problem: string): GatewayError =>
  new GatewayError('secrets_key_missing', `This node has no key to encrypt secrets: ${problem}.`);

const tooMany = (): GatewayError =>
  new GatewayError(
    'conflict',
    `There are ${MAX_SECRETS} secrets, which is the limit. Delete those that no setting refers to.`,
  );

const noSuchSecret = (name: string): GatewayError =>
  new GatewayError(
    'not_found',
    `There is no secret ${JSON.stringify(name.slice(0, 64))}. List the secrets to find the right name.`,
    { param: 'name' },
  );
