/** Changes a person's own password, authenticator and recovery codes, at the person's request. */
import { changedMeanwhile } from '../accounts/account-errors.ts';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { type AuditAction, auditEntry } from '../store/audit.ts';
import { text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { deviceOf } from './device.ts';
import type { OneTimeLinks } from './one-time-links.ts';
import { type PasswordHasher, requireGoodPassword } from './password.ts';
import {
  linkNotValid,
  passwordChanged,
  passwordMissing,
  RECENT_SIGN_IN_MS,
  signInAgain,
  totpIsOff,
  totpIsOn,
  wrongPassword,
} from './people-errors.ts';
import type { PersonRecord } from './person.ts';
import type { SecondFactor, TotpSecrets } from './second-factor.ts';
import type { SessionCookies } from './session-cookie.ts';
import type { Sessions, Visitor } from './sessions.ts';
import { endChallenges, lockPerson } from './sign-in.ts';
import type { SignInGuard } from './sign-in-guard.ts';

/** The Set-Cookie lines of the new session, which replaces the visitor's session. */
export type NewSession = { readonly cookies: readonly string[] };

/** The password that a person sends to confirm a change; undefined if none was sent. */
export type Proof = string | undefined;

export type CredentialsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: Pick<OneTimeLinks, 'require'>;
  readonly hasher: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly secondFactor: SecondFactor;
  readonly sessions: Pick<Sessions, 'draw' | 'lives' | 'endOf' | 'isNew'>;
  readonly cookies: SessionCookies;
  /**
   * Limits password guesses, even those of somebody who uses a session that another person left
   * open.
   */
  readonly guard: Pick<SignInGuard, 'take'>;
};

/**
 * Changes credentials. Most methods require the person's password. For a person without a password,
 * they require a recent sign-in instead, and otherwise throw `sign_in_again`.
 * @throws GatewayError from the methods that require the password: `wrong_password`,
 * `missing_required_parameter`, `rate_limit_exceeded`.
 */
export class Credentials {
  readonly #deps: CredentialsDeps;

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the password, ends all sessions and unfinished sign-ins of the person, revokes reset
   * links, and starts a new session. Changes nothing if the verified password is no longer in
   * force.
   * @throws GatewayError `weak_password`; `conflict` if the password was changed meanwhile.
   */
  async changePassword(
    person: PersonRecord,
    { current, next }: { readonly current: Proof; readonly next: string },
    visitor: Visitor,
  ): Promise<NewSession> {
    requireGoodPassword(next, person.email, 'new_password');
    const { id } = person;
    const { sql, clock, hasher, sessions } = this.#deps;
    const verified = await this.requireProof(person, current, visitor, 'current_password');
    const hash = await hasher.hash(next);
    // Each hash has its own salt, so the stored hash is this one only if this call stored it.
    const ifSet = statement`EXISTS (SELECT 1 FROM credential WHERE person_id = ${id}
      AND password_hash = ${hash})`;
    const { insert, cookie } = sessions.draw(person, visitor, ifSet);
    const [, set = []] = await sql.transaction(
      [
        lockPerson(id),
        verified === null
          ? putPassword(clock, statement`${id}`, hash, raw('DO NOTHING'))
          : statement`UPDATE credential SET password_hash = ${hash},
              updated_at_ms = ${clock.nowMs()} WHERE person_id = ${id}
              AND password_hash = ${verified} RETURNING id`,
        statement`${endChallenges(id)} AND ${ifSet}`,
        statement`DELETE FROM session WHERE person_id = ${id} AND ${ifSet}`,
        statement`DELETE FROM one_time_link WHERE person_id = ${id} AND used_at_ms IS NULL
          AND ${ifSet}`,
        insert,
      ],
      auditEntry(clock, id, 'person.password', id),
    );
    if (set.length === 0) throw passwordChanged();
    return { cookies: [cookie] };
  }

  /**
   * Begins to set up an authenticator. Returns the secrets; `confirmTotp` activates the
   * authenticator.
   * @throws GatewayError `conflict` if an authenticator is active already.
   */
  async beginTotp(person: PersonRecord, password: Proof, visitor: Visitor): Promise<TotpSecrets> {
    if (person.totpEnabled) throw totpIsOn();
    await this.requireProof(person, password, visitor);
    return await this.#deps.secondFactor.begin(person.id, person.email);
  }

  /**
   * Activates the authenticator that `beginTotp` began to set up.
   * @throws GatewayError `wrong_code`, `conflict`.
   */
  async confirmTotp(person: PersonRecord, code: string, visitor: Visitor): Promise<NewSession> {
    if (person.totpEnabled) throw totpIsOn();
    const { secondFactor, sessions } = this.#deps;
    const lives = sessions.lives(visitor);
    const enable = await secondFactor.confirm(person.id, code.replaceAll(/\s/g, ''), lives);
    const { statements, cookie } = redraw(sessions, person, visitor);
    await this.#change(person, [...enable, ...statements], 'person.totp_on');
    return { cookies: [cookie] };
  }

  /** Removes the authenticator. @throws GatewayError `conflict` if the person has none. */
  async endTotp(person: PersonRecord, password: Proof, visitor: Visitor): Promise<NewSession> {
    if (!person.totpEnabled) throw totpIsOff();
    const { secondFactor, sessions } = this.#deps;
    await this.requireProof(person, password, visitor);
    const disable = secondFactor.disable(person.id, sessions.lives(visitor));
    const { statements, cookie } = redraw(sessions, person, visitor);
    await this.#change(person, [...disable, ...statements], 'person.totp_off');
    return { cookies: [cookie] };
  }

