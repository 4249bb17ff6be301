/**
 * The schema and its migrations, which the code calls steps. A released migration is never edited.
 * Since migration 44, the database records which versions may use it: see "Change the schema" in
 * CONTRIBUTING.md.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withColumns } from './columns.ts';
import accountsAndPrices from './sql/accounts-and-prices.sql' with { type: 'file' };
import idempotency from './sql/idempotency.sql' with { type: 'file' };
import people from './sql/people.sql' with { type: 'file' };
import arithmetic from './sql/postgres/functions/arithmetic.sql' with { type: 'file' };
import assignments from './sql/postgres/functions/assignments.sql' with { type: 'file' };
import batch from './sql/postgres/functions/batch.sql' with { type: 'file' };
import charges from './sql/postgres/functions/charges.sql' with { type: 'file' };
import holds from './sql/postgres/functions/holds.sql' with { type: 'file' };
import plain from './sql/postgres/functions/plain.sql' with { type: 'file' };
import settlements from './sql/postgres/functions/settlements.sql' with { type: 'file' };
import usage from './sql/postgres/functions/usage.sql' with { type: 'file' };
import walletCommands from './sql/postgres/functions/wallet-commands.sql' with { type: 'file' };
import postgresSchema13 from './sql/postgres/schema-13.sql' with { type: 'file' };
import postgresSchema14 from './sql/postgres/schema-14.sql' with { type: 'file' };
import postgresSchema15 from './sql/postgres/schema-15.sql' with { type: 'file' };
import postgresSchema17 from './sql/postgres/schema-17.sql' with { type: 'file' };
import postgresSchema37 from './sql/postgres/schema-37.sql' with { type: 'file' };
import postgresSchema41 from './sql/postgres/schema-41.sql' with { type: 'file' };
import postgresSchema46 from './sql/postgres/schema-46.sql' with { type: 'file' };
import postgresSchema47 from './sql/postgres/schema-47.sql' with { type: 'file' };
import postgresSchema49 from './sql/postgres/schema-49.sql' with { type: 'file' };
import postgresTables from './sql/postgres/tables.sql' with { type: 'file' };
import postgresTriggers from './sql/postgres/triggers.sql' with { type: 'file' };
import receiptsAndUsage from './sql/receipts-and-usage.sql' with { type: 'file' };
import schema11 from './sql/schema-11.sql' with { type: 'file' };
import schema12 from './sql/schema-12.sql' with { type: 'file' };
import schema13 from './sql/schema-13.sql' with { type: 'file' };
import schema18 from './sql/schema-18.sql' with { type: 'file' };
import schema19 from './sql/schema-19.sql' with { type: 'file' };
import schema20 from './sql/schema-20.sql' with { type: 'file' };
import schema21 from './sql/schema-21.sql' with { type: 'file' };
import schema22 from './sql/schema-22.sql' with { type: 'file' };
import schema23 from './sql/schema-23.sql' with { type: 'file' };
import schema24 from './sql/schema-24.sql' with { type: 'file' };
import schema25 from './sql/schema-25.sql' with { type: 'file' };
import schema26 from './sql/schema-26.sql' with { type: 'file' };
import schema27 from './sql/schema-27.sql' with { type: 'file' };
import schema28 from './sql/schema-28.sql' with { type: 'file' };
import schema29 from './sql/schema-29.sql' with { type: 'file' };
import schema30 from './sql/schema-30.sql' with { type: 'file' };
import schema31 from './sql/schema-31.sql' with { type: 'file' };
import schema32 from './sql/schema-32.sql' with { type: 'file' };
import schema33 from './sql/schema-33.sql' with { type: 'file' };
import schema34 from './sql/schema-34.sql' with { type: 'file' };
import schema35 from './sql/schema-35.sql' with { type: 'file' };
import schema36 from './sql/schema-36.sql' with { type: 'file' };
import schema37 from './sql/schema-37.sql' with { type: 'file' };
import schema38 from './sql/schema-38.sql' with { type: 'file' };
import schema39 from './sql/schema-39.sql' with { type: 'file' };
import schema40 from './sql/schema-40.sql' with { type: 'file' };
import schema41 from './sql/schema-41.sql' with { type: 'file' };
import schema42 from './sql/schema-42.sql' with { type: 'file' };
import schema43 from './sql/schema-43.sql' with { type: 'file' };
import schema44 from './sql/schema-44.sql' with { type: 'file' };
import schema45 from './sql/schema-45.sql' with { type: 'file' };
import schema48 from './sql/schema-48.sql' with { type: 'file' };
import schema49 from './sql/schema-49.sql' with { type: 'file' };
import schema51 from './sql/schema-51.sql' with { type: 'file' };
import sqliteSchema13 from './sql/sqlite/schema-13.sql' with { type: 'file' };
import sqliteSchema14 from './sql/sqlite/schema-14.sql' with { type: 'file' };
import sqliteSchema15 from './sql/sqlite/schema-15.sql' with { type: 'file' };
import sqliteSchema16 from './sql/sqlite/schema-16.sql' with { type: 'file' };
import sqliteSchema17 from './sql/sqlite/schema-17.sql' with { type: 'file' };
import sqliteSchema49 from './sql/sqlite/schema-49.sql' with { type: 'file' };
import sqliteTables from './sql/sqlite/tables.sql' with { type: 'file' };
import sqliteTriggers from './sql/sqlite/triggers.sql' with { type: 'file' };
import topUps from './sql/top-ups.sql' with { type: 'file' };
import type { SqlExecutor } from './sql.ts';

export type Migration = {
  readonly id: number;
  readonly name: string;
  /** The SQL for each engine. Its files are read with it, because few starts migrate. */
  readonly sqlite: string;
  readonly postgres: string;
  /**
   * Required from migration 44 on. Earlier migrations need no kind: a version older than migration
   * 44 cannot use a database to which any newer migration was applied.
   */
  readonly kind?: StepKind;
};

