import { expect, test } from 'bun:test';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import { queryBuilder } from './sql-dialect.ts';

type Tables = { thing: { id: string; size: bigint; made: unknown } };

function recording() {
  const statements: SqlStatement[] = [];
  const executor: SqlExecutor = {
    query: async (statement) => {
      statements.push(statement);
      return [{ id: 'a', size: 1n }];
    },
    transaction: async () => [],
  };
  return { statements, db: queryBuilder<Tables>(executor) };
}

test('a query is one bound statement, and its rows come back as they are', async () => {
  const { statements, db } = recording();
  const rows = await db
    .selectFrom('thing')
    .select(['id', 'size'])
    .where('id', '=', "'; DROP TABLE thing; --")
    .execute();
  expect(rows).toEqual([{ id: 'a', size: 1n }]);
  expect(statements).toEqual([
    { sql: 'select "id", "size" from "thing" where "id" = ?', params: ["'; DROP TABLE thing; --"] },
  ]);
});

test('what no store can bind is refused before it is sent', async () => {
  const { statements, db } = recording();
  const insert = db.insertInto('thing').values({ id: 'a', size: 1n, made: { at: 1 } });
  await expect(insert.execute()).rejects.toThrow('type object');
  expect(statements).toEqual([]);
});

test('an interactive transaction is refused: it would hold the store while it waits', async () => {
  const { db } = recording();
  const work = db.transaction().execute(async (trx) => await trx.selectFrom('thing').execute());
  await expect(work).rejects.toThrow('SqlExecutor.transaction');
});

test('a statement that waits holds up no other', async () => {
  const gate = Promise.withResolvers<readonly []>();
  let asked = 0;
  const db = queryBuilder<Tables>({
    query: () => (asked++ === 0 ? gate.promise : Promise.resolve([])),
    transaction: async () => [],
  });
  const stuck = db.selectFrom('thing').selectAll().execute();
  expect(await db.selectFrom('thing').selectAll().execute()).toEqual([]);
  gate.resolve([]);
  expect(await stuck).toEqual([]);
});
