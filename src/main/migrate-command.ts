/**
 * The command `migrate`: updates the store's schema, or with `--to` copies SQLite to PostgreSQL.
 */
import { existsSync, rmSync } from 'node:fs';
import { AdminClient, type AdminClientDeps, type AdminSettings } from '../cli/admin-client.ts';
import { makeBackup } from '../cli/process/backup-commands.ts';
import type { Clock } from '../clock.ts';
import { postgresServers } from '../config/address.ts';
import { type Config, loadStart } from '../config/config.ts';
import { environmentSecret } from '../config/environment.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { mayCharge } from '../idempotency/late-charges.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgres } from '../ledger/postgres/open-postgres.ts';
import type { SettlementSpool } from '../ledger/settlement-spool.ts';
import { openSqlite } from '../ledger/sqlite/open-sqlite.ts';
import { formatAmount, nano } from '../money/amount.ts';
import { copyToPostgres, type StoreCopy } from '../store/copy-to-postgres.ts';
import { newerSchema } from '../store/migrations.ts';
import { DataFolderInUse } from '../store/sqlite/store-file.ts';
import { databaseFile, openDatabase, openSpool } from './store-setup.ts';

type Migrate = {
  readonly configPath: string | null;
  /** The target's URL, or a variable that contains it. If null, only the schema is updated. */
  readonly to: string | null;
};

export type MigrateDeps = {
  readonly clock: Clock;
  readonly print: (text: string) => void;
  readonly fetch: AdminClientDeps['fetch'];
  readonly settings: (configPath: string | null) => Promise<AdminSettings>;
};

/** The database to copy. */
type Source = {
  readonly database: Database;
  /**
   * For a dry run, the time at which the copied backup was made; null if the locked ledger itself
   * is copied.
   */
  readonly dryRunAtMs: number | null;
  /**
   * The spool: settlements that are stored in a file because the database was unavailable. Null for
   * a dry run, because the running gateway uses the spool.
   */
  readonly spool: SettlementSpool | null;
  readonly close: () => Promise<void>;
};

/**
 * Runs the command. Returns the exit code.
 * @throws Error with the reason why nothing was migrated.
 */
export async function migrate({ configPath, to }: Migrate, deps: MigrateDeps): Promise<number> {
  const config = loadStart({ path: configPath });
  if (to !== null) {
    const url = addressOf(to);
    return await copy(() => sourceOf(config, configPath, deps), url, deps);
  }
  const warn = (risk: string): void => deps.print(`${risk}\n`);
  const database = await openDatabase(config, deps.clock, { warn });
  const newer = await newerSchema(database.sql);
  await database.close();
  const where = config.database === 'sqlite' ? databaseFile(config) : 'The PostgreSQL database';
  deps.print(`${where} is ${newer === null ? 'up to date' : `newer: ${newer}`}.\n`);
  return 0;
}

/**
 * Returns the URL in `to`, or in the environment variable that `to` names.
 * @throws GatewayError `invalid_value`. Its message does not contain `to`, which may contain a
 *   password.
 */
export function addressOf(to: string): Secret {
  const given = /^[A-Z][A-Z0-9_]*$/.test(to) ? environmentSecret(to) : new Secret(to);
  const address = given?.reveal() ?? '';
  if (postgresServers(address) !== null) return new Secret(address);
  const message =
    '--to must be an address such as postgres://user:password@host/database, or the name of an ' +
    'environment variable that holds one, such as MODELGATE_DATABASE.';
  throw new GatewayError('invalid_value', message, { param: 'to' });
}

/**
 * Opens and locks the SQLite database. If a gateway is running on it, asks that gateway for a
 * backup and opens the backup instead, for a dry run.
 */
