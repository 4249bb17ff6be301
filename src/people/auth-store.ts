/**
 * Where better-auth keeps what it knows: tables of the one store, through bound statements. The values are
 * its own kinds; here they become the store's, and a session's token becomes its hash, so that whoever
 * reads the database can sign in as nobody.
 */
import { createHash } from 'node:crypto';
import type { SqlExecutor, SqlRow, SqlValue } from '../store/sql.ts';

/** A condition as better-auth states it, its names those of our columns. */
export type AuthWhere = {
  readonly field: string;
  readonly operator: string | undefined;
  readonly value: unknown;
  readonly connector: string | undefined;
  readonly mode: string | undefined;
};
type Values = Readonly<Record<string, unknown>>;
type Found = Record<string, unknown>;

/** What is asked for; null where nothing is found. */
export type AuthStore = {
  readonly create: (model: string, data: Values) => Promise<Found>;
  readonly findMany: (
    model: string,
    where: readonly AuthWhere[],
    order?: AuthOrder,
  ) => Promise<Found[]>;
  /** The rows as they are afterwards. `increment` adds, `set` replaces, in one statement. */
  readonly update: (
    model: string,
    where: readonly AuthWhere[],
    change: AuthChange,
  ) => Promise<Found[]>;
  /** The rows that were there. `limit` at most, when it is given. */
  readonly remove: (model: string, where: readonly AuthWhere[], limit?: number) => Promise<Found[]>;
  readonly count: (model: string, where: readonly AuthWhere[]) => Promise<number>;
};
export type AuthOrder = {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined;
};
export type AuthChange = {
  readonly set: Values;
  readonly increment?: Readonly<Record<string, number>>;
};

/** The column whose text is kept as its SHA-256 only. */
const HASHED_COLUMN = 'token_hash';
const TABLES: readonly string[] = ['person', 'credential', 'session', 'verification', 'totp'];
const COMPARISONS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

export function authStore(sql: SqlExecutor): AuthStore {
  return {
    create: async (model, data) => {
      const statement = new Statement(model);
      const columns = Object.keys(data);
      const values = columns.map((column) => statement.bind(column, data[column]));
      const names = columns.map(columnName).join(', ');
      const [row] = await statement.run(
        sql,
        `INSERT INTO ${statement.table} (${names}) VALUES (${values.join(', ')}) RETURNING *`,
      );
      if (row === undefined) throw new Error(`no row was written to ${model}`);
      return row;
    },
    findMany: async (model, where, { limit, offset, sortBy } = {}) => {
      const statement = new Statement(model);
      const order =
        sortBy === undefined
          ? ''
          : ` ORDER BY ${columnName(sortBy.field)} ${sortBy.direction === 'asc' ? 'ASC' : 'DESC'}`;
      const text = `SELECT * FROM ${statement.table}${statement.where(where)}${order}`;
      const most = limit === undefined ? '' : ` LIMIT ${statement.bind('limit', limit)}`;
      const from = offset === undefined ? '' : ` OFFSET ${statement.bind('offset', offset)}`;
      return await statement.run(sql, `${text}${most}${from}`);
    },
    update: async (model, where, { set, increment = {} }) => {
      const statement = new Statement(model);
      const assigned = [
        ...Object.entries(set).map(
          ([column, value]) => `${columnName(column)} = ${statement.bind(column, value)}`,
        ),
        ...Object.entries(increment).map(
          ([column, by]) =>
            `${columnName(column)} = COALESCE(${columnName(column)}, 0) + ${statement.bind(column, by)}`,
        ),
      ];
      return await statement.run(
        sql,
        `UPDATE ${statement.table} SET ${assigned.join(', ')}${statement.where(where)} RETURNING *`,
      );
    },
    remove: async (model, where, limit) => {
      const statement = new Statement(model);
      const found = statement.where(where);
      const chosen =
        limit === undefined
          ? found
          : ` WHERE id IN (SELECT id FROM ${statement.table}${found} LIMIT ${statement.bind('limit', limit)})`;
      return await statement.run(sql, `DELETE FROM ${statement.table}${chosen} RETURNING *`);
    },
    count: async (model, where) => {
      const statement = new Statement(model);
      const [row] = await statement.run(
        sql,
        `SELECT COUNT(*) AS n FROM ${statement.table}${statement.where(where)}`,
      );
      return Number(row?.['n'] ?? 0);
    },
  };
}

/** A token as the store knows it. */
export const hashToken = (token: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(token, 'utf8').digest());

/** One statement while it is put together: each value is bound where it first stands. */
class Statement {
  readonly table: string;
  readonly #params: SqlValue[] = [];
  /** Tokens that the statement named, by their hash: they are put back into the rows it answers. */
  readonly #tokens = new Map<string, string>();

  constructor(model: string) {
    if (!TABLES.includes(model)) throw new Error(`better-auth has no table ${model} here`);
    this.table = model;
  }

  /** The placeholder that stands for the value. */
  bind(column: string, value: unknown): string {
    this.#params.push(this.#stored(column, value));
    return `$${this.#params.length}`;
  }

  where(conditions: readonly AuthWhere[]): string {
    if (conditions.length === 0) return '';
    return ` WHERE ${conditions.map((condition) => this.#condition(condition)).join(' AND ')}`;
  }

  async run(sql: SqlExecutor, text: string): Promise<Found[]> {
    const rows = await sql.query({ sql: text, params: this.#params });
    return rows.map((row) => ({ ...row, ...this.#token(row) }));
  }

  #condition({ field, operator = 'eq', value, connector, mode }: AuthWhere): string {
    if (connector !== 'AND' || mode !== 'sensitive') {
      throw new Error(`better-auth asks for ${connector} ${mode}, which nothing here needs`);
    }
    const column = columnName(field);
    if (value === null && operator === 'eq') return `${column} IS NULL`;
    if (operator === 'in' && Array.isArray(value)) {
      const among = value.map((each) => this.bind(field, each));
      return among.length === 0 ? '1 = 0' : `${column} IN (${among.join(', ')})`;
    }
    const comparison = COMPARISONS[operator];
    if (comparison === undefined) throw new Error(`better-auth compares by ${operator}`);
    return `${column} ${comparison} ${this.bind(field, value)}`;
  }

  #stored(column: string, value: unknown): SqlValue {
    if (column === HASHED_COLUMN && typeof value === 'string') {
      const hash = hashToken(value);
      this.#tokens.set(Buffer.from(hash).toString('hex'), value);
      return hash;
    }
    if (value instanceof Date) return value.getTime();
    switch (typeof value) {
      case 'boolean':
        return value ? 1 : 0;
      case 'string':
      case 'number':
      case 'bigint':
        return value;
      default:
        if (value === null || value === undefined) return null;
        throw new TypeError(`${column} cannot be of type ${typeof value}`);
    }
  }

  #token(row: SqlRow): Found {
    const hash = row[HASHED_COLUMN];
    if (!(hash instanceof Uint8Array)) return {};
    const hex = Buffer.from(hash).toString('hex');
    return { [HASHED_COLUMN]: this.#tokens.get(hex) ?? hex };
  }
}

/** Names come from our own settings of better-auth; nothing else may ever stand in a statement's text. */
function columnName(name: string): string {
  if (/^[a-z][a-z_]*$/.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} is no column`);
}
