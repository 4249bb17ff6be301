/** Copies a SQLite installation to a PostgreSQL database, completely or not at all. */

import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { dryRunTakenAt, markDryRun } from './postgres/dry-run.ts';
import { type Asking, PostgresLink } from './postgres/postgres-link.ts';
import { integer, text } from './row.ts';
import type { SqlExecutor, SqlRow, SqlValue } from './sql.ts';

/**
 * The number of rows per INSERT: a few hundred kilobytes, and few enough for the limit of 65,535
 * parameters per statement.
 */
const PAGE_ROWS = 500;
/**
 * The number of rows per INSERT of tables with large rows, so that one INSERT has at most about 8
 * MiB. The copy needs fifteen times the size of an INSERT in memory.
 */
const LARGE_ROWS: Readonly<Record<string, number>> = {
  config_revision: 1,
  idempotency: 8,
  prompt_record: 32,
};
/** The deadline of the copy: enough for a large database over a slow network. */
const COPY_MS = 24 * 3_600_000;
/**
 * Tables that are not copied, because they describe the SQLite database and the process that uses
 * it.
 */
export const NOT_COPIED: readonly string[] = [
  'schema_migration',
  'node',
  'heartbeat',
  'checkpoint',
  // The SQLite store moves the rows of `receipt_tail` to other tables before it answers a query.
  'receipt_tail',
  // These rows describe backups of the SQLite database.
  'backup_state',
];
/**
 * Tables that only PostgreSQL has. They are not needed with SQLite, because its only process keeps
 * holds and the counters of limits in memory, and updates sums of usage together with receipts.
 */
export const MADE: readonly string[] = [
  'hold',
  'extension',
  'assignment',
  'uncounted',
  'limit_use',
];

export type Copied = { readonly table: string; readonly rows: number };
/** The sum of all wallets of a currency, in nano-units. */
export type WalletSum = {
  readonly currency: string;
  readonly balance: bigint;
  readonly held: bigint;
};
export type StoreCopy = {
  /** The copied tables, in the order of copying. */
  readonly tables: readonly Copied[];
  /**
   * The sums of all wallets by currency. They were compared, and are equal in source and target.
   */
  readonly wallets: readonly WalletSum[];
};

export type CopyOptions = {
  /** The SQLite store to copy. Nothing may write to it during the copy. */
  readonly source: SqlExecutor;
  /** The target database. It has this version's schema, and no rows except those of a dry run. */
  readonly url: Secret;
  readonly clock: Clock;
  /** In a dry run, the time of the backup that is copied; null for the final copy. */
  readonly dryRunAtMs: number | null;
};

type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in order. */
  readonly key: readonly string[];
  readonly refersTo: readonly string[];
};

/**
 * Inserts a settled hold for each copied receipt, because PostgreSQL needs the hold if the request
 * is settled again or late.
 */
const HOLDS = `INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, own,
    reserve, reserve_currency, fx_rate_id, price_rate_id, epoch, state, granted, available_after,
    created_at_ms, expires_at_ms, resolved_at_ms, reaped)
  SELECT r.request_id, r.account_id, r.key_id, r.currency, r.held, 0, r.held, 0, 0,
    CASE WHEN r.exchange_id IS NOT NULL THEN CASE r.currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END
    END, r.exchange_id, r.fx_rate_id, '', 'settled', r.held, r.available_after, r.started_at_ms,
    r.started_at_ms, r.settled_at_ms,
    CASE WHEN r.outcome = 'node_lost' AND l.request_id IS NULL THEN 1 ELSE 0 END
  FROM receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id`;

/**
 * Copies everything or nothing. The target must be empty, or contain only the copy of a dry run.
 * The source must have no `checkpoint` rows: requests of dead processes must be settled first.
 */
