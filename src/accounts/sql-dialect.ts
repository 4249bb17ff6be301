/**
 * Kysely over the store's `SqlExecutor`: this room's queries are written once, typed, and each runs as
 * one bound statement on the store's own thread.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlExecutor, SqlStatement, SqlValue } from '../store/sql.ts';

/**
 * A typed query builder whose statements run on `executor`.
 *
 * `numAffectedRows` is never known, since an executor answers rows only: a write that must tell whether
 * it changed something says `returning`. `db.transaction()` throws; statements that belong together go
 * to `executor.transaction` as `statementOf(query.compile())`.
 */
export function queryBuilder<Tables>(executor: SqlExecutor): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: sqliteDialect(executor) });
}

/** A compiled query as the executor takes it. */
export function statementOf(query: CompiledQuery): SqlStatement {
  return { sql: query.sql, params: query.parameters.map(sqlValue) };
}

function sqliteDialect(executor: SqlExecutor): Dialect {
  return {
    createDriver: () => new ExecutorDriver(executor),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ConcurrentSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function sqlValue(value: unknown): SqlValue {
  if (value === null || value instanceof Uint8Array) return value;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value;
    default:
      throw new TypeError(`A SQL parameter cannot be of type ${typeof value}.`);
  }
}

/** Kysely would send one statement at a time otherwise; an executor takes any number, and orders them. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ExecutorDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(executor: SqlExecutor) {
    this.#connection = new ExecutorConnection(executor);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    throw noInteractiveTransaction();
  }

  async commitTransaction(): Promise<void> {
    throw noInteractiveTransaction();
  }

  async rollbackTransaction(): Promise<void> {
    throw noInteractiveTransaction();
  }

  async releaseConnection(): Promise<void> {}

  /** The store belongs to whoever opened it. */
  async destroy(): Promise<void> {}
}

class ExecutorConnection implements DatabaseConnection {
  readonly #executor: SqlExecutor;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const rows = await this.#executor.query(statementOf(query));
    // The table interfaces are the promise that a row has this shape.
    return { rows: rows as readonly unknown[] as Row[] };
  }

  // biome-ignore lint/correctness/useYield: the interface wants a generator; an executor has no cursor.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('The store does not stream rows: page through them with a limit.');
  }
}

function noInteractiveTransaction(): Error {
  return new Error('No transaction stays open across calls: use SqlExecutor.transaction.');
}
