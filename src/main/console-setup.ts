/**
 * Opens the console: the people who use it, their email, the key that signs its cookies, and the
 * files of its build.
 */
import { join } from 'node:path';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { ConsoleAssets } from '../http/console/console-assets.ts';
import { type Mail, openMail } from '../mail/open-mail.ts';
import { compareConsoleKey } from '../people/console-key.ts';
import { PasswordHasher } from '../people/password.ts';
import { openPeople, type People } from '../people/people.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { describeCause, type Log } from '../telemetry/log.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { loadConsoleKey } from './secrets.ts';
import type { Store } from './store-setup.ts';

/** The folder that `npm run build` writes. */
const BUILD = join(import.meta.dir, '../../console/dist');

const OTHER_KEY =
  'the console key of this node differs from that of the running nodes: sessions of this node are not valid on the other nodes, nor theirs on this node, and authenticators cannot be read. Stop this node, and give every node the same file console.key in its data folder, or the same setting console.secret';
const NEW_KEY =
  'the console key has changed: everybody has to sign in again, and authenticators that were set up under the old key cannot be read. Restore the old key, or run `modelgate people reset-link EMAIL --clear-totp` for each person who has one';

export async function setUpPeople(
  { config, clock, log, publicUrl }: GatewayDeps,
  { database, lease }: Pick<Store, 'database' | 'lease'>,
  live: Pick<LiveCatalogue, 'config'>,
  { mailer }: Pick<Mail, 'mailer'>,
): Promise<People> {
  const { sql, ledger } = database;
  const secret = loadConsoleKey(config, clock);
  const { epoch } = lease;
  const comparison = await compareConsoleKey(secret, { sql, clock: database, epoch });
  if (comparison === 'differs_from_running_nodes') log.error(OTHER_KEY);
  if (comparison === 'changed') log.warn(NEW_KEY);
  return openPeople({
    hasher: new PasswordHasher(),
    sql,
    clock,
    inMemory: ledger.inMemory,
    publicUrl,
    secret,
    settings: () => live.config.console,
    onProviderFailure: (err) =>
      log.warn(
        { err, cause: describeCause(err.cause) },
        'a sign-in through the identity provider failed',
      ),
    mailer,
    onFailure: (what, err) => log.warn({ err }, what),
  });
}

export const setUpMail = (
  { config, clock, log }: GatewayDeps,
  sql: SqlExecutor,
  live: Pick<LiveCatalogue, 'config'>,
): Mail =>
  openMail({
    sql,
    clock,
    secret: loadConsoleKey(config, clock),
    settings: () => live.config,
    onFailure: (what, err) => log.warn({ err }, what),
  });

export async function setUpConsole(
  { log }: { readonly log: Pick<Log, 'warn'> },
  folder: string = BUILD,
): Promise<ConsoleAssets> {
  const assets = new ConsoleAssets(folder);
  if ((await assets.current()) === null) {
    log.warn({ folder }, 'the console is not built, and /console says so: run `npm run build`');
  }
  return assets;
}