export async function copyToPostgres(options: CopyOptions): Promise<StoreCopy> {
  const { source, url, clock, dryRunAtMs } = options;
  const [left] = await source.query({ sql: 'SELECT COUNT(*) AS n FROM checkpoint', params: [] });
  if (left?.['n'] !== 0n)
    throw new Error(`${left?.['n']} requests of a dead process are not settled`);
  const tables = inOrder(await tablesOf(source));
  const link = new PostgresLink({ url, clock, statementMs: 0, lockMs: 0 });
  try {
    return await link.ask(COPY_MS, async (client) => {
      // Refuses a database with rows before locking tables. Gateways may be using such a database,
      // and the locks could cause a deadlock.
      if ((await dryRunTakenAt(client)) === null) await refuseRows(client, namesOf(tables));
      return await client.begin(async (begun) => {
        const copy = await copyAll(source, begun, tables);
        await markDryRun(begun, dryRunAtMs);
        return copy;
      });
    });
  } finally {
    await link.close();
  }
}

async function copyAll(
  source: SqlExecutor,
  target: Asking,
  tables: readonly Table[],
): Promise<StoreCopy> {
  const names = namesOf(tables).join(', ');
  await target.unsafe(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  if ((await dryRunTakenAt(target)) !== null) await target.unsafe(`TRUNCATE ${names}`);
  await refuseRows(target, namesOf(tables));
  // Disables the triggers: the rows that they would insert are copied from the source already.
  const triggered = await triggeredTables(target);
  for (const name of triggered) await target.unsafe(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const copied: Copied[] = [];
  for (const table of tables) {
    copied.push({ table: table.name, rows: await copyTable(source, target, table) });
  }
  for (const name of triggered) await target.unsafe(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  await target.unsafe(HOLDS);
  await continueNumbers(target);
  for (const { table, rows } of copied) await compareCount(target, table, rows);
  return { tables: copied, wallets: await sameWallets(source, target) };
}

/**
 * Returns the tables that have triggers. PostgreSQL's internal triggers of foreign keys do not
 * count.
 */
async function triggeredTables(target: Asking): Promise<string[]> {
  const rows = await target.unsafe<{ name: string }[]>(
    `SELECT DISTINCT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

const namesOf = (tables: readonly Table[]): readonly string[] => [
  ...tables.map(({ name }) => name),
  ...MADE,
];

async function refuseRows(target: Asking, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const rows = await target.unsafe(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new Error(
      `The PostgreSQL database is not empty: ${table} has rows. Nothing was copied. ` +
        'Use a new database, made with CREATE DATABASE.',
    );
  }
}

/** Copies a table in pages by its primary key, so that the table need not fit into memory. */
async function copyTable(source: SqlExecutor, target: Asking, table: Table): Promise<number> {
  const types = await typesOf(target, table);
  const key = table.key.join(', ');
  const pageRows = LARGE_ROWS[table.name] ?? PAGE_ROWS;
  let copied = 0;
  let last: readonly SqlValue[] | null = null;
  for (;;) {
    const after: string =
      last === null ? '' : `WHERE (${key}) > (${last.map((_, at) => `$${at + 1}`).join(', ')})`;
    const rows: readonly SqlRow[] = await source.query({
      sql: `SELECT ${table.columns.join(', ')} FROM ${table.name} ${after}
            ORDER BY ${key} LIMIT ${pageRows}`,
      params: last ?? [],
    });
    const end = rows.at(-1);
    if (end === undefined) return copied;
    await insertRows(target, table, types, rows);
    copied += rows.length;
    last = table.key.map((column) => end[column] ?? null);
  }
}

async function insertRows(
  target: Asking,
  { name, columns }: Table,
  types: readonly string[],
  rows: readonly SqlRow[],
): Promise<void> {
  const width = columns.length;
  const tuple = (_: SqlRow, at: number): string =>
    `(${types.map((type, column) => `$${at * width + column + 1}::${type}`).join(', ')})`;
  await target.unsafe(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${rows.map(tuple).join(', ')}`,
    rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  );
}

/** Returns the type of each column in the target, in the order of the source's columns. */
async function typesOf(target: Asking, { name, columns }: Table): Promise<string[]> {
  const rows = await target.unsafe<{ column_name: string; data_type: string }[]>(
    `SELECT column_name, data_type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1`,
    [name],
  );
  const types = new Map(rows.map((row) => [row.column_name, row.data_type]));
  if (types.size !== columns.length) throw new Error(`${name} has other columns in PostgreSQL`);
  return columns.map((column) => {
    const type = types.get(column);
    if (type === undefined) throw new Error(`${name} has no column ${column} in PostgreSQL`);
    return type;
  });
}

/**
 * Sets the sequence of each identity column to continue after the highest copied number. The
 * sequence of `money_transaction` also numbers receipts (`seq`), so it continues after the highest
 * number in both tables.
 */
export async function continueNumbers(target: Asking): Promise<void> {
  const drawn = await target.unsafe<{ table_name: string; column_name: string }[]>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { table_name: table, column_name: column } of drawn) {
    await target.unsafe(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'),
         COALESCE((SELECT MAX(${column}) FROM ${table}), 0) + 1, false)`,
    );
  }
  await target.unsafe(
    `SELECT setval('money_transaction_id_seq', GREATEST((SELECT MAX(seq) FROM charged),
       (SELECT MAX(id) FROM money_transaction), 0) + 1, false)`,
  );
}

async function compareCount(target: Asking, table: string, rows: number): Promise<void> {
  const [counted] = await target.unsafe<{ n: bigint }[]>(`SELECT COUNT(*) AS n FROM ${table}`);
  if (counted?.n === BigInt(rows)) return;
  throw new Error(
    `${table}: ${rows} rows were read but ${counted?.n} written. Nothing was copied.`,
  );
}

async function sameWallets(source: SqlExecutor, target: Asking): Promise<WalletSum[]> {
  const sql = `SELECT currency, SUM(balance) AS balance, SUM(held) AS held FROM wallet
               GROUP BY currency ORDER BY currency`;
  const sumOf = (row: SqlRow): WalletSum => ({
    currency: text(row, 'currency'),
    balance: integer(row, 'balance'),
    held: integer(row, 'held'),
  });
  const line = ({ currency, balance, held }: WalletSum): string =>
    `${currency} ${balance} held ${held}`;
  const sums = (await source.query({ sql, params: [] })).map(sumOf);
  const before = sums.map(line).join(', ');
  const after = (await target.unsafe<SqlRow[]>(sql)).map(sumOf).map(line).join(', ');
  if (before === after) return sums;
  throw new Error(
    `The sums of the wallets were ${before} before the copy, but ${after} after it. Nothing was copied.`,
  );
}

async function tablesOf(source: SqlExecutor): Promise<Table[]> {
  const ask = async (sql: string, ...params: string[]) => await source.query({ sql, params });
  const named = await ask(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
     ORDER BY name`,
  );
  const names = named.map((row) => text(row, 'name')).filter((name) => !NOT_COPIED.includes(name));
  return await Promise.all(
    names.map(async (name) => {
      const columns = await ask('SELECT name, pk FROM pragma_table_info($1) ORDER BY cid', name);
      const parents = await ask(
        'SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list($1)',
        name,
      );
      const key = columns
        .filter((row) => integer(row, 'pk') > 0n)
        .toSorted((a, b) => Number(integer(a, 'pk') - integer(b, 'pk')));
      if (key.length === 0) throw new Error(`table ${name} has no primary key`);
      return {
        name,
        columns: columns.map((row) => text(row, 'name')),
        key: key.map((row) => text(row, 'name')),
        refersTo: parents.map((row) => text(row, 'name')),
      };
    }),
  );
}

/** Sorts the tables so that each row is copied after the rows that it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const left = [...tables];
  const ordered: Table[] = [];
  while (left.length > 0) {
    const next = left.findIndex((table) =>
      table.refersTo.every(
        (parent) => parent === table.name || !left.some((t) => t.name === parent),
      ),
    );
    const [table] = left.splice(next, 1);
    if (next < 0 || table === undefined) throw new Error('tables have circular foreign keys');
    ordered.push(table);
  }
  return ordered;
}
