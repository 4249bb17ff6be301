/**
 * The content of an encrypted backup: first the installation's key files, then its database. An
 * unencrypted backup contains no key files, because anybody who has it could decrypt the secrets in
 * the database with them.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Chunks, PartReader } from './part-reader.ts';

const LENGTH_BYTES = 4;
/** Maximum size of a key file, which has only a few lines. A larger file cannot be a key file. */
const MAX_KEY_FILE_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 1024 * 1024;

const HEAD = z.object({ key_files: z.record(z.string(), z.string()) });

/** The content of each key file by its name. */
export type KeyFiles = ReadonlyMap<string, Uint8Array>;

/** Reads the named key files from the folder. Omits missing files, and files that are too large. */
export function readKeyFiles(folder: string, names: readonly string[]): KeyFiles {
  const found = names
    .map((name) => [name, join(folder, name)] as const)
    .filter(([, path]) => existsSync(path) && statSync(path).size <= MAX_KEY_FILE_BYTES);
  return new Map(found.map(([name, path]) => [name, readFileSync(path)]));
}

export async function* payloadOf(database: Chunks, keyFiles: KeyFiles): AsyncGenerator<Uint8Array> {
  const entries = [...keyFiles].map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString('base64'),
  ]);
  const head = Buffer.from(JSON.stringify({ key_files: Object.fromEntries(entries) }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.byteLength);
  yield Buffer.concat([length, head]);
  yield* database;
}

/**
 * Returns the key files of a payload, and the chunks of its database, which the caller must read.
 */
export async function readPayload(
  payload: Chunks,
): Promise<{ readonly keyFiles: KeyFiles; readonly database: Chunks }> {
  const reader = new PartReader(payload);
  const length = Buffer.from(await reader.next(LENGTH_BYTES)).readUInt32BE();
  if (length > MAX_HEAD_BYTES) throw new Error('the list of key files in the backup is too long');
  const head = HEAD.parse(JSON.parse(Buffer.from(await reader.next(length)).toString('utf8')));
  const entries = Object.entries(head.key_files);
  const keyFiles = new Map(entries.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  return { keyFiles, database: reader.rest() };
}

/**
 * The result of restoring one key file. `same`: the folder already has this file. `differs`: the
 * folder has a different file of this name, so the restored file got another name.
 */
export type RestoredKey = {
  readonly name: string;
  readonly state: 'restored' | 'same' | 'differs';
};

/** The suffix of a restored key file's name if the folder has a different file of the same name. */
export const BESIDE = '.of-backup';

/**
 * Writes the named key files to the folder. If the folder has a different file of the same name,
 * keeps that file and appends `BESIDE` to the restored file's name. Only a file of an earlier
 * restore may be overwritten.
 */
export function restoreKeyFiles(
  folder: string,
  keyFiles: KeyFiles,
  names: readonly string[],
): readonly RestoredKey[] {
  return [...keyFiles]
    .filter(([name]) => names.includes(name))
    .map(([name, bytes]) => {
      const path = join(folder, name);
      const current = existsSync(path) ? readFileSync(path) : null;
      if (current?.equals(bytes) === true) return { name, state: 'same' };
      const isTaken = current !== null;
      writeFileSync(isTaken ? `${path}${BESIDE}` : path, bytes, { mode: 0o600 });
      return { name, state: isTaken ? 'differs' : 'restored' };
    });
}
