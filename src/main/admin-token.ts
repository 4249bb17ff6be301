/** The administrator's token: from the environment, else from a file that only this user may read. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Secret } from '../config/secret.ts';
import { keptSecret } from './secret-file.ts';

export const ADMIN_TOKEN_FILE = 'admin-token';
const TOKEN_BYTES = 32;

export function loadAdminToken(config: Config, clock: Clock): Secret {
  if (config.admin_token !== null) return config.admin_token;
  const fresh = `mga_${Buffer.from(clock.randomBytes(TOKEN_BYTES)).toString('base64url')}`;
  return keptSecret(join(config.data_dir, ADMIN_TOKEN_FILE), fresh);
}
