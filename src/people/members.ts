/**
 * The people of an account, and of all of them: who has which role, who is removed, who gets a link to set
 * a new password. Nobody makes anybody more than they are themselves, nobody changes somebody above them,
 * and neither an account nor the installation is left without its last owner or administrator.
 */

import { checkedName } from '../accounts/account-change.ts';
import { changedMeanwhile, noSuchAccount } from '../accounts/account-errors.ts';
import type { Clock } from '../clock.ts';
import type { AuditAction, AuditDetail, AuditEntry } from '../store/audit.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import { type NewLink, type OneTimeLinks, RESET_MS } from './one-time-links.ts';
import { lastOfRole, personAboveOwnRole, roleTooHigh } from './people-errors.ts';
import type { PersonRecord } from './person.ts';
import { isAtLeast, type Role } from './person.ts';
import { ifPersonExists, type PersonStore } from './person-store.ts';

/** Who orders a change (`actor`: as the audit log names them), and how far it may reach. */
export type Authority = {
  readonly actor: string;
  /** The role of whoever orders it. */
  readonly role: Role;
  /** Whose people they may change; null: everybody. */
  readonly accountId: string | null;
};
/** What is left out stays as it is. */
export type PersonChange = {
  readonly role?: Role | undefined;
  readonly accountId?: string | undefined;
};

export type MembersDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly people: Pick<PersonStore, 'get'>;
  readonly links: Pick<OneTimeLinks, 'draw'>;
};

/** Every method @throws GatewayError `not_found` (also for somebody out of reach), `store_unavailable`. */
export class Members {
  readonly #deps: MembersDeps;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
  }

  /**
   * Gives somebody another role, or another account; from their next request on.
   * @throws GatewayError `not_allowed`, `last_of_role`, `conflict` (others change it at the same time).
   */
  async change(id: string, change: PersonChange, by: Authority): Promise<PersonRecord> {
    const was = await this.#inReach(id, by);
    const role = change.role ?? was.role;
    const accountId = change.accountId ?? was.accountId;
    if (!isAtLeast(by.role, role)) throw roleTooHigh(role, by.role);
    if (role === was.role && accountId === was.accountId) return was;
    const { sql, clock, people } = this.#deps;
    if (accountId !== was.accountId) await this.#requireAccount(accountId);
    const isDemoted = !isAtLeast(role, was.role);
    const [, changed = []] = await sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        {
          sql: `UPDATE person SET role = $1, account_id = $2, updated_at_ms = $3
            WHERE id = $4 AND account_id = $5 AND role = $6 ${guardOf(was, role, accountId)}
            RETURNING id`,
          params: [role, accountId, clock.nowMs(), id, was.accountId, was.role],
        },
        ...(isDemoted || accountId !== was.accountId ? [revokeLinks(id, role, accountId)] : []),
        revokeResetLinks(id, role, accountId),
      ],
      this.#entry(by, 'person.change', id, {
        before: JSON.stringify({ role: was.role, account_id: was.accountId }),
        after: JSON.stringify({ role, account_id: accountId }),
      }),
    );
    const is = await people.get(id);
    if (changed.length > 0) return is;
    throw await this.#refusal(was, is, role);
  }

  /**
   * Takes somebody out: their sessions end at once, and the links they made no longer work.
   * @throws GatewayError `not_allowed`, `last_of_role`.
   */
  async remove(id: string, by: Authority): Promise<void> {
    const was = await this.#inReach(id, by);
    const [, removed = []] = await this.#deps.sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        {
          // Sessions, password and authenticator go with them.
          sql: `DELETE FROM person WHERE id = $1 AND account_id = $2 AND role = $3
            ${guardOf(was, null, null)} RETURNING id`,
          params: [id, was.accountId, was.role],
        },
        {
          sql: `DELETE FROM one_time_link WHERE made_by = $1 AND used_at_ms IS NULL
            AND NOT EXISTS (SELECT 1 FROM person WHERE id = $1)`,
          params: [id],
        },
      ],
      this.#entry(by, 'person.remove', id, {
        email: was.email,
        role: was.role,
        account_id: was.accountId,
      }),
    );
    if (removed.length > 0) return;
    throw await this.#refusal(was, await this.#deps.people.get(id), null);
  }

  /**
   * A link by which they set a new password; those before it no longer work, nor does it once they have
   * another role or account.
   * @throws GatewayError `not_allowed`, `conflict` (somebody changes their role at the same time).
   */
  async resetLink(id: string, by: Authority): Promise<NewLink> {
    const { role, accountId } = await this.#inReach(id, by);
    const bound = { madeBy: by.actor, lifetimeMs: RESET_MS };
    const purpose = { kind: 'password_reset', personId: id, role, accountId } as const;
    const { insert, ...link } = this.#deps.links.draw(purpose, bound);
    const [, , made = []] = await this.#deps.sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        { sql: 'DELETE FROM one_time_link WHERE person_id = $1', params: [id] },
        insert,
      ],
      this.#entry(by, 'person.reset_link', id, { link_id: link.id }),
    );
    if (made.length === 0) throw changedMeanwhile();
    return link;
  }

  /**
   * Takes an authenticator away that was lost with its recovery codes; changes nothing where there is none.
   * @throws GatewayError `not_allowed`.
   */
  async clearTotp(id: string, by: Authority): Promise<PersonRecord> {
    await this.#inReach(id, by);
    await this.#deps.sql.transaction(
      [
        {
          sql: 'UPDATE person SET totp_enabled = 0 WHERE id = $1 AND totp_enabled = 1 RETURNING id',
          params: [id],
        },
        { sql: 'DELETE FROM totp WHERE person_id = $1', params: [id] },
      ],
      this.#entry(by, 'person.totp_clear', id, {}),
    );
    return await this.#deps.people.get(id);
  }

  /** Somebody gives themselves another name. @throws GatewayError `invalid_value` (name). */
  async rename(id: string, name: string): Promise<PersonRecord> {
    const update = {
      sql: 'UPDATE person SET name = $1, updated_at_ms = $2 WHERE id = $3',
      params: [checkedName(name), this.#deps.clock.nowMs(), id],
    };
    await this.#deps.sql.query(update);
    return await this.#deps.people.get(id);
  }

  /** Notes what somebody did to their own sign-in, which was done before this. */
  async audit(id: string, action: AuditAction, detail: AuditDetail = {}): Promise<void> {
    const entry = { atMs: this.#deps.clock.nowMs(), actor: id, action, subject: id, detail };
    await this.#deps.sql.transaction([ifPersonExists(id)], entry);
  }

  /** Whom it is about, when they are within reach. */
  async #inReach(id: string, by: Authority): Promise<PersonRecord> {
    const person = await this.#deps.people.get(id, by.accountId);
    if (!isAtLeast(by.role, person.role)) throw personAboveOwnRole(person.role);
    return person;
  }

  async #requireAccount(id: string): Promise<void> {
    const find = { sql: 'SELECT id FROM account WHERE id = $1', params: [id] };
    if ((await this.#deps.sql.query(find)).length === 0) throw noSuchAccount(id);
  }

  async #refusal(was: PersonRecord, is: PersonRecord, role: Role | null) {
    if (is.role !== was.role || is.accountId !== was.accountId) return changedMeanwhile();
    const losesAdministrator = was.role === 'administrator' && role !== 'administrator';
    const [other] = await this.#deps.sql.query({
      sql: `SELECT id FROM person WHERE role = 'administrator' AND id <> $1 LIMIT 1`,
      params: [was.id],
    });
    return lastOfRole(losesAdministrator && other === undefined ? 'administrator' : 'owner');
  }

  #entry(by: Authority, action: AuditAction, subject: string, detail: AuditDetail): AuditEntry {
    return { atMs: this.#deps.clock.nowMs(), actor: by.actor, action, subject, detail };
  }
}

