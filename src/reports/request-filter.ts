/** Which receipts a report of requests is about, as the store is asked for them. */

import type { RequestOutcome } from '../ledger/ledger.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { SqlStatement } from '../store/sql.ts';
import { all, clause, equal, STEP_ROWS } from './report-walk.ts';

export type RequestStatus = 'ok' | 'failed';

/** Null: any. Times are when the request was settled: from `fromMs` on, before `toMs`. */
export type RequestFilter = {
  /** Null is for administrators alone: the requests of all accounts. */
  readonly accountId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly upstream: string | null;
  readonly outcome: RequestOutcome | null;
  /** `failed`: whatever is not a whole answer. */
  readonly status: RequestStatus | null;
  /** A whole id, or how one begins: the newest that do are found, among all of the installation's. */
  readonly idPrefix: string | null;
  readonly currency: Currency | null;
  /** Those that were charged this much or more. */
  readonly minCost: NanoAmount | null;
};

/** An id has its time in front; from here on it names a quarter of an hour or less. */
export const MIN_ID_PREFIX = 10;
/** Ids that are looked at for a prefix, whoever's they are: about 15 ms of the store's time. */
const MAX_SAME_PREFIX = 5_000;
/** Sorts after every id that begins as it does, whatever the store's collation. */
const AFTER_ALL = 'z'.repeat(26);

/** The list is newest first; a place is the row that was read last. */
export type RequestPlace = { readonly settledAtMs: bigint; readonly requestId: string };

/** The books have one receipt, and rarely a later one that corrects it: the later one speaks. */
const SOURCE = `receipt r LEFT JOIN late_receipt l ON l.request_id = r.request_id`;
export const told = (column: string): string =>
  `CASE WHEN l.request_id IS NULL THEN r.${column} ELSE l.${column} END`;
export const SUMMED = ['charge', 'loss'] as const;
export const summed = (column: string): string => `r.${column} + COALESCE(l.${column}, 0)`;

export const RECEIPTS = clause(SOURCE);

/**
 * The receipts whose id begins so. The ids are cut off before anyone asks whose they are, since those of all
 * accounts stand in one order. They are read first, as the embedded store joins in the order that CROSS JOIN
 * names: else it would go through an account's receipts, however many, until enough of them are found.
 */
export const sourceOf = (idPrefix: string): SqlStatement =>
  clause(
    `(SELECT request_id FROM receipt WHERE request_id BETWEEN ? AND ?
      ORDER BY request_id DESC LIMIT ${MAX_SAME_PREFIX}) AS p CROSS JOIN ${SOURCE}`,
    idPrefix,
    idPrefix + AFTER_ALL,
  );

/** The last row of a step's, from the index alone. */
export function endOfStep(within: readonly SqlStatement[], rows: number = STEP_ROWS): SqlStatement {
  const where = all(within);
  return {
    sql: `SELECT r.settled_at_ms, r.request_id FROM receipt r WHERE ${where.sql}
      ORDER BY r.settled_at_ms DESC, r.request_id DESC LIMIT 1 OFFSET ${rows - 1}`,
    params: where.params,
  };
}

/**
 * The rows of the filter's account and times that come after `place`, as far as `end`, with it; null: all.
 * They end at one bound alone: of two, the embedded store's planner takes the wider one, and reads to there.
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
 * What failed has an index of its own in each account. Over all accounts there is none: to look for so many
 * failures at once could be to read every receipt. A receipt that was corrected later was a failure when it
 * was written, so none is missed.
 */
export const whereFailed = ({ accountId, status, outcome }: RequestFilter): SqlStatement[] =>
  accountId !== null && (status === 'failed' || (outcome !== null && outcome !== 'completed'))
    ? [clause("r.outcome <> 'completed'")]
    : [];

export const ownedBy = (accountId: string | null): SqlStatement[] =>
  equal([['r.account_id', accountId]]);

/** All but whose they are and when they were. */
export function filtersOf(filter: RequestFilter): SqlStatement[] {
  const { minCost, status, idPrefix } = filter;
  const is = status === 'ok' ? '=' : '<>';
  return [
    ...equal([
      ['r.key_id', filter.keyId],
      [told('model'), filter.model],
      [told('channel'), filter.channel],
      [told('upstream'), filter.upstream],
      [told('outcome'), filter.outcome],
      ['r.currency', filter.currency],
    ]),
    ...(status === null ? [] : [clause(`${told('outcome')} ${is} 'completed'`)]),
    ...(idPrefix === null ? [] : [clause('r.request_id = p.request_id')]),
    ...(minCost === null ? [] : [clause(`${summed('charge')} >= ?`, minCost)]),
  ];
}
