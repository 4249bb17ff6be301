/** Reads people by id, by email and by account. */
import { accountStatus } from '../accounts/account-store.ts';
import { type Page, type PageRequest, pageOf } from '../accounts/page.ts';
import { integer, numberOrNull, text } from '../store/row.ts';
import {
  andEquals,
  contains,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';
import { noSuchPerson } from './people-errors.ts';

import { type PersonRecord, roleOf } from './person.ts';

/** The columns that `personOf` reads from the tables `person` and `account`. */
export const PERSON_COLUMNS = `person.id, person.email, person.name, person.role, person.account_id,
  person.totp_enabled, person.created_at_ms, account.name AS account_name,
  account.status AS account_status,
  (SELECT MAX(session.seen_at_ms) FROM session WHERE session.person_id = person.id) AS last_seen_at_ms`;
export const PEOPLE = 'person JOIN account ON account.id = person.account_id';

export const personOf = (row: SqlRow): PersonRecord => ({
  id: text(row, 'id'),
  email: text(row, 'email'),
  name: text(row, 'name'),
  role: roleOf(row['role']) ?? noRole(),
  accountId: text(row, 'account_id'),
  accountName: text(row, 'account_name'),
  accountStatus: accountStatus(row, 'account_status'),
  totpEnabled: integer(row, 'totp_enabled') !== 0n,
  createdAtMs: Number(integer(row, 'created_at_ms')),
  lastSeenAtMs: numberOrNull(row, 'last_seen_at_ms'),
});

/** A null `accountId` or `email` matches everybody. The email address must be normalized. */
export type PeopleFilter = {
  readonly accountId: string | null;
  /** The whole e-mail address. */
  readonly email: string | null;
  /** The id, or a part of the name or the e-mail address, in any case; undefined for everybody. */
  readonly search?: string | undefined;
};

export class PersonStore {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** Returns a person; `accountId` is null for any account. @throws GatewayError `not_found`. */
  async get(id: string, accountId: string | null = null): Promise<PersonRecord> {
    const [row] = await this.#sql.query(statement`SELECT ${raw(PERSON_COLUMNS)} FROM ${raw(PEOPLE)}
      WHERE person.id = ${id} ${andEquals('person.account_id', accountId)}`);
    if (row === undefined) throw noSuchPerson();
    return personOf(row);
  }

  /** Lists people, oldest first. */
  async list(
    { accountId, email, search }: PeopleFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<PersonRecord>> {
    const rows = await this.#sql.query(statement`SELECT ${raw(PERSON_COLUMNS)} FROM ${raw(PEOPLE)}
      WHERE person.id > ${after ?? ''} ${andEquals('person.account_id', accountId)}
      ${andEquals('person.email', email)} ${search === undefined ? raw('') : isFoundBy(search)}
      ORDER BY person.id LIMIT ${limit + 1}`);
    return pageOf(rows.map(personOf), limit);
  }
}

const isFoundBy = (search: string): SqlStatement =>
  statement`AND (person.id = ${search} OR ${contains('person.email', search)}
    OR ${contains('person.name', search)})`;

/**
 * Returns a statement that finds the person. As the first of a transaction, it prevents an audit
 * entry for a person who does not exist.
 */
export const ifPersonExists = (personId: string): SqlStatement => statement`SELECT id FROM person
  WHERE id = ${personId}`;

function noRole(): never {
  throw new Error('a person has no role');
}
