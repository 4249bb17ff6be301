/**
 * Manages the people of one account or of all accounts. Nobody can grant a role above their own, or
 * change a person with a higher role. An account always keeps an owner, and the installation an
 * administrator. A change in an account other than the person's main account affects only the
 * person's membership there.
 */

import { checkedName } from '../accounts/account-change.ts';
import { changedMeanwhile, noSuchAccount } from '../accounts/account-errors.ts';
import { entityTag, type IfMatch, requireMatch } from '../accounts/optimistic-update.ts';
import { playgroundKeyName } from '../accounts/playground-keys.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import { resetWords } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { auditEntry } from '../store/audit.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import type { MailPreferences } from './mail/mail-preferences.ts';
import {
  FURTHER_ACCOUNTS_KEEP_OWNERS,
  guardOf,
  SERIALIZE_ROLE_CHANGES,
} from './memberships/last-owner.ts';
import type { Memberships, OwnAccount } from './memberships/memberships.ts';
import { type NewLink, type OneTimeLinks, RESET_MS } from './one-time-links.ts';
import {
  administratorStays,
  alreadyMember,
  furtherStays,
  lastOfRole,
  noSuchMembership,
  notForFurtherAccounts,
  onlyAccount,
  ownCredentials,
  personAboveOwnRole,
  roleTooHigh,
  sharedPerson,
} from './people-errors.ts';
import { isAtLeast, type PersonRecord, type Role } from './person.ts';
import { type PersonStore, PLACES } from './person-store.ts';

/** Maximum number of reset links that the owners of one account mail in 24 hours. */
export const MAX_MAILED_RESETS = 50;
const RESET_LETTER = 'password_reset';

/** The author of a change, and the people whom the author may change. */
export type Authority = {
  readonly actor: string;
  readonly role: Role;
  /**
   * The account whose people the author may change. Null means all accounts; the change then
   * applies to the person's main account.
   */
  readonly accountId: string | null;
  /** The cause of a change that no person made, for the audit log. */
  readonly via?: 'role_claim';
};
/** A change of a person's role or main account. An absent field stays unchanged. */
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
  readonly memberships: Pick<Memberships, 'list'>;
};

/**
 * Manages people.
 * @throws GatewayError from the methods: `not_found` for an unknown person and for a person of
 *   another account.
 */
