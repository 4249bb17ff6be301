/** Runs all queries for account rows. Makes no decisions. */
import type { Clock } from '../clock.ts';
import type { HeldInMemory } from '../ledger/held-in-memory.ts';
import type { AuditEntry } from '../store/audit.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import type { AccountRecord, AccountStatus } from './account.ts';
import { type Limits, limitsOf, limitsText, type SpendCaps } from './limits/limits.ts';
import { meterOf, spendWindows } from './limits/spend-windows.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';

export type NewAccountRow = Pick<AccountRecord, 'id' | 'name' | 'allowExchange' | 'createdAtMs'> & {
  readonly revision: string;
};
/** The new values of the fields that accounts and keys share. */
export type LimitedUpdate = {
  readonly name: string;
  readonly expiresAtMs: number | null;
  readonly limits: Limits;
  readonly caps: SpendCaps;
};
export type AccountUpdate = LimitedUpdate &
  Pick<AccountRecord, 'status' | 'allowExchange' | 'priceList'>;
/**
 * Restricts a change to a row whose revision is still `from`. The change sets the revision to `to`.
 */
export type Revision = { readonly from: string; readonly to: string };

/**
 * Every method may throw GatewayError `store_unavailable`. A call that changes no row writes no
 * audit entry.
 */
export class AccountStore {
  readonly #executor: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #inMemory: HeldInMemory;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>, inMemory: HeldInMemory) {
    this.#executor = executor;
    this.#clock = clock;
    this.#inMemory = inMemory;
  }

  /**
   * Inserts an account. Returns false if `onlyFirst` is true and there is an account already. The
   * lock of the audit log makes this safe for nodes that start at the same time.
   */
  async insertAccount(
    account: NewAccountRow,
    audit: AuditEntry,
    onlyFirst: boolean,
  ): Promise<boolean> {
    const isAllowed = onlyFirst ? 'NOT EXISTS (SELECT 1 FROM account)' : '1 = 1';
    const insert = statement`INSERT INTO account (id, name, status, allow_exchange, created_at_ms,
      limits, revision) SELECT ${account.id}, ${account.name}, 'active',
      ${account.allowExchange ? 1 : 0}, ${account.createdAtMs}, '{}', ${account.revision}
      WHERE ${raw(isAllowed)} RETURNING id`;
    const [inserted = []] = await this.#executor.transaction([insert], audit);
    return inserted.length > 0;
  }

  async account(id: string): Promise<AccountRecord | null> {
    const [row] = await this.#executor.query(statement`SELECT * FROM ${raw(ACCOUNTS)}
      WHERE account.id = ${id}`);
    return row === undefined ? null : accountOf(row, this.#clock.nowMs(), this.#inMemory);
  }

  async accounts({ limit, after }: PageRequest): Promise<Page<AccountRecord>> {
    const nowMs = this.#clock.nowMs();
    const rows = await this.#executor.query(statement`SELECT * FROM ${raw(ACCOUNTS)}
      WHERE account.id > ${after ?? ''} ORDER BY account.id LIMIT ${limit + 1}`);
    const accounts = rows.map((row) => accountOf(row, nowMs, this.#inMemory));
    return pageOf(accounts, limit);
  }

  /** Updates an account. Returns false when no account with this id has revision `from`. */
  async updateAccount(
    id: string,
    revision: Revision,
    update: AccountUpdate,
    audit: AuditEntry,
  ): Promise<boolean> {
    const change = statement`UPDATE account SET name = ${update.name}, status = ${update.status},
      allow_exchange = ${update.allowExchange ? 1 : 0}, expires_at_ms = ${update.expiresAtMs},
      price_list = ${update.priceList}, limits = ${limitsText(update.limits)}, revision = ${revision.to} WHERE id = ${id}
      AND revision = ${revision.from} RETURNING id`;
    const statements = [change, setCaps(id, update.caps, { table: 'account', revision })];
    const [changed = []] = await this.#executor.transaction(statements, audit);
    return changed.length > 0;
  }
}

/**
 * The tables that `accountOf` reads: accounts joined with their spend meters, which count spending.
 * No column name occurs in both tables, so names need no prefix.
 */
export const ACCOUNTS = 'account JOIN spend_meter ON spend_meter.owner_id = account.id';

/**
 * Converts a row of `ACCOUNTS` to an account. Adds the money that is held only in this process's
 * memory, because the row lacks this money.
 */
export const accountOf = (row: SqlRow, nowMs: number, inMemory: HeldInMemory): AccountRecord => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  status: accountStatus(row, 'status'),
  allowExchange: integer(row, 'allow_exchange') !== 0n,
  priceList: textOrNull(row, 'price_list'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  expiresAtMs: numberOrNull(row, 'expires_at_ms'),
  limits: limitsOf(text(row, 'limits')),
  spend: spendWindows(meterOf(row, inMemory.meter(text(row, 'id'), null)), nowMs),
  revision: text(row, 'revision'),
});

/**
 * Returns a statement that sets the spending caps of an account or key.
 * @param when if not null, the statement has no effect unless an earlier statement of the same
 *   transaction has set the row's revision to `when.revision.to`.
 */
export function setCaps(
  ownerId: string,
  caps: SpendCaps,
  when: { readonly table: 'account' | 'api_key'; readonly revision: Revision } | null,
): SqlStatement {
  const guard =
    when === null
      ? raw('')
      : statement`AND EXISTS (SELECT 1 FROM ${raw(when.table)} WHERE id = ${ownerId}
          AND revision = ${when.revision.to})`;
  return statement`UPDATE spend_meter SET cap_day = ${caps.day}, cap_week = ${caps.week},
      cap_month = ${caps.month}, cap_total = ${caps.total}
    WHERE owner_id = ${ownerId} ${guard} RETURNING owner_id`;
}

export function accountStatus(row: SqlRow, column: string): AccountStatus {
  const status = text(row, column);
  if (status === 'active' || status === 'suspended') return status;
  throw new Error(`an account has the unknown status ${status}`);
}
