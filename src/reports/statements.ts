/** Lists movements of wallets, newest first. Credit limits move no money and are not listed. */

import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import type { FxRate } from '../money/price.ts';
import { currencyOf, integer, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { fxRateOf } from './published-prices.ts';
import { all, equal, STEP_ROWS, type Walked, walk } from './report-walk.ts';

export const MOVEMENT_KINDS = ['credit', 'settle', 'exchange', 'refund', 'adjust', 'late'] as const;
/** `exchange` includes money that a settlement buys from the other wallet. */
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** One change of a wallet's balance. */
export type Movement = {
  readonly place: MovementPlace;
  /** The command's id and the line number of the movement's entry, such as `req_.../3`. */
  readonly id: string;
  readonly atMs: number;
  readonly kind: MovementKind;
  readonly currency: Currency;
  /** Negative for money that left the wallet. */
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

/** A null filter matches everything. `fromMs` is included, `toMs` excluded. */
export type MovementFilter = {
  readonly accountId: string;
  readonly currency: Currency | null;
  readonly kind: MovementKind | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/** A position in the order of writing. New movements never appear between two older ones. */
export type MovementPlace = { readonly transaction: bigint; readonly line: bigint };
const NEWEST: MovementPlace = { transaction: 2n ** 62n, line: 0n };

const LATE_PREFIX = 'late:';
/** SQL for a movement's kind. Entries come in pairs: `e` of the wallet, then the opposite `o`. */
export const KIND = `CASE WHEN o.account_id LIKE 'fx:%' THEN 'exchange' ELSE t.kind END`;
/** The rate of an exchange is in its command's body, or on the receipt of its settlement. */
const COLUMNS = raw(`e.transaction_id, e.line, e.currency, e.amount, e.balance_after,
  o.account_id AS opposite, t.command_id, t.at_ms, t.reason, t.body, ${KIND} AS kind,
  t.kind AS command_kind, f.request_id AS refunded_request, r.fx_rate_id`);
/** CROSS JOIN fixes the join order in SQLite, whatever its statistics say. */
const ABOUT = raw(`CROSS JOIN entry e CROSS JOIN money_transaction t CROSS JOIN entry o
  LEFT JOIN refund f ON f.transaction_id = t.id
  LEFT JOIN receipt r ON r.request_id =
    CASE WHEN t.kind = 'late' THEN substr(t.command_id, 6) ELSE t.command_id END`);
export const JOINED = raw(`e.transaction_id = p.transaction_id AND e.line = p.line
  AND t.id = e.transaction_id AND o.transaction_id = e.transaction_id AND o.line = e.line + 1`);
const NEWEST_FIRST = raw('ORDER BY e.transaction_id DESC, e.line DESC');

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class Statements {
  readonly #sql: SqlExecutor;
  /** A cache of exchange rates, which never change once published. There are few. */
  readonly #rates = new Map<string, FxRate>();

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** Returns a page. @param after the `next` of the previous page; null for the first page. */
  async page(
    filter: MovementFilter,
    limit: number,
    after: MovementPlace | null,
  ): Promise<Walked<Movement, MovementPlace>> {
    const currencies = filter.currency === null ? CURRENCIES : [filter.currency];
    const walked = await Promise.all(
      currencies.map((currency) =>
        walk(after ?? NEWEST, limit, placeOfRow, (place, wanted) =>
          this.#step(filter, currency, place, wanted),
        ),
      ),
    );
    const { rows, next } = merged(walked, limit);
    await this.#learnRates(rows);
    return { rows: rows.map((row) => movementOf(row, this.#rates)), next };
  }

  async #step(
    filter: MovementFilter,
    currency: Currency,
    { transaction, line }: MovementPlace,
    wanted: number,
  ) {
    const within = all([
      ...equal({ 'e.account_id': filter.accountId, 'e.currency': currency }),
      statement`(e.transaction_id, e.line) < (${transaction}, ${line})`,
    ]);
    const [row] = await this.#sql.query(statement`SELECT e.transaction_id, e.line FROM entry e
      WHERE ${within} ${NEWEST_FIRST} LIMIT 1 OFFSET ${STEP_ROWS - 1}`);
    const end = row === undefined ? null : placeOfRow(row);
    const step =
      end === null
        ? within
        : statement`${within} AND (e.transaction_id, e.line) >= (${end.transaction}, ${end.line})`;
    return { rows: await this.#sql.query(pageStatement(step, filter, wanted)), end };
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

/** The subquery reads only an index, so that no planner scans all times or all wallets first. */
function pageStatement(
  step: SqlStatement,
  { kind, fromMs, toMs }: MovementFilter,
  limit: number,
): SqlStatement {
  const times = statement`t.at_ms >= ${BigInt(fromMs)} AND t.at_ms < ${BigInt(toMs)}`;
  return statement`SELECT ${COLUMNS} FROM (
      SELECT e.transaction_id, e.line FROM entry e
      WHERE ${step} ${NEWEST_FIRST} LIMIT ${STEP_ROWS}
    ) AS p ${ABOUT} WHERE ${all([JOINED, times, ...equal({ [KIND]: kind })])}
    ${NEWEST_FIRST} LIMIT ${limit}`;
}

/**
 * Merges the wallets' rows. The page ends at the newest position where a wallet's walk stopped,
 * since older rows of this wallet are not read yet.
 */
function merged(
  walked: readonly Walked<SqlRow, MovementPlace>[],
  limit: number,
): Walked<SqlRow, MovementPlace> {
  const read = walked.flatMap(({ next }) => (next === null ? [] : [next]));
  const horizon = read.toSorted(newestFirst)[0] ?? null;
  const rows = walked
    .flatMap((wallet) => wallet.rows)
    .filter((row) => horizon === null || newestFirst(placeOfRow(row), horizon) <= 0)
    .sort((a, b) => newestFirst(placeOfRow(a), placeOfRow(b)));
  const last = rows[limit - 1];
  if (rows.length > limit && last !== undefined) {
    return { rows: rows.slice(0, limit), next: placeOfRow(last) };
  }
  return { rows, next: horizon };
}

function newestFirst(a: MovementPlace, b: MovementPlace): number {
  const order = b.transaction - a.transaction || b.line - a.line;
  return order < 0n ? -1 : order > 0n ? 1 : 0;
}

export const placeOfRow = (row: SqlRow): MovementPlace => ({
  transaction: integer(row, 'transaction_id'),
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
    requestId: requestOf(row),
    rate: rateId === null ? null : (rates.get(rateId) ?? null),
  };
}

function requestOf(row: SqlRow): string | null {
  const commandId = text(row, 'command_id');
  switch (text(row, 'command_kind')) {
    case 'settle':
      return commandId;
    case 'late':
      return commandId.slice(LATE_PREFIX.length);
    case 'refund':
      return text(row, 'refunded_request');
    default:
      return null;
  }
}

/** Returns the id of an exchange's rate. The body of an exchange command ends with this id. */
function rateIdOf(row: SqlRow): string | null {
  if (row['kind'] !== 'exchange') return null;
  if (row['body'] === null) return textOrNull(row, 'fx_rate_id');
  const body: unknown = JSON.parse(text(row, 'body'));
  const last: unknown = Array.isArray(body) ? body.at(-1) : null;
  return typeof last === 'string' ? last : null;
}
