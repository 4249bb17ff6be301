/** Updates the schema of a PostgreSQL database, even if several nodes try this at once. */
import type { Clock } from '../../clock.ts';
import { type Migration, stepsAfter } from '../migrations.ts';
import type { PostgresLink } from './postgres-link.ts';

/** The oldest supported server. Older servers lack features that the schema needs. */
export const OLDEST_SERVER = 150_000;
/** The time limit of migrating 30 million receipts, or of waiting while another node does. */
export const MIGRATE_MS = 3_600_000;

/** The fields of a step that PostgreSQL uses. */
export type PostgresStep = Pick<Migration, 'id' | 'name' | 'postgres'>;

/** Applies the missing steps under a lock. @throws Error for an old server or from `stepsAfter`. */
export async function migratePostgres(
  link: PostgresLink,
  steps: readonly PostgresStep[],
  clock: Clock,
): Promise<readonly string[]> {
  return await link.ask(
    MIGRATE_MS,
    async (client) =>
      await client.begin(async (begun) => {
        const [server] = await begun.unsafe<{ number: string; version: string }[]>(
          `SELECT current_setting('server_version_num') AS number,
                  current_setting('server_version') AS version`,
        );
        refuseOlder(Number(server?.number), server?.version ?? 'unknown');
        await begun.unsafe('SELECT pg_advisory_xact_lock(1835491700, 1)');
        await begun.unsafe(`CREATE TABLE IF NOT EXISTS schema_migration (
          id BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at_ms BIGINT NOT NULL)`);
        const [newest] = await begun.unsafe<{ id: bigint | null }[]>(
          'SELECT MAX(id) AS id FROM schema_migration',
        );
        const due = stepsAfter(Number(newest?.id ?? 0n), steps, 'database');
        for (const { id, name, postgres } of due) {
          await begun.unsafe(postgres);
          await begun.unsafe('INSERT INTO schema_migration VALUES ($1, $2, $3)', [
            id,
            name,
            clock.nowMs(),
          ]);
        }
        return due.map(({ name }) => name);
      }),
  );
}

/** @throws Error for the operator when a `server_version_num` (150004 is 15.4) is too old. */
export function refuseOlder(number: number, version: string): void {
  if (number >= OLDEST_SERVER) return;
  throw new Error(
    `The database is PostgreSQL ${version}; modelgate needs 15 or newer. Upgrade the server.`,
  );
}
