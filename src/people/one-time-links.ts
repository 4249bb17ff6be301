/**
 * Links that work once: to set up, to join, to reset a password. There is no mail server, so each is shown
 * once to whoever made it, who gives it on. The token stands behind the `#`, which no browser sends: it is
 * in no log of a proxy. The store has its hash only.
 */

import { type Clock, newId } from '../clock.ts';
import { DAY_MS } from '../money/calendar.ts';
import { integer, millisOrNull, text, textOrNull } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import { linkNotValid } from './people-errors.ts';
import { type Role, roleOf } from './person.ts';
import { hashToken } from './sessions.ts';

/** Long enough for whoever is away for a week. */
export const INVITATION_MS = 7 * DAY_MS;
/** Somebody waits for it. */
export const RESET_MS = DAY_MS;
/** It stands in a log until the first person has come, and a restart makes a new one. */
export const SETUP_MS = 7 * DAY_MS;
const TOKEN_BYTES = 32;

export type LinkKind = 'setup' | 'invitation' | 'password_reset';

/** A link that works once. The token is not in it. */
export type LinkRecord = {
  readonly id: string;
  readonly kind: LinkKind;
  /** Whose password it resets. */
  readonly personId: string | null;
  /** Null with an invitation: the account is made when it is accepted, under `accountName`. */
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly role: Role | null;
  /** Whom it is for; null: for whoever has it. */
  readonly email: string | null;
  /** `admin`, `system`, or a person's id. */
  readonly madeBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
};

/** A link when it is made, and never again. */
export type NewLink = { readonly id: string; readonly url: string; readonly expiresAtMs: number };

type Bound = { readonly madeBy: string; readonly lifetimeMs: number };
/** For whom: what an invitation makes of them, or whose password is reset. */
export type LinkPurpose =
  | { readonly kind: 'setup' }
  | {
      readonly kind: 'password_reset';
      readonly personId: string;
      /** What they must still be when the link is made: whoever wants it was judged by that. */
      readonly role: Role;
      readonly accountId: string;
    }
  | {
      readonly kind: 'invitation';
      /** Null: a new account, under this name. */
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
   * A new link, and the statement that makes it work, for a transaction; it answers a row, or none when whom
   * it is for is not what they were.
   */
  draw(purpose: LinkPurpose, { madeBy, lifetimeMs }: Bound): NewLink & { insert: SqlStatement } {
    const { clock, publicUrl } = this.#deps;
    const id = newId(clock, 'lnk');
    const token = Buffer.from(clock.randomBytes(TOKEN_BYTES)).toString('base64url');
    const nowMs = clock.nowMs();
    const invited = purpose.kind === 'invitation' ? purpose : null;
    const reset = purpose.kind === 'password_reset' ? purpose : null;
    const ifUnchanged =
      'WHERE EXISTS (SELECT 1 FROM person WHERE id = $4 AND role = $12 AND account_id = $13)';
    const insert = {
      sql: `INSERT INTO one_time_link (id, token_hash, kind, person_id, account_id, account_name, role,
          email, made_by, created_at_ms, expires_at_ms)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 ${reset === null ? '' : ifUnchanged}
        RETURNING id`,
      params: [
        ...[id, hashToken(token), purpose.kind, reset?.personId ?? null],
        ...[invited?.accountId ?? null, invited?.accountName ?? null],
        ...[invited?.role ?? null, invited?.email ?? null, madeBy, nowMs, nowMs + lifetimeMs],
        ...(reset === null ? [] : [reset.role, reset.accountId]),
      ],
    };
    const url = `${publicUrl}/console/${PAGES[purpose.kind]}#token=${token}`;
    return { id, url, expiresAtMs: nowMs + lifetimeMs, insert };
  }

  /** The link of this token while it works; null: never made, used, replaced, or past its time. */
  async open(token: string): Promise<LinkRecord | null> {
    const [row] = await this.#deps.sql.query({
      sql: `SELECT ${LINK_COLUMNS} FROM ${LINKS} WHERE one_time_link.token_hash = $1
        AND one_time_link.used_at_ms IS NULL AND one_time_link.expires_at_ms > $2`,
      params: [hashToken(token), this.#deps.clock.nowMs()],
    });
    return row === undefined ? null : linkOf(row);
  }

  /** @throws GatewayError `link_not_valid` where `open` finds nothing, or a link of another kind. */
  async require(token: string, kind: LinkKind): Promise<LinkRecord> {
    const link = await this.open(token);
    if (link === null || link.kind !== kind) throw linkNotValid();
    return link;
  }
}

/** What `linkOf` reads; an account that is there already has its name from `account`. */
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
  usedAtMs: millisOrNull(row, 'used_at_ms'),
});

function kindOf(value: string): LinkKind {
  if (value === 'setup' || value === 'invitation' || value === 'password_reset') return value;
  throw new Error(`a link has the kind ${value}`);
}
