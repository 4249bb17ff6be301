/** Finds settings of a PostgreSQL server that can lose an acknowledged commit. */
import type { PostgresLink } from './postgres-link.ts';

const ASK_MS = 10_000;

/**
 * Settings with which a crash loses charges or corrupts the database. The gateway only warns: some
 * hosted services have these settings although their storage loses nothing.
 */
const RISKS: Readonly<Record<string, string>> = {
  fsync:
    'PostgreSQL runs with fsync = off: a crash of its machine can lose acknowledged charges and ' +
    'credits, and corrupt the database. Set fsync = on, unless the provider guarantees that its ' +
    'storage loses nothing in a crash.',
  standby:
    'PostgreSQL has a standby but no synchronous one: a failover can lose the charges and credits of ' +
    'the last moments before it, although they were acknowledged. Set synchronous_standby_names (with ' +
    'Patroni: synchronous_mode), unless the standby is never promoted.',
  full_page_writes:
    'PostgreSQL runs with full_page_writes = off: a crash of its machine can corrupt the ' +
    'database. Set full_page_writes = on, unless its storage never writes a torn page (ZFS, or ' +
    'a hosted service that says so).',
};

/** Returns a message for the operator about each risky setting of the server. */
export async function durabilityRisks(link: PostgresLink): Promise<readonly string[]> {
  const off = await link.ask(
    ASK_MS,
    async (client) =>
      await client.unsafe<{ name: string }[]>(
        `SELECT name FROM pg_settings
         WHERE setting = 'off' AND name IN ('fsync', 'full_page_writes')
         UNION ALL
         SELECT 'standby' WHERE current_setting('synchronous_standby_names') = '' AND EXISTS (
           SELECT 1 FROM pg_stat_replication r
           WHERE COALESCE(r.application_name, '') NOT IN ('pg_basebackup', 'pg_receivewal')
             AND NOT EXISTS (SELECT 1 FROM pg_replication_slots s
               WHERE s.active_pid = r.pid AND s.slot_type = 'logical'))`,
      ),
  );
  return off.flatMap(({ name }) => RISKS[name] ?? []);
}
