/**
 * The schema and its migrations, which the code calls steps. A released migration is never edited.
 * Since migration 44, the database records which versions may use it: see "Change the schema" in
 * CONTRIBUTING.md.
 */
import { withColumns } from './columns.ts';
import accountsAndPrices from './sql/accounts-and-prices.sql' with { type: 'text' };
import idempotency from './sql/idempotency.sql' with { type: 'text' };
import people from './sql/people.sql' with { type: 'text' };
import arithmetic from './sql/postgres/functions/arithmetic.sql' with { type: 'text' };
import assignments from './sql/postgres/functions/assignments.sql' with { type: 'text' };
import batch from './sql/postgres/functions/batch.sql' with { type: 'text' };
import charges from './sql/postgres/functions/charges.sql' with { type: 'text' };
import holds from './sql/postgres/functions/holds.sql' with { type: 'text' };
import plain from './sql/postgres/functions/plain.sql' with { type: 'text' };
import settlements from './sql/postgres/functions/settlements.sql' with { type: 'text' };
import usage from './sql/postgres/functions/usage.sql' with { type: 'text' };
import walletCommands from './sql/postgres/functions/wallet-commands.sql' with { type: 'text' };
import postgresSchema13 from './sql/postgres/schema-13.sql' with { type: 'text' };
import postgresSchema14 from './sql/postgres/schema-14.sql' with { type: 'text' };
import postgresSchema15 from './sql/postgres/schema-15.sql' with { type: 'text' };
import postgresSchema17 from './sql/postgres/schema-17.sql' with { type: 'text' };
import postgresSchema37 from './sql/postgres/schema-37.sql' with { type: 'text' };
import postgresSchema41 from './sql/postgres/schema-41.sql' with { type: 'text' };
import postgresSchema46 from './sql/postgres/schema-46.sql' with { type: 'text' };
import postgresSchema47 from './sql/postgres/schema-47.sql' with { type: 'text' };
import postgresSchema49 from './sql/postgres/schema-49.sql' with { type: 'text' };
import postgresTables from './sql/postgres/tables.sql' with { type: 'text' };
import postgresTriggers from './sql/postgres/triggers.sql' with { type: 'text' };
import receiptsAndUsage from './sql/receipts-and-usage.sql' with { type: 'text' };
import schema11 from './sql/schema-11.sql' with { type: 'text' };
import schema12 from './sql/schema-12.sql' with { type: 'text' };
import schema13 from './sql/schema-13.sql' with { type: 'text' };
import schema18 from './sql/schema-18.sql' with { type: 'text' };
import schema19 from './sql/schema-19.sql' with { type: 'text' };
import schema20 from './sql/schema-20.sql' with { type: 'text' };
import schema21 from './sql/schema-21.sql' with { type: 'text' };
import schema22 from './sql/schema-22.sql' with { type: 'text' };
import schema23 from './sql/schema-23.sql' with { type: 'text' };
import schema24 from './sql/schema-24.sql' with { type: 'text' };
import schema25 from './sql/schema-25.sql' with { type: 'text' };
import schema26 from './sql/schema-26.sql' with { type: 'text' };
import schema27 from './sql/schema-27.sql' with { type: 'text' };
import schema28 from './sql/schema-28.sql' with { type: 'text' };
import schema29 from './sql/schema-29.sql' with { type: 'text' };
import schema30 from './sql/schema-30.sql' with { type: 'text' };
import schema31 from './sql/schema-31.sql' with { type: 'text' };
import schema32 from './sql/schema-32.sql' with { type: 'text' };
import schema33 from './sql/schema-33.sql' with { type: 'text' };
import schema34 from './sql/schema-34.sql' with { type: 'text' };
import schema35 from './sql/schema-35.sql' with { type: 'text' };
import schema36 from './sql/schema-36.sql' with { type: 'text' };
import schema37 from './sql/schema-37.sql' with { type: 'text' };
import schema38 from './sql/schema-38.sql' with { type: 'text' };
import schema39 from './sql/schema-39.sql' with { type: 'text' };
import schema40 from './sql/schema-40.sql' with { type: 'text' };
import schema41 from './sql/schema-41.sql' with { type: 'text' };
import schema42 from './sql/schema-42.sql' with { type: 'text' };
import schema43 from './sql/schema-43.sql' with { type: 'text' };
import schema44 from './sql/schema-44.sql' with { type: 'text' };
import schema45 from './sql/schema-45.sql' with { type: 'text' };
import schema48 from './sql/schema-48.sql' with { type: 'text' };
import schema49 from './sql/schema-49.sql' with { type: 'text' };
import sqliteSchema13 from './sql/sqlite/schema-13.sql' with { type: 'text' };
import sqliteSchema14 from './sql/sqlite/schema-14.sql' with { type: 'text' };
import sqliteSchema15 from './sql/sqlite/schema-15.sql' with { type: 'text' };
import sqliteSchema16 from './sql/sqlite/schema-16.sql' with { type: 'text' };
import sqliteSchema17 from './sql/sqlite/schema-17.sql' with { type: 'text' };
import sqliteSchema49 from './sql/sqlite/schema-49.sql' with { type: 'text' };
import sqliteTables from './sql/sqlite/tables.sql' with { type: 'text' };
import sqliteTriggers from './sql/sqlite/triggers.sql' with { type: 'text' };
import topUps from './sql/top-ups.sql' with { type: 'text' };
import type { SqlExecutor } from './sql.ts';

