/** Opens the embedded store: a SQLite database that one thread uses. The holds are in memory. */
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { checkAudit } from '../../store/audit.ts';
import { readsOfStore } from '../../store/report-reads.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { FrozenFile } from '../../store/sqlite/frozen-file.ts';
import { DataFolderInUse } from '../../store/sqlite/store-file.ts';
import { startThread, WorkerLink } from '../../store/sqlite/worker-link.ts';
import { pingStore } from '../../store/store.ts';
import type { Database } from '../database.ts';
import { FloatLedger } from '../float/float-ledger.ts';
import { floatingLedger } from '../float/floating-ledger.ts';
import type { Questions } from './sqlite-worker.ts';

export type SqliteOptions = {
  /** The path of the database. Its folder is created if it is missing. */
  readonly file: string;
  readonly clock: Clock;
};

/**
 * Opens and migrates the store.
 * @throws DataFolderInUse, or another Error whose message tells the operator why the database
 *   cannot be opened.
 */
export async function openSqlite({ file, clock }: SqliteOptions): Promise<Database> {
  const link: WorkerLink<Questions> = new WorkerLink<Questions>(
    startThread('./sqlite-worker', import.meta),
    (accountIds) => float.touched(accountIds),
  );
  const float = new FloatLedger({ link, clock });
  try {
    await link.ask('open', { path: file, nowMs: clock.nowMs() });
  } catch (thrown) {
    link.terminate();
    if (thrown instanceof GatewayError && thrown.code === 'conflict') {
      throw new DataFolderInUse(thrown.message, { cause: thrown });
    }
    // Throws the thread's own error, whose message is meant for the operator.
    throw thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  }
  const sql: SqlExecutor = {
    query: (statement) => link.ask('query', statement),
    transaction: async (statements, audit) => {
      if (audit !== undefined) checkAudit(audit);
      return await link.ask('transaction', { statements, audit: audit ?? null });
    },
  };
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await float.close();
    await link.ask('close', null);
    await link.terminate();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  const frozen = new FrozenFile({
    file,
    clock,
    freeze: () => link.ask('freeze', null),
    thaw: () => link.ask('thaw', null),
  });
  return {
    ledger: {
      ...(await floatingLedger({ float, link, sql, frozen, clock })),
      [Symbol.asyncDispose]: closeOnce,
    },
    sql,
    reports: readsOfStore(sql),
    prompt: null,
    ping: () => pingStore(sql, clock.nowMs()),
    engine: 'sqlite',
    // While this process has the store open, no other process can open it.
    isLive: () => true,
    nowMs: clock.nowMs,
    backup: (path) => frozen.copyTo(path),
    close: closeOnce,
  };
}