/**
 * `expand`: versions that lack the migration may use the database during and after the migration.
 * `contract`: versions that lack the migration may not use the database afterwards, so all their
 * nodes must stop before it.
 */
export type StepKind = 'expand' | 'contract';

/** From this migration on, the database records the oldest version that may use it (its floor). */
export const FIRST_WITH_FLOOR = 44;

/** The schema version of a database or a backup. */
export type SchemaState = {
  /** The number of the newest applied migration; 0 if none. */
  readonly at: number;
  /** The newest migration that a version must know in order to use the database; 0 if none. */
  readonly floor: number;
};

type StepRead = bigint | number | null;

/**
 * Returns the state of a schema from two stored values. If no floor is stored, as before migration
 * 44, only versions that know the newest migration may use the database.
 */
export const schemaState = (newest: StepRead, floor: StepRead): SchemaState => ({
  at: Number(newest ?? 0n),
  floor: Number(floor ?? newest ?? 0n),
});

/**
 * Returns the value of `schema_migration.oldest` for a migration. It is the migration's id if
 * versions that lack the migration may not use the database afterwards. It is 0 if they may,
 * because the floor (the oldest version that may use the database) then stays the same.
 */
export const floorOf = ({ id, kind }: Pick<Migration, 'id' | 'kind'>): number =>
  kind === 'expand' ? 0 : id;

/**
 * Reads SQL from a file by its import. The path is absolute, except in a bundle, where it is
 * relative to the bundle.
 */
const read = (path: string): string => readFileSync(resolve(import.meta.dirname, path), 'utf8');
const sqlOf = (...paths: readonly string[]): string => paths.map(read).join('\n');

/** Joins the schema's files. Their order matters, as foreign keys name tables of earlier files. */
const schemaOf = (tables: string, shared: (sql: string) => string): string =>
  [
    shared(read(accountsAndPrices)),
    read(tables),
    shared(sqlOf(receiptsAndUsage, topUps, idempotency, people)),
  ].join('\n');

/**
 * Converts SQL for PostgreSQL: maps types, and removes `STRICT`, `WITHOUT ROWID` and index hints.
 */
