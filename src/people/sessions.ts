/**
 * Sessions. Each request reads its session from the store, so a sign-out or a change of a role
 * takes effect on all nodes. A session acts in the person's main account or in a further one. An
 * administrator's session can also view another account as its owner sees it.
 */

import { createHash } from 'node:crypto';
import { changedMeanwhile, noSuchAccount } from '../accounts/account-errors.ts';
import { accountStatus } from '../accounts/account-store.ts';
import { randomBase62 } from '../accounts/api-key.ts';
import { type Clock, newId } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import { auditEntry } from '../store/audit.ts';
import { integer, text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { noSuchSession } from './people-errors.ts';
import { type Person, type PersonRecord, roleOf } from './person.ts';
import { PERSON_COLUMNS, personOf } from './person-store.ts';
import { SESSION_COOKIE, type SessionCookies } from './session-cookie.ts';

/** A session's time of last use is stored at most once in this many milliseconds. */
const SEEN_STEP_MS = 60_000;
/** Maximum number of sessions of a person. One more session ends the oldest. */
export const MAX_SESSIONS = 50;
/**
 * The maximum time for which an administrator can view another account. It is limited, because
 * administrators may forget whose account they see.
 */
export const VIEW_MS = 1_800_000;
/** The length of a session token, which gives 190 bits of entropy. */
export const TOKEN_CHARS = 32;

/**
 * Whether a person's action caused the request. An `unattended` request, such as polling, does not
 * extend the session.
 */
export type Attendance = 'attended' | 'unattended';

/** The headers and the address by which a request identifies its client. */
export type Visitor = {
  readonly cookie: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
};

export type ViewedAccount = {
  readonly id: string;
  readonly name: string;
  readonly endsAtMs: number;
};
export type LiveSession = { readonly id: string; readonly person: PersonRecord };
/** The person of a session, and whether the person signed in with a passkey. */
export type SessionOwner = Pick<Person, 'id' | 'byPasskey'>;
export type SessionRecord = {
  readonly id: string;
  /** The IP address of the client; empty if it is unknown. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAtMs: number;
  /** The time when the session was last used, to the minute. */
  readonly seenAtMs: number;
  /** The end of the session if it is not used again: after the idle time or at the maximum age. */
  readonly expiresAtMs: number;
};

export type SessionsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly cookies: SessionCookies;
  /** Returns the maximum idle time and the maximum age of a session. */
  readonly times: () => { readonly idleMs: number; readonly maxMs: number };
};

/** Every method @throws GatewayError `store_unavailable` when the store does not answer. */
export class Sessions {
  readonly #deps: SessionsDeps;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the session of the cookie; null if there is no such session or it has ended. If the
   * request is `attended`, stores the time of use, which extends the session.
   */
  async of(
    cookieHeader: string | null,
    attendance: Attendance = 'attended',
  ): Promise<LiveSession | null> {
    const { cookies, sql, clock, times } = this.#deps;
    const { idleMs } = times();
    const token = cookies.read(cookieHeader, SESSION_COOKIE);
    if (token === null) return null;
    const nowMs = clock.nowMs();
    const [row] = await sql.query(statement`SELECT ${raw(PERSON_COLUMNS)}, live.id AS session_id,
      live.seen_at_ms, live.by_passkey, live.view_ends_at_ms, viewed.id AS viewed_id, viewed.name AS viewed_name,
      viewed.status AS viewed_status, chosen.role AS chosen_role, further.id AS further_id,
      further.name AS further_name, further.status AS further_status FROM session AS live
      JOIN person ON person.id = live.person_id JOIN account ON account.id = person.account_id
      LEFT JOIN account AS viewed ON viewed.id = live.viewed_account
        AND live.view_ends_at_ms > ${nowMs} AND person.role = 'administrator'
      LEFT JOIN membership AS chosen ON chosen.person_id = person.id
        AND chosen.account_id = live.account_id
      LEFT JOIN account AS further ON further.id = chosen.account_id
      WHERE live.token_hash = ${hashToken(token)} AND live.expires_at_ms > ${nowMs}
      AND live.seen_at_ms > ${nowMs - idleMs}`);
    if (row === undefined) return null;
    const id = text(row, 'session_id');
    const isOld = nowMs - Number(integer(row, 'seen_at_ms')) >= SEEN_STEP_MS;
    if (isOld && attendance === 'attended') await this.#seen(id, nowMs);
    const person = { ...personOf(row), byPasskey: integer(row, 'by_passkey') !== 0n };
    return { id, person: inView(inFurther(person, row), row) };
  }

