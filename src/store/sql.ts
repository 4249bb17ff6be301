/** Plain SQL: how rooms without money use the store. */
import type { AuditEntry } from './audit.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SqlStatement = { readonly sql: string; readonly params: readonly SqlValue[] };

/**
 * Runs statements between two commits of the ledger. Integers are returned as bigint, bytes as
 * Uint8Array. Placeholders are `?`, or `$1`, `$2`, ... numbered as they first appear, which every
 * engine reads alike.
 *
 * @throws GatewayError `store_unavailable` when the store cannot be reached, `internal_error` when
 *   it refuses the statement; the store's message is the `cause`.
 */
export interface SqlExecutor {
  query(statement: SqlStatement): Promise<readonly SqlRow[]>;
  /**
   * Runs the statements in order, all or nothing, and returns the rows of each. With `audit`, that
   * entry is appended in the same transaction if any statement returned a row. So a conditional
   * change that changed nothing leaves no trace, provided that it uses `returning`.
   */
  transaction(
    statements: readonly SqlStatement[],
    audit?: AuditEntry,
  ): Promise<readonly (readonly SqlRow[])[]>;
}

/**
 * A statement written in place: each value in the template becomes a parameter. Another statement
 * in it is inserted with its own parameters.
 */
export function statement(
  texts: TemplateStringsArray,
  ...values: readonly (SqlValue | SqlStatement)[]
): SqlStatement {
  const params: SqlValue[] = [];
  const placed = values.map((value) => {
    const isPart = typeof value === 'object' && value !== null && 'sql' in value;
    params.push(...(isPart ? value.params : [value]));
    return isPart ? value.sql : '?';
  });
  return { sql: String.raw({ raw: texts }, ...placed), params };
}

/** SQL of our own for `statement`, such as a list of columns. Never text of a caller. */
export const raw = (sql: string): SqlStatement => ({ sql, params: [] });

/** `AND column = value`; nothing when `value` is null. */
export const andEquals = (column: string, value: SqlValue): SqlStatement =>
  value === null ? raw('') : statement`AND ${raw(column)} = ${value}`;
