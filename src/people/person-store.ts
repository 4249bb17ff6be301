/** Reads people from the store by id, by email address and by account. */
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

import { type PersonRecord, type Role, roleOf } from './person.ts';

/**
 * The columns that `personOf` reads. `of` names the table from which the role and the account come.
 */
const columnsOf = (of: 'person' | 'place') => `person.id, person.email, person.name, ${of}.role,
  ${of}.account_id, ${of === 'person' ? '0 AS is_further' : 'place.is_further'},
  person.totp_enabled, person.created_at_ms, account.name AS account_name,
  account.status AS account_status,
  (SELECT MAX(session.seen_at_ms) FROM session WHERE session.person_id = person.id) AS last_seen_at_ms`;
export const PERSON_COLUMNS = columnsOf('person');
/**
 * The number of further accounts of a person. The person has a membership in each of them, but not
 * in the main account.
 */
const OTHERS = `(SELECT COUNT(*) FROM membership WHERE membership.person_id = person.id)
  AS other_accounts`;
/** One row for each person, with the person's main account. */
const PEOPLE = 'person JOIN account ON account.id = person.account_id';
/** One row for each person and each of the person's accounts. */
export const PLACES = `(SELECT id AS person_id, account_id, role, 0 AS is_further FROM person
  UNION ALL SELECT person_id, account_id, role, 1 AS is_further FROM membership) AS place
  JOIN person ON person.id = place.person_id JOIN account ON account.id = place.account_id`;

/**
 * Returns a query for the people of an account. If `accountId` is null, the query returns all
 * people with their main accounts.
 */
const peopleIn = (accountId: string | null): SqlStatement =>
  accountId === null
    ? raw(`SELECT ${PERSON_COLUMNS}, ${OTHERS} FROM ${PEOPLE} WHERE 1 = 1`)
    : statement`SELECT ${raw(`${columnsOf('place')}, ${OTHERS}`)} FROM ${raw(PLACES)}
        WHERE place.account_id = ${accountId}`;

export const personOf = (row: SqlRow): PersonRecord => ({
  id: text(row, 'id'),
  email: text(row, 'email'),
  name: text(row, 'name'),
  role: roleIn(row),
  accountId: text(row, 'account_id'),
  accountName: text(row, 'account_name'),
  isFurther: integer(row, 'is_further') !== 0n,
  accountStatus: accountStatus(row, 'account_status'),
  totpEnabled: integer(row, 'totp_enabled') !== 0n,
  createdAtMs: Number(integer(row, 'created_at_ms')),
  ...('other_accounts' in row ? { otherAccounts: Number(integer(row, 'other_accounts')) } : {}),
  lastSeenAtMs: numberOrNull(row, 'last_seen_at_ms'),
});

/**
 * Selects people. If `accountId` is null, people of all accounts match, and are listed with their
 * main accounts. If `email` is null, every address matches. `email` must be normalized.
 */
export type PeopleFilter = {
  readonly accountId: string | null;
  /** The complete email address. */
  readonly email: string | null;
  /**
   * The id of a person, or a part of the name or email address, ignoring case; undefined for all
   * people.
   */
  readonly search?: string | undefined;
};

export class PersonStore {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns a person, with the role in the account `accountId`. If `accountId` is null, returns the
   * role in the person's main account.
   * @throws GatewayError `not_found`.
   */
  async get(id: string, accountId: string | null = null): Promise<PersonRecord> {
    const [row] = await this.#sql.query(statement`${peopleIn(accountId)} AND person.id = ${id}`);
    if (row === undefined) throw noSuchPerson();
    return personOf(row);
  }

  /** Lists people, oldest first. */
  async list(
    { accountId, email, search }: PeopleFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<PersonRecord>> {
    const rows = await this.#sql.query(statement`${peopleIn(accountId)}
      AND person.id > ${after ?? ''} ${andEquals('person.email', email)} ${search === undefined ? raw('') : isFoundBy(search)}
      ORDER BY person.id LIMIT ${limit + 1}`);
    return pageOf(rows.map(personOf), limit);
  }
}

const isFoundBy = (search: string): SqlStatement =>
  statement`AND (person.id = ${search} OR ${contains('person.email', search)}
    OR ${contains('person.name', search)})`;

/** Returns the role in a row. @throws Error if the value is not a role. */
export const roleIn = (row: SqlRow): Role => roleOf(row['role']) ?? noRole();

function noRole(): never {
  throw new Error('a person has no role');
}
