import { expect, test } from 'bun:test';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { queryBuilder } from './sql-dialect.ts';

type Tables = { account: { id: string; name: string; created_at_ms: bigint } };

test('what is compiled for SQLite runs on PostgreSQL', async () => {
  const database = await openPostgresForTest();
  const db = queryBuilder<Tables>(database.sql);
  const row = { id: 'a', name: 'What? "quoted"', created_at_ms: 9_007_199_254_740_993n };
  await db.insertInto('account').values(row).execute();
  const found = db.selectFrom('account').selectAll().where('id', '=', 'a');
  expect(await found.select('name').execute()).toMatchObject([row]);
  const again = db.insertInto('account').values(row);
  expect(
    await again
      .onConflict((on) => on.doNothing())
      .returning('id')
      .execute(),
  ).toEqual([]);
  const wide = db.selectFrom('account').select((of) => of.fn.sum('created_at_ms').as('sum'));
  expect<unknown>(await wide.execute()).toEqual([{ sum: row.created_at_ms }]);
  await database.close();
});