  /**
   * Starts a view: the administrator sees the account as its owner does, for `VIEW_MS`.
   * @throws GatewayError `not_found`; `conflict` if the session has just ended or the person is no
   *   longer an administrator.
   */
  async view(cookieHeader: string | null, accountId: string): Promise<ViewedAccount> {
    const session = await this.of(cookieHeader);
    if (session === null) throw noSuchSession();
    const { sql, clock } = this.#deps;
    const [account] = await sql.query(statement`SELECT name FROM account WHERE id = ${accountId}`);
    if (account === undefined) throw noSuchAccount(accountId);
    const endsAtMs = clock.nowMs() + VIEW_MS;
    const endsAt = new Date(endsAtMs).toISOString();
    const [changed = []] = await sql.transaction(
      [
        statement`UPDATE session SET viewed_account = ${accountId}, view_ends_at_ms = ${endsAtMs}
          WHERE id = ${session.id} AND EXISTS (SELECT 1 FROM person WHERE person.id =
          session.person_id AND person.role = 'administrator') RETURNING id`,
      ],
      auditEntry(clock, session.person.id, 'account.view', accountId, { expires_at: endsAt }),
    );
    if (changed.length === 0) throw changedMeanwhile();
    return { id: accountId, name: text(account, 'name'), endsAtMs };
  }

  /**
   * Ends the view of a session, that is, the time during which an administrator sees another
   * account as its owner does.
   * @returns false if the session has no view, or if the view has ended already.
   */
  async endView({ id, person }: LiveSession): Promise<boolean> {
    if (person.view === undefined) return false;
    const { sql, clock } = this.#deps;
    const [ended = []] = await sql.transaction(
      [
        statement`UPDATE session SET viewed_account = NULL, view_ends_at_ms = 0 WHERE id = ${id}
          AND viewed_account = ${person.accountId} RETURNING id`,
      ],
      auditEntry(clock, person.id, 'account.view_end', person.accountId),
    );
    return ended.length > 0;
  }

  /**
   * Returns the cookie of a new session, and the statement that stores the session. The session
   * acts in the account that the person used last.
   * @param onlyIf an SQL condition; the statement stores nothing if it does not hold.
   */
  draw(
    { id, byPasskey = false }: SessionOwner,
    { address, userAgent }: Visitor,
    onlyIf: SqlStatement,
  ): { readonly insert: SqlStatement; readonly cookie: string } {
    const { clock, cookies, times } = this.#deps;
    const { maxMs } = times();
    const token = randomBase62(clock, TOKEN_CHARS);
    const nowMs = clock.nowMs();
    const insert = statement`INSERT INTO session (id, person_id, token_hash, address, user_agent,
      created_at_ms, seen_at_ms, expires_at_ms, by_passkey, account_id)
      SELECT ${newId(clock, 'ses')}, ${id}, ${hashToken(token)}, ${address ?? ''}, ${userAgent ?? ''},
      ${nowMs}, ${nowMs}, ${nowMs + maxMs}, ${byPasskey ? 1 : 0},
      (SELECT MIN(account_id) FROM membership WHERE person_id = ${id} AND opens = 1)
      FROM person WHERE person.id = ${id} AND ${onlyIf}`;
    return { insert, cookie: cookies.write(SESSION_COOKIE, token, maxMs) };
  }

  /** Returns the SQL condition that the visitor's session has not ended. */
  lives({ cookie }: Visitor): SqlStatement {
    const token = this.#deps.cookies.read(cookie, SESSION_COOKIE) ?? '';
    return statement`EXISTS (SELECT 1 FROM session WHERE token_hash = ${hashToken(token)})`;
  }

  /** Whether the visitor's session began at most `withinMs` ago. */
  async isNew(visitor: Visitor, withinMs: number): Promise<boolean> {
    const { cookies, sql, clock } = this.#deps;
    const token = cookies.read(visitor.cookie, SESSION_COOKIE);
    if (token === null) return false;
    const found = await sql.query(statement`SELECT id FROM session WHERE token_hash =
      ${hashToken(token)} AND created_at_ms >= ${clock.nowMs() - withinMs}`);
    return found.length > 0;
  }

  /** Ends the session of the visitor's cookie. Does nothing without a valid cookie. */
  async signOut(visitor: Visitor): Promise<void> {
    for (const statement of this.endOf(visitor)) await this.#deps.sql.query(statement);
  }

