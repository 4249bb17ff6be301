/** `migrate`: brings the schema of the books up to date; with `--to`, moves them from SQLite to PostgreSQL. */
import type { Clock } from '../clock.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { type Copied, copyBooks } from '../ledger/copy-books.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgres } from '../ledger/postgres.ts';
import { databaseFile, openDatabase } from './open-database.ts';

type Migrate = {
  readonly configPath: string | null;
  /** The address of the PostgreSQL database to move to; null: stay where the books are. */
  readonly to: string | null;
};

/** @throws Error for the operator; nothing has been moved then. */
export async function migrate(
  { configPath, to }: Migrate,
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  const config = loadConfig({ path: configPath });
  if (to !== null) return await move(config, addressOf(to), clock, print);
  const database = await openDatabase(config, clock);
  await database.close();
  const where = config.database === 'sqlite' ? databaseFile(config) : 'The PostgreSQL database';
  print(`${where} is up to date.\n`);
  return 0;
}

/** @throws GatewayError `invalid_value` */
function addressOf(to: string): Secret {
  if (/^postgres(?:ql)?:\/\/./.test(to) && URL.canParse(to)) return new Secret(to);
  const message = '--to must be an address such as postgres://user:password@host/database.';
  throw new GatewayError('invalid_value', message, { param: 'to' });
}

/**
 * The file is this process's alone meanwhile: a gateway that runs on it is told of by its process id, and
 * must be stopped first, so that nothing is sold that the copy would not have.
 */
async function move(
  config: Config,
  url: Secret,
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  if (config.database !== 'sqlite') {
    throw new Error('The books are in PostgreSQL already; --to moves them out of SQLite.');
  }
  const source = await openDatabase(config, clock);
  try {
    const target = await openPostgres({ url, clock });
    try {
      return await moveInto(source, target, url, clock, print);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function moveInto(
  source: Database,
  target: Database,
  url: Secret,
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  const copied = await copyBooks(source.sql, url, clock);
  print(tableOf(copied));
  const breaches = await target.ledger.verify();
  for (const { invariant, subject, detail } of breaches) {
    print(`broken: ${invariant}: ${subject}: ${detail}\n`);
  }
  if (breaches.length > 0) {
    print(
      'The copy breaks the laws of the books: run `modelgate ledger verify` on the original.\n',
    );
    return 1;
  }
  print(
    'Every row was copied, the wallets agree, and the books are sound.\n' +
      'Now set in the configuration (or as MODELGATE_DATABASE in the environment):\n' +
      '  database: postgres://...   the address that you gave\n' +
      'and start the gateway with the same data folder, which keeps images and secrets. ' +
      'The SQLite file was left as it is; it is not written to any more.\n',
  );
  return 0;
}

function tableOf(copied: readonly Copied[]): string {
  const width = Math.max(...copied.map(({ table }) => table.length));
  return copied.map(({ table, rows }) => `${table.padEnd(width)}  ${rows}\n`).join('');
}
