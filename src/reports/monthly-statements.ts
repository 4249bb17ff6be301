/** Computes monthly statements. Entries are only appended, so each call extends cached sums. */

import { CURRENCIES, type Currency, type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { DAY_MS, dateOf } from '../money/calendar.ts';
import { integer, text } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { all, equal, STEP_ROWS } from './report-walk.ts';
import {
  JOINED,
  KIND,
  MOVEMENT_KINDS,
  type MovementKind,
  type MovementPlace,
  placeOfRow,
} from './statements.ts';

/** The most steps of one call: two million entries. With more left, `isWhole` is false. */
const MAX_STEPS = 2_000;
/** The most accounts with cached sums, some kilobytes each. The least recently used is evicted. */
const MAX_REMEMBERED = 500;

/** One wallet's month (UTC). `opening` + `cameIn` + `wentOut` equals `closing` exactly. */
export type MonthlyStatement = {
  /** The month, such as `2026-11`. */
  readonly month: string;
  readonly currency: Currency;
  readonly opening: NanoAmount;
  readonly cameIn: NanoAmount;
  /** Zero or negative. */
  readonly wentOut: NanoAmount;
  /** The net change by kind of movement; negative where more went out than came in. */
  readonly moved: Readonly<Record<MovementKind, NanoAmount>>;
  readonly closing: NanoAmount;
};
/** Newest month first. If `isWhole` is false, a further call adds the remaining entries. */
export type MonthlyStatements = {
  readonly statements: readonly MonthlyStatement[];
  readonly isWhole: boolean;
};

type Sums = { cameIn: bigint; wentOut: bigint; readonly moved: Record<MovementKind, bigint> };
type WalletSums = {
  readonly currency: Currency;
  readonly months: Map<string, Sums>;
  /** The position of the last entry that is in the sums. */
  place: MovementPlace;
};
type AccountSums = {
  readonly wallets: readonly WalletSums[];
  /** The running read, if any. Concurrent calls share it, so that no entry is summed twice. */
  reading: Promise<boolean> | null;
};

const FIRST: MovementPlace = { transaction: 0n, line: 0n };

export class StatementsByMonth {
  readonly #sql: SqlExecutor;
  readonly #stepRows: number;
  readonly #accounts = new Map<string, AccountSums>();

  /** @param stepRows the maximum number of entries per step. */
  constructor(sql: SqlExecutor, stepRows = STEP_ROWS) {
    this.#sql = sql;
    this.#stepRows = stepRows;
  }

  /** Returns the months with movements. @throws GatewayError `store_unavailable`. */
  async of(accountId: string): Promise<MonthlyStatements> {
    const sums = this.#remembered(accountId);
    sums.reading ??= this.#readOn(accountId, sums.wallets).finally(() => {
      sums.reading = null;
    });
    const isWhole = await sums.reading;
    const statements = sums.wallets.flatMap(statementsOf).toSorted(newestFirst);
    return { statements, isWhole };
  }

  #remembered(accountId: string): AccountSums {
    const sums = this.#accounts.get(accountId) ?? {
      wallets: CURRENCIES.map((currency) => ({ currency, months: new Map(), place: FIRST })),
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

  async #readOn(accountId: string, wallets: readonly WalletSums[]): Promise<boolean> {
    let steps = 0;
    for (const wallet of wallets) {
      for (let hasMore = true; hasMore; steps += 1) {
        if (steps === MAX_STEPS) return false;
        hasMore = await this.#step(accountId, wallet);
      }
    }
    return true;
  }

  /** Adds the next step of entries to the sums. Returns false when no entries were left. */
  async #step(accountId: string, wallet: WalletSums): Promise<boolean> {
    const { transaction, line } = wallet.place;
    const within = all([
      ...equal({ 'e.account_id': accountId, 'e.currency': wallet.currency }),
      statement`(e.transaction_id, e.line) > (${transaction}, ${line})`,
    ]);
    const [last] = await this.#sql.query(statement`SELECT p.transaction_id, p.line
      FROM ${places(within, this.#stepRows)} AS p
      ORDER BY p.transaction_id DESC, p.line DESC LIMIT 1`);
    if (last === undefined) return false;
    const end = placeOfRow(last);
    const step = statement`${within}
      AND (e.transaction_id, e.line) <= (${end.transaction}, ${end.line})`;
    const rows = await this.#sql.query(sumsOfStep(places(step, this.#stepRows)));
    for (const row of rows) add(wallet, row);
    wallet.place = end;
    return true;
  }
}

/** Selects the entries of a step, written so that every planner uses only the index. */
const places = (within: SqlStatement, rows: number): SqlStatement => statement`(
  SELECT e.transaction_id, e.line FROM entry e WHERE ${within}
  ORDER BY e.transaction_id, e.line LIMIT ${rows})`;

/** Sums a step's entries by day, since the SQL for months differs between the engines. */
const sumsOfStep = (step: SqlStatement): SqlStatement =>
  statement`SELECT t.at_ms / ${raw(`${DAY_MS}`)} AS day, ${raw(KIND)} AS movement,
      CAST(SUM(CASE WHEN e.amount > 0 THEN e.amount ELSE 0 END) AS BIGINT) AS came_in,
      CAST(SUM(CASE WHEN e.amount < 0 THEN e.amount ELSE 0 END) AS BIGINT) AS went_out
    FROM ${step} AS p CROSS JOIN entry e CROSS JOIN money_transaction t CROSS JOIN entry o
    WHERE ${JOINED} GROUP BY 1, 2`;

function add(wallet: WalletSums, row: SqlRow): void {
  const month = dateOf(Number(integer(row, 'day'))).slice(0, 7);
  const sums = wallet.months.get(month) ?? { cameIn: 0n, wentOut: 0n, moved: perKind(() => 0n) };
  wallet.months.set(month, sums);
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
  if (kind === undefined) throw new Error(`a wallet was moved by an unknown kind, ${movement}`);
  return kind;
}

function statementsOf({ currency, months }: WalletSums): readonly MonthlyStatement[] {
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
