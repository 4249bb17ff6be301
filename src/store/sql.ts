/** The interface for plain SQL. All modules use it, except for the commands of the ledger. */
import type { AuditEntry } from './audit.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SqlStatement = { readonly sql: string; readonly params: readonly SqlValue[] };

/**
 * Runs statements between the transactions of the ledger, never inside one. Integers are returned
 * as bigint. Placeholders are `?`, or `$1`, `$2`, ... in the order of their first appearance.
 * @throws GatewayError `store_unavailable` when the store cannot be reached, `internal_error` when
 *   it refuses the statement; the store's message is the `cause`.
 */
export interface SqlExecutor {
  query(statement: SqlStatement): Promise<readonly SqlRow[]>;
  /**
   * Runs the statements in one transaction and returns the rows of each. Appends `audit` only if a
   * statement returns a row. So a conditional change with RETURNING is logged only if it changed
   * something.
   */
  transaction(
    statements: readonly SqlStatement[],
    audit?: AuditEntry,
  ): Promise<readonly (readonly SqlRow[])[]>;
}

/**
 * Builds a statement from a template. A value becomes a parameter; an inner statement is inserted
 * together with its parameters.
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

/** Wraps trusted SQL for `statement`, such as a list of columns. Never use it for user input. */
export const raw = (sql: string): SqlStatement => ({ sql, params: [] });

/** Returns the condition `AND column = value`, or an empty text when `value` is null. */
export const andEquals = (column: string, value: SqlValue): SqlStatement =>
  value === null ? raw('') : statement`AND ${raw(column)} = ${value}`;

const LIKE_SPECIALS = /[%_!]/g;

const likeAnywhere = (part: string): string => `%${part.replace(LIKE_SPECIALS, '!$&')}%`;

/**
 * Returns the condition that the column contains the text in any case. SQLite lowercases only ASCII
 * letters, so for others, it finds the text as given, and in lower, upper and title case.
 */
export function contains(column: string, part: string): SqlStatement {
  const lower = part.toLowerCase();
  const title = lower.replace(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase());
  const forms = [lower, part, part.toUpperCase(), title].map((form) =>
    likeAnywhere(form.replace(/[A-Z]+/g, (ascii) => ascii.toLowerCase())),
  );
  const found = [...new Set(forms)].map(
    (form) => statement`lower(${raw(column)}) LIKE ${form} ESCAPE '!'`,
  );
  return found.reduce((any, one) => statement`(${any} OR ${one})`);
}
