/** The store of an installation: its SQL, health check, backup and shutdown. */
import type { ReportReads } from './report-reads.ts';
import { type SqlExecutor, statement } from './sql.ts';
import { unavailable } from './store-fault.ts';

export type Store = {
  readonly sql: SqlExecutor;
  /** Reads for reports over many rows. The data may be some seconds old. */
  readonly reports: ReportReads;
  /**
   * Runs SQL over separate connections, so that slow reports cannot delay it. Null with SQLite,
   * which has no such connections.
   */
  readonly prompt: SqlExecutor | null;
  /** Checks for `/readyz` that the store is writable. */
  readonly ping: () => Promise<void>;
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Copies the store, while it is in use, to an empty file. With SQLite, the copy is a database;
   * with PostgreSQL, it has the format of `postgres-copy.ts`.
   */
  readonly backup: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Writes a row and reads it back. @throws GatewayError `store_unavailable` */
export async function pingStore(sql: SqlExecutor, beat: number): Promise<void> {
  const [, rows] = await sql.transaction([
    statement`INSERT INTO heartbeat (id, beat) VALUES (1, ${beat}) ON CONFLICT (id) DO UPDATE
      SET beat = excluded.beat`,
    statement`SELECT beat FROM heartbeat`,
  ]);
  if (rows?.[0]?.['beat'] !== BigInt(beat))
    throw unavailable('the value read back differs from the value written');
}
