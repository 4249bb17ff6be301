/**
 * Manages the people of one account or of all. Nobody can grant a role above their own or change a
 * person with a higher role. An account keeps an owner, and the installation an administrator.
 */

import { checkedName } from '../accounts/account-change.ts';
import { changedMeanwhile, noSuchAccount } from '../accounts/account-errors.ts';
import { entityTag, type IfMatch, requireMatch } from '../accounts/optimistic-update.ts';
import type { Clock } from '../clock.ts';
import { resetWords } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type AuditAction, auditEntry } from '../store/audit.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import type { MailPreferences } from './mail/mail-preferences.ts';
import { type NewLink, type OneTimeLinks, RESET_MS } from './one-time-links.ts';
import { lastOfRole, personAboveOwnRole, roleTooHigh } from './people-errors.ts';
import { isAtLeast, type PersonRecord, type Role } from './person.ts';
import { ifPersonExists, type PersonStore } from './person-store.ts';

/** The author of a change, and the people whom the author may change. */
export type Authority = {
  readonly actor: string;
  readonly role: Role;
  /** The account whose people the author may change; null for all accounts. */
  readonly accountId: string | null;
  /** What made the change instead of a person, for the audit log. */
  readonly via?: 'role_claim';
};
/** Absent fields stay as they are. */
export type PersonChange = {
  readonly role?: Role | undefined;
  readonly accountId?: string | undefined;
};

export type MembersDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly people: Pick<PersonStore, 'get'>;
  readonly links: Pick<OneTimeLinks, 'draw'>;
  readonly mailer: Mailer;
  readonly preferences: Pick<MailPreferences, 'of'>;
};