const inPostgres = (sql: string): string =>
  sql
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/\bBLOB\b/g, 'BYTEA')
    .replaceAll(/\bREAL\b/g, 'DOUBLE PRECISION')
    .replaceAll(/ INDEXED BY \w+/g, '')
    .replaceAll(/\) STRICT(?:, WITHOUT ROWID)?;/g, ');');

/** SQL that replaces all triggers and functions. A migration that adds columns must end with it. */
const ROUTINES = {
  get sqlite() {
    return withColumns(read(sqliteTriggers));
  },
  // PostgreSQL must not check the bodies of functions when a migration creates them, because the
  // bodies may name columns that later migrations add.
  get postgres() {
    return `SET LOCAL check_function_bodies = off;
    ${withColumns(
      sqlOf(postgresTriggers, arithmetic, holds, settlements, plain, walletCommands, batch),
    )}`;
  },
};

/** Like `ROUTINES`, with the functions and views that need the tables and types of migration 15. */
const ROUTINES_15 = {
  get postgres() {
    return ROUTINES.postgres + withColumns(sqlOf(usage, charges));
  },
};

/** Like `ROUTINES_15`, with the functions and triggers that need the schema of migration 17. */
const ROUTINES_17 = {
  get postgres() {
    return ROUTINES_15.postgres + withColumns(read(assignments));
  },
};

/** A migration with the same SQL for both engines, apart from the names of types. */
const shared = (id: number, name: string, path: string, kind?: StepKind): Migration => ({
  id,
  name,
  ...(kind === undefined ? {} : { kind }),
  get sqlite() {
    return read(path);
  },
  get postgres() {
    return inPostgres(read(path));
  },
});

