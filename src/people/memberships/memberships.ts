/**
 * The accounts of a person: a main account, and further accounts that the person joined with the
 * same sign-in. The person has a role in each account. A session acts in one account at a time.
 */

import { changedMeanwhile } from '../../accounts/account-errors.ts';
import { type Clock, newId } from '../../clock.ts';
import { auditEntry } from '../../store/audit.ts';
import { text } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';
import type { LinkRecord, OneTimeLinks } from '../one-time-links.ts';
import {
  alreadyMember,
  linkNotValid,
  noSuchMembership,
  notForFurtherAccounts,
  otherEmail,
  tooManyAccounts,
} from '../people-errors.ts';
import type { PersonRecord, Role } from '../person.ts';
import { roleIn } from '../person-store.ts';
import type { LiveSession } from '../sessions.ts';
import { insertAccount } from '../sign-up.ts';
import { SERIALIZE_ROLE_CHANGES } from './last-owner.ts';

/** Maximum number of accounts of a person. The console's menu can show that many. */
export const MAX_ACCOUNTS = 30;

export type OwnAccount = { readonly id: string; readonly name: string; readonly role: Role };

export type MembershipsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly links: Pick<OneTimeLinks, 'require'>;
};

/** Manages memberships. Every method @throws `store_unavailable` when the store does not answer. */
export class Memberships {
  readonly #deps: MembershipsDeps;

  constructor(deps: MembershipsDeps) {
    this.#deps = deps;
  }

  /**
   * Lists a person's accounts: first the main account, then the further accounts in the order of
   * joining.
   */
  async list(personId: string): Promise<readonly OwnAccount[]> {
    const rows = await this.#deps.sql.query(statement`SELECT account.id, account.name, mine.role
      FROM (SELECT account_id, role, -1 AS joined_at_ms FROM person WHERE id = ${personId}
        UNION ALL SELECT account_id, role, joined_at_ms FROM membership
        WHERE person_id = ${personId}) AS mine
      JOIN account ON account.id = mine.account_id ORDER BY mine.joined_at_ms, account.id
      LIMIT ${MAX_ACCOUNTS}`);
    return rows.map((row) => ({ id: text(row, 'id'), name: text(row, 'name'), role: roleIn(row) }));
  }

  /**
   * Switches this session, and later sign-ins, to another account of the person.
   * @throws GatewayError `not_found`; `conflict` if the session has just ended.
   */
  async choose(session: LiveSession, accountId: string): Promise<OwnAccount> {
    const personId = session.person.id;
    const found = (await this.list(personId)).find(({ id }) => id === accountId);
    if (found === undefined) throw noSuchMembership();
    // If the membership was removed meanwhile, the session's account becomes null, which means the
    // main account.
    const [changed = []] = await this.#deps.sql.transaction([
      statement`UPDATE session SET account_id = (SELECT account_id FROM membership
        WHERE person_id = ${personId} AND account_id = ${accountId}) WHERE id = ${session.id}
        RETURNING id`,
      opening(personId, accountId),
    ]);
    if (changed.length === 0) throw changedMeanwhile();
    return found;
  }

  /**
   * Accepts an invitation: the person joins a further account, and the session switches to it. The
   * invitation may create the account. Revokes open links that reset the person's password.
   * @throws GatewayError `link_not_valid`; `invalid_value` if the invitation is for another email
   *   address; `not_allowed` if its role is administrator; `conflict` if the person is in the
   *   account already or has too many accounts.
   */
  async accept(token: string, { id: sessionId, person }: LiveSession): Promise<OwnAccount> {
    const link = await this.#deps.links.require(token, 'invitation');
    const { role, email, accountName } = link;
    if (role === null) throw linkNotValid();
    if (role === 'administrator') throw notForFurtherAccounts();
    if (email !== null && email !== person.email) throw otherEmail();
    const own = await this.list(person.id);
    if (own.some(({ id }) => id === link.accountId)) throw alreadyMember();
    if (own.length >= MAX_ACCOUNTS) throw tooManyAccounts(MAX_ACCOUNTS);
    const { sql, clock } = this.#deps;
    const accountId = link.accountId ?? newId(clock, 'acc');
    const name = accountName || person.name;
    const atMs = clock.nowMs();
    const entry = auditEntry(clock, person.id, 'person.join', person.id, {
      ...{ email: person.email, role, account_id: accountId },
      ...{ is_new_account: link.accountId === null, link_id: link.id },
    });
    const isClaimed = statement`EXISTS (SELECT 1 FROM one_time_link WHERE id = ${link.id}
      AND used_by = ${person.id} AND used_at_ms = ${atMs})`;
    const revision = newId(clock, 'rev');
    const [, claimed = []] = await sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        claim(link, person, accountId, atMs),
        ...(link.accountId === null
          ? [insertAccount({ accountId, atMs }, name, revision, isClaimed)]
          : []),
        statement`INSERT INTO membership (person_id, account_id, role, joined_at_ms)
          SELECT ${person.id}, ${accountId}, ${role}, ${atMs} WHERE ${isClaimed}`,
        opening(person.id, accountId, isClaimed),
        statement`UPDATE session SET account_id = ${accountId} WHERE id = ${sessionId}
          AND ${isClaimed}`,
        // Deletes open links that reset the person's password. With such a link, an owner of
        // another account could enter this account.
        statement`DELETE FROM one_time_link WHERE person_id = ${person.id} AND used_at_ms IS NULL
          AND ${isClaimed}`,
      ],
      entry,
    );
    if (claimed.length === 0) throw linkNotValid();
    return { id: accountId, name, role };
  }
}

/** Returns the statement that stores in which account the person's next session starts. */
const opening = (
  personId: string,
  accountId: string,
  onlyIf: SqlStatement = statement`1 = 1`,
): SqlStatement => statement`UPDATE membership
  SET opens = CASE WHEN account_id = ${accountId} THEN 1 ELSE 0 END
  WHERE person_id = ${personId} AND ${onlyIf}`;

/**
 * Returns the statement that marks a valid link as used, unless the person is in the account
 * already.
 */
const claim = (
  { id }: LinkRecord,
  person: PersonRecord,
  accountId: string,
  atMs: number,
): SqlStatement => statement`UPDATE one_time_link SET used_at_ms = ${atMs}, used_by = ${person.id}
  WHERE id = ${id} AND used_at_ms IS NULL AND expires_at_ms > ${atMs}
    AND EXISTS (SELECT 1 FROM person WHERE id = ${person.id} AND account_id <> ${accountId})
    AND NOT EXISTS (SELECT 1 FROM membership WHERE person_id = ${person.id}
      AND account_id = ${accountId}) RETURNING id`;
