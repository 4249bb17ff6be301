/** People as they are read: by id, by address, by account. Whose account it must be is in the query. */

import type { Page, PageRequest } from '../accounts/page.ts';
import type { SqlExecutor, SqlStatement } from '../ledger/database.ts';
import { noSuchPerson } from './people-errors.ts';
import { PEOPLE, PERSON_COLUMNS, type PersonRecord, personOf } from './person-records.ts';

/** `accountId` null: of all accounts. `email` null: any, else it is folded. */
export type PeopleFilter = { readonly accountId: string | null; readonly email: string | null };

export class PersonStore {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * @param accountId where they must belong; null: anywhere.
   * @throws GatewayError `not_found`, also for somebody of another account.
   */
  async get(id: string, accountId: string | null = null): Promise<PersonRecord> {
    const inAccount = accountId === null ? '' : ' AND person.account_id = $2';
    const [row] = await this.#sql.query({
      sql: `SELECT ${PERSON_COLUMNS} FROM ${PEOPLE} WHERE person.id = $1${inAccount}`,
      params: accountId === null ? [id] : [id, accountId],
    });
    if (row === undefined) throw noSuchPerson();
    return personOf(row);
  }

  /** Those who came first, first. */
  async list(
    { accountId, email }: PeopleFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<PersonRecord>> {
    const conditions: string[] = ['person.id > $1'];
    const params: (string | number)[] = [after ?? ''];
    for (const [column, value] of [
      ['person.account_id', accountId],
      ['person.email', email],
    ] as const) {
      if (value === null) continue;
      params.push(value);
      conditions.push(`${column} = $${params.length}`);
    }
    params.push(limit + 1);
    const rows = await this.#sql.query({
      sql: `SELECT ${PERSON_COLUMNS} FROM ${PEOPLE} WHERE ${conditions.join(' AND ')}
        ORDER BY person.id LIMIT $${params.length}`,
      params,
    });
    const items = rows.slice(0, limit).map(personOf);
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }
}

/** For a transaction whose entry in the audit log is about somebody: it answers a row if they are there. */
export const ifThere = (personId: string): SqlStatement => ({
  sql: 'SELECT id FROM person WHERE id = $1',
  params: [personId],
});
