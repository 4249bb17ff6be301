/** Signs people up with a link or, while sign-up is open, without one. Does not sign them in. */

import { type Clock, newId } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import { type AuditAction, auditEntry } from '../store/audit.ts';
import { text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { normalizedEmail } from './email.ts';
import { type LinkRecord, type NewLink, type OneTimeLinks, SETUP_MS } from './one-time-links.ts';
import { type PasswordHasher, requireGoodPassword } from './password.ts';
import {
  emailTaken,
  linkNotValid,
  otherEmail,
  setupDone,
  signUpByMail,
  signUpClosed,
} from './people-errors.ts';
import type { Role } from './person.ts';

/** The fields of a sign-up form. */
export type Newcomer = {
  readonly email: string;
  readonly name: string;
  readonly password: string;
};

export type SignUpDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: OneTimeLinks;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly mode: () => 'closed' | 'open';
  /**
   * Whether the gateway sends email. If so, sign-ups require a link that confirms the address.
   */
  readonly mailIsOn: () => boolean;
};

type Place = {
  readonly role: Role;
  readonly accountId: string;
  readonly newAccount: string | null;
  /** The new name of an existing account; null if the account keeps its name. */
  readonly rename: string | null;
};

/** Creates people. Methods @throws GatewayError `store_unavailable`, `rate_limit_exceeded`. */
export class SignUp {
  readonly #deps: SignUpDeps;
  /**
   * Whether an administrator exists. This stays true, because the last administrator cannot leave.
   */
  #isSetUp = false;

  constructor(deps: SignUpDeps) {
    this.#deps = deps;
  }

