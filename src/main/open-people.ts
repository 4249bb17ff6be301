/** The people of the console, with the secret that their cookies are signed with. */
import { join } from 'node:path';
import { PasswordHasher } from '../people/password-hash.ts';
import { openPeople, type People } from '../people/people.ts';
import type { Books } from './books.ts';
import { compareConsoleKey } from './console-key.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { keptSecret } from './secret-file.ts';

/** Nodes that share a store share this file, or the setting `console.secret`. */
export const CONSOLE_KEY_FILE = 'console.key';
const KEY_BYTES = 32;

export async function openConsolePeople(
  { config, clock, log, publicUrl }: GatewayDeps,
  { database: { sql }, lease }: Pick<Books, 'database' | 'lease'>,
): Promise<People> {
  const { console: settings, data_dir: dataDir } = config;
  const fresh = (): string => Buffer.from(clock.randomBytes(KEY_BYTES)).toString('hex');
  const secret = settings.secret ?? keptSecret(join(dataDir, CONSOLE_KEY_FILE), fresh());
  await compareConsoleKey(secret, { sql, clock, log, epoch: lease.epoch });
  return openPeople({ hasher: new PasswordHasher(), sql, clock, publicUrl, secret, settings });
}
