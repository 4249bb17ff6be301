/** The store, and this process's standing in it. */
import { join } from 'node:path';
import type { Database } from '../ledger/database.ts';
import { SettlementSpool } from '../ledger/settlement-spool.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { NodeLease } from './node-lease.ts';
import { openDatabase } from './open-database.ts';

const SPOOL_FILE = 'spool.db';

export type Books = {
  readonly database: Database;
  readonly spool: SettlementSpool;
  readonly lease: Pick<NodeLease, 'epoch'>;
  readonly close: () => Promise<void>;
};

/**
 * The store, with this process's lease on it and what waits on this machine's disk to be written.
 * @param onNodes told, every heartbeat, how many nodes run.
 */
export async function openBooks(
  { config, clock, log }: GatewayDeps,
  onNodes: (nodes: number) => void,
): Promise<Books> {
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
    // What the store does not take any more while it closes still goes to the disk.
    await database.close();
    spool.close();
  };
  return { database, spool, lease, close };
}
