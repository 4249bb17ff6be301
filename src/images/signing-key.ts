/** The secrets that sign download URLs, in a file of the data folder. */
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';

/** The version is part of each signature, so that old URLs stay valid after a key is added. */
export type SigningKey = { readonly version: number; readonly secret: Uint8Array };

/** The newest first: it signs, all verify. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

export const SIGNING_KEY_FILE = 'image-url.keys';

/** As many bits as the hash has: fewer are weaker, more are useless. */
const SECRET_BYTES = 32;
const LINE_PATTERN = /^([1-9]\d{0,5}) ([0-9a-f]{64})$/;

/**
 * Reads `image-url.keys` (lines of `version hex`; add a line with a higher version to rotate), or
 * creates it with a new key, readable by this user only. Nodes that share a bucket share this file.
 * @throws Error when the file is malformed: an empty or guessed secret would open every image.
 */
export async function loadSigningKey(dataDir: string, clock: Clock): Promise<SigningKeys> {
  const path = join(dataDir, SIGNING_KEY_FILE);
  const existing = await readIfThere(path);
  if (existing !== null) return parseKeys(existing, path);
  await mkdir(dataDir, { recursive: true });
  await createKeyFile(path, clock);
  return parseKeys(await readFile(path, 'utf8'), path);
}

function parseKeys(text: string, path: string): SigningKeys {
  const keys: SigningKey[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const match = LINE_PATTERN.exec(line.trim());
    const [, version, secret] = match ?? [];
    if (version === undefined || secret === undefined) throw malformed(path);
    keys.push({ version: Number(version), secret: Buffer.from(secret, 'hex') });
  }
  const [newest, ...older] = keys.sort((a, b) => b.version - a.version);
  if (newest === undefined) throw malformed(path);
  if (new Set(keys.map((key) => key.version)).size < keys.length) throw malformed(path);
  return [newest, ...older];
}

const malformed = (path: string): Error =>
  new Error(
    `${path} must hold lines of a version (each once) and ${SECRET_BYTES * 2} lower-case hex digits. ` +
      'Fix or delete it. If you delete it, a new key is created and existing image URLs stop working.',
  );

/** Linked from a temporary file: a crash or a concurrent start never leaves half a key. */
async function createKeyFile(path: string, clock: Clock): Promise<void> {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const aside = `${path}.${hex(clock.randomBytes(8))}`;
  const file = await open(aside, 'wx', 0o600);
  try {
    await file.writeFile(`1 ${hex(clock.randomBytes(SECRET_BYTES))}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  try {
    await link(aside, path);
  } catch (thrown) {
    // Another process was faster; its key is used.
    if (!hasCode(thrown, 'EEXIST')) throw thrown;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null;
    throw thrown;
  }
}

const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;
