/** The one store of an installation, as it is opened, checked, backed up and closed. */
import type { SqlExecutor } from './sql.ts';
import { unavailable } from './store-fault.ts';

export type Store = {
  readonly sql: SqlExecutor;
  /** Writes a row and reads it back: what `/readyz` asks. */
  readonly ping: () => Promise<void>;
  /**
   * Copies the embedded store, in use, into an empty file (see `SqliteBackup.to`); null where the store is
   * a server, which has its own means.
   */
  readonly backup: ((path: string) => Promise<void>) | null;
  readonly close: () => Promise<void>;
};

/**
 * Writes a row and reads it back: whether the store can be written.
 * @throws GatewayError `store_unavailable`
 */
export async function pingStore(sql: SqlExecutor, beat: number): Promise<void> {
  const [, rows] = await sql.transaction([
    {
      sql: `INSERT INTO heartbeat (id, beat) VALUES (1, $1)
            ON CONFLICT (id) DO UPDATE SET beat = excluded.beat`,
      params: [beat],
    },
    { sql: 'SELECT beat FROM heartbeat', params: [] },
  ]);
  if (rows?.[0]?.['beat'] !== BigInt(beat)) throw unavailable('it did not read back what it wrote');
}