export type Migration = {
  readonly id: number;
  readonly name: string;
  /** The SQL of the migration for each engine. */
  readonly sqlite: string;
  readonly postgres: string;
  /**
   * Required from migration 44 on. Earlier migrations need no kind, because a version older than
   * migration 44 cannot use a database to which a later migration was applied.
   */
  readonly kind?: StepKind;
};

/**
 * `expand`: versions that do not know the migration may use the database during and after it.
 * `contract`: such versions must not use the database afterwards, so all their nodes must stop
 * before the migration.
 */
export type StepKind = 'expand' | 'contract';

/** The first migration that records which is the oldest version that may use the database. */
export const FIRST_WITH_FLOOR = 44;

/** The schema version of a database or a backup. */
export type SchemaState = {
  /** The number of the newest applied migration; 0 if none. */
  readonly at: number;
  /** The newest migration that a version must know in order to use the database; 0 if none. */
  readonly floor: number;
};

type StepRead = bigint | number | null;

/** Returns the schema state. Without a recorded floor, the newest migration is the floor. */
export const schemaState = (newest: StepRead, floor: StepRead): SchemaState => ({
  at: Number(newest ?? 0n),
  floor: Number(floor ?? newest ?? 0n),
});

/** Returns the `oldest` value that `schema_migration` stores for a migration; 0 keeps the floor. */
export const floorOf = ({ id, kind }: Pick<Migration, 'id' | 'kind'>): number =>
  kind === 'expand' ? 0 : id;

/** Joins the schema's files. Their order matters, as foreign keys name tables of earlier files. */
const schemaOf = (tables: string, shared: (sql: string) => string): string =>
  [
    shared(accountsAndPrices),
    tables,
    ...[receiptsAndUsage, topUps, idempotency, people].map(shared),
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
  sqlite: withColumns(sqliteTriggers),
  // PostgreSQL must not check the bodies of functions when a migration creates them, because the
  // bodies may name columns that later migrations add.
  postgres: `SET LOCAL check_function_bodies = off;
    ${withColumns(
      [postgresTriggers, arithmetic, holds, settlements, plain, walletCommands, batch].join('\n'),
    )}`,
};

/** Like `ROUTINES`, with the functions and views that need the tables and types of migration 15. */
const ROUTINES_15 = {
  ...ROUTINES,
  postgres: ROUTINES.postgres + withColumns([usage, charges].join('\n')),
};

/** Like `ROUTINES_15`, with the functions and triggers that need the schema of migration 17. */
const ROUTINES_17 = { ...ROUTINES_15, postgres: ROUTINES_15.postgres + withColumns(assignments) };

