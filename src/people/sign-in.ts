/**
 * Signs people in: by password or identity provider, followed by a code if the person has an
 * authenticator, or by passkey alone. Each sign-in ends the visitor's earlier session.
 */
import { randomBase62 } from '../accounts/api-key.ts';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { auditEntry } from '../store/audit.ts';
import { integer, text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { deviceOf, rememberDevice } from './device.ts';
import { normalizedEmail } from './email.ts';
import { passkeyFailed } from './passkeys/passkey-errors.ts';
import type { PasswordHasher } from './password.ts';
import { challengeLost, signInFailed } from './people-errors.ts';
import type { PersonRecord } from './person.ts';
import type { SecondFactor } from './second-factor.ts';
import { CHALLENGE_COOKIE, SESSION_COOKIE, type SessionCookies } from './session-cookie.ts';
import {
  hashToken,
  type SessionOwner,
  type Sessions,
  TOKEN_CHARS,
  type Visitor,
} from './sessions.ts';
import type { Guess, SignInGuard } from './sign-in-guard.ts';

/** How long a code is accepted after the password or the identity provider's answer. */
const CHALLENGE_MS = 600_000;
/** How many codes a person may try in one sign-in before starting a new sign-in. */
const MAX_ATTEMPTS = 5;
/**
 * Maximum number of tries to store the number of attempts. A try fails if another attempt changes
 * it at the same time.
 */
const MAX_TRIES = 10;

/**
 * The result of a sign-in. `cookies` are Set-Cookie lines. `personId` is null if the person must
 * still send a code.
 */
export type SignInResult = {
  readonly personId: string | null;
  readonly cookies: readonly string[];
  readonly byPasskey?: boolean;
};

export type SignInDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly hasher: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly cookies: SessionCookies;
  readonly secondFactor: Pick<SecondFactor, 'verify'>;
  readonly sessions: Pick<Sessions, 'draw' | 'sweep' | 'signOut'>;
  readonly guard: SignInGuard;
};

