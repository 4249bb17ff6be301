/** Secrets that a first start makes: each in a file of the data folder that only this user may read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Secret } from '../config/secret.ts';

/**
 * The secret in the file, or `fresh`, which is kept there from now on.
 * @throws Error when what is there is too short to be one.
 */
export function keptSecret(path: string, fresh: string): Secret {
  mkdirSync(dirname(path), { recursive: true });
  try {
    // Fails when it is there already: two starters must agree on one.
    writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return new Secret(fresh);
  } catch (thrown) {
    const exists = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!exists) throw thrown;
    const kept = readFileSync(path, 'utf8').trim();
    if (kept.length >= MIN_CHARS) return new Secret(kept);
    throw new Error(`${path} holds no secret; delete it and a new one is made.`);
  }
}

/** What is made here is longer; a file that is shorter was cut off. */
const MIN_CHARS = 32;
