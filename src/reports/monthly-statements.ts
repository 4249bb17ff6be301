/**
 * Computes monthly statements of wallets from movements, which are the changes of a wallet's
 * balance. Movements are only appended, so each call extends cached sums.
 */

import { CURRENCIES, type Currency, type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { DAY_MS, dateOf } from '../money/calendar.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { STEP_ROWS } from './report-walk.ts';
import { endOfStep, MOVEMENT_KINDS, type MovementKind } from './statements.ts';

/**
 * Maximum SQL statements of one call, which read two million movements in total. If more movements
 * are left, `isWhole` is false.
 */
const MAX_STEPS = 2_000;
/** Maximum accounts with cached sums, some kilobytes each. The least recently used is evicted. */
const MAX_REMEMBERED = 500;

/**
 * The statement of one wallet for one month (UTC). `opening` + `cameIn` + `wentOut` equals
 * `closing` exactly.
 */
export type MonthlyStatement = {
  /** The month, such as `2026-11`. */
  readonly month: string;
  readonly currency: Currency;
  readonly opening: NanoAmount;
  readonly cameIn: NanoAmount;
  /** The sum of all negative movements; zero or negative. */
  readonly wentOut: NanoAmount;
  /** The net change by kind of movement; negative where more went out than came in. */
  readonly moved: Readonly<Record<MovementKind, NanoAmount>>;
  readonly closing: NanoAmount;
};
/**
 * Monthly statements, newest first. If `isWhole` is false, some movements are not counted yet: a
 * further call adds them.
 */
export type MonthlyStatements = {
  readonly statements: readonly MonthlyStatement[];
  readonly isWhole: boolean;
};

type Sums = { cameIn: bigint; wentOut: bigint; readonly moved: Record<MovementKind, bigint> };
type AccountSums = {
  /** The sums of each month, such as `2026-11`, by currency. */
  readonly months: Readonly<Record<Currency, Map<string, Sums>>>;
  /** The sequence number of the last movement that is in the sums. */
  last: bigint;
  /** The running read, if any. Concurrent calls share it, so that no movement is summed twice. */
  reading: Promise<boolean> | null;
};

export class StatementsByMonth {
  readonly #sql: SqlExecutor;
  readonly #stepRows: number;
  readonly #accounts = new Map<string, AccountSums>();

  /** @param stepRows the maximum number of transactions and receipts that one statement reads. */
  constructor(sql: SqlExecutor, stepRows = STEP_ROWS) {
    this.#sql = sql;
    this.#stepRows = stepRows;
  }

  /**
   * Returns a statement for each month with movements.
   * @throws GatewayError `store_unavailable`.
   */
  async of(accountId: string): Promise<MonthlyStatements> {
    const sums = this.#remembered(accountId);
    sums.reading ??= this.#readOn(accountId, sums).finally(() => {
      sums.reading = null;
    });
    const isWhole = await sums.reading;
    const statements = CURRENCIES.flatMap((currency) =>
      statementsOf(currency, sums.months[currency]),
    ).toSorted(newestFirst);
    return { statements, isWhole };
  }

  #remembered(accountId: string): AccountSums {
    const sums = this.#accounts.get(accountId) ?? {
      months: { USD: new Map(), CNY: new Map() },
      last: 0n,
      reading: null,
    };
    this.#accounts.delete(accountId);
    const [oldest] = this.#accounts.keys();
    if (this.#accounts.size >= MAX_REMEMBERED && oldest !== undefined) {
      this.#accounts.delete(oldest);
    }
    this.#accounts.set(accountId, sums);
    return sums;
  }

  async #readOn(accountId: string, sums: AccountSums): Promise<boolean> {
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      if (!(await this.#step(accountId, sums))) return true;
    }
    return false;
  }

  /** Adds the movements that one SQL statement reads. Returns false when no movements are left. */
  async #step(accountId: string, sums: AccountSums): Promise<boolean> {
    const from = sums.last + 1n;
    const [end] = await this.#sql.query(endOfStep(accountId, 'newer', from, this.#stepRows));
    const rest = statement`account_id = ${accountId} AND seq >= ${from}`;
    const step = end === undefined ? rest : statement`${rest} AND seq <= ${integer(end, 'seq')}`;
    const rows = await this.#sql.query(sumsOfStep(step));
    for (const row of rows) {
      add(sums.months[currencyOf(row)], row);
      const last = integer(row, 'last');
      if (last > sums.last) sums.last = last;
    }
    if (end !== undefined) sums.last = integer(end, 'seq');
    return end !== undefined;
  }
}

/**
 * Returns a statement that sums movements by day. The caller sums the days of each month, since the
 * SQL for months differs between the engines.
 */
const sumsOfStep = (step: SqlStatement): SqlStatement =>
  statement`SELECT at_ms / ${raw(`${DAY_MS}`)} AS day, currency, kind AS movement,
      CAST(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS BIGINT) AS came_in,
      CAST(SUM(CASE WHEN amount < 0 THEN amount ELSE 0 END) AS BIGINT) AS went_out,
      MAX(seq) AS last
    FROM moved WHERE ${step} GROUP BY 1, 2, 3`;

function add(months: Map<string, Sums>, row: SqlRow): void {
  const month = dateOf(Number(integer(row, 'day'))).slice(0, 7);
  const sums = months.get(month) ?? { cameIn: 0n, wentOut: 0n, moved: perKind(() => 0n) };
  months.set(month, sums);
  const [cameIn, wentOut] = [integer(row, 'came_in'), integer(row, 'went_out')];
  sums.cameIn += cameIn;
  sums.wentOut += wentOut;
  sums.moved[kindOf(row)] += cameIn + wentOut;
}

const perKind = <Value>(of: (kind: MovementKind) => Value): Record<MovementKind, Value> =>
  Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, of(kind)])) as Record<MovementKind, Value>;

function kindOf(row: SqlRow): MovementKind {
  const movement = text(row, 'movement');
  const kind = MOVEMENT_KINDS.find((known) => known === movement);
  if (kind === undefined)
    throw new Error(`a wallet has a movement of the unknown kind ${movement}`);
  return kind;
}

function statementsOf(
  currency: Currency,
  months: ReadonlyMap<string, Sums>,
): readonly MonthlyStatement[] {
  let opening: bigint = ZERO;
  return [...months]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, { cameIn, wentOut, moved }]) => {
      const closing = opening + cameIn + wentOut;
      const sums = { cameIn: nano(cameIn), wentOut: nano(wentOut), closing: nano(closing) };
      const kinds = perKind((kind) => nano(moved[kind]));
      const result = { month, currency, opening: nano(opening), ...sums, moved: kinds };
      opening = closing;
      return result;
    });
}

function newestFirst(a: MonthlyStatement, b: MonthlyStatement): number {
  if (a.month !== b.month) return a.month < b.month ? 1 : -1;
  return CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency);
}
