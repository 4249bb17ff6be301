/**
 * Migrates the schema of a PostgreSQL database. Several nodes may start the migration at once,
 * while nodes of the previous version use the database.
 */
import postgres from 'postgres';
import type { Clock } from '../../clock.ts';
import {
  FIRST_WITH_FLOOR,
  floorOf,
  type Migration,
  type SchemaState,
  schemaState,
  stepsAfter,
} from '../migrations.ts';
import type { Asking, PostgresLink } from './postgres-link.ts';

/** Oldest supported version of PostgreSQL. Older servers lack features that the schema needs. */
export const OLDEST_SERVER = 150_000;
/**
 * The time limit for the migration. It is enough for 30 million receipts, or for waiting while
 * another node migrates.
 */
export const MIGRATE_MS = 3_600_000;
/**
 * How long a migration step waits for the lock of a table. Statements of other nodes queue behind
 * the step, so this is far below their deadlines. It is also below PostgreSQL's `deadlock_timeout`,
 * which is one second by default.
 */
const LOCK_MS = 500;
/**
 * The pause before the migration is tried again if a step did not get its lock. During the pause,
 * the nodes work normally.
 */
const RETRY_MS = 2_000;
/** SQLSTATEs of a lock that was not granted in time, and of a deadlock. */
const NO_LOCK = new Set(['55P03', '40P01']);

/** The fields of a migration step that PostgreSQL uses. */
export type PostgresStep = Pick<Migration, 'id' | 'name' | 'kind' | 'postgres'>;

/**
 * Applies all missing migration steps in one transaction and returns their names. If the process is
 * killed, no step is applied. A function of one step may name a column that a later step adds: no
 * node can call the function before the commit.
 * @param warn called with a message when the steps wait for a lock.
 * @throws Error for an old server, or from `stepsAfter`.
 */
export async function migratePostgres(
  link: PostgresLink,
  steps: readonly PostgresStep[],
  clock: Clock,
  warn: (message: string) => void = () => {},
): Promise<readonly string[]> {
  const untilMs = clock.monotonicMs() + MIGRATE_MS;
  for (let isNew = true; ; isNew = false) {
    try {
      return await applyAll(link, steps, clock);
    } catch (thrown) {
      const isLocked = thrown instanceof postgres.PostgresError && NO_LOCK.has(thrown.code);
      if (!isLocked || clock.monotonicMs() >= untilMs) throw thrown;
      if (isNew) warn('the schema update is waiting for a database lock; retrying');
      await clock.sleep(RETRY_MS);
    }
  }
}

type ServerRow = { readonly number: string; readonly version: string; readonly encoding: string };

async function applyAll(
  link: PostgresLink,
  steps: readonly PostgresStep[],
  clock: Clock,
): Promise<readonly string[]> {
  return await link.ask(
    MIGRATE_MS,
    async (client) =>
      await client.begin(async (begun) => {
        const [server] = await begun.unsafe<ServerRow[]>(
          `SELECT current_setting('server_version_num') AS number,
                  current_setting('server_version') AS version,
                  current_setting('server_encoding') AS encoding`,
        );
        refuseOlder(Number(server?.number), server?.version ?? 'unknown');
        await begun.unsafe('SELECT pg_advisory_xact_lock(1835491700, 1)');
        await begun.unsafe(`CREATE TABLE IF NOT EXISTS schema_migration (
          id BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at_ms BIGINT NOT NULL)`);
        const due = stepsAfter(await schemaOf(begun), steps, 'database');
        if (due.length === steps.length) refuseEncoding(server?.encoding ?? 'unknown');
        await begun.unsafe(`SET LOCAL lock_timeout = ${LOCK_MS}`);
        for (const step of due) {
          await begun.unsafe(step.postgres);
          await record(begun, step, clock.nowMs());
        }
        return due.map(({ name }) => name);
      }),
  );
}

async function record(begun: Asking, step: PostgresStep, nowMs: number): Promise<void> {
  const { id, name } = step;
  await begun.unsafe('INSERT INTO schema_migration (id, name, applied_at_ms) VALUES ($1, $2, $3)', [
    id,
    name,
    nowMs,
  ]);
  if (id < FIRST_WITH_FLOOR) return;
  await begun.unsafe('UPDATE schema_migration SET oldest = $1 WHERE id = $2', [floorOf(step), id]);
}

/** Returns the schema of the database, and which versions may use it. */
async function schemaOf(asked: Asking): Promise<SchemaState> {
  // Reads `oldest` through JSON, because databases before migration 44 lack this column.
  const [row] = await asked.unsafe<{ id: bigint | null; floor: bigint | null }[]>(
    `SELECT MAX(id) AS id, NULLIF(MAX((to_jsonb(m)->>'oldest')::bigint), 0) AS floor
     FROM schema_migration m`,
  );
  return schemaState(row?.id ?? null, row?.floor ?? null);
}

/**
 * @param number the server version as a number, such as 150004 for 15.4.
 * @throws Error with a message for the operator when the version is too old.
 */
export function refuseOlder(number: number, version: string): void {
  if (number >= OLDEST_SERVER) return;
  throw new Error(
    `The database is PostgreSQL ${version}; modelgate needs 15 or newer. Upgrade the server.`,
  );
}

/** The encodings of a database that store every text. SQL_ASCII stores the bytes as they come. */
const WHOLE_ENCODINGS = ['UTF8', 'SQL_ASCII'];

/** @throws Error with a message for the operator when a new database cannot store every text. */
function refuseEncoding(encoding: string): void {
  if (WHOLE_ENCODINGS.includes(encoding)) return;
  throw new Error(
    `the database has the encoding ${encoding}, which lacks most characters. ` +
      "Create it with CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  );
}
