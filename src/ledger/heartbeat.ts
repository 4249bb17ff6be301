import type { SqlExecutor } from './database.ts';
import { unavailable } from './store-fault.ts';

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
