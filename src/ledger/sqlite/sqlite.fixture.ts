/**
 * Opens SQLite stores for tests, each in its own folder. The folders are removed after the test
 * run.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { emptyStore } from '../../store/sqlite/empty-store.fixture.ts';
import type { Database } from '../database.ts';
import { openSqlite } from './open-sqlite.ts';

const folders: string[] = [];

export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-ledger-'));
  folders.push(folder);
  return join(folder, 'modelgate.db');
}

/** Opens the store in this file. If the file does not exist, creates an empty store. */
export async function openFile(file: string): Promise<Database> {
  if (!existsSync(file) && existsSync(dirname(file))) writeFileSync(file, emptyStore());
  return await openSqlite({ file, clock: systemClock });
}

/** Returns the error of a write to a full disk. */
export function diskFull(): unknown {
  const file = new SqliteFile(':memory:');
  file.run('PRAGMA max_page_count = 1');
  try {
    file.run('CREATE TABLE one (a)');
  } catch (thrown) {
    return thrown;
  } finally {
    file.close();
  }
  throw new Error('a page was added to a full file');
}

/** Creates a folder whose path has characters that must be escaped in a URL. */
export const oddFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate backup?#%41-'));
  folders.push(folder);
  return folder;
};

export function removeFiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
