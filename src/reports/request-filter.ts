/** The filters of a request report, as SQL conditions on receipts. */

import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { integer, text } from '../store/row.ts';
import type { SqlRow, SqlStatement } from '../store/sql.ts';
import { all, clause, equal, STEP_ROWS } from './report-walk.ts';

export type RequestStatus = 'ok' | 'failed';

/** Null: any. `fromMs` (included) and `toMs` (excluded) are times of settlement. */
export type RequestFilter = {
  /** Null: all accounts, for administrators only. */
  readonly accountId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly upstream: string | null;
  readonly outcome: RequestOutcome | null;
  /** `failed`: every outcome but `completed`. */
  readonly status: RequestStatus | null;
  /** An id or a prefix of ids. Of the installation's ids with a prefix, the newest are searched. */
  readonly idPrefix: string | null;
  readonly currency: Currency | null;
  /** The lowest charge. */
  readonly minCost: NanoAmount | null;
};

/** Ids begin with their time. A prefix of this length covers at most a quarter of an hour. */
export const MIN_ID_PREFIX = 10;
/** Ids of any account that a prefix search looks at: about 15 ms of the store's time. */
const MAX_SAME_PREFIX = 5_000;
/** Sorts after every id with the same prefix in any collation. */
const AFTER_ALL = 'z'.repeat(26);

/** The list is newest first; a place is the last row of a page. */
export type RequestPlace = { readonly settledAtMs: bigint; readonly requestId: string };

/** The place of a row; null without one: the end of the list. */
export const placeOfRow = (row: SqlRow | undefined): RequestPlace | null =>
  row === undefined
    ? null
    : { settledAtMs: integer(row, 'settled_at_ms'), requestId: text(row, 'request_id') };

/** A request has one receipt, and rarely a late one that corrects it. The late one wins. */
const SOURCE = `receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id`;
export const latest = (column: string): string =>
  `CASE WHEN l.request_id IS NULL THEN r.${column} ELSE l.${column} END`;
export const SUMMED = ['charge', 'loss'] as const;
export const summed = (column: string): string => `r.${column} + COALESCE(l.${column}, 0)`;

export const RECEIPTS = clause(SOURCE);

/**
 * Receipts by id prefix. The ids of all accounts are in one order, so the limit applies before the
 * account's filter. CROSS JOIN makes SQLite read them first; otherwise it could scan all receipts
 * of an account.
 */
export const sourceOf = (idPrefix: string): SqlStatement =>
  clause(
    `(SELECT request_id FROM receipt WHERE request_id BETWEEN ? AND ?
      ORDER BY request_id DESC LIMIT ${MAX_SAME_PREFIX}) AS p CROSS JOIN ${SOURCE}`,
    idPrefix,
    idPrefix + AFTER_ALL,
  );

/** Finds the last row of a step from the index alone. */
export function endOfStep(within: readonly SqlStatement[], rows: number = STEP_ROWS): SqlStatement {
  const where = all(within);
  return {
    sql: `SELECT r.settled_at_ms, r.request_id FROM receipt r WHERE ${where.sql}
      ORDER BY r.settled_at_ms DESC, r.request_id DESC LIMIT 1 OFFSET ${rows - 1}`,
    params: where.params,
  };
}

/**
 * The rows of the filter's account and times after `place`, up to and including `end`; null: all.
 * There is only one lower bound, because of two SQLite's planner would use the wider one.
 */
export const span = (
  { accountId, fromMs }: Pick<RequestFilter, 'accountId' | 'fromMs'>,
  place: RequestPlace,
  end: RequestPlace | null,
): SqlStatement[] => [
  ...ownedBy(accountId),
  clause('(r.settled_at_ms, r.request_id) < (?, ?)', place.settledAtMs, place.requestId),
  end === null
    ? clause('r.settled_at_ms >= ?', BigInt(fromMs))
    : clause('(r.settled_at_ms, r.request_id) >= (?, ?)', end.settledAtMs, end.requestId),
];

/**
 * Failed requests of an account have their own index. There is none over all accounts, where a
 * search for failures could read every receipt. A corrected receipt was written as a failure, so
 * the index has it.
 */
export const whereFailed = ({ accountId, status, outcome }: RequestFilter): SqlStatement[] =>
  accountId !== null && (status === 'failed' || (outcome !== null && outcome !== 'completed'))
    ? [clause("r.outcome <> 'completed'")]
    : [];

export const ownedBy = (accountId: string | null): SqlStatement[] =>
  equal([['r.account_id', accountId]]);

/** All filters but account and time. */
export function filtersOf(filter: RequestFilter): SqlStatement[] {
  const { minCost, status, idPrefix } = filter;
  const is = status === 'ok' ? '=' : '<>';
  return [
    ...equal([
      ['r.key_id', filter.keyId],
      [latest('model'), filter.model],
      [latest('channel'), filter.channel],
      [latest('upstream'), filter.upstream],
      [latest('outcome'), filter.outcome],
      ['r.currency', filter.currency],
    ]),
    ...(status === null ? [] : [clause(`${latest('outcome')} ${is} 'completed'`)]),
    ...(idPrefix === null ? [] : [clause('r.request_id = p.request_id')]),
    ...(minCost === null ? [] : [clause(`${summed('charge')} >= ?`, minCost)]),
  ];
}