async function sourceOf(
  config: Config,
  configPath: string | null,
  { clock, fetch, settings, print }: MigrateDeps,
): Promise<Source> {
  const file = databaseFile(config);
  if (!existsSync(file)) throw new Error(`There is no SQLite ledger to copy: ${file} is missing.`);
  try {
    const database = await openSqlite({ file, clock });
    return { database, dryRunAtMs: null, spool: openSpool(config), close: database.close };
  } catch (thrown) {
    if (!(thrown instanceof DataFolderInUse)) throw thrown;
  }
  print(
    'A gateway is running on this ledger. This command makes a backup of the ledger and copies the backup.\n',
  );
  const client = new AdminClient(await settings(configPath), { clock, fetch });
  const made = await makeBackup(client, 'local');
  // Also removes the files that SQLite and the store create next to the backup when they open it.
  const remove = (): void => {
    for (const end of ['', '-wal', '.pid']) rmSync(`${made.file}${end}`, { force: true });
  };
  try {
    const database = await openSqlite({ file: made.file, clock });
    const close = async (): Promise<void> => {
      await database.close();
      remove();
    };
    return { database, dryRunAtMs: Date.parse(made.taken_at), spool: null, close };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

async function copy(
  open: () => Promise<Source>,
  url: Secret,
  { clock, print }: MigrateDeps,
): Promise<number> {
  const warn = (risk: string): void => print(`${risk}\n`);
  // The target is opened first, so that a wrong URL fails before anything is copied.
  const target = await openPostgres({ url, clock, warn, mayBeDryRun: true });
  try {
    const source = await open();
    try {
      const { dryRunAtMs, spool } = source;
      // Applies the spooled settlements (those that wait in a file) before the copy. PostgreSQL
      // could not settle them, because it has no rows of their holds.
      if (spool !== null) await replayAll(spool, source.database, { clock, print });
      await reapAll(source.database);
      print(tableOf(await copyToPostgres({ source: source.database.sql, url, clock, dryRunAtMs })));
      if (!(await isSound(target, print))) return 1;
      print(dryRunAtMs === null ? MOVED : dryRunMade(dryRunAtMs));
      return 0;
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

/** Applies the spooled settlements to the ledger. @throws `store_unavailable` if some are left. */
async function replayAll(
  spool: SettlementSpool,
  { ledger, sql }: Database,
  { clock, print }: Pick<MigrateDeps, 'clock' | 'print'>,
): Promise<void> {
  if (spool.waiting === 0) return;
  try {
    // As at a start, a charge is refused if a repeat of its request may be charged instead.
    const { applied, refused } = await spool.replay(
      ledger,
      () => true,
      (claimId, atMs) => mayCharge({ sql, clock }, claimId, atMs),
    );
    print(`Settlements written from the spool: ${applied}\n`);
    for (const { kind, id, reason } of refused) {
      print(`The ledger refused a spooled ${kind} of ${id}, which stays in the spool: ${reason}\n`);
    }
    if (spool.waiting === 0) return;
  } finally {
    spool.close();
  }
  const message =
    'The SQLite ledger did not accept some settlements, which are still in the spool.';
  throw new GatewayError('store_unavailable', message);
}

/**
 * Settles the streams of a process that died. This must happen before the copy, because only SQLite
 * has the checkpoints of these streams.
 */
async function reapAll({ ledger }: Database): Promise<void> {
  for (let left = 1; left > 0; ) {
    const { settled, voided } = await ledger.reap();
    left = settled + voided;
  }
}

async function isSound({ ledger }: Database, print: (text: string) => void): Promise<boolean> {
  const breaches = await ledger.verify();
  for (const { invariant, subject, detail } of breaches) {
    print(`broken: ${invariant}: ${subject}: ${detail}\n`);
  }
  if (breaches.length === 0) return true;
  print('The copy breaches invariants. Run `modelgate ledger verify` on the original.\n');
  return false;
}

const MOVED = `Every row was copied, the wallets agree, and the ledger is sound.
Now set in the configuration, or as MODELGATE_DATABASE in the environment:
  database: postgres://...   the address that you gave
and start the gateway with the same data folder, which keeps images and secrets. The SQLite file \
stays and is no longer used: do not start a gateway on it again.
`;

const dryRunMade = (atMs: number): string =>
  `Every row was copied, the wallets agree, and the ledger is sound.
This is a dry run. The gateway keeps selling from SQLite. What it writes after \
${new Date(atMs).toISOString()} is not in the copy, so no gateway will start on it.
To move: stop the gateway, which finishes its running requests, and run this command again. It \
replaces the dry run with all data.
`;

function tableOf({ tables, wallets }: StoreCopy): string {
  const width = Math.max(...tables.map(({ table }) => table.length));
  const rows = tables.map(({ table, rows }) => `${table.padEnd(width)}  ${rows}\n`);
  const sums = wallets.map(
    ({ currency, balance, held }) =>
      `wallets in ${currency}: ${formatAmount(nano(balance))}, held ${formatAmount(nano(held))}\n`,
  );
  return [...rows, ...sums].join('');
}
