import { afterAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import { credit, failureOf, furnish, hold, settle } from '../ledger/conformance/ledger.fixture.ts';
import { newFile, oddFolder, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { DataFolderInUse } from '../store/sqlite/store-file.ts';
import { allOf, backupsOf, keysOf } from './backups.fixture.ts';
import { FolderPlace } from './folder-place.ts';
import { chunksOf } from './part-reader.ts';
import { readPayload, restoreKeyFiles } from './payload.ts';
import { opened } from './sealed-file.ts';

afterAll(removeFiles);

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

  // After the backup, this process still has the store locked, and the store's WAL checkpoints are
  // enabled again.
  expect(await failureOf(openFile(file))).toBeInstanceOf(DataFolderInUse);
  const [log] = await database.sql.query({ sql: 'PRAGMA wal_autocheckpoint', params: [] });
  expect(log?.['wal_autocheckpoint']).toBeGreaterThan(0n);
  expect(await ledger.verify()).toEqual([]);
  await database.close();
}, 180_000);

test('makes one backup at a time and removes unfinished files of dead processes', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const backups = backupsOf(database, file);
  await backups.create('admin');
  const folder = join(dirname(file), 'backups');
  writeFileSync(join(folder, 'modelgate-1.999999999.partial'), 'half');
  writeFileSync(join(folder, `modelgate-1.${process.ppid}.partial`), 'of a living process');
  const both = await Promise.allSettled([backups.create('admin'), backups.create('admin')]);
  const refused = both.filter(({ status }) => status === 'rejected');
  for (const each of refused) expect(each).toMatchObject({ reason: { code: 'conflict' } });
  expect(readdirSync(folder)).toHaveLength(2 + both.length - refused.length);
  await database.close();
});

test('discards the copy when the store is closed meanwhile', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  await database.ledger.apply(Array.from({ length: 500 }, (_, each) => credit(`c${each}`, 1n)));
  const making = failureOf(backupsOf(database, file).create('admin'));
  // The store runs one query at a time. When this query returns, the backup has therefore written
  // its audit entry, and is about to copy the store.
  await database.sql.query({ sql: 'SELECT 1 AS one', params: [] });
  await database.close();
  expect(await making).toMatchObject({ code: 'store_unavailable' });
  expect(readdirSync(join(dirname(file), 'backups'))).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

test('an encrypted backup has the key files of the folder, and the whole database', async () => {
  const file = newFile();
  const folder = dirname(file);
  const database = await openFile(file);
  await furnish(database);
  await database.ledger.apply([credit('c1', 5n)]);
  writeFileSync(join(folder, 'secrets.key'), 'the key of secrets');
  writeFileSync(join(folder, 'not-a-key'), 'something else');
  const made = await backupsOf(database, file, { keys: keysOf('new', 'old') }).create('admin');
  await database.close();
  expect(made).toMatchObject({ isEncrypted: true, breaches: 0 });
  expect(made.file).toEndWith('.db.enc');
  expect(statSync(made.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'backups'))).toEqual([made.file.split('/').at(-1) ?? '']);

  const { keys } = keysOf('new');
  const payload = await readPayload(opened(chunksOf(made.file), keys, made.file));
  expect([...payload.keyFiles.keys()]).toEqual(['secrets.key']);
  const copied = newFile();
  writeFileSync(copied, await allOf(payload.database));
  const copy = await openFile(copied);
  expect(await copy.ledger.verify()).toEqual([]);
  expect(
    (await copy.sql.query({ sql: 'SELECT id FROM money_transaction', params: [] })).length,
  ).toBe(1);
  await copy.close();
});

test('a key file of the folder is never replaced', () => {
  const folder = oddFolder();
  const names = ['secrets.key', 'console.key', 'admin-token'];
  writeFileSync(join(folder, 'secrets.key'), 'mine');
  writeFileSync(join(folder, 'console.key'), 'same');
  const ofBackup = new Map(
    [...names, '../escape'].map((name) => [
      name,
      Buffer.from(name === 'console.key' ? 'same' : 'of the backup'),
    ]),
  );
  expect(restoreKeyFiles(folder, ofBackup, names)).toEqual([
    { name: 'secrets.key', state: 'differs' },
    { name: 'console.key', state: 'same' },
    { name: 'admin-token', state: 'restored' },
  ]);
  const content = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(['secrets.key', 'secrets.key.of-backup', 'admin-token'].map(content)).toEqual([
    'mine',
    'of the backup',
    'of the backup',
  ]);
  expect(statSync(join(folder, 'admin-token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toHaveLength(4);
});

test('refuses without a key that can be read, and leaves nothing', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const keys = { keys: [] as const, problem: 'key 1 of backups.key is not 32 bytes in base64' };
  const failure = await failureOf(backupsOf(database, file, { keys }).create('admin'));
  expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining('key 1 of') });
  expect(existsSync(join(dirname(file), 'backups'))).toBe(false);
  await database.close();
});

test('a place that fails leaves no file behind, and the failure names it', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const blocked = join(dirname(file), 'blocked');
  writeFileSync(blocked, 'a file, not a folder');
  const place = new FolderPlace(join(blocked, 'inside'), systemClock);
  const backups = backupsOf(database, file, { place });
  const failure = await failureOf(backups.create('admin'));
  expect(failure).toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining(blocked),
  });
  expect(readdirSync(join(dirname(file), 'backups'))).toEqual([]);
  // After the failed backup to the configured destination, the same `Backups` can still make a
  // backup to the local destination.
  expect((await backups.create('admin', 'local')).breaches).toBe(0);
  await database.close();
});

test('a full disk is named, and leaves no file behind', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const backup = (path: string): Promise<void> => {
    writeFileSync(path, 'half of a copy');
    return Promise.reject(full);
  };
  const backups = backupsOf({ ...database, backup }, file);
  expect(await failureOf(backups.create('admin'))).toMatchObject({
    ...{ code: 'conflict', message: expect.stringContaining('is full') },
  });
  expect(readdirSync(join(dirname(file), 'backups'))).toEqual([]);
  await database.close();
});

test('a folder for copies that cannot be made is named', async () => {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  const folder = join(dirname(file), 'backups');
  writeFileSync(folder, 'a file, not a folder');
  expect(await failureOf(backupsOf(database, file).create('admin'))).toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining(`can write to ${folder}`),
  });
  await database.close();
});