/** Methods @throws GatewayError `not_found`, also for a member of another account. */
export class Members {
  readonly #deps: MembersDeps;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
  }

  /**
   * Changes a role or account. @throws GatewayError `not_allowed`, `last_of_role`, `conflict`,
   * `revision_changed` (`ifMatch`).
   */
  async change(
    id: string,
    change: PersonChange,
    by: Authority,
    ifMatch: IfMatch = null,
  ): Promise<PersonRecord> {
    const was = await this.#inReach(id, by);
    requireMatch(ifMatch, personTag(was));
    const role = change.role ?? was.role;
    const accountId = change.accountId ?? was.accountId;
    if (!isAtLeast(by.role, role)) throw roleTooHigh(role, by.role);
    if (role === was.role && accountId === was.accountId) return was;
    const { sql, clock, people } = this.#deps;
    if (accountId !== was.accountId) await this.#requireAccount(accountId);
    const losesRights = !isAtLeast(role, was.role) || accountId !== was.accountId;
    const [, changed = []] = await sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        statement`UPDATE person SET role = ${role}, account_id = ${accountId},
            updated_at_ms = ${clock.nowMs()}
          WHERE id = ${id} AND account_id = ${was.accountId} AND role = ${was.role}
            ${raw(guardOf(was, role, accountId))} RETURNING id`,
        ...(losesRights ? [revokeLinks('made_by', id, role, accountId)] : []),
        // The creator of a reset link could use it to take over the new role, so the person's reset
        // links are revoked.
        revokeLinks('person_id', id, role, accountId),
      ],
      auditEntry(clock, by.actor, 'person.change', id, {
        before: JSON.stringify({ role: was.role, account_id: was.accountId }),
        after: JSON.stringify({ role, account_id: accountId }),
        ...(by.via === undefined ? {} : { via: by.via }),
      }),
    );
    const is = await people.get(id);
    if (changed.length > 0) return is;
    requireMatch(ifMatch, personTag(is));
    throw await this.#refusal(was, is, role);
  }

  /**
   * Removes a person and the unused links that the person created.
   * @throws GatewayError `not_allowed`, `last_of_role`.
   */
  async remove(id: string, by: Authority): Promise<void> {
    const was = await this.#inReach(id, by);
    const [, removed = []] = await this.#deps.sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        // Sessions, password and authenticator are deleted with the person.
        statement`DELETE FROM person WHERE id = ${id} AND account_id = ${was.accountId}
          AND role = ${was.role} ${raw(guardOf(was, null, null))} RETURNING id`,
        statement`DELETE FROM one_time_link WHERE made_by = ${id} AND used_at_ms IS NULL
          AND NOT EXISTS (SELECT 1 FROM person WHERE id = ${id})`,
      ],
      auditEntry(this.#deps.clock, by.actor, 'person.remove', id, {
        email: was.email,
        role: was.role,
        account_id: was.accountId,
      }),
    );
    if (removed.length > 0) return;
    throw await this.#refusal(was, await this.#deps.people.get(id), null);
  }

  /** Replaces the person's reset link. @throws GatewayError `not_allowed`, `conflict` (a race). */
  async resetLink(id: string, by: Authority): Promise<NewLink> {
    const { role, accountId, email } = await this.#inReach(id, by);
    const { mailer, preferences } = this.#deps;
    const bound = { madeBy: by.actor, lifetimeMs: RESET_MS };
    const purpose = { kind: 'password_reset', personId: id, role, accountId } as const;
    const { insert, ...link } = this.#deps.links.draw(purpose, bound);
    const { language } = await preferences.of(id);
    const [, , made = []] = await this.#deps.sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        statement`DELETE FROM one_time_link WHERE person_id = ${id}`,
        insert,
        ...mailer.queue(
          { kind: 'password_reset', to: email, accountId: null, language },
          resetWords(link),
          {
            onlyIf: statement`EXISTS (SELECT 1 FROM one_time_link WHERE id = ${link.id})`,
          },
        ),
      ],
      auditEntry(this.#deps.clock, by.actor, 'person.reset_link', id, { link_id: link.id }),
    );
    if (made.length === 0) throw changedMeanwhile();
    mailer.wake();
    return mailer.isOn ? { ...link, mailedTo: email } : link;
  }

  /** Removes a lost authenticator, if there is one. @throws GatewayError `not_allowed`. */
  async clearTotp(id: string, by: Authority): Promise<PersonRecord> {
    await this.#inReach(id, by);
    await this.#deps.sql.transaction(
      [
        statement`UPDATE person SET totp_enabled = 0 WHERE id = ${id} AND totp_enabled = 1
          RETURNING id`,
        statement`DELETE FROM totp WHERE person_id = ${id}`,
      ],
      auditEntry(this.#deps.clock, by.actor, 'person.totp_clear', id),
    );
    return await this.#deps.people.get(id);
  }

  /** Renames a person. @throws GatewayError `invalid_value` (name). */
  async rename(id: string, name: string): Promise<PersonRecord> {
    const update = statement`UPDATE person SET name = ${checkedName(name)},
      updated_at_ms = ${this.#deps.clock.nowMs()} WHERE id = ${id}`;
    await this.#deps.sql.query(update);
    return await this.#deps.people.get(id);
  }

  /** Writes an audit entry for a change that a person has made to their own credentials. */
  async audit(id: string, action: AuditAction): Promise<void> {
    const entry = auditEntry(this.#deps.clock, id, action, id);
    await this.#deps.sql.transaction([ifPersonExists(id)], entry);
  }

  /** Returns the person if the author may change them. @throws GatewayError `not_allowed`. */
  async #inReach(id: string, by: Authority): Promise<PersonRecord> {
    const person = await this.#deps.people.get(id, by.accountId);
    if (!isAtLeast(by.role, person.role)) throw personAboveOwnRole(person.role);
    return person;
  }

  async #requireAccount(id: string): Promise<void> {
    const find = statement`SELECT id FROM account WHERE id = ${id}`;
    if ((await this.#deps.sql.query(find)).length === 0) throw noSuchAccount(id);
  }

  async #refusal(was: PersonRecord, is: PersonRecord, role: Role | null) {
    if (is.role !== was.role || is.accountId !== was.accountId) return changedMeanwhile();
    const losesAdministrator = was.role === 'administrator' && role !== 'administrator';
    const [other] = await this.#deps.sql.query(statement`SELECT id FROM person WHERE role =
      'administrator' AND id <> ${was.id} LIMIT 1`);
    return lastOfRole(losesAdministrator && other === undefined ? 'administrator' : 'owner');
  }
}

/** Returns the entity tag of a person's role and account. */
export const personTag = ({ role, accountId }: PersonRecord): string =>
  entityTag({ role, account_id: accountId });

/**
 * Updates one fixed row, so that role changes run one after another. If two owners demote each
 * other at the same time, only the first change succeeds.
 */
const SERIALIZE_ROLE_CHANGES: SqlStatement = statement`UPDATE account SET name = name WHERE id =
  (SELECT MIN(id) FROM account)`;

/**
 * Returns an SQL condition that fails if the change would leave an account without an owner, or the
 * installation without an administrator. @param role null when `was` is removed.
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
    // A person who is alone in an account may leave it, because nobody is left who needs an owner.
    // A person who stays alone in it must remain its owner.
    const leaves = role === null || accountId !== was.accountId;
    guards.push(leaves ? `(${owners} OR NOT EXISTS (${beside}))` : owners);
  }
  return guards.map((guard) => `AND ${guard}`).join(' ');
}

/** Revokes the unused links that a person created (`made_by`), or that reset their password. */
const revokeLinks = (
  column: 'made_by' | 'person_id',
  id: string,
  role: Role,
  accountId: string,
): SqlStatement => statement`DELETE FROM one_time_link WHERE ${raw(column)} = ${id}
  AND used_at_ms IS NULL AND EXISTS (SELECT 1 FROM person WHERE id = ${id} AND role = ${role}
    AND account_id = ${accountId})`;
