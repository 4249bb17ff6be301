/** The administrator's token: from the environment, else from a file that only this user may read. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';

export const ADMIN_TOKEN_FILE = 'admin-token';
const TOKEN_BYTES = 32;

export function loadAdminToken(config: Config, clock: Clock): Secret {
  if (config.admin_token !== null) return config.admin_token;
  const path = join(config.data_dir, ADMIN_TOKEN_FILE);
  mkdirSync(config.data_dir, { recursive: true });
  const fresh = `mga_${Buffer.from(clock.randomBytes(TOKEN_BYTES)).toString('base64url')}`;
  try {
    // Fails when it is there already: two starters must agree on one token.
    writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return new Secret(fresh);
  } catch (thrown) {
    const exists = thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST';
    if (!exists) throw thrown;
    const kept = readFileSync(path, 'utf8').trim();
    if (kept.length < TOKEN_BYTES)
      throw new Error(`${path} holds no token; delete it and a new one is made.`);
    return new Secret(kept);
  }
}
