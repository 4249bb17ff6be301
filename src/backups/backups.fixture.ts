/** Creates `Backups` of a SQLite file for tests, and keys to encrypt the backups. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Database } from '../ledger/database.ts';
import { openFile } from '../ledger/sqlite/sqlite.fixture.ts';
import { keysIn } from '../secrets/secret-keys.ts';
import { BACKUP_FOLDER, Backups, type BackupsDeps } from './backups.ts';
import { FolderPlace } from './folder-place.ts';
import type { Chunks } from './part-reader.ts';

export const keyText = (seed: string): string => createHash('sha256').update(seed).digest('base64');

export const keysOf = (...seeds: readonly string[]) =>
  keysIn(seeds.map(keyText).join('\n'), 'the test');

export async function verifyCopy(path: string): Promise<number> {
  const copy = await openFile(path);
  const breaches = await copy.ledger.verify();
  await copy.close();
  return breaches.length;
}

export function backupsOf(
  database: Database,
  file: string,
  changed: Partial<BackupsDeps> = {},
): Backups {
  const dataDir = dirname(file);
  const local = new FolderPlace(join(dataDir, BACKUP_FOLDER), systemClock);
  return new Backups({
    ...{ database, dataDir, clock: systemClock, verify: verifyCopy },
    ...{ place: local, local, keys: null, keyFiles: ['secrets.key', 'console.key'] },
    record: { succeeded: () => Promise.resolve() },
    ...changed,
  });
}

export async function allOf(chunks: Chunks): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
