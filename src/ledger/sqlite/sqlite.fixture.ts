/**
 * Opens SQLite stores for tests, each in its own folder. The folders are removed after the test
 * run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import type { Database } from '../database.ts';
import { openSqlite } from './open-sqlite.ts';

const folders: string[] = [];

export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-ledger-'));
  folders.push(folder);
  return join(folder, 'modelgate.db');
}

export const openFile = (file: string): Promise<Database> =>
  openSqlite({ file, clock: systemClock });

export function removeFiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
