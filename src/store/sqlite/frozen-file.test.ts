import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  credit,
  failureOf,
  furnish,
  hold,
  settle,
} from '../../ledger/conformance/ledger.fixture.ts';
import { newFile, oddFolder, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';

afterAll(removeFiles);

test('a backup has the receipts of charges that are not booked yet', async () => {
  const file = join(oddFolder(), 'modelgate.db');
  const database = await openFile(file);
  await furnish(database);
  const { ledger } = database;
  const ids = ['h1', 'h2', 'h3'];
  await ledger.apply([credit('c1', 1_000n), ...ids.map((id) => hold(id, 10n))]);
  // Only the first charge of a price card is booked at once. The others wait in `receipt_tail`.
  for (const id of ids) await ledger.settle(settle(id, 3n));
  const to = join(oddFolder(), 'copy.db');
  await database.backup?.(to);
  await database.close();
  const copy = new SqliteFile(to, { readonly: true });
  const count = (table: string) => copy.query(`SELECT COUNT(*) AS n FROM ${table}`).get();
  expect([count('receipt'), count('receipt_tail')]).toEqual([{ n: 3 }, { n: 0 }]);
  copy.close();
});

test('reports a copy that cannot be written, and keeps selling', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const path = join(dirname(file), 'taken.db');
  writeFileSync(path, 'no database, and not empty');
  const failure = await failureOf(database.backup(path));
  const cause = { message: 'file is not a database' };
  expect(failure).toMatchObject({ code: 'internal_error', cause });
  expect((await database.ledger.apply([credit('c1', 1n)]))[0]?.status).toBe('applied');
  await database.close();
});

test('makes one copy at a time', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const path = join(dirname(file), 'alone.db');
  writeFileSync(path, '');
  const [first, second] = await Promise.allSettled([
    database.backup(path),
    database.backup(join(dirname(file), 'other.db')),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
  await database.close();
});
