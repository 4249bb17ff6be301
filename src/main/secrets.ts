/** Creates secrets on the first start, in files that only this user may read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { Seals } from '../protocols/responses/seal.ts';

export const ADMIN_TOKEN_FILE = 'admin-token';
/** The key that signs cookies. Nodes with one store must share this file or `console.secret`. */
export const CONSOLE_KEY_FILE = 'console.key';
const SECRET_BYTES = 32;
/** The shortest valid secret. Generated secrets are longer, so a shorter file was truncated. */
const MIN_CHARS = 32;

export function loadAdminToken(config: Config, clock: Pick<Clock, 'randomBytes'>): Secret {
  if (config.admin_token !== null) return config.admin_token;
  const fresh = `mga_${Buffer.from(clock.randomBytes(SECRET_BYTES)).toString('base64url')}`;
  return storedSecret(config.data_dir, ADMIN_TOKEN_FILE, fresh);
}

export function loadConsoleKey(config: Config, clock: Pick<Clock, 'randomBytes'>): Secret {
  if (config.console.secret !== null) return config.console.secret;
  const fresh = Buffer.from(clock.randomBytes(SECRET_BYTES)).toString('hex');
  return storedSecret(config.data_dir, CONSOLE_KEY_FILE, fresh);
}

/** Derives the key of sealed reasoning from the console key, on which nodes of one store agree. */
export const loadSeals = (config: Config, clock: Pick<Clock, 'randomBytes'>): Seals =>
  new Seals(loadConsoleKey(config, clock).reveal());

/** Returns the secret in the file, or stores `fresh`. @throws Error when the file is too short. */
function storedSecret(folder: string, file: string, fresh: string): Secret {
  const path = join(folder, file);
  mkdirSync(folder, { recursive: true });
  try {
    // The write fails if the file exists, so that processes that start at once share a secret.
    writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return new Secret(fresh);
  } catch (thrown) {
    const exists = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!exists) throw thrown;
    const stored = readFileSync(path, 'utf8').trim();
    if (stored.length >= MIN_CHARS) return new Secret(stored);
    throw new Error(`${path} holds no valid secret. Delete it, and a new one is created.`);
  }
}
