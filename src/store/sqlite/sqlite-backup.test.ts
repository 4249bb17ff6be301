import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../clock.ts';
import {
  credit,
  failureOf,
  furnish,
  hold,
  settle,
} from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../../money/amount.ts';
import { Backups } from '../backups.ts';
import { DataFolderInUse } from './store-file.ts';

const folders: string[] = [];
afterAll(() => {
  removeFiles();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a folder whose path has characters that a URL must escape. */
const oddFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate backup?#%41-'));
  folders.push(folder);
  return folder;
};

const verify = async (path: string): Promise<number> => {
  const copy = await openFile(path);
  const breaches = await copy.ledger.verify();
  await copy.close();
  return breaches.length;
};

const backupsOf = (database: Database, file: string): Backups =>
  new Backups({ database, dataDir: dirname(file), clock: systemClock, verify });

test('a backup has everything acknowledged before it, while commits continue', async () => {
  const file = join(oddFolder(), 'modelgate.db');
  const database = await openFile(file);
  await furnish(database);
  const { ledger } = database;
  await ledger.apply([credit('c1', 1_000_000n)]);
  const ids = (from: number, count: number) =>
    Array.from({ length: count }, (_, each) => `h${from + each}`);
  const sell = async (id: string) => await ledger.apply([hold(id, 10n), settle(id, 3n)]);
  await Promise.all(ids(0, 2_000).map(sell));
  const making = backupsOf(database, file).create('admin');
  const meanwhile = Promise.all(ids(2_000, 2_000).map(sell));
  const made = await making;
  await meanwhile;

  expect(statSync(made.file).mode & 0o777).toBe(0o600);
  expect(statSync(made.file).size).toBe(made.bytes);
  const copy = await openFile(made.file);
  for (const id of ids(0, 2_000)) expect((await copy.ledger.receipt(id))?.charge).toBe(nano(3n));
  expect(await copy.ledger.verify()).toEqual([]);
  const [entry] = await copy.sql.query({
    sql: "SELECT actor, subject FROM audit WHERE action = 'backup.create'",
    params: [],
  });
  expect(entry?.['actor']).toBe('admin');
  await copy.close();

  // The store still has its lock, and its checkpoints are on again.
  expect(await failureOf(openFile(file))).toBeInstanceOf(DataFolderInUse);
  const [log] = await database.sql.query({ sql: 'PRAGMA wal_autocheckpoint', params: [] });
  expect(log?.['wal_autocheckpoint']).toBeGreaterThan(0n);
  expect(await ledger.verify()).toEqual([]);
  await database.close();
}, 180_000);

test('a backup has the receipts of charges that are not booked yet', async () => {
  const file = join(oddFolder(), 'modelgate.db');
  const database = await openFile(file);
  await furnish(database);
  const { ledger } = database;
  const ids = ['h1', 'h2', 'h3'];
  await ledger.apply([credit('c1', 1_000n), ...ids.map((id) => hold(id, 10n))]);
  // The first charge by a card is booked at once, and the others later.
  for (const id of ids) await ledger.settle(settle(id, 3n));
  const to = join(oddFolder(), 'copy.db');
  await database.backup?.(to);
  await database.close();
  const copy = new SqliteFile(to, { readonly: true });
  const count = (table: string) => copy.query(`SELECT COUNT(*) AS n FROM ${table}`).get();
  expect([count('receipt'), count('receipt_tail')]).toEqual([{ n: 3 }, { n: 0 }]);
  copy.close();
});

test('makes one backup at a time and removes unfinished files of dead processes', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const backups = backupsOf(database, file);
  await backups.create('admin');
  const folder = join(dirname(file), 'backups');
  writeFileSync(join(folder, 'modelgate-old.db.partial'), 'half');
  const both = await Promise.allSettled([
    backups.create('admin'),
    systemClock.sleep(2).then(() => backups.create('admin')),
  ]);
  const refused = both.filter(({ status }) => status === 'rejected');
  for (const each of refused) expect(each).toMatchObject({ reason: { code: 'conflict' } });
  expect(readdirSync(folder)).toHaveLength(1 + both.length - refused.length);
  const path = join(dirname(file), 'alone.db');
  writeFileSync(path, '');
  const [first, second] = await Promise.allSettled([
    database.backup?.(path),
    database.backup?.(join(dirname(file), 'other.db')),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
  await database.close();
});

test('discards the copy when the store is closed meanwhile', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  await database.ledger.apply(Array.from({ length: 500 }, (_, each) => credit(`c${each}`, 1n)));
  const making = failureOf(backupsOf(database, file).create('admin'));
  // The store runs one query after the other. So when this one returns, the backup has written
  // its audit entry, and its next step is the copy.
  await database.sql.query({ sql: 'SELECT 1 AS one', params: [] });
  await database.close();
  expect(await making).toMatchObject({ code: 'store_unavailable' });
  expect(readdirSync(join(dirname(file), 'backups'))).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

test('reports a copy that cannot be written, and keeps selling', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const path = join(dirname(file), 'taken.db');
  writeFileSync(path, 'no database, and not empty');
  const failure = await failureOf(database.backup(path));
  expect(failure).toMatchObject({ code: 'internal_error' });
  expect((await database.ledger.apply([credit('c1', 1n)]))[0]?.status).toBe('applied');
  await database.close();
});
