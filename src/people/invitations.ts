/**
 * Manages invitations. Owners manage the invitations to their own account, administrators all
 * invitations.
 */

import { noSuchAccount } from '../accounts/account-errors.ts';
import { type Page, type PageRequest, pageOf } from '../accounts/page.ts';
import type { Clock } from '../clock.ts';
import { invitationWords } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { DAY_MS } from '../money/calendar.ts';
import { auditEntry } from '../store/audit.ts';
import { text } from '../store/row.ts';
import { andEquals, raw, type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { normalizedEmail } from './email.ts';
import { NAMED_LATER } from './mail/entry-mail.ts';
import type { MailPreferences } from './mail/mail-preferences.ts';
import type { Authority } from './members.ts';
import {
  INVITATION_MS,
  LINK_COLUMNS,
  LINKS,
  type LinkRecord,
  linkOf,
  type NewLink,
  type OneTimeLinks,
} from './one-time-links.ts';
import {
  noSuchInvitation,
  roleTooHigh,
  tooManyInvitationLetters,
  tooManyInvitations,
} from './people-errors.ts';
import { isAtLeast, type Role } from './person.ts';

/** Maximum number of open invitations of one account. */
const MAX_OPEN_INVITATIONS = 100;
/**
 * Maximum number of invitations that one account mails in 24 hours. It is higher than the number of
 * open invitations, because some are revoked and mailed again, with another role or address.
 */
export const MAX_MAILED_INVITATIONS = 150;

/**
 * How long an unused invitation stays in the store after it has expired. The next creation of an
 * invitation then deletes it.
 */
const FORGET_MS = 30 * DAY_MS;

/** The account that the invited person joins: an existing account or a new one. */
export type InvitationPlace =
  | { readonly accountId: string; readonly newAccount: null }
  | { readonly accountId: null; readonly newAccount: string };
export type NewInvitation = {
  readonly role: Role;
  /** The only email address that can accept the invitation; null if any address can. */
  readonly email: string | null;
  readonly place: InvitationPlace;
};

export type InvitationsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly links: Pick<OneTimeLinks, 'draw'>;
  readonly mailer: Mailer;
  readonly preferences: Pick<MailPreferences, 'of'>;
};

