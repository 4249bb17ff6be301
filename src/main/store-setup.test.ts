import { expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { newEmptyDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { databaseFile, openDatabase } from './store-setup.ts';

const FOLDER = { data_dir: '/data', database_direct: null };

test('SQLite uses one file in the data folder', () => {
  expect(databaseFile({ data_dir: '/data' })).toBe('/data/modelgate.db');
});

test('opens a postgres:// URL and creates the schema', async () => {
  const address = new Secret(await newEmptyDatabase());
  const books = await openDatabase({ ...FOLDER, database: address }, systemClock);
  expect(await books.ping()).toBeUndefined();
  expect(await books.ledger.verify()).toEqual([]);
  await books.close();
});

test('reports an unreachable database without its password', async () => {
  const database = new Secret('postgres://user:hunter2@127.0.0.1:1/books');
  const opening = openDatabase({ ...FOLDER, database }, systemClock);
  const failure = await opening.then(
    () => '',
    (thrown: unknown) => Bun.inspect(thrown),
  );
  expect(failure).toContain('The database could not be opened');
  expect(failure).not.toContain('hunter2');
});
