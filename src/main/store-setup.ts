/** Opens the store that the configuration names, and takes this process's lease on it. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../ledger/database.ts';
import { NodeLease } from '../ledger/node-lease.ts';
import { openPostgres } from '../ledger/postgres/open-postgres.ts';
import { SettlementSpool } from '../ledger/settlement-spool.ts';
import { openSqlite } from '../ledger/sqlite/open-sqlite.ts';
import type { GatewayDeps } from './gateway-deps.ts';

const DATABASE_FILE = 'modelgate.db';
const SPOOL_FILE = 'spool.db';

export type Store = {
  readonly database: Database;
  readonly spool: SettlementSpool;
  readonly lease: Pick<NodeLease, 'epoch'>;
  readonly close: () => Promise<void>;
};

/** @param onNodes called at every heartbeat with the number of running nodes. */
export async function setUpStore(
  { config, clock, log }: GatewayDeps,
  onNodes: (nodes: number) => void,
): Promise<Store> {
  const database = await openDatabase(config, clock, (message) => log.warn(message));
  const spool = new SettlementSpool(join(config.data_dir, SPOOL_FILE));
  const lease = await NodeLease.take({
    ledger: database.ledger,
    spool,
    clock,
    log,
    name: config.node_name,
    onNodes,
  });
  const close = async (): Promise<void> => {
    await lease.stop();
    // The spool closes last, because it saves settlements that the closing store refuses.
    await database.close();
    spool.close();
  };
  return { database, spool, lease, close };
}

export const databaseFile = ({ data_dir }: Pick<Config, 'data_dir'>): string =>
  join(data_dir, DATABASE_FILE);

/** Calls `warn` if the server may lose acknowledged writes. @throws Error for the operator. */
export async function openDatabase(
  config: Pick<Config, 'database' | 'data_dir'>,
  clock: Clock,
  warn: (message: string) => void,
): Promise<Database> {
  if (config.database === 'sqlite') return await openSqlite({ file: databaseFile(config), clock });
  return await openPostgres({ url: config.database, clock, warn });
}
