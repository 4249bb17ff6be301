/** People and their links as the store keeps them, and what the rows say. */

import type { SqlRow } from '../ledger/database.ts';
import { integer, text } from '../ledger/row.ts';
import { type Person, ROLES, type Role } from './person.ts';

/** Somebody with an account here, signed in or not. */
export type PersonRecord = Person & {
  readonly accountName: string;
  /** Whether signing in takes a code besides the password. */
  readonly totpEnabled: boolean;
  readonly createdAtMs: number;
  /** To the minute, of the sessions that are left; null: there is none. */
  readonly lastSeenAtMs: number | null;
};

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

/** What `personOf` reads; the table is called `person`, and `account` stands beside it. */
export const PERSON_COLUMNS = `person.id, person.email, person.name, person.role, person.account_id,
  person.totp_enabled, person.created_at_ms, account.name AS account_name,
  (SELECT MAX(session.seen_at_ms) FROM session WHERE session.person_id = person.id) AS last_seen_at_ms`;
export const PEOPLE = 'person JOIN account ON account.id = person.account_id';

export const personOf = (row: SqlRow): PersonRecord => ({
  id: text(row, 'id'),
  email: text(row, 'email'),
  name: text(row, 'name'),
  role: roleOf(row['role']) ?? raise('a person has no role'),
  accountId: text(row, 'account_id'),
  accountName: text(row, 'account_name'),
  totpEnabled: integer(row, 'totp_enabled') !== 0n,
  createdAtMs: Number(integer(row, 'created_at_ms')),
  lastSeenAtMs: millisOf(row['last_seen_at_ms']),
});

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
  personId: textOrNull(row['person_id']),
  accountId: textOrNull(row['account_id']),
  accountName: textOrNull(row['account_name']),
  role: roleOf(row['role']),
  email: textOrNull(row['email']),
  madeBy: text(row, 'made_by'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  expiresAtMs: Number(integer(row, 'expires_at_ms')),
  usedAtMs: millisOf(row['used_at_ms']),
});

const roleOf = (value: unknown): Role | null => ROLES.find((role) => role === value) ?? null;

function kindOf(value: string): LinkKind {
  if (value === 'setup' || value === 'invitation' || value === 'password_reset') return value;
  return raise(`a link is of the kind ${value}`);
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const millisOf = (value: unknown): number | null =>
  typeof value === 'bigint' ? Number(value) : null;

function raise(what: string): never {
  throw new Error(what);
}
