/**
 * The identities with which people sign in at identity providers. Each identity is linked to one
 * person. It is found by issuer and subject, not by its email address, because a person can change
 * the address.
 */
import { type Clock, newId } from '../../clock.ts';
import { auditEntry } from '../../store/audit.ts';
import { integer, text, textOrNull } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';
import type { PersonRecord, Role } from '../person.ts';
import { endChallenges } from '../sign-in.ts';
import { ifEmailIsFree, insertAccount, insertPerson } from '../sign-up.ts';
import { oidcFailed } from './oidc-errors.ts';
import type { ProviderIdentity } from './provider-claims.ts';

type Key = Pick<ProviderIdentity, 'issuer' | 'subject'>;

export type LinkedIdentity = { readonly issuer: string; readonly linkedAtMs: number };

/** The account and role of a new person. */
export type NewPlace = {
  readonly role: Role;
  /** The account to join; null to create an account. */
  readonly accountId: string | null;
};
export type NewIdentity = Key & { readonly email: string; readonly name: string };

export type IdentitiesDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
};

export class Identities {
  readonly #deps: IdentitiesDeps;

  constructor(deps: IdentitiesDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the id of the person who is linked to an identity. Returns null if that person was
   * removed, and undefined if the identity is unknown.
   */
  async personOf({ issuer, subject }: Key): Promise<string | null | undefined> {
    const [row] = await this.#deps.sql.query(statement`SELECT person_id FROM identity
      WHERE issuer = ${issuer} AND subject = ${subject}`);
    return row === undefined ? undefined : textOrNull(row, 'person_id');
  }

  /**
   * Returns the account in which the claim decides the role: the main account at the first sign-in,
   * or the one to which an administrator has moved the person since. Null for an unknown identity.
   */
  async roleAccount({ issuer, subject }: Key): Promise<string | null> {
    const { sql } = this.#deps;
    const isKey = statement`issuer = ${issuer} AND subject = ${subject}`;
    const read = statement`SELECT role_account_id FROM identity WHERE ${isKey}`;
    const [row] = await sql.query(read);
    const known = row === undefined ? null : textOrNull(row, 'role_account_id');
    if (row === undefined || known !== null) return known;
    // An earlier version has linked the identity.
    await sql.query(statement`UPDATE identity SET role_account_id =
      (SELECT account_id FROM person WHERE person.id = identity.person_id)
      WHERE ${isKey} AND role_account_id IS NULL`);
    const [now] = await sql.query(read);
    return now === undefined ? null : textOrNull(now, 'role_account_id');
  }

  /** Returns the id of the person with this email address; null if nobody has it. */
  async personWithEmail(email: string): Promise<string | null> {
    const [row] = await this.#deps.sql.query(
      statement`SELECT id FROM person WHERE email = ${email}`,
    );
    return row === undefined ? null : text(row, 'id');
  }

  /**
   * Links an identity to the person with the same email address. Somebody else may have signed up
   * with this address without proving that it is theirs. So the person's sessions, password,
   * passkeys, reset links, unfinished sign-ins and the open invitations that they made are deleted.
   * An administrator keeps them, because nobody can sign up as administrator.
   * @throws GatewayError `oidc_failed` if the identity is linked to another person, or the person
   *   to another identity of the issuer.
   */
  async link(key: Key, { id: personId, role }: Pick<PersonRecord, 'id' | 'role'>): Promise<void> {
    const { sql, clock } = this.#deps;
    const id = newId(clock, 'idn');
    const isRemoved = role !== 'administrator';
    const detail = { issuer: key.issuer, subject: key.subject, password_removed: isRemoved };
    const entry = auditEntry(clock, personId, 'person.identity_link', personId, detail);
    const isLinked = statement`EXISTS (SELECT 1 FROM identity WHERE identity.id = ${id})`;
    const ifLinked = statement`person_id = ${personId} AND ${isLinked}`;
    const ends = [
      statement`DELETE FROM credential WHERE ${ifLinked}`,
      statement`DELETE FROM passkey WHERE ${ifLinked}`,
      endChallenges(statement`(SELECT person_id FROM identity WHERE identity.id = ${id})`),
      statement`DELETE FROM session WHERE ${ifLinked}`,
      statement`DELETE FROM one_time_link WHERE used_at_ms IS NULL
        AND (person_id = ${personId} OR made_by = ${personId}) AND ${isLinked}`,
    ];
    const statements = [this.#insert(id, key, personId), ...(isRemoved ? ends : [])];
    const [linked = []] = await sql.transaction(statements, entry);
    if (linked.length === 0 && (await this.personOf(key)) !== personId)
      throw oidcFailed('other_identity');
  }

  /**
   * Creates a person with an identity and without a password. Returns the person's id. If another
   * sign-in has created the person at the same time, returns that person's id.
   * @throws GatewayError `oidc_failed` if the account does not exist, or if the email address was
   *   taken meanwhile.
   */
  async create(newcomer: NewIdentity, { role, accountId }: NewPlace): Promise<string> {
    const { sql, clock } = this.#deps;
    const { issuer, subject, email, name } = newcomer;
    const person = {
      ...{ id: newId(clock, 'usr'), email, name, role, atMs: clock.nowMs() },
      accountId: accountId ?? newId(clock, 'acc'),
    };
    const isFree = statement`${ifEmailIsFree(email)} AND NOT EXISTS (SELECT 1 FROM identity
      WHERE issuer = ${issuer} AND subject = ${subject})`;
    const mayJoin = statement`${isFree} AND EXISTS (SELECT 1 FROM account
      WHERE id = ${person.accountId})`;
    const action = accountId === null ? 'person.sign_up' : 'person.join';
    const entry = auditEntry(clock, person.id, action, person.id, {
      ...{ email, role, account_id: person.accountId, is_new_account: accountId === null },
      ...{ issuer, subject },
    });
    const account = insertAccount(person, name, newId(clock, 'rev'), isFree);
    const statements = [
      ...(accountId === null ? [account] : []),
      insertPerson(person, mayJoin),
      this.#insert(newId(clock, 'idn'), newcomer, person.id),
    ];
    try {
      const linked = (await sql.transaction(statements, entry)).at(-1) ?? [];
      if (linked.length > 0) return person.id;
    } catch (thrown) {
      const faster = await this.personOf(newcomer);
      if (typeof faster !== 'string') throw thrown;
    }
    const faster = await this.personOf(newcomer);
    if (typeof faster === 'string') return faster;
    throw oidcFailed('unknown_person');
  }

  /** Lists the identities that are linked to a person. */
  async list(personId: string): Promise<readonly LinkedIdentity[]> {
    const rows = await this.#deps.sql.query(statement`SELECT issuer, created_at_ms FROM identity
      WHERE person_id = ${personId} ORDER BY created_at_ms, id`);
    return rows.map((row) => ({
      issuer: text(row, 'issuer'),
      linkedAtMs: Number(integer(row, 'created_at_ms')),
    }));
  }

  /**
   * Returns the statement that links an identity to a person. The statement does nothing if the
   * identity is linked to a person already, or if the person has another identity of the same
   * issuer.
   */
  #insert(id: string, { issuer, subject }: Key, personId: string): SqlStatement {
    const atMs = this.#deps.clock.nowMs();
    return statement`INSERT INTO identity (id, person_id, issuer, subject, created_at_ms,
        role_account_id)
      SELECT ${id}, person.id, ${issuer}, ${subject}, ${atMs}, person.account_id FROM person
      WHERE person.id = ${personId} AND NOT EXISTS (SELECT 1 FROM identity AS other
        WHERE other.person_id = person.id AND other.issuer = ${issuer})
      ON CONFLICT (issuer, subject) DO UPDATE SET id = excluded.id, person_id = excluded.person_id,
        created_at_ms = excluded.created_at_ms, role_account_id = excluded.role_account_id
      WHERE identity.person_id IS NULL RETURNING id`;
  }
}
