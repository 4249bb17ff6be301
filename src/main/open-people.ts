/** The people of the console, with the secret that their cookies are signed with. */
import { join } from 'node:path';
import { PasswordHasher } from '../accounts/people/password-hash.ts';
import { openPeople, type People } from '../accounts/people/people.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import type { GatewayDeps } from './gateway.ts';
import { keptSecret } from './secret-file.ts';

/** Nodes that share a store share this file, or the setting `console.secret`. */
export const CONSOLE_KEY_FILE = 'console.key';
const KEY_BYTES = 32;

export function peopleOf(
  { config, clock, publicUrl }: Pick<GatewayDeps, 'config' | 'clock' | 'publicUrl'>,
  sql: SqlExecutor,
): People {
  const { console: settings, data_dir: dataDir } = config;
  const fresh = (): string => Buffer.from(clock.randomBytes(KEY_BYTES)).toString('hex');
  const secret = settings.secret ?? keptSecret(join(dataDir, CONSOLE_KEY_FILE), fresh());
  return openPeople({ hasher: new PasswordHasher(), sql, clock, publicUrl, secret, settings });
}
