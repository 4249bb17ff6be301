/** The filters of request reports, and the SQL conditions on receipts that apply them. */

import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { integer, text } from '../store/row.ts';
import { raw, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { all, any, equal, STEP_ROWS } from './report-walk.ts';

/**
 * The filters of a report. A field that is null matches every request. Requests match if they
 * settled at or after `fromMs` and before `toMs`.
 */
export type RequestFilter = {
  /** Null for all accounts, which only administrators may read. */
  readonly accountId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly upstream: string | null;
  /** The outcomes to include; null for all. */
  readonly outcomes: readonly RequestOutcome[] | null;
  /** `ok` is the outcome `completed`; `failed` is every other outcome. */
  readonly status: 'ok' | 'failed' | null;
  /**
   * A request id or its first characters. Only the newest MAX_SAME_PREFIX requests with this prefix
   * are searched, over all accounts.
   */
  readonly idPrefix: string | null;
  readonly currency: Currency | null;
  /** The lowest charge to include, in nano-units. */
  readonly minCost: NanoAmount | null;
};

/**
 * The shortest prefix of an id that can be searched. Ids begin with the time, so all ids with the
 * same prefix were created within 18 minutes.
 */
export const MIN_ID_PREFIX = 10;
/** Maximum ids, over all accounts, that a prefix search reads: about 15 ms of the store's time. */
const MAX_SAME_PREFIX = 5_000;
/** A suffix that makes a prefix sort after every id that starts with it, in any collation. */
const AFTER_ALL = 'z'.repeat(26);

/** A position in the list of requests, newest first: that of the last row of a page. */
export type RequestPlace = { readonly settledAtMs: bigint; readonly requestId: string };

/** Returns the position of a row; null when there is no row, at the end of the list. */
export const placeOfRow = (row: SqlRow | undefined): RequestPlace | null =>
  row === undefined
    ? null
    : { settledAtMs: integer(row, 'settled_at_ms'), requestId: text(row, 'request_id') };

/**
 * Receipts, joined with late receipts that correct them. `latest` selects the late receipt's value
 * if there is one; `summed` adds both values.
 */
export const RECEIPTS = raw('receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id');
export const latest = (column: string): string =>
  `CASE WHEN l.request_id IS NULL THEN r.${column} ELSE l.${column} END`;
export const SUMMED = ['charge', 'loss'] as const;
export const summed = (column: string): string => `r.${column} + COALESCE(l.${column}, 0)`;

/**
 * Returns the FROM clause of a search by id prefix. The index of ids spans all accounts, so the
 * limit counts matches in all accounts. In SQLite, CROSS JOIN fixes the join order, so that only
 * receipts with the found ids are read, and not all receipts of an account.
 */
export const sourceOf = (idPrefix: string): SqlStatement =>
  statement`(SELECT request_id FROM receipt
    WHERE request_id BETWEEN ${idPrefix} AND ${idPrefix + AFTER_ALL}
    ORDER BY request_id DESC LIMIT ${MAX_SAME_PREFIX}) AS p CROSS JOIN ${RECEIPTS}`;

/**
 * Returns a statement that finds the row at which a step of `rows` rows ends. The statement reads
 * only the index.
 */
export const endOfStep = (within: readonly SqlStatement[], rows = STEP_ROWS): SqlStatement =>
  statement`SELECT r.settled_at_ms, r.request_id FROM receipt r WHERE ${all(within)}
    ORDER BY r.settled_at_ms DESC, r.request_id DESC LIMIT 1 OFFSET ${rows - 1}`;

/**
 * Returns conditions for the receipts older than `place`, down to and including `end`. If `end` is
 * null, `fromMs` is the lower bound. The conditions never contain two lower bounds, of which
 * SQLite's planner would use the wider one.
 */
export const span = (
  { accountId, fromMs }: Pick<RequestFilter, 'accountId' | 'fromMs'>,
  place: RequestPlace,
  end: RequestPlace | null,
): SqlStatement[] => [
  ...ownedBy(accountId),
  statement`(r.settled_at_ms, r.request_id) < (${place.settledAtMs}, ${place.requestId})`,
  end === null
    ? statement`r.settled_at_ms >= ${BigInt(fromMs)}`
    : statement`(r.settled_at_ms, r.request_id) >= (${end.settledAtMs}, ${end.requestId})`,
];

/**
 * Returns a condition that makes planners use the index of an account's failed receipts, if the
 * filter is for one account and excludes completed requests; otherwise no condition. A receipt that
 * has a late receipt is always in this index, because its own outcome is a failure.
 */
export function whereFailed({ accountId, status, outcomes }: RequestFilter): SqlStatement[] {
  const isFailed = status === 'failed' || outcomes?.includes('completed') === false;
  return accountId !== null && isFailed ? [raw("r.outcome <> 'completed'")] : [];
}

export const ownedBy = (id: string | null): SqlStatement[] => equal({ 'r.account_id': id });

/** Returns the conditions of all filters except account and time. */
export function filtersOf(filter: RequestFilter): SqlStatement[] {
  const { minCost, status, outcomes, idPrefix } = filter;
  const is = status === 'ok' ? '=' : '<>';
  return [
    ...equal({
      'r.key_id': filter.keyId,
      [latest('model')]: filter.model,
      [latest('channel')]: filter.channel,
      [latest('upstream')]: filter.upstream,
      'r.currency': filter.currency,
    }),
    ...(outcomes === null
      ? []
      : [any(outcomes.flatMap((each) => equal({ [latest('outcome')]: each })))]),
    ...(status === null ? [] : [raw(`${latest('outcome')} ${is} 'completed'`)]),
    ...(idPrefix === null ? [] : [raw('r.request_id = p.request_id')]),
    ...(minCost === null ? [] : [statement`${raw(summed('charge'))} >= ${minCost}`]),
  ];
}
