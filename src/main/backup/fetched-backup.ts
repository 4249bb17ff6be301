/** Fetches the backup that a command names, from a file or a bucket. Decrypts it if needed. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Chunks, chunksOf, PartReader } from '../../backups/part-reader.ts';
import { type KeyFiles, readPayload } from '../../backups/payload.ts';
import type { BackupPlace } from '../../backups/place.ts';
import { S3Place } from '../../backups/s3-place.ts';
import { isSealed, opened } from '../../backups/sealed-file.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import { GatewayError } from '../../errors.ts';
import { keysIn, type SecretKey } from '../../secrets/secret-keys.ts';
import { backupKeys, placeOf } from './backups-setup.ts';

/**
 * The name of every temporary file of a restore contains this text. A killed restore leaves such
 * files behind.
 */
export const STAGED = '.restoring-';

const START_BYTES = 256;
const NO_KEYS: KeyFiles = new Map();

export type FetchedBackup = {
  /** The name of the backup as the operator wrote it in the command, for messages. */
  readonly name: string;
  readonly file: string;
  /** The key files in an encrypted backup; empty for a backup that is not encrypted. */
  readonly keyFiles: KeyFiles;
  /** Deletes the files that were downloaded or decrypted. */
  readonly remove: () => void;
};

type Fetch = {
  /** The backup's place: a file, `s3://bucket/key`, or a name at the configured destination. */
  readonly named: string;
  readonly config: Config;
  /** A file with the backup keys; null to use the keys from the settings. */
  readonly keyFile: string | null;
  /** The folder for a decrypted or downloaded backup. */
  readonly folder: string;
};

/**
 * Fetches and decrypts a backup.
 * @throws Error with a message for the operator when the backup does not exist or cannot be
 *   decrypted.
 */
export async function fetchBackup(given: Fetch, clock: Clock): Promise<FetchedBackup> {
  const { named, folder } = given;
  const source = sourceOf(given, clock);
  if (source.place === null && !isSealed(startOf(source.file)))
    return { name: named, file: source.file, keyFiles: NO_KEYS, remove: () => undefined };
  const stamp = new Date(clock.nowMs()).toISOString().replaceAll(/[-:.]/g, '');
  const staged = join(folder, `modelgate.db${STAGED}${stamp}-fetched`);
  const isNew = !existsSync(folder);
  const remove = (): void => rmSync(isNew ? folder : staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true, mode: 0o700 });
  try {
    // The decrypted file keeps the backup's name, because messages show the file's name.
    const file = join(staged, basename(source.file).replace(/\.enc$/, ''));
    const chunks = source.place === null ? chunksOf(source.file) : source.place.read(source.file);
    const keyFiles = await decrypted(chunks, file, given);
    return {
      ...{ name: named, file, keyFiles },
      remove: () => rmSync(staged, { recursive: true, force: true }),
    };
  } catch (thrown) {
    remove();
    if (thrown instanceof GatewayError) throw new Error(thrown.message, { cause: thrown });
    throw thrown;
  }
}

type Source = { readonly place: BackupPlace | null; readonly file: string };

/** Finds the backup. In the result, `place` is null for a file on this machine. */
function sourceOf({ named, config }: Fetch, clock: Clock): Source {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(named) ?? [];
  if (bucket !== undefined && key !== undefined) return inBucket(config, bucket, key, clock);
  if (existsSync(named)) return { place: null, file: named };
  const place = placeOf(config, clock);
  if (named !== basename(named)) throw new Error(`There is no file ${named}.`);
  if (place.kind === 's3') return { place, file: named };
  const file = join(place.address, named);
  if (!existsSync(file)) throw new Error(`There is no file ${named}, and no ${file}.`);
  return { place: null, file };
}

function inBucket({ backups }: Config, bucket: string, key: string, clock: Clock): Source {
  if (backups.s3 === null) {
    throw new Error(
      'The configuration has no bucket for backups. Set the endpoint and the key of the bucket in backups.s3, or ' +
        'download the backup and restore the file.',
    );
  }
  const at = key.lastIndexOf('/');
  const prefix = key.slice(0, Math.max(at, 0));
  return {
    place: new S3Place({ ...backups.s3, bucket, prefix }, clock),
    file: key.slice(at + 1),
  };
}

/** Writes the backup's database to `file`. Returns the key files that the backup contains. */
async function decrypted(chunks: Chunks, file: string, given: Fetch): Promise<KeyFiles> {
  const reader = new PartReader(chunks);
  const start = await reader.peek(START_BYTES);
  if (!isSealed(start)) {
    await write(file, reader.rest());
    return NO_KEYS;
  }
  const { keyFiles, database } = await readPayload(
    opened(reader.rest(), keysOf(given), given.named),
  );
  await write(file, database);
  return keyFiles;
}

async function write(file: string, chunks: Chunks): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** Returns the keys that decrypt backups. @throws Error when they are malformed. */
function keysOf({ config, keyFile }: Fetch): readonly SecretKey[] {
  const keys =
    keyFile === null
      ? backupKeys(config)
      : keysIn(readFileSync(keyFile, 'utf8'), `the file ${keyFile}`);
  if (keys === null) return [];
  if ('problem' in keys) throw new Error(`The backup cannot be decrypted: ${keys.problem}.`);
  return keys.keys;
}

function startOf(path: string): Uint8Array {
  const handle = openSync(path, 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    return start.subarray(0, readSync(handle, start, 0, START_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}