export class SignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Signs in by password. The password counts as a guess.
   * @throws GatewayError `sign_in_failed`, `rate_limit_exceeded`.
   */
  async withPassword(email: string, password: string, visitor: Visitor): Promise<SignInResult> {
    const folded = normalizedOrRefused(email);
    const { guard, cookies } = this.#deps;
    const device = deviceOf(cookies, visitor.cookie, folded);
    const guess = guard.take(folded, visitor.address, device);
    try {
      const result = await this.withNewPassword(folded, password, visitor);
      guess.right();
      return result;
    } catch (thrown) {
      const isWrong = thrown instanceof GatewayError && thrown.code === 'sign_in_failed';
      if (!isWrong) guess.giveBack();
      else if (guess.isFirstPause) await this.#auditPause(folded, guess, visitor);
      throw thrown;
    }
  }

  /**
   * Signs in by password, without counting a guess and even during a pause of the email address. It
   * is called after a one-time link has set the password, and by `withPassword`, which counts the
   * guess itself.
   * @throws GatewayError `sign_in_failed`.
   */
  async withNewPassword(email: string, password: string, visitor: Visitor): Promise<SignInResult> {
    const row = await this.#personOf(email, password);
    const totpEnabled = integer(row, 'totp_enabled') !== 0n;
    const check = passwordCheck(text(row, 'id'), text(row, 'password_hash'));
    return await this.#begin({ id: text(row, 'id'), email, totpEnabled }, visitor, check);
  }

  /**
   * Signs in a person whom an identity provider has identified. If the person has an authenticator,
   * a code is still required.
   */
  async asPerson(person: SignedPerson, visitor: Visitor): Promise<SignInResult> {
    return await this.#begin(person, visitor, personCheck);
  }

  async #begin(
    { id, email, totpEnabled }: SignedPerson,
    visitor: Visitor,
    check: SignInCheck,
  ): Promise<SignInResult> {
    const result = totpEnabled
      ? await this.#challenge(id, check)
      : await this.#signedIn({ id }, email, visitor, check);
    await this.#leaveOldSession(result, visitor);
    return result;
  }

  /**
   * Signs in a person with a verified passkey. It counts as two-factor authentication, so no code
   * is required.
   * @throws GatewayError `passkey_failed` if the passkey was removed while it was being verified.
   */
  async byPasskey({ id, email, passkeyId }: PasskeyOwner, visitor: Visitor): Promise<SignInResult> {
    const check = passkeyCheck(passkeyId);
    const result = await this.#signedIn({ id, byPasskey: true }, email, visitor, check);
    await this.#leaveOldSession(result, visitor);
    return { ...result, byPasskey: true };
  }

  /**
   * Completes a sign-in with a code of the authenticator or a recovery code.
   * @throws GatewayError `wrong_code`, `sign_in_failed`, `rate_limit_exceeded`.
   */
  async withCode(code: string, visitor: Visitor): Promise<SignInResult> {
    const { cookies, secondFactor, sql } = this.#deps;
    const token = cookies.read(visitor.cookie, CHALLENGE_COOKIE);
    if (token === null) throw challengeLost();
    const identifier = identifierOf(token);
    const { personId } = await this.#openChallenge(identifier);
    // Authenticator apps display codes as `123 456`, so spaces are removed.
    await secondFactor.verify(personId, code.replaceAll(/\s/g, ''), () =>
      this.#countAttempt(identifier),
    );
    const [person] = await sql.query(statement`SELECT email FROM person WHERE id = ${personId}`);
    if (person === undefined) throw challengeLost();
    const check = challengeCheck(identifier);
    const result = await this.#signedIn({ id: personId }, text(person, 'email'), visitor, check);
    await this.#leaveOldSession(result, visitor);
    return { personId, cookies: [...result.cookies, cookies.clear(CHALLENGE_COOKIE)] };
  }

  /**
   * Limits sign-ups with any address by counting each as a guess, because repeated sign-ups could
   * reveal which addresses have an account.
   * @throws GatewayError `rate_limit_exceeded`.
   */
  countSignUp(email: string, visitor: Visitor): Guess {
    return this.#deps.guard.take(`sign-up of ${email.toLowerCase()}`, visitor.address);
  }

  /**
   * Ends the visitor's session, if there is one. Returns the Set-Cookie line that removes the
   * session cookie.
   */
  async out(visitor: Visitor): Promise<readonly string[]> {
    await this.#deps.sessions.signOut(visitor);
    return [this.#deps.cookies.clear(SESSION_COOKIE)];
  }

  /** Returns the row of the person with this password. @throws GatewayError `sign_in_failed`. */
  async #personOf(email: string, password: string): Promise<SqlRow> {
    const { sql, hasher } = this.#deps;
    const [row] = await sql.query(statement`SELECT person.id, person.totp_enabled,
      credential.password_hash FROM person JOIN credential ON credential.person_id = person.id
      WHERE person.email = ${email}`);
    if (row === undefined) {
      // For an unknown email address, computes a hash, which takes as long as checking a password.
      // So the delay does not reveal whether the address has an account.
      await hasher.hash(password);
      throw signInFailed();
    }
    if (!(await hasher.verify(password, text(row, 'password_hash')))) throw signInFailed();
    return row;
  }

  async #signedIn(
    owner: SessionOwner,
    email: string,
    visitor: Visitor,
    check: SignInCheck,
  ): Promise<SignInResult> {
    const { sql, clock, cookies, sessions } = this.#deps;
    const { insert, cookie } = sessions.draw(owner, visitor, check.holds);
    await store(sql, owner.id, [insert], check);
    const device = rememberDevice(cookies, clock, visitor.cookie, email);
    return { personId: owner.id, cookies: [cookie, device] };
  }

  async #challenge(personId: string, check: SignInCheck): Promise<SignInResult> {
    const { sql, clock, cookies } = this.#deps;
    const token = randomBase62(clock, TOKEN_CHARS);
    const nowMs = clock.nowMs();
    const forget = statement`DELETE FROM verification WHERE expires_at_ms <= ${nowMs}`;
    const insert = statement`INSERT INTO verification (id, identifier, value, created_at_ms,
        updated_at_ms, expires_at_ms)
      SELECT ${newId(clock, 'ver')}, ${identifierOf(token)}, ${stateText({ personId, attempts: 0 })},
        ${nowMs}, ${nowMs}, ${nowMs + CHALLENGE_MS} WHERE ${check.holds}`;
    await store(sql, personId, [forget, insert], check);
    const challenge = cookies.write(CHALLENGE_COOKIE, token, CHALLENGE_MS);
    return { personId: null, cookies: [cookies.clear(SESSION_COOKIE), challenge] };
  }

  /** Returns the sign-in that waits for a code. @throws GatewayError `sign_in_failed`. */
  async #openChallenge(identifier: string): Promise<Challenge> {
    const [row] = await this.#deps.sql.query(statement`SELECT value FROM verification
      WHERE identifier = ${identifier} AND expires_at_ms > ${this.#deps.clock.nowMs()}`);
    const challenge = row === undefined ? null : challengeOf(text(row, 'value'));
    if (challenge === null) throw challengeLost();
    return challenge;
  }

  /** Counts an attempt before the code is checked, so that concurrent attempts are counted too. */
  async #countAttempt(identifier: string): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { personId, attempts } = await this.#openChallenge(identifier);
      if (attempts >= MAX_ATTEMPTS) break;
      const counted = await this.#deps.sql.query(statement`UPDATE verification SET value =
        ${stateText({ personId, attempts: attempts + 1 })},
        updated_at_ms = ${this.#deps.clock.nowMs()} WHERE identifier = ${identifier}
        AND value = ${stateText({ personId, attempts })} RETURNING id`);
      if (counted.length > 0) return;
    }
    throw challengeLost();
  }

  async #leaveOldSession({ personId }: SignInResult, visitor: Visitor): Promise<void> {
    await this.#deps.sessions.signOut(visitor);
    if (personId !== null) await this.#deps.sessions.sweep(personId);
  }

  /**
   * Records a pause in the audit log, but only if a person has this email address. Otherwise,
   * invented addresses could fill the log.
   */
  async #auditPause(email: string, { pauseMs }: Guess, visitor: Visitor): Promise<void> {
    const find = statement`SELECT id FROM person WHERE email = ${email}`;
    const [found] = await this.#deps.sql.query(find);
    if (found === undefined) return;
    const detail = { pause_ms: pauseMs, address: visitor.address };
    const subject = text(found, 'id');
    const entry = auditEntry(this.#deps.clock, 'system', 'sign_in.pause', subject, detail);
    await this.#deps.sql.transaction([find], entry);
  }
}

/**
 * Returns the statement that ends all sign-ins of a person that still wait for a code. It must come
 * before the deletion of sessions, because it waits for a sign-in that is just being stored.
 * @param personId the person's id, or a query for it.
 */
export const endChallenges = (personId: string | SqlStatement): SqlStatement =>
  // The stored value consists of one digit, a space and the person's id.
  statement`DELETE FROM verification WHERE SUBSTR(value, 3) = ${personId}`;

type PasskeyOwner = Pick<PersonRecord, 'id' | 'email'> & { readonly passkeyId: string };
type SignedPerson = Pick<PersonRecord, 'id' | 'email' | 'totpEnabled'>;

/**
 * Returns the statement that makes changes of how a person signs in wait for each other. A change
 * that ends sessions must come after it, to find each session that another change has stored.
 */
export const lockPerson = (person: string | SqlStatement): SqlStatement =>
  statement`UPDATE person SET updated_at_ms = updated_at_ms WHERE id = ${person}`;

/** Checks in the transaction of a sign-in that what was verified is still valid. */
type SignInCheck = {
  /** Returns a row if it is, and makes changes of it wait. Empty if there is nothing to check. */
  readonly lock: readonly SqlStatement[];
  /** The SQL condition of the statement that stores the sign-in. */
  readonly holds: SqlStatement;
  /** Uses up what was verified. */
  readonly end: readonly SqlStatement[];
  readonly failure: () => GatewayError;
};

/** The check of a sign-in that needs only the person, whom an identity provider has identified. */
const personCheck: SignInCheck = { lock: [], holds: raw('1 = 1'), end: [], failure: signInFailed };

/**
 * Returns the check of a password. It fails if the password was changed, reset or deleted while it
 * was being verified. Such a change ends only the sign-ins that are stored, so it has to wait for
 * this one. In PostgreSQL, a SELECT alone would not make it wait.
 */
function passwordCheck(personId: string, passwordHash: string): SignInCheck {
  const isSame = statement`person_id = ${personId} AND password_hash = ${passwordHash}`;
  return {
    lock: [
      statement`UPDATE credential SET updated_at_ms = updated_at_ms WHERE ${isSame} RETURNING id`,
    ],
    holds: statement`EXISTS (SELECT 1 FROM credential WHERE ${isSame})`,
    end: [],
    failure: signInFailed,
  };
}

/** Returns the check of a passkey. It fails if the passkey was removed. */
const passkeyCheck = (id: string): SignInCheck => ({
  lock: [statement`UPDATE passkey SET name = name WHERE id = ${id} RETURNING id`],
  holds: statement`EXISTS (SELECT 1 FROM passkey WHERE id = ${id})`,
  end: [],
  failure: () => passkeyFailed('unknown'),
});

/** Returns the check that a sign-in still waits for its code. The sign-in then ends the wait. */
function challengeCheck(identifier: string): SignInCheck {
  const isSame = statement`identifier = ${identifier}`;
  return {
    lock: [
      statement`UPDATE verification SET updated_at_ms = updated_at_ms WHERE ${isSame} RETURNING id`,
    ],
    holds: statement`EXISTS (SELECT 1 FROM verification WHERE ${isSame})`,
    end: [statement`DELETE FROM verification WHERE ${isSame}`],
    failure: challengeLost,
  };
}

/**
 * Stores a sign-in.
 * @throws GatewayError the check's failure if the check fails or the person was removed.
 */
async function store(
  sql: SqlExecutor,
  personId: string,
  statements: readonly SqlStatement[],
  { lock, end, failure }: SignInCheck,
): Promise<void> {
  const locks = [statement`${lockPerson(personId)} RETURNING id`, ...lock];
  const rows = await sql.transaction([...locks, ...statements, ...end]);
  if (rows.slice(0, locks.length).some((locked) => locked.length === 0)) throw failure();
}

type Challenge = { readonly personId: string; readonly attempts: number };

const stateText = ({ personId, attempts }: Challenge): string => `${attempts} ${personId}`;

function challengeOf(value: string): Challenge | null {
  const [, attempts, personId] = /^(\d+) (.+)$/.exec(value) ?? [];
  return personId === undefined ? null : { personId, attempts: Number(attempts) };
}

/** Returns the hash of a token for the store. Only the browser's cookie contains the token. */
const identifierOf = (token: string): string =>
  `sign-in ${Buffer.from(hashToken(token)).toString('hex')}`;

/** Normalizes an email address. An invalid address causes the same error as an unknown one. */
function normalizedOrRefused(email: string): string {
  try {
    return normalizedEmail(email);
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw signInFailed();
    throw thrown;
  }
}
