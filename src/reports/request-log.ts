/** Lists the requests of the ledger by account, time and other filters. */

import type { StoredReceipt } from '../ledger/ledger.ts';
import { receiptOf } from '../ledger/receipt-row.ts';
import { type NanoAmount, nano } from '../money/amount.ts';
import { DAY_MS, firstOfMonth } from '../money/calendar.ts';
import { RECEIPT_COLUMNS } from '../store/columns.ts';
import { integer, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { all, type Walked, walk } from './report-walk.ts';
import {
  endOfStep,
  filtersOf,
  latest,
  ownedBy,
  placeOfRow,
  RECEIPTS,
  type RequestFilter,
  type RequestPlace,
  SUMMED,
  sourceOf,
  span,
  summed,
  whereFailed,
} from './request-filter.ts';

/** A receipt with its refunds. Its values include the corrections of a late receipt. */
export type LoggedRequest = StoredReceipt & {
  readonly settledAtMs: number;
  readonly refunded: NanoAmount;
  /** The price list of the receipt's price card; null for a public price. */
  readonly priceList: string | null;
};

const REFUNDED = `CAST((SELECT COALESCE(SUM(f.amount), 0) FROM refund f
  WHERE f.request_id = r.request_id) AS BIGINT)`;

/** The columns that `loggedOf` reads, from `RECEIPTS`. */
export const REQUEST_COLUMNS = raw(
  [
    ...RECEIPT_COLUMNS.map((column) =>
      column === 'request_id' ? 'r.request_id' : `${latest(column)} AS ${column}`,
    ),
    ...SUMMED.map((column) => `${summed(column)} AS ${column}`),
    'r.settled_at_ms AS settled_at_ms',
    `${REFUNDED} AS refunded`,
    `(SELECT c.price_list FROM card c WHERE c.id = ${latest('card_id')}) AS price_list`,
  ].join(', '),
);

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class RequestLog {
  readonly #sql: SqlExecutor;
  readonly #searched: SqlExecutor;

  /**
   * @param searched the executor that reads lists of requests. It may read from a replica that is
   *   some seconds behind.
   */
  constructor(sql: SqlExecutor, searched = sql) {
    this.#sql = sql;
    this.#searched = searched;
  }

  /**
   * Returns requests, newest first. `after` is the `next` of the previous page; null for the first
   * page.
   */
  page(
    filter: RequestFilter,
    limit: number,
    after: RequestPlace | null,
  ): Promise<Walked<LoggedRequest, RequestPlace>> {
    const start = after ?? { settledAtMs: BigInt(filter.toMs), requestId: '' };
    const filters = filtersOf(filter);
    return walk(start, limit, placeOf, async (place, wanted) => {
      if (filter.idPrefix !== null) {
        const found = [...span(filter, place, null), ...filters];
        const source = sourceOf(filter.idPrefix);
        return { rows: await this.#read(found, wanted, source), end: null };
      }
      return filters.length === 0
        ? await this.#unfiltered(filter, place, wanted)
        : await this.#filtered(filter, filters, place, wanted);
    });
  }

  /** Returns a request; null when it does not exist. @param accountId null for any account. */
  async one(requestId: string, accountId: string | null): Promise<LoggedRequest | null> {
    const where = all([statement`r.request_id = ${requestId}`, ...ownedBy(accountId)]);
    const [row] = await this.#sql.query(
      statement`SELECT ${REQUEST_COLUMNS} FROM ${RECEIPTS} WHERE ${where}`,
    );
    return row === undefined ? null : loggedOf(row);
  }

  /** Returns the file with the receipt of an archived request; null if it is not archived. */
  async archivedIn(requestId: string): Promise<string | null> {
    const [row] = await this.#sql.query(statement`SELECT a.file AS file FROM archived_request r
      JOIN archive a ON a.id = r.archive_id WHERE r.request_id = ${requestId}`);
    return row === undefined ? null : text(row, 'file');
  }

  /** Returns the first file with archived receipts of the months of these days; null if none. */
  async archiveOf(days: { readonly from: number; readonly to: number }): Promise<string | null> {
    const [row] = await this.#sql.query(statement`SELECT file FROM archive
      WHERE month BETWEEN ${firstOfMonth(days.from * DAY_MS)} AND ${days.to} ORDER BY month LIMIT 1`);
    return row === undefined ? null : text(row, 'file');
  }

  /**
   * Returns the amount that was held for a settled request, extensions included; null if the
   * request has no receipt.
   */
  async heldFor(requestId: string): Promise<NanoAmount | null> {
    return await this.#amount(statement`SELECT held AS amount FROM receipt
      WHERE request_id = ${requestId}`);
  }

  /**
   * Returns the amount of the refund that this command made for the request; null if it made none.
   */
  async refundUnder(commandId: string, requestId: string): Promise<NanoAmount | null> {
    return await this.#amount(statement`SELECT f.amount FROM refund f
      JOIN money_transaction t ON t.id = f.transaction_id
      WHERE t.command_id = ${commandId} AND f.request_id = ${requestId}`);
  }

  async #amount(query: SqlStatement): Promise<NanoAmount | null> {
    const [row] = await this.#sql.query(query);
    return row === undefined ? null : nano(integer(row, 'amount'));
  }

  /** Reads the next rows of a page if there are no filters, so that every row belongs to it. */
  async #unfiltered(filter: RequestFilter, place: RequestPlace, wanted: number) {
    const rows = await this.#read(span(filter, place, null), wanted);
    const last = rows.at(-1);
    return { rows, end: rows.length < wanted || last === undefined ? null : placeOf(last) };
  }

  async #filtered(
    filter: RequestFilter,
    filters: readonly SqlStatement[],
    place: RequestPlace,
    wanted: number,
  ) {
    const ofStep = whereFailed(filter);
    const [row] = await this.#searched.query(endOfStep([...span(filter, place, null), ...ofStep]));
    const end = placeOfRow(row);
    const step = [...span(filter, place, end), ...ofStep];
    return { rows: await this.#read([...step, ...filters], wanted), end };
  }

  async #read(
    conditions: readonly SqlStatement[],
    limit: number,
    source: SqlStatement = RECEIPTS,
  ): Promise<LoggedRequest[]> {
    const rows = await this.#searched.query(pageStatement(conditions, limit, source));
    return rows.map(loggedOf);
  }
}

/** Returns the statement that reads requests. Exported for tests of the query plan. */
export function pageStatement(
  conditions: readonly SqlStatement[],
  limit: number,
  source: SqlStatement = RECEIPTS,
): SqlStatement {
  return statement`SELECT ${REQUEST_COLUMNS} FROM ${source} WHERE ${all(conditions)}
    ORDER BY r.settled_at_ms DESC, r.request_id DESC LIMIT ${limit}`;
}

const placeOf = ({ settledAtMs, requestId }: LoggedRequest): RequestPlace => ({
  settledAtMs: BigInt(settledAtMs),
  requestId,
});

export function loggedOf(row: SqlRow): LoggedRequest {
  return {
    ...receiptOf(row),
    settledAtMs: Number(row['settled_at_ms']),
    refunded: nano(integer(row, 'refunded')),
    priceList: textOrNull(row, 'price_list'),
  };
}