export class Members {
  readonly #deps: MembersDeps;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
  }

  /**
   * Changes a person's role or main account. Revokes the links that reset the person's password,
   * and, if the person loses rights, also the unused links that the person created.
   * @throws GatewayError `not_allowed`, `last_of_role`, `conflict`, `revision_changed` (`ifMatch`).
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
    if (accountId !== was.accountId) await this.#requireMovable(was, accountId);
    if (was.isFurther && role === 'administrator') throw notForFurtherAccounts();
    const losesRights = !isAtLeast(role, was.role) || accountId !== was.accountId;
    const guard = raw(guardOf(was, role, accountId));
    const isChanged = statement`EXISTS (SELECT 1 FROM ${raw(PLACES)} WHERE place.person_id = ${id}
      AND place.role = ${role} AND place.account_id = ${accountId})`;
    const [, changed = []] = await sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        was.isFurther
          ? statement`UPDATE membership SET role = ${role} WHERE person_id = ${id}
              AND account_id = ${accountId} AND role = ${was.role} ${guard} RETURNING person_id`
          : statement`UPDATE person SET role = ${role}, account_id = ${accountId},
                updated_at_ms = ${clock.nowMs()}
              WHERE id = ${id} AND account_id = ${was.accountId} AND role = ${was.role}
                AND NOT EXISTS (SELECT 1 FROM membership WHERE person_id = ${id}
                  AND account_id = ${accountId}) ${guard} RETURNING id`,
        ...(losesRights ? [revokeMade(was, isChanged)] : []),
        ...(accountId === was.accountId ? [] : [claimMoved(id, accountId, isChanged)]),
        // The creator of a link that resets the password could sign in with the new role.
        revokeLinks('person_id', id, isChanged),
      ],
      auditEntry(clock, by.actor, 'person.change', id, {
        before: JSON.stringify({ role: was.role, account_id: was.accountId }),
        after: JSON.stringify({ role, account_id: accountId }),
        ...(by.via === undefined ? {} : { via: by.via }),
      }),
    );
    if (changed.length > 0) return await people.get(id, accountId);
    const is = await people.get(id, was.isFurther ? accountId : null);
    requireMatch(ifMatch, personTag(is));
    throw await refusalOf(this.#deps.sql, was, is, role);
  }

  /**
   * Removes a person from the author's account, and revokes unused links that the person created.
   * Deletes the person if they have no other account or the author acts on all accounts.
   * @throws GatewayError `not_allowed`, `last_of_role`.
   */
  async remove(id: string, by: Authority): Promise<void> {
    const was = await this.#inReach(id, by);
    const left = by.accountId === null ? 'any' : ((await this.#othersOf(was))[0] ?? 'none');
    await this.#take(was, left, by.actor, 'person.remove');
  }

  /**
   * Removes a person from an account at their own request. A main account is replaced by another.
   * @throws GatewayError `not_found`; `last_of_role`; `conflict` for the only account;
   *   `not_allowed` for the main account of an administrator.
   */
  async leave(id: string, accountId: string): Promise<void> {
    const own = await this.#deps.memberships.list(id);
    if (!own.some((each) => each.id === accountId)) throw noSuchMembership();
    const left = own.find((each) => each.id !== accountId);
    if (left === undefined) throw onlyAccount();
    const was = await this.#deps.people.get(id, accountId);
    if (was.role === 'administrator') throw administratorStays();
    await this.#take(was, left, id, 'person.leave');
  }

  async #take(
    was: PersonRecord,
    left: Left,
    actor: string,
    action: 'person.leave' | 'person.remove',
  ): Promise<void> {
    const { id, email, role, accountId, isFurther } = was;
    const { sql, clock, people } = this.#deps;
    const isGone = statement`NOT EXISTS (SELECT 1 FROM ${raw(PLACES)} WHERE place.person_id = ${id}
      AND place.account_id = ${accountId})`;
    const [, removed = []] = await sql.transaction(
      [SERIALIZE_ROLE_CHANGES, ...removal(was, left), revokeMade(was, isGone)],
      auditEntry(clock, actor, action, id, { email, role, account_id: accountId }),
    );
    if (removed.length > 0) return;
    if (left === 'none' && (await this.#othersOf(was)).length > 0) throw changedMeanwhile();
    throw await refusalOf(sql, was, await people.get(id, isFurther ? accountId : null), null);
  }

  /**
   * Creates a link that resets the person's password, which replaces earlier ones, and mails it if
   * email is on, unless the account has mailed MAX_MAILED_RESETS. The link opens all accounts of
   * the person, so an owner may not create one for a person with other accounts.
   * @throws GatewayError `not_allowed`; `conflict` after a concurrent change.
   */
  async resetLink(id: string, by: Authority): Promise<NewLink> {
    requireOther(id, by);
    const reached = await this.#inReach(id, by);
    const { mailer, preferences, people } = this.#deps;
    const isForAll = by.role === 'administrator';
    if (!isForAll && (await this.#othersOf(reached)).length > 0) throw sharedPerson();
    const { role, accountId, email } = reached.isFurther ? await people.get(id) : reached;
    const bound = { madeBy: by.actor, lifetimeMs: RESET_MS };
    const purpose = { kind: 'password_reset', personId: id, role, accountId, isForAll } as const;
    const { insert, ...link } = this.#deps.links.draw(purpose, bound);
    const { language } = await preferences.of(id);
    const mayMail = mailer.isOn && (await mayMailReset(mailer, by));
    const letters = mayMail
      ? mailer.queue(
          { kind: RESET_LETTER, to: email, accountId: by.accountId, language },
          resetWords(link),
          { onlyIf: statement`EXISTS (SELECT 1 FROM one_time_link WHERE id = ${link.id})` },
        )
      : [];
    const [, , made = [], queued = []] = await this.#deps.sql.transaction(
      [
        SERIALIZE_ROLE_CHANGES,
        statement`DELETE FROM one_time_link WHERE person_id = ${id}`,
        insert,
        ...letters,
      ],
      auditEntry(this.#deps.clock, by.actor, 'person.reset_link', id, { link_id: link.id }),
    );
    if (made.length === 0) throw changedMeanwhile();
    mailer.wake();
    // The email is not queued if the queue is full.
    return queued.length > 0 ? { ...link, mailedTo: email } : link;
  }

  /** Removes a lost authenticator and the person's passkeys. @throws GatewayError `not_allowed`. */
  async clearTotp(id: string, by: Authority): Promise<PersonRecord> {
    requireOther(id, by);
    await this.#inReach(id, by);
    await this.#deps.sql.transaction(
      [
        statement`UPDATE person SET totp_enabled = 0 WHERE id = ${id} AND totp_enabled = 1
          RETURNING id`,
        statement`DELETE FROM totp WHERE person_id = ${id}`,
        statement`DELETE FROM passkey WHERE person_id = ${id} RETURNING id`,
      ],
      auditEntry(this.#deps.clock, by.actor, 'person.totp_clear', id),
    );
    return await this.#deps.people.get(id);
  }

  /** Renames a person and the playground keys named after them. @throws `invalid_value` */
  async rename(id: string, name: string): Promise<PersonRecord> {
    const { sql, clock, people } = this.#deps;
    const checked = checkedName(name);
    const was = await people.get(id);
    await sql.transaction(
      [
        statement`UPDATE person SET name = ${checked}, updated_at_ms = ${clock.nowMs()}
          WHERE id = ${id} AND name <> ${checked} RETURNING id`,
        // A playground key has the name of its person, unless an owner has renamed the key.
        statement`UPDATE api_key SET name = ${playgroundKeyName(checked)} WHERE account_id IN
            (SELECT place.account_id FROM ${raw(PLACES)} WHERE place.person_id = ${id})
          AND purpose = 'playground' AND COALESCE(created_by, '') = ${id} AND status <> 'revoked'
          AND name = ${playgroundKeyName(was.name)}`,
      ],
      auditEntry(clock, id, 'person.rename', id, { before: was.name, after: checked }),
    );
    return await people.get(id);
  }

  /** Returns the person if the author may change them. @throws GatewayError `not_allowed`. */
  async #inReach(id: string, by: Authority): Promise<PersonRecord> {
    const person = await this.#deps.people.get(id, by.accountId);
    if (!isAtLeast(by.role, person.role)) throw personAboveOwnRole(person.role);
    return person;
  }

  /** Lists the person's accounts other than `accountId`, the main account first. */
  async #othersOf({ id, accountId }: PersonRecord): Promise<readonly OwnAccount[]> {
    return (await this.#deps.memberships.list(id)).filter((each) => each.id !== accountId);
  }

  /** Checks that an account can become the person's main account. @throws GatewayError if not. */
  async #requireMovable(was: PersonRecord, id: string): Promise<void> {
    const find = statement`SELECT id FROM account WHERE id = ${id}`;
    if ((await this.#deps.sql.query(find)).length === 0) throw noSuchAccount(id);
    if (was.isFurther) throw furtherStays();
    if ((await this.#othersOf(was)).some((each) => each.id === id)) throw alreadyMember();
  }
}

/**
 * Refuses a change of the author's own credentials, because it requires no password. Otherwise
 * somebody could take over an account with a session that was left open.
 * @throws GatewayError `not_allowed`.
 */
function requireOther(id: string, { actor }: Authority): void {
  if (actor === id) throw ownCredentials();
}

/** Whether the author may mail another reset link. Only the owners of an account have a limit. */
async function mayMailReset(mailer: Mailer, { accountId }: Authority): Promise<boolean> {
  return accountId === null || (await mailer.countOf(RESET_LETTER, accountId)) < MAX_MAILED_RESETS;
}

/** Returns the error with the reason why a change was not made. */
async function refusalOf(
  sql: SqlExecutor,
  was: PersonRecord,
  is: PersonRecord,
  role: Role | null,
): Promise<GatewayError> {
  if (is.role !== was.role || is.accountId !== was.accountId) return changedMeanwhile();
  const losesAdministrator = was.role === 'administrator' && role !== 'administrator';
  const [other] = await sql.query(statement`SELECT id FROM person WHERE role = 'administrator'
    AND id <> ${was.id} LIMIT 1`);
  return lastOfRole(losesAdministrator && other === undefined ? 'administrator' : 'owner');
}

/** Returns the entity tag of a person's role and account. */
export const personTag = ({ role, accountId }: PersonRecord): string =>
  entityTag({ role, account_id: accountId });

/**
 * Returns the statement that revokes unused links if `isChanged` holds: those that the person
 * created (`made_by`), or those that reset the person's password (`person_id`).
 */
const revokeLinks = (
  column: 'made_by' | 'person_id',
  id: string,
  isChanged: SqlStatement,
): SqlStatement => statement`DELETE FROM one_time_link WHERE ${raw(column)} = ${id}
  AND used_at_ms IS NULL AND ${isChanged}`;

/**
 * Returns the statement that revokes the unused links that a person made with the rights which they
 * have lost. Invitations to another account stay, unless the person was an administrator or no
 * longer exists.
 */
const revokeMade = ({ id, role, accountId }: PersonRecord, isChanged: SqlStatement) =>
  revokeLinks(
    'made_by',
    id,
    role === 'administrator'
      ? isChanged
      : statement`${isChanged} AND (account_id IS NULL OR account_id = ${accountId}
          OR NOT EXISTS (SELECT 1 FROM person WHERE id = ${id}))`,
  );

/** Returns the statement that lets the provider's claim decide the role in another account. */
const claimMoved = (id: string, accountId: string, onlyIf: SqlStatement): SqlStatement =>
  statement`UPDATE identity SET role_account_id = ${accountId} WHERE person_id = ${id}
    AND ${onlyIf}`;

/**
 * What a person has besides the account they are removed from: an account that becomes the main one
 * if the main one is left; `none`; or `any`, which do not matter, because the person is deleted.
 */
type Left = OwnAccount | 'none' | 'any';

/**
 * Returns the statements that remove a person from the account in `was`. The first one returns a
 * row if the person was removed. Without an account in `left`, the person is deleted with all
 * sessions, passkeys, password and authenticator; with `none`, only if they have not joined another
 * account meanwhile.
 */
function removal(was: PersonRecord, left: Left): readonly SqlStatement[] {
  const { id, accountId, role } = was;
  const guard = raw(guardOf(was, null, null));
  if (was.isFurther) {
    return [
      statement`DELETE FROM membership WHERE person_id = ${id} AND account_id = ${accountId}
        AND role = ${role} ${guard} RETURNING person_id`,
    ];
  }
  if (left === 'none' || left === 'any') {
    const ifAlone =
      left === 'any'
        ? raw('')
        : statement`AND NOT EXISTS (SELECT 1 FROM membership WHERE person_id = ${id})`;
    return [
      statement`DELETE FROM person WHERE id = ${id} AND account_id = ${accountId}
        AND role = ${role} ${ifAlone} ${guard} ${raw(FURTHER_ACCOUNTS_KEEP_OWNERS)} RETURNING id`,
    ];
  }
  return [
    statement`UPDATE person SET account_id = ${left.id}, role = ${left.role} WHERE id = ${id}
      AND account_id = ${accountId} AND role = ${role} AND EXISTS (SELECT 1 FROM membership
        WHERE person_id = ${id} AND account_id = ${left.id} AND role = ${left.role})
      ${guard} RETURNING id`,
    statement`DELETE FROM membership WHERE person_id = ${id} AND account_id = ${left.id}
      AND EXISTS (SELECT 1 FROM person WHERE id = ${id} AND account_id = ${left.id})`,
  ];
}