  /** Returns whether the installation has no administrator yet. */
  async setupNeeded(): Promise<boolean> {
    if (this.#isSetUp) return false;
    const found = await this.#deps.sql.query(statement`SELECT id FROM person WHERE role =
      'administrator' LIMIT 1`);
    this.#isSetUp = found.length > 0;
    return !this.#isSetUp;
  }

  /** Replaces the setup link. @throws GatewayError `conflict` when an administrator exists. */
  async newSetupLink(actor: string): Promise<NewLink> {
    if (!(await this.setupNeeded())) throw setupDone();
    const { insert, ...link } = this.#deps.links.draw(
      { kind: 'setup' },
      { madeBy: actor, lifetimeMs: SETUP_MS },
    );
    const replace = statement`DELETE FROM one_time_link WHERE kind = 'setup'
      AND used_at_ms IS NULL`;
    const entry = auditEntry(this.#deps.clock, actor, 'setup_link.create', link.id);
    await this.#deps.sql.transaction([replace, insert], entry);
    return link;
  }

  /**
   * Creates the first administrator, in the oldest account. If there is no account, creates one.
   * Returns the email address.
   * @param accountName the name of the account. If null, an existing account keeps its name, and a
   *   new account gets the person's name.
   * @throws GatewayError `conflict` if the setup is done already, `link_not_valid`,
   *   `weak_password`, `invalid_value`, `email_taken`.
   */
  async setUp(
    token: string,
    newcomer: Newcomer,
    accountName: string | null = null,
  ): Promise<string> {
    if (!(await this.setupNeeded())) throw setupDone();
    const link = await this.#setupLink(token);
    const [first] = await this.#deps.sql.query(statement`SELECT id FROM account ORDER BY id
      LIMIT 1`);
    const place: Place = {
      role: 'administrator',
      accountId: first === undefined ? newId(this.#deps.clock, 'acc') : text(first, 'id'),
      newAccount: first === undefined ? (accountName ?? newcomer.name) : null,
      rename: first === undefined ? null : accountName,
    };
    return await this.#join('person.setup', newcomer, place, link);
  }

  async #setupLink(token: string): Promise<LinkRecord> {
    try {
      return await this.#deps.links.require(token, 'setup');
    } catch (thrown) {
      // A concurrent setup may have used the link. In that case, the error says that the setup is
      // done.
      throw (await this.setupNeeded()) ? thrown : setupDone();
    }
  }

  /**
   * Creates a person with an invitation. Returns the normalized email address.
   * @param accountName the name of the new account of a link that confirms a sign-up; null for the
   *   person's name. Ignored with any other link.
   * @throws GatewayError `link_not_valid`, `email_taken`, `weak_password`; `invalid_value` if the
   *   invitation is for another email address.
   */
  async acceptInvitation(
    token: string,
    newcomer: Newcomer,
    accountName: string | null = null,
  ): Promise<string> {
    const link = await this.#deps.links.require(token, 'invitation');
    const { role, email, accountId } = link;
    if (role === null) throw linkNotValid();
    if (email !== null && email !== normalizedEmail(newcomer.email)) throw otherEmail();
    const place: Place = {
      role,
      accountId: accountId ?? newId(this.#deps.clock, 'acc'),
      // The link that confirms a sign-up has an empty account name.
      newAccount: accountId === null ? link.accountName || (accountName ?? newcomer.name) : null,
      rename: null,
    };
    return await this.#join('person.join', newcomer, place, link);
  }

  /**
   * Creates an account and a person who owns it. Returns the email address.
   * @param accountName the name of the account; null for the person's name.
   * @throws GatewayError `not_allowed` if sign-up is closed or requires a mailed link,
   *   `email_taken`, `weak_password`, `invalid_value`.
   */
  async register(newcomer: Newcomer, accountName: string | null): Promise<string> {
    if (this.#deps.mode() === 'closed') throw signUpClosed();
    if (this.#deps.mailIsOn()) throw signUpByMail();
    const place: Place = {
      role: 'owner',
      accountId: newId(this.#deps.clock, 'acc'),
      newAccount: accountName ?? newcomer.name,
      rename: null,
    };
    return await this.#join('person.sign_up', newcomer, place, null);
  }

  /** Creates a person. @param link the link that is used up; null for a sign-up without a link. */
  async #join(
    action: AuditAction,
    newcomer: Newcomer,
    place: Place,
    link: LinkRecord | null,
  ): Promise<string> {
    const { sql, clock, hasher } = this.#deps;
    const email = normalizedEmail(newcomer.email);
    requireGoodPassword(newcomer.password, email, 'password');
    if (await this.#isTaken(email)) throw emailTaken();
    const person: NewPerson = {
      id: newId(clock, 'usr'),
      credentialId: newId(clock, 'crd'),
      email,
      name: newcomer.name.trim(),
      role: place.role,
      accountId: place.accountId,
      passwordHash: await hasher.hash(newcomer.password),
      atMs: clock.nowMs(),
    };
    const entry = auditEntry(clock, person.id, action, person.id, {
      email,
      role: place.role,
      account_id: place.accountId,
      is_new_account: place.newAccount !== null,
      ...(place.rename === null ? {} : { account_name: place.rename }),
      link_id: link?.id ?? null,
    });
    const statements = this.#statements(person, place, link);
    try {
      const [decided = []] = await sql.transaction(statements, entry);
      if (decided.length > 0) return email;
    } catch (thrown) {
      // A concurrent sign-up may have taken this email address.
      if (await this.#isTaken(email)) throw emailTaken();
      throw thrown;
    }
    throw await this.#refusal(email, link);
  }

  #statements(person: NewPerson, place: Place, link: LinkRecord | null): readonly SqlStatement[] {
    const condition = link === null ? ifEmailIsFree(person.email) : ifLinkClaimedBy(person.id);
    const { newAccount, rename } = place;
    const revision = newId(this.#deps.clock, 'rev');
    return [
      ...(link === null ? [] : [claimLink(link, person)]),
      ...(newAccount === null ? [] : [insertAccount(person, newAccount, revision, condition)]),
      ...(rename === null ? [] : [renameAccount(place.accountId, rename, revision, condition)]),
      insertPerson(person, condition),
      insertCredential(person),
    ];
  }

  async #refusal(email: string, link: LinkRecord | null): Promise<GatewayError> {
    if (link?.kind === 'setup' && !(await this.setupNeeded())) return setupDone();
    return (await this.#isTaken(email)) ? emailTaken() : linkNotValid();
  }

  async #isTaken(email: string): Promise<boolean> {
    const found = await this.#deps.sql.query(statement`SELECT id FROM person WHERE email =
      ${email}`);
    return found.length > 0;
  }
}

// The functions below return the statements of a sign-up. Each statement takes effect only if the
// previous one did. So of two concurrent sign-ups with the same email address, only one succeeds.

type NewPerson = {
  readonly id: string;
  readonly credentialId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly accountId: string;
  readonly passwordHash: string;
  readonly atMs: number;
};

/**
 * Returns the statement that marks a valid link as used if no person has the email address. A setup
 * link is valid only while there is no administrator.
 */
const claimLink = ({ id, kind }: LinkRecord, person: NewPerson): SqlStatement => statement`
  UPDATE one_time_link SET used_at_ms = ${person.atMs}, used_by = ${person.id}
  WHERE id = ${id} AND used_at_ms IS NULL AND expires_at_ms > ${person.atMs}
    AND NOT EXISTS (SELECT 1 FROM person WHERE email = ${person.email})
    ${raw(kind === 'setup' ? UNLESS_ADMINISTRATOR : '')} RETURNING id`;
const UNLESS_ADMINISTRATOR = "AND NOT EXISTS (SELECT 1 FROM person WHERE role = 'administrator')";

/**
 * Returns an SQL condition that is true if `claimLink` has marked a link as used by this person.
 */
const ifLinkClaimedBy = (personId: string): SqlStatement =>
  statement`EXISTS (SELECT 1 FROM one_time_link WHERE used_by = ${personId})`;
/**
 * Returns an SQL condition that is true if nobody has this email address, for sign-ups without a
 * link.
 */
export const ifEmailIsFree = (email: string): SqlStatement =>
  statement`NOT EXISTS (SELECT 1 FROM person WHERE email = ${email})`;

export const insertAccount = (
  owner: Pick<NewPerson, 'accountId' | 'atMs'>,
  name: string,
  revision: string,
  condition: SqlStatement,
): SqlStatement => statement`
  INSERT INTO account (id, name, status, allow_exchange, created_at_ms, limits, revision)
  SELECT ${owner.accountId}, ${name}, 'active', 1, ${owner.atMs}, '{}', ${revision}
  WHERE ${condition} RETURNING id`;

const renameAccount = (
  id: string,
  name: string,
  revision: string,
  condition: SqlStatement,
): SqlStatement => statement`UPDATE account SET name = ${name}, revision = ${revision}
  WHERE id = ${id} AND ${condition} RETURNING id`;

export const insertPerson = (
  person: Omit<NewPerson, 'credentialId' | 'passwordHash'>,
  condition: SqlStatement,
): SqlStatement => statement`
  INSERT INTO person (id, account_id, role, email, name, created_at_ms, updated_at_ms)
  SELECT ${person.id}, ${person.accountId}, ${person.role}, ${person.email}, ${person.name},
    ${person.atMs}, ${person.atMs} WHERE ${condition} RETURNING id`;

const insertCredential = (person: NewPerson): SqlStatement => statement`INSERT INTO credential (id,
  person_id, subject, provider, password_hash, created_at_ms, updated_at_ms)
  SELECT ${person.credentialId}, ${person.id}, ${person.id}, 'credential', ${person.passwordHash},
  ${person.atMs}, ${person.atMs} WHERE EXISTS (SELECT 1 FROM person WHERE id = ${person.id})
  RETURNING id`;
