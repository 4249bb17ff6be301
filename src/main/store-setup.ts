/** Opens the configured store, and acquires this process's lease in it. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { mayCharge } from '../idempotency/late-charges.ts';
import type { Database } from '../ledger/database.ts';
import { NodeLease } from '../ledger/node-lease.ts';
import type { PostgresOptions } from '../ledger/postgres/open-postgres.ts';
import type { ResolvedHolds } from '../ledger/postgres/resolved-holds.ts';
import { type Comparison, PriceAgreement } from '../ledger/price-agreement.ts';
import { SettlementSpool } from '../ledger/settlement-spool.ts';
import { openSqlite } from '../ledger/sqlite/open-sqlite.ts';
import { requireSameInstallation, requireSqliteFolder } from '../store/installation.ts';
import { newerSchema } from '../store/migrations.ts';
import { UnansweredRecalls } from '../telemetry/unanswered-recalls.ts';
import type { GatewayDeps } from './gateway-deps.ts';

const DATABASE_FILE = 'modelgate.db';
const SPOOL_FILE = 'spool.db';

export type Store = {
  readonly database: Database;
  readonly spool: SettlementSpool;
  readonly lease: Pick<NodeLease, 'epoch' | 'emptied'>;
  readonly prices: PriceAgreement;
  readonly unansweredRecalls: Pick<UnansweredRecalls, 'count'>;
  /** Adds a listener that is called at every heartbeat with the number of running nodes. */
  readonly onNodes: (listener: (nodes: number) => void) => void;
  /** Starts a timer that deletes the rows of holds that were resolved more than `keptMs` ago. */
  readonly forgetHolds: (keptMs: () => number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function setUpStore({ config, clock, log }: GatewayDeps): Promise<Store> {
  const listeners: ((nodes: number) => void)[] = [];
  const unansweredRecalls = new UnansweredRecalls({ log, clock });
  if (config.database === 'sqlite') requireSqliteFolder(config.data_dir);
  const database = await openDatabase(config, clock, {
    warn: (message) => log.warn(message),
    onFault: (accountId, err) =>
      log.error(
        { account: accountId, err },
        'the database refuses holds of this account; the account is charged without a hold, or its charges wait on disk',
      ),
    onUnanswered: unansweredRecalls.add,
  });
  await checkInstallation(database, config);
  const newer = await newerSchema(database.sql);
  if (newer !== null) log.info(newer);
  const spool = openSpool(config);
  reserve(spool, log);
  const lease: NodeLease = await NodeLease.take({
    ledger: database.ledger,
    spool,
    mayCharge: (claimId, atMs) => mayCharge({ sql: database.sql, clock }, claimId, atMs),
    clock,
    log,
    name: config.node_name,
    onNodes: (nodes) => {
      for (const listener of listeners) listener(nodes);
      prices
        .check()
        .catch((err) => log.warn({ err }, 'comparing prices with other nodes failed; retrying'));
    },
  });
  const prices = new PriceAgreement({
    sql: database.sql,
    clock,
    epoch: () => lease.epoch,
    onChange: (comparison) => logComparison(log, comparison),
  });
  let oldHolds: Pick<ResolvedHolds, 'stop'> | null = null;
  const forgetHolds = async (keptMs: () => number): Promise<void> => {
    // With SQLite, holds have no rows, because the process keeps them in memory.
    if (database.engine === 'sqlite') return;
    const { ResolvedHolds } = await import('../ledger/postgres/resolved-holds.ts');
    const onFailure = (err: unknown): void =>
      log.warn({ err }, 'could not delete old holds; retrying every hour');
    const { sql } = database;
    oldHolds = new ResolvedHolds({ sql, clock, keptMs, epoch: () => lease.epoch, onFailure });
  };
  const close = async (): Promise<void> => {
    await oldHolds?.stop();
    await lease.stop();
    // Closes the spool last, because this local file stores the settlements that a closing store
    // refuses.
    await database.close();
    spool.close();
  };
  const onNodes: Store['onNodes'] = (listener) => void listeners.push(listener);
  return { database, spool, lease, prices, unansweredRecalls, onNodes, forgetHolds, close };
}

/**
 * Checks that a PostgreSQL database belongs to the data folder.
 * @throws Error with a message for the operator if it does not.
 */
export async function checkInstallation(
  { engine, sql }: Pick<Database, 'engine' | 'sql'>,
  { data_dir }: Pick<Config, 'data_dir'>,
): Promise<void> {
  if (engine === 'postgres') await requireSameInstallation(sql, data_dir);
}

function logComparison(log: GatewayDeps['log'], { isRefusing, others }: Comparison): void {
  const remedy = 'compare `models` and `fx` of the configurations';
  if (isRefusing) {
    log.error(
      { others },
      `the other nodes have different prices, so this node refuses requests; ${remedy}`,
    );
  } else if (others.length > 0) {
    log.error({ others }, `these nodes have different prices and refuse requests; ${remedy}`);
  } else log.info('all nodes have the same prices');
}

/**
 * Reserves disk space for the spool, the local file for settlements that the store does not accept.
 * Only logs a failure, because the gateway must start anyway: by sending the spooled settlements,
 * it may free the missing space.
 */
function reserve(spool: SettlementSpool, log: GatewayDeps['log']): void {
  try {
    spool.reserve();
  } catch (thrown) {
    log.error(
      { err: thrown },
      'could not reserve disk space for settlements; free some disk space and restart the gateway',
    );
  }
}

export const databaseFile = ({ data_dir }: Pick<Config, 'data_dir'>): string =>
  join(data_dir, DATABASE_FILE);

export const openSpool = ({ data_dir }: Pick<Config, 'data_dir'>): SettlementSpool =>
  new SettlementSpool(join(data_dir, SPOOL_FILE));

/** Opens the configured database. @throws Error with a message for the operator. */
export async function openDatabase(
  config: Pick<Config, 'database' | 'database_direct' | 'database_replica' | 'data_dir'>,
  clock: Clock,
  watch: Pick<PostgresOptions, 'warn' | 'onFault' | 'onUnanswered'> = {},
): Promise<Database> {
  if (config.database === 'sqlite') return await openSqlite({ file: databaseFile(config), clock });
  // Loaded on demand: a gateway with SQLite does not need the memory of the PostgreSQL client.
  const { openPostgres } = await import('../ledger/postgres/open-postgres.ts');
  const { database: url, database_direct: direct, database_replica: replica } = config;
  return await openPostgres({ url, direct, replica, clock, ...watch });
}
