/** A person's own passkeys: the person can add, list, rename and remove them. */
import { type Clock, newId } from '../../clock.ts';
import { auditEntry } from '../../store/audit.ts';
import { integer, numberOrNull, text } from '../../store/row.ts';
import { type SqlExecutor, statement } from '../../store/sql.ts';
import type { Credentials, Proof } from '../credentials.ts';
import type { PersonRecord } from '../person.ts';
import type { Visitor } from '../sessions.ts';
import {
  type Challenge,
  isUsedBy,
  type PasskeyChallenges,
  type Purpose,
} from './passkey-challenges.ts';
import { noSuchPasskey, passkeyFailed, passkeyIsKnown, tooManyPasskeys } from './passkey-errors.ts';
import type { NewPasskeyAnswer, PublicKey, RelyingParty } from './relying-party.ts';

/** Maximum number of passkeys of a person, enough for several devices and security keys. */
export const MAX_PASSKEYS = 20;

export type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** The time of the last sign-in with the passkey; null if it was never used. */
  readonly lastUsedAtMs: number | null;
};

export type NewPasskey = { readonly name: string; readonly answer: NewPasskeyAnswer };

export type PasskeysDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly party: Pick<RelyingParty, 'creation' | 'created'>;
  readonly challenges: PasskeyChallenges;
  readonly credentials: Pick<Credentials, 'requireProof'>;
};

/**
 * Manages passkeys. Some methods require the person's password. If the person has none, they throw
 * `sign_in_again` unless the person signed in recently.
 * @throws GatewayError from these methods: `wrong_password`, `missing_required_parameter`,
 *   `rate_limit_exceeded`.
 */
export class Passkeys {
  readonly #deps: PasskeysDeps;

  constructor(deps: PasskeysDeps) {
    this.#deps = deps;
  }

  /** Lists the person's passkeys, oldest first. */
  async list(personId: string): Promise<readonly Passkey[]> {
    const rows = await this.#deps.sql.query(statement`SELECT id, name, created_at_ms,
      last_used_at_ms FROM passkey WHERE person_id = ${personId} ORDER BY created_at_ms, id`);
    return rows.map((row) => ({
      id: text(row, 'id'),
      name: text(row, 'name'),
      createdAtMs: Number(integer(row, 'created_at_ms')),
      lastUsedAtMs: numberOrNull(row, 'last_used_at_ms'),
    }));
  }

  /**
   * Returns the options and the cookie with which the browser creates a passkey for this person.
   * @throws GatewayError `conflict` if the person has too many; `passkey_failed` if passkeys are
   *   off or the host is an IP address.
   */
  async begin(person: PersonRecord, password: Proof, visitor: Visitor) {
    const { challenges, credentials, party } = this.#deps;
    await credentials.requireProof(person, password, visitor);
    const known = await this.#credentialsOf(person.id);
    if (known.length >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS);
    const { value, cookie } = challenges.draw(purposeOf(person), visitor.cookie);
    return { options: party.creation(person, value, known), cookies: [cookie] };
  }

  /**
   * Adds the passkey that the browser has created. Returns the Set-Cookie lines for the response.
   * @throws GatewayError `passkey_failed`; `conflict` if the passkey exists or the person has too
   *   many.
   */
  async add(
    person: PersonRecord,
    { name, answer }: NewPasskey,
    visitor: Visitor,
  ): Promise<readonly string[]> {
    const { sql, clock, challenges, party } = this.#deps;
    const { clientDataJSON } = answer.response;
    const challenge = challenges.open(purposeOf(person), visitor.cookie, clientDataJSON);
    const key = await party.created(answer, challenge.value);
    const [id, use] = [newId(clock, 'psk'), newId(clock, 'use')];
    const rows = await sql.transaction(
      [
        // Locks the person's row, so that concurrent additions cannot exceed the limit.
        statement`UPDATE person SET updated_at_ms = ${clock.nowMs()} WHERE id = ${person.id}`,
        ...challenges.useUp(challenge, use),
        this.#insert({ id, personId: person.id, name }, key, isUsedBy(challenge, use)),
      ],
      auditEntry(clock, person.id, 'person.passkey_add', person.id, { passkey_id: id, name }),
    );
    if (rows.at(-1)?.length === 0) throw await this.#refusal(person, key, challenge, use);
    return [challenges.clear()];
  }

  /** Removes a passkey of the person. @throws `not_found`, also for another person's passkey. */
  async remove(person: PersonRecord, id: string, password: Proof, visitor: Visitor): Promise<void> {
    const { sql, clock, credentials } = this.#deps;
    await credentials.requireProof(person, password, visitor);
    const [removed = []] = await sql.transaction(
      [
        statement`DELETE FROM passkey WHERE id = ${id} AND person_id = ${person.id}
          RETURNING id`,
      ],
      auditEntry(clock, person.id, 'person.passkey_remove', person.id, { passkey_id: id }),
    );
    if (removed.length === 0) throw noSuchPasskey();
  }

  /** Renames a passkey of the person. @throws `not_found`, also for another person's passkey. */
  async rename(person: PersonRecord, id: string, name: string): Promise<void> {
    const { sql, clock } = this.#deps;
    const [renamed = []] = await sql.transaction(
      [
        statement`UPDATE passkey SET name = ${name} WHERE id = ${id} AND person_id = ${person.id}
          RETURNING id`,
      ],
      auditEntry(clock, person.id, 'person.passkey_rename', person.id, { passkey_id: id, name }),
    );
    if (renamed.length === 0) throw noSuchPasskey();
  }

  #insert(
    {
      id,
      personId,
      name,
    }: { readonly id: string; readonly personId: string; readonly name: string },
    { credentialId, publicKey, uses }: PublicKey,
    isFirstUse: ReturnType<typeof isUsedBy>,
  ) {
    return statement`INSERT INTO passkey (id, person_id, name, credential_id, public_key, uses,
      created_at_ms) SELECT ${id}, person.id, ${name}, ${credentialId}, ${publicKey}, ${uses},
      ${this.#deps.clock.nowMs()} FROM person WHERE person.id = ${personId} AND ${isFirstUse}
      AND (SELECT COUNT(*) FROM passkey WHERE person_id = ${personId}) < ${MAX_PASSKEYS}
      ON CONFLICT (credential_id) DO NOTHING RETURNING id`;
  }

  async #credentialsOf(personId: string): Promise<readonly string[]> {
    const rows = await this.#deps.sql.query(statement`SELECT credential_id FROM passkey
      WHERE person_id = ${personId}`);
    return rows.map((row) => text(row, 'credential_id'));
  }

  /** Returns the error with the reason why no passkey was added. */
  async #refusal({ id }: PersonRecord, key: PublicKey, challenge: Challenge, use: string) {
    const [used] = await this.#deps.sql.query(statement`SELECT id FROM person WHERE id = ${id}
      AND ${isUsedBy(challenge, use)}`);
    if (used === undefined) return passkeyFailed('expired');
    const [same] = await this.#deps.sql.query(statement`SELECT id FROM passkey
      WHERE credential_id = ${key.credentialId}`);
    return same === undefined ? tooManyPasskeys(MAX_PASSKEYS) : passkeyIsKnown();
  }
}

const purposeOf = ({ id }: PersonRecord): Purpose => `add for ${id}`;
