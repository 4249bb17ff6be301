/**
 * Statements of wallets: every movement, newest first, with the balance after it. `credit_limit`
 * commands move no money, so only the audit log has them.
 */

import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import { all, clause, equal, STEP_ROWS, type Step, type Walked, walk } from './report-walk.ts';

export const MOVEMENT_KINDS = ['credit', 'settle', 'exchange', 'refund', 'adjust', 'late'] as const;
/** `exchange` includes what a settlement buys in one wallet with the other's money. */
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** One change of one wallet. */
export type Movement = {
  readonly place: MovementPlace;
  /** The command that made it, and which of its lines: `req_.../3`. */
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
  /** For a settlement, its correction, or a refund. */
  readonly requestId: string | null;
  /** For an exchange: one unit of base bought scaled / 1e8 units of quote. */
  readonly rate: MovementRate | null;
};
export type MovementRate = {
  readonly id: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly scaled: bigint;
};

/** Null: any. Times: from `fromMs` on, before `toMs`. */
export type MovementFilter = {
  readonly accountId: string;
  readonly currency: Currency | null;
  readonly kind: MovementKind | null;
  readonly fromMs: number;
  readonly toMs: number;
};

/** In the order of writing, so that no movement can appear between two that were read. */
export type MovementPlace = { readonly transaction: bigint; readonly line: bigint };
const NEWEST: MovementPlace = { transaction: 2n ** 62n, line: 0n };

const LATE_PREFIX = 'late:';
/**
 * The kind of a movement. Entries come in pairs on consecutive lines, the wallet's first: here `e`
 * and `o`, of transaction `t`.
 */
export const KIND = `CASE WHEN o.account_id LIKE 'fx:%' THEN 'exchange' ELSE t.kind END`;
/** The rate of a command is in its body, that of a settlement on its receipt. */
const COLUMNS = `e.transaction_id, e.line, e.currency, e.amount, e.balance_after,
  o.account_id AS opposite, t.command_id, t.at_ms, t.reason, t.body, ${KIND} AS kind,
  t.kind AS command_kind, f.request_id AS refunded_request, r.fx_rate_id`;
/** CROSS JOIN fixes the join order in SQLite, whatever its statistics say. */
const ABOUT = `CROSS JOIN entry e CROSS JOIN money_transaction t CROSS JOIN entry o
  LEFT JOIN refund f ON f.transaction_id = t.id
  LEFT JOIN receipt r ON r.request_id =
    CASE WHEN t.kind = 'late' THEN substr(t.command_id, 6) ELSE t.command_id END`;
const JOINED = clause(
  'e.transaction_id = p.transaction_id AND e.line = p.line AND t.id = e.transaction_id AND o.transaction_id = e.transaction_id AND o.line = e.line + 1',
);
const NEWEST_FIRST = 'ORDER BY e.transaction_id DESC, e.line DESC';

/** Every method @throws GatewayError `store_unavailable` when the store gives no answer. */
export class Statements {
  readonly #sql: SqlExecutor;
  /** A cache: published rates never change, and there are few. */
  readonly #rates = new Map<string, MovementRate>();

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /** @param after null: from the newest. */
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
    place: MovementPlace,
    wanted: number,
  ): Promise<Step<SqlRow, MovementPlace>> {
    const within = span(filter.accountId, currency, place);
    const [row] = await this.#sql.query(endOfStep(within));
    const end = row === undefined ? null : placeOfRow(row);
    const upTo = end === null ? [] : [from(end)];
    const page = pageStatement([...within, ...upTo], filtersOf(filter), wanted);
    return { rows: await this.#sql.query(page), end };
  }

  async #learnRates(rows: readonly SqlRow[]): Promise<void> {
    const ids = rows.map(rateIdOf).filter((id) => id !== null && !this.#rates.has(id));
    const unknown = [...new Set(ids)];
    if (unknown.length === 0) return;
    const found = await this.#sql.query({
      sql: `SELECT id, base, quote, scaled FROM fx_rate WHERE id IN (${unknown.map(() => '?').join(', ')})`,
      params: unknown,
    });
    for (const row of found) {
      const [base, quote] = [currencyOf(row, 'base'), currencyOf(row, 'quote')];
      const id = text(row, 'id');
      this.#rates.set(id, { id, base, quote, scaled: integer(row, 'scaled') });
    }
  }
}

/**
 * Selects one step of the wallet's positions first, from the index alone. Otherwise a planner may
 * begin with the times, or with the rows of every wallet.
 */
function pageStatement(
  within: readonly SqlStatement[],
  filters: readonly SqlStatement[],
  limit: number,
): SqlStatement {
  const [places, passing] = [all(within), all([JOINED, ...filters])];
  return {
    sql: `SELECT ${COLUMNS} FROM (
        SELECT e.transaction_id, e.line FROM entry e
        WHERE ${places.sql} ${NEWEST_FIRST} LIMIT ${STEP_ROWS}
      ) AS p ${ABOUT} WHERE ${passing.sql} ${NEWEST_FIRST} LIMIT ?`,
    params: [...places.params, ...passing.params, limit],
  };
}

/** Finds the last row of a step from the index alone. */
function endOfStep(within: readonly SqlStatement[]): SqlStatement {
  const where = all(within);
  return {
    sql: `SELECT e.transaction_id, e.line FROM entry e WHERE ${where.sql}
      ${NEWEST_FIRST} LIMIT 1 OFFSET ${STEP_ROWS - 1}`,
    params: where.params,
  };
}

/** The rows of a wallet that come after `place`. */
const span = (accountId: string, currency: Currency, place: MovementPlace): SqlStatement[] => [
  ...equal([
    ['e.account_id', accountId],
    ['e.currency', currency],
  ]),
  clause('(e.transaction_id, e.line) < (?, ?)', place.transaction, place.line),
];

const from = (end: MovementPlace): SqlStatement =>
  clause('(e.transaction_id, e.line) >= (?, ?)', end.transaction, end.line);

const filtersOf = ({ kind, fromMs, toMs }: MovementFilter): SqlStatement[] => [
  clause('t.at_ms >= ?', BigInt(fromMs)),
  clause('t.at_ms < ?', BigInt(toMs)),
  ...equal([[KIND, kind]]),
];

/**
 * Merges the rows of the wallets. A wallet that was not read to its end limits the page to the
 * position that it was read to; the next page begins there.
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

const placeOfRow = (row: SqlRow): MovementPlace => ({
  transaction: integer(row, 'transaction_id'),
  line: integer(row, 'line'),
});

function movementOf(row: SqlRow, rates: ReadonlyMap<string, MovementRate>): Movement {
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
    reason: row['reason'] === null ? null : text(row, 'reason'),
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

/** The body of an `exchange` command ends with its rate. */
function rateIdOf(row: SqlRow): string | null {
  if (row['kind'] !== 'exchange') return null;
  if (row['body'] === null) return row['fx_rate_id'] === null ? null : text(row, 'fx_rate_id');
  const body: unknown = JSON.parse(text(row, 'body'));
  const last: unknown = Array.isArray(body) ? body.at(-1) : null;
  return typeof last === 'string' ? last : null;
}