/**
 * All migrations. Their numbers start at 10, the schema of the last development build, whose
 * databases can still be opened.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 10,
    name: 'schema',
    sqlite: schemaOf(sqliteTables, (sql) => sql) + ROUTINES.sqlite,
    postgres: schemaOf(postgresTables, inPostgres) + ROUTINES.postgres,
  },
  {
    id: 11,
    name: 'served-facts',
    sqlite: schema11 + ROUTINES.sqlite,
    postgres: inPostgres(schema11) + ROUTINES.postgres,
  },
  { id: 12, name: 'reconciliation', sqlite: schema12, postgres: inPostgres(schema12) },
  {
    id: 13,
    name: 'receipts-are-movements',
    sqlite: sqliteSchema13 + schema13 + ROUTINES.sqlite,
    postgres: postgresSchema13 + inPostgres(schema13) + ROUTINES.postgres,
  },
  { id: 14, name: 'holds-in-memory', sqlite: sqliteSchema14, postgres: postgresSchema14 },
  {
    id: 15,
    name: 'planned-charges',
    sqlite: sqliteSchema15,
    postgres: postgresSchema15 + ROUTINES_15.postgres,
  },
  // PostgreSQL needs no table of receipts that are not booked yet, because the commit of a charge
  // books it completely.
  { id: 16, name: 'receipt-tail', sqlite: sqliteSchema16, postgres: '' },
  {
    id: 17,
    name: 'assignments',
    sqlite: sqliteSchema17,
    postgres: postgresSchema17 + ROUTINES_17.postgres,
  },
  { id: 18, name: 'channel-figures', sqlite: schema18, postgres: inPostgres(schema18) },
  { id: 19, name: 'config-revisions', sqlite: schema19, postgres: inPostgres(schema19) },
  { id: 20, name: 'secrets', sqlite: schema20, postgres: inPostgres(schema20) },
  { id: 21, name: 'refusals', sqlite: schema21, postgres: inPostgres(schema21) },
  { id: 22, name: 'attempt-failures', sqlite: schema22, postgres: inPostgres(schema22) },
  { id: 23, name: 'route-states', sqlite: schema23, postgres: inPostgres(schema23) },
  { id: 24, name: 'revision-origins', sqlite: schema24, postgres: inPostgres(schema24) },
  { id: 25, name: 'prompts', sqlite: schema25, postgres: inPostgres(schema25) },
  { id: 26, name: 'notices', sqlite: schema26, postgres: inPostgres(schema26) },
  { id: 27, name: 'price-lists', sqlite: schema27, postgres: inPostgres(schema27) },
  { id: 28, name: 'mail', sqlite: schema28, postgres: inPostgres(schema28) },
  { id: 29, name: 'identities', sqlite: schema29, postgres: inPostgres(schema29) },
  { id: 30, name: 'route-figures', sqlite: schema30, postgres: inPostgres(schema30) },
  { id: 31, name: 'key-scopes', sqlite: schema31, postgres: inPostgres(schema31) },
  { id: 32, name: 'mail-preferences', sqlite: schema32, postgres: inPostgres(schema32) },
  { id: 33, name: 'account-alerts', sqlite: schema33, postgres: inPostgres(schema33) },
  { id: 34, name: 'account-views', sqlite: schema34, postgres: inPostgres(schema34) },
  { id: 35, name: 'account-webhooks', sqlite: schema35, postgres: inPostgres(schema35) },
  { id: 36, name: 'memberships', sqlite: schema36, postgres: inPostgres(schema36) },
  {
    id: 37,
    name: 'bonuses',
    sqlite: schema37 + ROUTINES.sqlite,
    postgres: inPostgres(schema37) + postgresSchema37,
  },
  { id: 38, name: 'passkeys', sqlite: schema38, postgres: inPostgres(schema38) },
  { id: 39, name: 'webhook-secrets', sqlite: schema39, postgres: inPostgres(schema39) },
  { id: 40, name: 'playground-keys', sqlite: schema40, postgres: inPostgres(schema40) },
  {
    id: 41,
    name: 'member-caps',
    sqlite: schema41,
    // The trigger of the new table cannot be in `ROUTINES_17`, because migration 17 also runs
    // `ROUTINES_17`, before the table exists.
    postgres: inPostgres(schema41) + postgresSchema41 + ROUTINES_17.postgres,
  },
  { id: 42, name: 'image-sums', sqlite: schema42, postgres: inPostgres(schema42) },
  { id: 43, name: 'last-accounts', sqlite: schema43, postgres: inPostgres(schema43) },
  {
    id: FIRST_WITH_FLOOR,
    name: 'schema-floor',
    kind: 'contract',
    sqlite: schema44,
    postgres: inPostgres(schema44),
  },
  {
    id: 45,
    name: 'moved-in',
    kind: 'expand',
    sqlite: schema45,
    postgres: inPostgres(schema45),
  },
  // SQLite needs no table for this, because its only process counts the use of limits in memory.
  {
    id: 46,
    name: 'limits-of-nodes',
    kind: 'expand',
    sqlite: 'SELECT 1;',
    postgres: postgresSchema46,
  },
  // Only PostgreSQL has an autovacuum process to configure.
  { id: 47, name: 'autovacuum', kind: 'expand', sqlite: 'SELECT 1;', postgres: postgresSchema47 },
  {
    id: 48,
    name: 'backup-state',
    kind: 'expand',
    sqlite: schema48,
    postgres: inPostgres(schema48),
  },
  {
    id: 49,
    name: 'archives',
    kind: 'expand',
    sqlite: schema49 + sqliteSchema49,
    postgres: inPostgres(schema49) + postgresSchema49,
  },
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
