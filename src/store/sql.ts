/** Plain SQL: the way to the store of every room that keeps no money. */
import type { AuditEntry } from './audit.ts';

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SqlStatement = { readonly sql: string; readonly params: readonly SqlValue[] };

/**
 * Runs bound statements on the store's own thread, between two commits of the ledger. Integers come back
 * as bigint, bytes as Uint8Array. Placeholders are `?`, or `$1`, `$2`, ... numbered as they first appear,
 * which every engine reads alike.
 *
 * @throws GatewayError `store_unavailable` when the store cannot be reached, `internal_error` when it
 *   refuses the statement; its words are the error's `cause`.
 */
export interface SqlExecutor {
  query(statement: SqlStatement): Promise<readonly SqlRow[]>;
  /**
   * All or nothing, in order; rows of each. With `audit`, the audit log gets that entry in the same
   * transaction, unless none of the statements answered a row: a guarded change that changed nothing
   * (say `returning`) leaves no trace.
   */
  transaction(
    statements: readonly SqlStatement[],
    audit?: AuditEntry,
  ): Promise<readonly (readonly SqlRow[])[]>;
}