  /** Returns the statements that end the visitor's session. */
  endOf({ cookie }: Visitor): readonly SqlStatement[] {
    const token = this.#deps.cookies.read(cookie, SESSION_COOKIE);
    if (token === null) return [];
    return [statement`DELETE FROM session WHERE token_hash = ${hashToken(token)}`];
  }

  /** Lists the person's sessions that have not ended, newest first. */
  async list(personId: string): Promise<readonly SessionRecord[]> {
    const { sql, clock, times } = this.#deps;
    const { idleMs } = times();
    const nowMs = clock.nowMs();
    const rows = await sql.query(statement`SELECT id, address, user_agent, created_at_ms,
      seen_at_ms, expires_at_ms FROM session WHERE person_id = ${personId}
      AND expires_at_ms > ${nowMs} AND seen_at_ms > ${nowMs - idleMs} ORDER BY created_at_ms DESC,
      id DESC LIMIT ${MAX_SESSIONS}`);
    return rows.map((row) => {
      const seenAtMs = Number(integer(row, 'seen_at_ms'));
      return {
        id: text(row, 'id'),
        address: text(row, 'address'),
        userAgent: text(row, 'user_agent'),
        createdAtMs: Number(integer(row, 'created_at_ms')),
        seenAtMs,
        expiresAtMs: Math.min(Number(integer(row, 'expires_at_ms')), seenAtMs + idleMs),
      };
    });
  }

  /** Ends a session. @throws GatewayError `not_found`, also for another person's session. */
  async end(personId: string, id: string): Promise<void> {
    const ended = await this.#deps.sql.query(statement`DELETE FROM session WHERE id = ${id}
      AND person_id = ${personId} RETURNING id`);
    if (ended.length === 0) throw noSuchSession();
  }

  /** Ends all sessions of a person except one. @returns the number of sessions that were ended. */
  async endOthers(personId: string, keptId: string): Promise<number> {
    const ended = await this.#deps.sql.query(statement`DELETE FROM session WHERE person_id =
      ${personId} AND id <> ${keptId} RETURNING id`);
    return ended.length;
  }

  /**
   * Deletes all expired sessions. Also deletes the person's idle sessions and, if there are more
   * than MAX_SESSIONS, the oldest ones.
   */
  async sweep(personId: string): Promise<void> {
    const { sql, clock, times } = this.#deps;
    const { idleMs } = times();
    const nowMs = clock.nowMs();
    await sql.transaction([
      statement`DELETE FROM session WHERE expires_at_ms <= ${nowMs}`,
      statement`DELETE FROM session WHERE person_id = ${personId}
        AND seen_at_ms <= ${nowMs - idleMs}`,
      statement`DELETE FROM session WHERE person_id = ${personId} AND id NOT IN (SELECT id
        FROM session WHERE person_id = ${personId} ORDER BY created_at_ms DESC, id DESC
        LIMIT ${MAX_SESSIONS})`,
    ]);
  }

  async #seen(id: string, nowMs: number): Promise<void> {
    try {
      await this.#deps.sql.query(statement`UPDATE session SET seen_at_ms = ${nowMs}
        WHERE id = ${id} AND seen_at_ms <= ${nowMs - SEEN_STEP_MS}`);
    } catch (thrown) {
      // If the disk is full, reads succeed but this write fails. The session stays valid without
      // it.
      if (asGatewayError(thrown).code !== 'store_unavailable') throw thrown;
    }
  }
}

/** If the session is for a further account, returns the person with that account and role. */
function inFurther(person: PersonRecord, row: SqlRow): PersonRecord {
  const role = roleOf(row['chosen_role']);
  // The role is null if no further account was chosen, or if the membership in it was removed. The
  // session then acts in the main account.
  if (role === null) return person;
  return {
    ...person,
    role,
    accountId: text(row, 'further_id'),
    accountName: text(row, 'further_name'),
    accountStatus: accountStatus(row, 'further_status'),
    isFurther: true,
  };
}

/**
 * If an administrator views another account in this session, returns the person as an owner of that
 * account.
 */
function inView(person: PersonRecord, row: SqlRow): PersonRecord {
  if (row['viewed_id'] === null) return person;
  return {
    ...person,
    role: 'owner',
    accountId: text(row, 'viewed_id'),
    accountName: text(row, 'viewed_name'),
    accountStatus: accountStatus(row, 'viewed_status'),
    view: { endsAtMs: Number(integer(row, 'view_ends_at_ms')) },
  };
}

/**
 * Hashes a token. The store contains only hashes, so nobody can sign in with a copy of the store.
 */
export const hashToken = (token: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(token, 'utf8').digest());
