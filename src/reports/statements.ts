/** Lists movements of wallets, newest first. Credit limits move no money and are not listed. */

import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import { currencyOf, integer, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { fxRateOf } from './published-prices.ts';
import { all, equal, STEP_ROWS, type Walked, walk } from './report-walk.ts';

export const MOVEMENT_KINDS = ['credit', 'settle', 'exchange', 'refund', 'adjust', 'late'] as const;
/** The kind `exchange` includes money that a settlement buys from the other wallet. */
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** One change of a wallet's balance. */
export type Movement = {
  readonly place: MovementPlace;
  /** The command's id and the movement's line number, such as `req_.../3`. */
  readonly id: string;
  readonly atMs: number;
  readonly kind: MovementKind;
  readonly currency: Currency;
  /** The amount is negative for money that left the wallet. */
  readonly amount: NanoAmount;
  readonly balanceAfter: NanoAmount;
  /** The ledger account on the other side: `top_up`, `revenue`, `fx:USD`, ... */
  readonly opposite: string;
  readonly reason: string | null;
  /** The request of a settlement, a late correction or a refund; otherwise null. */
  readonly requestId: string | null;
  /** An exchange's rate: one `base` bought `scaled` / 1e8 of `quote`. Null for other movements. */
  readonly rate: FxRate | null;
};

/**
 * The filters of the list. A field that is null matches every movement. `fromMs` is inclusive,
 * `toMs` exclusive.
 */
export type MovementFilter = {
  readonly accountId: string;
  readonly currency: Currency | null;
  readonly kind: MovementKind | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * A position in the order in which movements are written. Later movements never get a position
 * between two older ones.
 */
export type MovementPlace = { readonly seq: bigint; readonly line: bigint };
const NEWEST: MovementPlace = { seq: 2n ** 62n, line: 0n };

const COLUMNS = raw(`seq, line, currency, amount, balance_after, opposite, kind, command_id, at_ms,
  reason, request_id, rate_id, body`);
const NEWEST_FIRST = raw('ORDER BY seq DESC, line DESC');
/**
 * The factor by which the number of rows grows from one step of a page to the next, up to
 * `STEP_ROWS`.
 */
const STEP_GROWTH = 4;

/**
 * Returns a statement that selects the sequence number at which a step ends: that of the account's
 * `rows`-th transaction or receipt, counted from `from` in the given direction. The subqueries make
 * planners read only an index, even with outdated statistics.
 */
export function endOfStep(
  accountId: string,
  direction: 'newer' | 'older',
  from: bigint,
  rows: number,
): SqlStatement {
  const [beyond, order] = direction === 'older' ? [raw('<='), raw('DESC')] : [raw('>='), raw('')];
  const places = (table: string, place: string): SqlStatement =>
    statement`SELECT seq FROM (SELECT ${raw(place)} AS seq FROM ${raw(table)}
      WHERE account_id = ${accountId} AND ${raw(place)} ${beyond} ${from}
      ORDER BY seq ${order} LIMIT ${rows}) AS ${raw(`of_${table}`)}`;
  return statement`SELECT seq FROM (
      ${places('entry', 'transaction_id')} UNION ALL ${places('receipt', 'seq')}
      UNION ALL ${places('late_receipt', 'seq')} UNION ALL ${places('archived_movement', 'seq')}
    ) AS places ORDER BY seq ${order} LIMIT 1 OFFSET ${rows - 1}`;
}

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class Statements {
  readonly #sql: SqlExecutor;
  /** A cache of exchange rates, which never change once published. There are few. */
  readonly #rates = new Map<string, FxRate>();

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns a page of movements.
   * @param after the `next` of the previous page; null for the first page.
   */
  async page(
    filter: MovementFilter,
    limit: number,
    after: MovementPlace | null,
  ): Promise<Walked<Movement, MovementPlace>> {
    // The first step reads just enough rows for a page, which suffices if every movement matches
    // the filter. Each further step reads more rows, in case that few match.
    let stepRows = Math.min(limit + 1, STEP_ROWS);
    const walked = await walk(after ?? NEWEST, limit, placeOfRow, (place, wanted) => {
      const rows = stepRows;
      stepRows = Math.min(stepRows * STEP_GROWTH, STEP_ROWS);
      return this.#step(filter, place, wanted, rows);
    });
    await this.#learnRates(walked.rows);
    return { rows: walked.rows.map((row) => movementOf(row, this.#rates)), next: walked.next };
  }

  async #step(
    { accountId, currency, kind, fromMs, toMs }: MovementFilter,
    { seq, line }: MovementPlace,
    wanted: number,
    stepRows: number,
  ) {
    const [last] = await this.#sql.query(endOfStep(accountId, 'older', seq, stepRows));
    // `line: 0n` makes a step include all lines of its oldest sequence number. The next step begins
    // with the next older number.
    const end = last === undefined ? null : { seq: integer(last, 'seq'), line: 0n };
    const within = [
      statement`account_id = ${accountId} AND seq <= ${seq} AND (seq < ${seq} OR line < ${line})`,
      ...(end === null ? [] : [statement`seq >= ${end.seq}`]),
      // `+ 0` keeps query planners from using the index on `at_ms`, with which they would read all
      // rows of these times, and not only those between the sequence numbers of this step.
      statement`at_ms + 0 >= ${BigInt(fromMs)} AND at_ms + 0 < ${BigInt(toMs)}`,
      ...equal({ currency, kind }),
    ];
    const rows = await this.#sql.query(
      statement`SELECT ${COLUMNS} FROM moved WHERE ${all(within)} ${NEWEST_FIRST} LIMIT ${wanted}`,
    );
    return { rows, end };
  }

  async #learnRates(rows: readonly SqlRow[]): Promise<void> {
    const ids = rows.map(rateIdOf).filter((id) => id !== null && !this.#rates.has(id));
    const unknown = [...new Set(ids)];
    if (unknown.length === 0) return;
    const found = await this.#sql.query({
      sql: `SELECT * FROM fx_rate WHERE id IN (${unknown.map(() => '?').join(', ')})`,
      params: unknown,
    });
    for (const rate of found.map(fxRateOf)) this.#rates.set(rate.id, rate);
  }
}

export const placeOfRow = (row: SqlRow): MovementPlace => ({
  seq: integer(row, 'seq'),
  line: integer(row, 'line'),
});

function movementOf(row: SqlRow, rates: ReadonlyMap<string, FxRate>): Movement {
  const rateId = rateIdOf(row);
  const place = placeOfRow(row);
  return {
    place,
    id: `${text(row, 'command_id')}/${place.line}`,
    atMs: Number(row['at_ms']),
    kind: text(row, 'kind') as MovementKind,
    currency: currencyOf(row, 'currency'),
    amount: nano(integer(row, 'amount')),
    balanceAfter: nano(integer(row, 'balance_after')),
    opposite: text(row, 'opposite'),
    reason: textOrNull(row, 'reason'),
    requestId: textOrNull(row, 'request_id'),
    rate: rateId === null ? null : (rates.get(rateId) ?? null),
  };
}

/**
 * Returns the id of an exchange's rate; null for other movements. The body of an exchange command
 * ends with this id.
 */
function rateIdOf(row: SqlRow): string | null {
  if (row['kind'] !== 'exchange') return null;
  if (row['body'] === null) return textOrNull(row, 'rate_id');
  const body: unknown = JSON.parse(text(row, 'body'));
  const last: unknown = Array.isArray(body) ? body.at(-1) : null;
  return typeof last === 'string' ? last : null;
}