/**
 * All migrations. Their numbers start at 10, the schema of the last development build, whose
 * databases can still be opened.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 10,
    name: 'schema',
    get sqlite() {
      return schemaOf(sqliteTables, (sql) => sql) + ROUTINES.sqlite;
    },
    get postgres() {
      return schemaOf(postgresTables, inPostgres) + ROUTINES.postgres;
    },
  },
  {
    id: 11,
    name: 'served-facts',
    get sqlite() {
      return read(schema11) + ROUTINES.sqlite;
    },
    get postgres() {
      return inPostgres(read(schema11)) + ROUTINES.postgres;
    },
  },
  shared(12, 'reconciliation', schema12),
  {
    id: 13,
    name: 'receipts-are-movements',
    get sqlite() {
      return read(sqliteSchema13) + read(schema13) + ROUTINES.sqlite;
    },
    get postgres() {
      return read(postgresSchema13) + inPostgres(read(schema13)) + ROUTINES.postgres;
    },
  },
  {
    id: 14,
    name: 'holds-in-memory',
    get sqlite() {
      return read(sqliteSchema14);
    },
    get postgres() {
      return read(postgresSchema14);
    },
  },
  {
    id: 15,
    name: 'planned-charges',
    get sqlite() {
      return read(sqliteSchema15);
    },
    get postgres() {
      return read(postgresSchema15) + ROUTINES_15.postgres;
    },
  },
  // PostgreSQL needs no table of receipts that are not booked yet, because the commit of a charge
  // books it completely.
  {
    id: 16,
    name: 'receipt-tail',
    get sqlite() {
      return read(sqliteSchema16);
    },
    postgres: '',
  },
  {
    id: 17,
    name: 'assignments',
    get sqlite() {
      return read(sqliteSchema17);
    },
    get postgres() {
      return read(postgresSchema17) + ROUTINES_17.postgres;
    },
  },
  shared(18, 'channel-figures', schema18),
  shared(19, 'config-revisions', schema19),
  shared(20, 'secrets', schema20),
  shared(21, 'refusals', schema21),
  shared(22, 'attempt-failures', schema22),
  shared(23, 'route-states', schema23),
  shared(24, 'revision-origins', schema24),
  shared(25, 'prompts', schema25),
  shared(26, 'notices', schema26),
  shared(27, 'price-lists', schema27),
  shared(28, 'mail', schema28),
  shared(29, 'identities', schema29),
  shared(30, 'route-figures', schema30),
  shared(31, 'key-scopes', schema31),
  shared(32, 'mail-preferences', schema32),
  shared(33, 'account-alerts', schema33),
  shared(34, 'account-views', schema34),
  shared(35, 'account-webhooks', schema35),
  shared(36, 'memberships', schema36),
  {
    id: 37,
    name: 'bonuses',
    get sqlite() {
      return read(schema37) + ROUTINES.sqlite;
    },
    get postgres() {
      return inPostgres(read(schema37)) + read(postgresSchema37);
    },
  },
  shared(38, 'passkeys', schema38),
  shared(39, 'webhook-secrets', schema39),
  shared(40, 'playground-keys', schema40),
  {
    id: 41,
    name: 'member-caps',
    get sqlite() {
      return read(schema41);
    },
    // The trigger of the new table cannot be in `ROUTINES_17`, because migration 17 also runs
    // `ROUTINES_17`, before the table exists.
    get postgres() {
      return inPostgres(read(schema41)) + read(postgresSchema41) + ROUTINES_17.postgres;
    },
  },
  shared(42, 'image-sums', schema42),
  shared(43, 'last-accounts', schema43),
  shared(FIRST_WITH_FLOOR, 'schema-floor', schema44, 'contract'),
  shared(45, 'moved-in', schema45, 'expand'),
  // SQLite needs no table for limits, because its only process keeps their counters in memory.
  {
    id: 46,
    name: 'limits-of-nodes',
    kind: 'expand',
    sqlite: 'SELECT 1;',
    get postgres() {
      return read(postgresSchema46);
    },
  },
  // Only PostgreSQL has an autovacuum process to configure.
  {
    id: 47,
    name: 'autovacuum',
    kind: 'expand',
    sqlite: 'SELECT 1;',
    get postgres() {
      return read(postgresSchema47);
    },
  },
  shared(48, 'backup-state', schema48, 'expand'),
  {
    id: 49,
    name: 'archives',
    kind: 'expand',
    get sqlite() {
      return read(schema49) + read(sqliteSchema49);
    },
    get postgres() {
      return inPostgres(read(schema49)) + read(postgresSchema49);
    },
  },
  // Only PostgreSQL has several nodes, which may lose their leases while they sell.
  {
    id: 50,
    name: 'late-nodes',
    kind: 'expand',
    sqlite: 'SELECT 1;',
    get postgres() {
      return withColumns(sqlOf(settlements, batch, assignments));
    },
  },
  shared(51, 'role-accounts', schema51, 'expand'),
];

/**
 * Returns the migrations that a database lacks. Returns an empty list if a newer version has
 * migrated the database and this version may still use it.
 * @throws Error with a message for the operator if this version is too old or too new for the
 *   database.
 */
export function stepsAfter<Step extends { readonly id: number }>(
  { at, floor }: SchemaState,
  steps: readonly Step[],
  place: string,
): readonly Step[] {
  const [oldest = 0, newest = 0] = [steps[0]?.id, steps.at(-1)?.id];
  if (at > newest && floor > newest) {
    const needed = floor === at ? '' : ` but must know ${floor}`;
    throw new Error(
      `The ${place} was written by a newer modelgate (schema ${at}; this one knows ${newest}` +
        `${needed}). Start that version, or restore a backup from before the update.`,
    );
  }
  if (at > 0 && at < oldest) {
    throw new Error(
      `The ${place} was written by an early development build (schema ${at}; this version needs ` +
        `${oldest} or newer). Start with a fresh ${place}, or first open this one once with the ` +
        'last build that upgrades it (commit 3f9031e).',
    );
  }
  return steps.filter(({ id }) => id > at);
}

/** Returns a message if a newer version has migrated the database; otherwise null. */
export async function newerSchema(sql: SqlExecutor): Promise<string | null> {
  const [row] = await sql.query({ sql: 'SELECT MAX(id) AS id FROM schema_migration', params: [] });
  const [at, known] = [Number(row?.['id']), MIGRATIONS.at(-1)?.id ?? 0];
  if (at <= known) return null;
  return `a newer version has updated the database to schema ${at}; this one knows ${known}, and may continue to use the database`;
}