/** Manages invitations. Every method @throws `store_unavailable` when the store does not answer. */
export class Invitations {
  readonly #deps: InvitationsDeps;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an invitation.
   * @throws GatewayError `not_allowed` if the role is above the creator's own, `invalid_value` for
   *   the email address, `not_found` for the account, `conflict` if the account has
   *   MAX_OPEN_INVITATIONS or has mailed MAX_MAILED_INVITATIONS.
   */
  async create(
    { role, email, place }: NewInvitation,
    by: Authority,
  ): Promise<{ readonly record: LinkRecord; readonly link: NewLink }> {
    if (!isAtLeast(by.role, role)) throw roleTooHigh(role, by.role);
    const { sql, clock, links } = this.#deps;
    const joined = place.accountId === null ? null : await this.#roomIn(place.accountId);
    const folded = email === null ? null : normalizedEmail(email);
    const { accountId, newAccount: accountName } = place;
    const { insert, ...link } = links.draw(
      { kind: 'invitation', accountId, accountName, role, email: folded },
      { madeBy: by.actor, lifetimeMs: INVITATION_MS },
    );
    const forget = statement`DELETE FROM one_time_link WHERE kind = 'invitation'
      AND used_at_ms IS NULL AND expires_at_ms < ${clock.nowMs() - FORGET_MS}`;
    const detail = { role, email: folded, account_id: accountId, account_name: accountName };
    const entry = auditEntry(clock, by.actor, 'invitation.create', link.id, detail);
    const letters = await this.#letters(
      link,
      { kind: 'invitation', to: folded, accountId },
      by,
      joined ?? accountName,
    );
    // The email is not queued if the queue is full.
    const [, , queued = []] = await sql.transaction([forget, insert, ...letters], entry);
    this.#deps.mailer.wake();
    const isMailed = queued.length > 0 && folded !== null;
    return {
      record: await this.#get(link.id),
      link: isMailed ? { ...link, mailedTo: folded } : link,
    };
  }

  /**
   * Returns the statements that queue the email with the invitation, in the language of the person
   * who created it. The list is empty if the invitation has no email address or email is off.
   * @throws GatewayError `conflict` if the account has mailed too many invitations.
   */
  async #letters(
    link: NewLink,
    { to, ...address }: { kind: string; to: string | null; accountId: string | null },
    by: Authority,
    account: string | null,
  ): Promise<readonly SqlStatement[]> {
    const { mailer, preferences } = this.#deps;
    if (to === null || !mailer.isOn) return [];
    const { kind, accountId } = address;
    const mailed = accountId === null ? 0 : await mailer.countOf(kind, accountId);
    if (mailed >= MAX_MAILED_INVITATIONS) throw tooManyInvitationLetters(MAX_MAILED_INVITATIONS);
    const { language } = await preferences.of(by.actor);
    return mailer.queue({ ...address, to, language }, invitationWords(link, account));
  }

  /**
   * Lists used and unused invitations, newest first. Omits the links of sign-ups, which are stored
   * as invitations too.
   * @param accountId the account; null for all accounts.
   */
  async list(accountId: string | null, page: PageRequest): Promise<Page<LinkRecord>> {
    const isLater = page.after === null ? raw('') : statement`AND one_time_link.id < ${page.after}`;
    const rows = await this.#deps.sql.query(statement`SELECT ${raw(LINK_COLUMNS)} FROM ${raw(LINKS)}
      WHERE one_time_link.kind = 'invitation'
        AND (one_time_link.account_name IS NULL OR one_time_link.account_name <> ${NAMED_LATER}) ${andEquals('one_time_link.account_id', accountId)}
      ${isLater} ORDER BY one_time_link.id DESC LIMIT ${page.limit + 1}`);
    return pageOf(rows.map(linkOf), page.limit);
  }

  /**
   * Revokes an unused invitation, even if it has expired.
   * @throws GatewayError `not_found`, also for an invitation to an account that `by` may not
   *   change.
   */
  async revoke(id: string, by: Authority): Promise<void> {
    const { sql, clock } = this.#deps;
    const [gone = []] = await sql.transaction(
      [
        statement`DELETE FROM one_time_link WHERE id = ${id} AND kind = 'invitation'
          AND used_at_ms IS NULL ${andEquals('account_id', by.accountId)} RETURNING id`,
      ],
      auditEntry(clock, by.actor, 'invitation.take_back', id.slice(0, MAX_ID_CHARS)),
    );
    if (gone.length === 0) throw noSuchInvitation();
  }

  async #get(id: string): Promise<LinkRecord> {
    const [row] = await this.#deps.sql.query(statement`SELECT ${raw(LINK_COLUMNS)}
      FROM ${raw(LINKS)} WHERE one_time_link.id = ${id}`);
    if (row === undefined) throw noSuchInvitation();
    return linkOf(row);
  }

  /**
   * Checks that the account may have another open invitation. Returns the account's name.
   * @throws GatewayError `not_found`; `conflict` if it has too many open invitations.
   */
  async #roomIn(accountId: string): Promise<string> {
    const [row] =
      await this.#deps.sql.query(statement`SELECT account.name, (SELECT COUNT(*) FROM one_time_link
      WHERE account_id = account.id AND kind = 'invitation' AND used_at_ms IS NULL
      AND expires_at_ms > ${this.#deps.clock.nowMs()}) AS n FROM account WHERE id = ${accountId}`);
    if (row === undefined) throw noSuchAccount(accountId);
    if (Number(row['n']) >= MAX_OPEN_INVITATIONS) throw tooManyInvitations(MAX_OPEN_INVITATIONS);
    return text(row, 'name');
  }
}

/**
 * Maximum characters of an id in the audit log. Callers can send any text as an id; valid ids are
 * shorter.
 */
const MAX_ID_CHARS = 128;
