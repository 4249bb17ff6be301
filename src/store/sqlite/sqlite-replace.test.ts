import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { credit, failureOf, furnish } from '../../ledger/conformance/ledger.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { lockForReplacement } from './sqlite-replace.ts';
import { DataFolderInUse } from './store-file.ts';

afterAll(removeFiles);

/** Creates a database with the given number of credits. */
async function fileWith(credits: number): Promise<string> {
  const file = newFile();
  const database = await openFile(file);
  await furnish(database);
  for (let each = 0; each < credits; each++) await database.ledger.apply([credit(`c${each}`, 1n)]);
  await database.close();
  return file;
}

const creditsIn = (file: string): number => {
  const opened = new SqliteFile(file);
  // The thread of a store that was just closed may still have the lock.
  opened.run('PRAGMA busy_timeout = 5000');
  const rows = opened.query('SELECT 1 FROM money_transaction').values().length;
  opened.close();
  return rows;
};

test('a lock refuses a gateway until it is released, and leaves no files behind', async () => {
  const file = await fileWith(2);
  const lock = lockForReplacement(file);
  expect(await failureOf(openFile(file))).toBeInstanceOf(DataFolderInUse);
  lock.release();
  expect(readdirSync(dirname(file))).toEqual(['modelgate.db']);
  await (await openFile(file)).close();
});

test('a replacement that ends half way leaves the old database', async () => {
  const file = await fileWith(2);
  const lock = lockForReplacement(file);
  const missing = join(dirname(file), 'missing.db');
  expect(() => lock.replaceBy(missing, `${file}.kept`)).toThrow('ENOENT');
  lock.release();
  expect(creditsIn(file)).toBe(2);
  expect(creditsIn(`${file}.kept`)).toBe(2);
});

test('replaces a database, and its lock outlives the log of the old one', async () => {
  const [file, staged] = [await fileWith(2), await fileWith(5)];
  const lock = lockForReplacement(file);
  lock.replaceBy(staged, `${file}.kept`);
  const database = await openFile(file);
  await database.ledger.apply([credit('later', 1n)]);
  // Releasing the lock on the old file must not delete the write-ahead log of the new file.
  lock.release();
  expect(existsSync(`${file}-wal`)).toBe(true);
  await database.close();
  expect([creditsIn(file), creditsIn(`${file}.kept`)]).toEqual([6, 2]);
});

test('never puts a log beside a database that it is not of', async () => {
  const staged = await fileWith(3);
  const file = newFile();
  writeFileSync(file, '*'.repeat(8_192));
  writeFileSync(`${file}-wal`, 'log of the damaged database');
  const lock = lockForReplacement(file);
  lock.replaceBy(staged, `${file}.kept`);
  lock.release();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(existsSync(`${file}.kept`)).toBe(true);
  expect(creditsIn(file)).toBe(3);
});

test('keeps a database that was created since an empty folder was looked at', async () => {
  const staged = await fileWith(1);
  const file = newFile();
  const lock = lockForReplacement(file);
  await (await openFile(file)).close();
  lock.replaceBy(staged, `${file}.kept`);
  lock.release();
  expect([creditsIn(file), creditsIn(`${file}.kept`)]).toEqual([1, 0]);
});