/**
 * Of two who take the other's role away in the same moment, one must see what the other did: all changes
 * of roles wait here for each other. It writes what is there already, to the oldest account.
 */
const SERIALIZE_ROLE_CHANGES: SqlStatement = {
  sql: 'UPDATE account SET name = name WHERE id = (SELECT MIN(id) FROM account)',
  params: [],
};

/**
 * What must hold besides for somebody to become `role` in `accountId`; null: to be removed. The text is made
 * of our own words only, with the placeholders of the statement it stands in repeated.
 */
function guardOf(was: PersonRecord, role: Role | null, accountId: string | null): string {
  const guards: string[] = [];
  const other = 'SELECT 1 FROM person AS other WHERE other.id <> person.id';
  if (was.role === 'administrator' && role !== 'administrator') {
    guards.push(`EXISTS (${other} AND other.role = 'administrator')`);
  }
  const staysOwner = role !== null && isAtLeast(role, 'owner') && accountId === was.accountId;
  if (isAtLeast(was.role, 'owner') && !staysOwner) {
    const beside = `${other} AND other.account_id = person.account_id`;
    const owners = `EXISTS (${beside} AND other.role IN ('owner', 'administrator'))`;
    // Whoever is alone in an account may leave it, but not stay there as less than its owner.
    const leaves = role === null || accountId !== was.accountId;
    guards.push(leaves ? `(${owners} OR NOT EXISTS (${beside}))` : owners);
  }
  return guards.map((guard) => `AND ${guard}`).join(' ');
}

/** Links that somebody made who may now do less: all of them, since they are soon made again. */
const revokeLinks = (id: string, role: Role, accountId: string): SqlStatement => ({
  sql: `DELETE FROM one_time_link WHERE made_by = $1 AND used_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM person WHERE id = $1 AND role = $2 AND account_id = $3)`,
  params: [id, role, accountId],
});

/** Whoever may set the password of somebody who is less must not come to be, by that, what they are now. */
const revokeResetLinks = (id: string, role: Role, accountId: string): SqlStatement => ({
  sql: `DELETE FROM one_time_link WHERE person_id = $1 AND used_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM person WHERE id = $1 AND role = $2 AND account_id = $3)`,
  params: [id, role, accountId],
});