  /** Replaces the recovery codes. @throws `conflict` if the person has no authenticator. */
  async newRecoveryCodes(
    person: PersonRecord,
    password: Proof,
    visitor: Visitor,
  ): Promise<readonly string[]> {
    if (!person.totpEnabled) throw totpIsOff();
    const { secondFactor, sessions } = this.#deps;
    await this.requireProof(person, password, visitor);
    const { codes, replace } = secondFactor.renewRecoveryCodes(person.id, sessions.lives(visitor));
    await this.#change(person, [replace], 'person.recovery_codes');
    return codes;
  }

  /**
   * Changes the authenticator. The first statement returns a row if it changed it.
   * @throws GatewayError `conflict` if it did not, for example because a reset of the password has
   *   ended the visitor's session meanwhile.
   */
  async #change(
    { id }: PersonRecord,
    statements: readonly SqlStatement[],
    action: AuditAction,
  ): Promise<void> {
    const { sql, clock } = this.#deps;
    const entry = auditEntry(clock, id, action, id);
    const [, changed = []] = await sql.transaction([lockPerson(id), ...statements], entry);
    if (changed.length === 0) throw changedMeanwhile();
  }

  async recoveryCodesLeft({ id, totpEnabled }: PersonRecord): Promise<number> {
    return totpEnabled ? await this.#deps.secondFactor.recoveryCodesLeft(id) : 0;
  }

  /**
   * Sets a new password with the token of a reset link. Ends all sessions and unfinished sign-ins
   * of the person.
   * @returns the person's email address. @throws GatewayError `link_not_valid`, `weak_password`.
   */
  async resetPassword(token: string, password: string): Promise<string> {
    const { sql, clock, hasher, links } = this.#deps;
    const { id, personId, email } = await links.require(token, 'password_reset');
    if (personId === null || email === null) throw linkNotValid();
    requireGoodPassword(password, email, 'password');
    const passwordHash = await hasher.hash(password);
    const atMs = clock.nowMs();
    const use = newId(clock, 'use');
    const owner = statement`(SELECT person_id FROM one_time_link WHERE used_by = ${use})`;
    const [claimed = []] = await sql.transaction(
      [
        statement`UPDATE one_time_link SET used_at_ms = ${atMs}, used_by = ${use} WHERE id = ${id}
          AND used_at_ms IS NULL AND expires_at_ms > ${atMs} RETURNING id`,
        lockPerson(owner),
        putPassword(clock, owner, passwordHash, REPLACE),
        endChallenges(owner),
        statement`DELETE FROM session WHERE person_id = ${owner}`,
      ],
      auditEntry(clock, personId, 'person.reset_password', personId, { link_id: id }),
    );
    if (claimed.length === 0) throw linkNotValid();
    return email;
  }

  async hasPassword(personId: string): Promise<boolean> {
    return (await this.#hashOf(personId)) !== null;
  }

  async #hashOf(personId: string): Promise<string | null> {
    const [row] = await this.#deps.sql.query(statement`SELECT password_hash FROM credential
      WHERE person_id = ${personId}`);
    return row === undefined ? null : text(row, 'password_hash');
  }

  /**
   * Checks a person's password before a change of how the person signs in. Until the check has
   * ended, the attempt counts as a wrong guess. A person without a password must have signed in
   * within `RECENT_SIGN_IN_MS` instead.
   * @returns the hash of the verified password; null if the person has no password.
   */
  async requireProof(
    { id, email }: PersonRecord,
    password: Proof,
    visitor: Visitor,
    param = 'password',
  ): Promise<string | null> {
    const { hasher, guard, cookies, sessions } = this.#deps;
    const hash = await this.#hashOf(id);
    if (hash === null) {
      // The person has no password to ask for. Requires a recent sign-in, because somebody else may
      // be using an old session.
      if (await sessions.isNew(visitor, RECENT_SIGN_IN_MS)) return null;
      throw signInAgain();
    }
    if (password === undefined) throw passwordMissing(param);
    const device = deviceOf(cookies, visitor.cookie, email);
    const guess = guard.take(email, visitor.address, device);
    try {
      if (!(await hasher.verify(password, hash))) throw wrongPassword(param);
      guess.right();
      return hash;
    } catch (thrown) {
      if (!(thrown instanceof GatewayError && thrown.code === 'wrong_password')) guess.giveBack();
      throw thrown;
    }
  }
}

/**
 * Returns the cookie of a new session, and the statements that replace the visitor's session by it,
 * since changed rights require a new token. Nothing is stored if that session has ended.
 */
function redraw(
  sessions: Pick<Sessions, 'draw' | 'lives' | 'endOf'>,
  person: PersonRecord,
  visitor: Visitor,
) {
  const { insert, cookie } = sessions.draw(person, visitor, sessions.lives(visitor));
  return { statements: [insert, ...sessions.endOf(visitor)], cookie };
}

const REPLACE = raw(`DO UPDATE SET password_hash = excluded.password_hash,
  updated_at_ms = excluded.updated_at_ms`);

/**
 * Returns the statement that adds a person's password.
 * @param person the person's id, or a query for it.
 * @param ifKnown what to do if the person has a password already.
 */
const putPassword = (
  clock: Clock,
  person: SqlStatement,
  hash: string,
  ifKnown: SqlStatement,
): SqlStatement => statement`
  INSERT INTO credential (id, person_id, subject, provider, password_hash, created_at_ms,
    updated_at_ms)
  SELECT ${newId(clock, 'crd')}, person.id, person.id, 'credential', ${hash}, ${clock.nowMs()},
    ${clock.nowMs()} FROM person WHERE person.id = ${person}
  ON CONFLICT (person_id, provider) ${ifKnown} RETURNING id`;
