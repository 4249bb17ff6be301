/**
 * Links that work once. The gateway mails a link, or its creator passes it on. The token is in the
 * URL fragment, which browsers do not send, so no proxy logs it. The store contains only a hash of
 * the token.
 */

import { type Clock, newId } from '../clock.ts';
import { DAY_MS } from '../money/calendar.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { linkNotValid } from './people-errors.ts';
import { type Role, roleOf } from './person.ts';
import { hashToken } from './sessions.ts';

/** How long an invitation is valid. It is long enough for a person who is absent for a week. */
export const INVITATION_MS = 7 * DAY_MS;
/** How long a reset link is valid. The time is short, since the person waits for the link. */
export const RESET_MS = DAY_MS;
/** How long a setup link is valid. Until the setup, each start of the gateway logs a new link. */
export const SETUP_MS = 7 * DAY_MS;
const TOKEN_BYTES = 32;

export type LinkKind = 'setup' | 'invitation' | 'password_reset';

/** The record of a link, without its token. */
export type LinkRecord = {
  readonly id: string;
  readonly kind: LinkKind;
  /** The person whose password the link resets; null for another kind of link. */
  readonly personId: string | null;
  /** The invitation's account; null for a new account, created on acceptance as `accountName`. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly role: Role | null;
  /** The only email address that may use the link; null if any address may. */
  readonly email: string | null;
  /** Who created the link: `admin`, `system`, or the id of a person. */
  readonly madeBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
};

/** A new link. Its URL cannot be read later, because the store has only a hash of the token. */
export type NewLink = {
  readonly id: string;
  readonly url: string;
  readonly expiresAtMs: number;
  /** The email address to which the link was mailed; absent if it was not mailed. */
  readonly mailedTo?: string;
};

type Bound = { readonly madeBy: string; readonly lifetimeMs: number };
/** The purpose of a link, with its details: the setup, a password reset or an invitation. */
export type LinkPurpose =
  | { readonly kind: 'setup' }
  | {
      readonly kind: 'password_reset';
      readonly personId: string;
      /**
       * The person's role and account when the link is created. The link becomes invalid if one of
       * them changes.
       */
      readonly role: Role;
      readonly accountId: string;
      /** Whether a person with several accounts may get the link, which then opens all of them. */
      readonly isForAll: boolean;
    }
  | {
      readonly kind: 'invitation';
      /** The account of the invitation; null to create an account named `accountName`. */
      readonly accountId: string | null;
      readonly accountName: string | null;
      readonly role: Role;
      readonly email: string | null;
    };

export type LinkDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly publicUrl: string;
};

const PAGES: Readonly<Record<LinkKind, string>> = {
  setup: 'setup',
  invitation: 'invitation',
  password_reset: 'password-reset',
};

export class OneTimeLinks {
  readonly #deps: LinkDeps;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a new link, and the statement that stores it. The statement for a password reset does
   * nothing if the person's role or account has changed, or if the person has several accounts and
   * `isForAll` is false.
   */
  draw(purpose: LinkPurpose, { madeBy, lifetimeMs }: Bound): NewLink & { insert: SqlStatement } {
    const { clock, publicUrl } = this.#deps;
    const id = newId(clock, 'lnk');
    const token = Buffer.from(clock.randomBytes(TOKEN_BYTES)).toString('base64url');
    const nowMs = clock.nowMs();
    const invited = purpose.kind === 'invitation' ? purpose : null;
    const reset = purpose.kind === 'password_reset' ? purpose : null;
    const ifUnchanged =
      reset === null
        ? raw('')
        : statement`WHERE EXISTS (SELECT 1 FROM person WHERE id = ${reset.personId}
            AND role = ${reset.role} AND account_id = ${reset.accountId})
            AND (${reset.isForAll ? 1 : 0} = 1 OR NOT EXISTS (SELECT 1 FROM membership
              WHERE person_id = ${reset.personId}))`;
    const insert = statement`INSERT INTO one_time_link (id, token_hash, kind, person_id, account_id,
        account_name, role, email, made_by, created_at_ms, expires_at_ms)
      SELECT ${id}, ${hashToken(token)}, ${purpose.kind}, ${reset?.personId ?? null},
        ${invited?.accountId ?? null}, ${invited?.accountName ?? null}, ${invited?.role ?? null},
        ${invited?.email ?? null}, ${madeBy}, ${nowMs}, ${nowMs + lifetimeMs}
      ${ifUnchanged} RETURNING id`;
    const url = `${publicUrl}/console/${PAGES[purpose.kind]}#token=${token}`;
    return { id, url, expiresAtMs: nowMs + lifetimeMs, insert };
  }

  /** Returns the link with this token; null if the token is unknown, used, replaced or expired. */
  async open(token: string): Promise<LinkRecord | null> {
    const [row] = await this.#deps.sql.query(statement`SELECT ${raw(LINK_COLUMNS)}
      FROM ${raw(LINKS)} WHERE one_time_link.token_hash = ${hashToken(token)}
      AND one_time_link.used_at_ms IS NULL
      AND one_time_link.expires_at_ms > ${this.#deps.clock.nowMs()}`);
    return row === undefined ? null : linkOf(row);
  }

  /** Returns the link with this token and kind. @throws GatewayError `link_not_valid`. */
  async require(token: string, kind: LinkKind): Promise<LinkRecord> {
    const link = await this.open(token);
    if (link === null || link.kind !== kind) throw linkNotValid();
    return link;
  }
}

/** Columns that `linkOf` reads. The name of an existing account comes from the table `account`. */
export const LINK_COLUMNS = `one_time_link.id, one_time_link.kind, one_time_link.person_id,
  one_time_link.account_id, COALESCE(account.name, one_time_link.account_name) AS account_name,
  one_time_link.role, COALESCE(person.email, one_time_link.email) AS email, one_time_link.made_by,
  one_time_link.created_at_ms, one_time_link.expires_at_ms, one_time_link.used_at_ms`;
export const LINKS = `one_time_link LEFT JOIN account ON account.id = one_time_link.account_id
  LEFT JOIN person ON person.id = one_time_link.person_id`;

export const linkOf = (row: SqlRow): LinkRecord => ({
  id: text(row, 'id'),
  kind: kindOf(text(row, 'kind')),
  personId: textOrNull(row, 'person_id'),
  accountId: textOrNull(row, 'account_id'),
  accountName: textOrNull(row, 'account_name'),
  role: roleOf(row['role']),
  email: textOrNull(row, 'email'),
  madeBy: text(row, 'made_by'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  expiresAtMs: Number(integer(row, 'expires_at_ms')),
  usedAtMs: numberOrNull(row, 'used_at_ms'),
});

function kindOf(value: string): LinkKind {
  if (value === 'setup' || value === 'invitation' || value === 'password_reset') return value;
  throw new Error(`a link has the kind ${value}`);
}
