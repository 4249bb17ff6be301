/**
 * Opens the data of another gateway read-only: a SQLite file, a MySQL dump or a PostgreSQL
 * database.
 */
import { Database } from 'bun:sqlite';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import postgres from 'postgres';
import { postgresServers } from '../../config/address.ts';
import {
  type SourceRow,
  type SourceTable,
  type SourceTables,
  UnknownSource,
} from '../../movein/source-tables.ts';
import { CliError } from '../cli-error.ts';
import { isMysqlDump, tablesInDump } from './mysql-dump.ts';

/** The maximum number of rows of a table. All rows are in memory at the same time. */
const MAX_ROWS = 1_000_000;
/** The maximum size of a dump in bytes. The whole dump is in memory as one string. */
const MAX_DUMP_BYTES = 256 * 1024 * 1024;
const HEAD_BYTES = 256;
const SQLITE_MARK = 'SQLite format 3\u0000';
const CONNECT_TIMEOUT_SECONDS = 10;
/**
 * Matches table names that need no quoting in a query. The names come from this program, never from
 * the other gateway.
 */
const NAME = /^[A-Za-z_]+$/;

type SourceSql = postgres.TransactionSql<{ bigint: bigint }>;

export type TableNames = { readonly read: readonly string[]; readonly counted: readonly string[] };

/**
 * Reads the tables in `names` that exist, in one snapshot. For a table that is only counted,
 * returns a single row whose column `count` is the table's number of rows.
 * @param from the path of a SQLite file or a dump, or `postgres://USER:PASSWORD@HOST/NAME`.
 * @throws CliError if the source does not exist or cannot be read.
 */
export async function sourceTables(from: string, names: TableNames): Promise<SourceTables> {
  if (/^postgres(?:ql)?:\/\//.test(from)) return await fromPostgres(from, names);
  if (/^mysql:\/\//.test(from) || from.includes('@tcp('))
    throw new CliError(
      'usage',
      'MySQL is read from a dump. Write one with `mysqldump --single-transaction --ignore-table=DATABASE.logs DATABASE > dump.sql`, and name that file with --from.',
    );
  const head = headOf(from);
  if (head.startsWith(SQLITE_MARK)) return fromSqlite(from, names);
  if (isMysqlDump(head)) return fromDump(from, names);
  throw new CliError(
    'failed',
    `The file ${from} is neither a SQLite database nor a mysqldump file. With --from, name one of these, or the PostgreSQL URL of the source.`,
  );
}

/** Returns the first bytes of a file, from which its format can be detected. */
function headOf(path: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return head.toString('latin1', 0, readSync(file, head, 0, head.length, 0));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new CliError('failed', `The file ${path} cannot be read.`, { cause });
  }
}

function fromDump(path: string, names: TableNames): SourceTables {
  try {
    if (statSync(path).size > MAX_DUMP_BYTES)
      throw new Error(`it has more than ${MAX_DUMP_BYTES} bytes; leave out the table logs`);
    const tables = tablesInDump(readFileSync(path, 'utf8'), names);
    return new Map(
      [...tables].map(([table, it]) => [table, checkedRows(table, it.columns, it.rows)]),
    );
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw unreadable(`The dump ${path}`, cause);
  }
}

function fromSqlite(path: string, names: TableNames): SourceTables {
  try {
    const database = new Database(path, { readonly: true, safeIntegers: true });
    try {
      return database.transaction(() => {
        const found = database
          .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
          .all()
          .map(({ name }) => name);
        return tablesOf(names, found, (sql) => {
          const query = database.query<SourceRow, []>(sql);
          return { columns: query.columnNames, rows: query.all() };
        });
      })();
    } finally {
      database.close();
    }
  } catch (cause) {
    throw unreadable(`The SQLite database ${path}`, cause);
  }
}

const fromPostgres = async (url: string, names: TableNames): Promise<SourceTables> =>
  await inPostgres(url, async (sql) => {
    const found = await sql<{ name: string }[]>`SELECT table_name AS name
      FROM information_schema.tables WHERE table_schema = current_schema()`;
    const tables = new Map<string, SourceTable>();
    for (const [table, text] of statementsOf(
      names,
      found.map(({ name }) => name),
    )) {
      const rows = await sql.unsafe<SourceRow[]>(text);
      const columns = rows.columns.map(({ name }) => name);
      tables.set(table, checkedRows(table, columns, [...rows]));
    }
    return tables;
  });

/** Refuses an invalid database URL, and a URL with several servers. @throws CliError */
export function requireReadable(url: string): void {
  if (postgresServers(url)?.length === 1) return;
  throw new CliError(
    'usage',
    'The address of the source cannot be read. Write postgres://USER:PASSWORD@HOST/NAME with one ' +
      'host. In the password, write special characters as %XX, such as %25 for %.',
  );
}

/**
 * Runs queries in one read-only snapshot of a PostgreSQL database.
 * @throws CliError if the database cannot be read.
 */
export async function inPostgres<Result>(
  url: string,
  read: (sql: SourceSql) => Promise<Result>,
): Promise<Result> {
  requireReadable(url);
  const shown = url.replace(/\/\/[^@]*@/, '//***@');
  const client = postgres(url, {
    ...{ max: 1, onnotice: () => {}, connect_timeout: CONNECT_TIMEOUT_SECONDS },
    types: { bigint: postgres.BigInt },
  });
  const results: Result[] = [];
  try {
    await client.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (sql) => {
      results.push(await read(sql));
    });
  } catch (cause) {
    if (cause instanceof CliError || cause instanceof UnknownSource) throw cause;
    throw unreadable(`The database ${shown}`, cause);
  } finally {
    await client.end({ timeout: 1 });
  }
  return results[0] as Result;
}

function tablesOf(
  names: TableNames,
  found: readonly string[],
  run: (sql: string) => SourceTable,
): SourceTables {
  return new Map(
    statementsOf(names, found).map(([table, sql]) => {
      const { columns, rows } = run(sql);
      return [table, checkedRows(table, columns, rows)];
    }),
  );
}

const statementsOf = ({ read, counted }: TableNames, found: readonly string[]) => [
  ...read.filter((name) => found.includes(name) && NAME.test(name)).map(selectAll),
  ...counted.filter((name) => found.includes(name) && NAME.test(name)).map(selectCount),
];
const selectAll = (table: string): readonly [string, string] => [
  table,
  `SELECT * FROM "${table}" LIMIT ${MAX_ROWS + 1}`,
];
const selectCount = (table: string): readonly [string, string] => [
  table,
  `SELECT COUNT(*) AS count FROM "${table}"`,
];

function checkedRows(
  table: string,
  columns: readonly string[],
  rows: readonly SourceRow[],
): SourceTable {
  if (rows.length <= MAX_ROWS) return { columns, rows };
  throw new CliError('failed', `The table ${table} of the source has more than ${MAX_ROWS} rows.`);
}

function unreadable(what: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CliError('failed', `${what} cannot be read: ${reason.replace(/\.$/, '')}.`, { cause });
}
