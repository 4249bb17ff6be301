/**
 * Sums the usage of all accounts over some days, from roll-ups. Reads receipts only for refunds,
 * and for costs per image or with conditions.
 */
import { GatewayError } from '../../errors.ts';
import { CURRENCIES, type Currency } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { currencyOf, integer, text } from '../../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';
import { type Books, booksOf, type Part } from '../books-by-month.ts';
import { type CostedGroup, MonthCosts, type MonthCostsDeps } from '../month-costs.ts';
import { MAX_GROUPS, type UsageDimension, type UsageGroup } from '../usage-report.ts';

/** Maximum length of each list: accounts, models, and wallets with a low balance. */
const TOP = 5;
/** Maximum refunds that one statement reads, which takes the store 5 ms. */
const REFUND_ROWS = 1_000;
/**
 * Maximum difference between nodes' clocks. A refund may have a higher id than another refund, but
 * a time that is earlier by this much.
 */
const MAX_SKEW_MS = 3_600_000;

/**
 * The usage of an account or of a model. Charges are in nano-USD. Each is converted at the exchange
 * rate of its request.
 */
export type Ranked = {
  readonly id: string;
  readonly requests: bigint;
  readonly failed: bigint;
  readonly metered: bigint;
};
export type RankedAccount = Ranked & { readonly name: string };

export type LowWallet = {
  readonly accountId: string;
  readonly name: string;
  readonly currency: Currency;
};

/** A summary of a range of days, both ends included. Days count from 1970 (UTC). */
export type Summary = {
  /** One entry per currency that has requests or refunds. */
  readonly books: readonly (Books & { readonly currency: Currency })[];
  /** One entry per day and currency with usage, newest first. */
  readonly days: readonly UsageGroup[];
  /**
   * The accounts with the highest charges; null if there are too many to compare (`MAX_GROUPS`).
   */
  readonly accounts: readonly RankedAccount[] | null;
  readonly models: readonly Ranked[];
  readonly overruns: number;
  readonly newAccounts: number;
  readonly newPeople: number;
  /** The number of wallets that are now below their threshold, and the first few of them. */
  readonly low: { readonly count: number; readonly first: readonly LowWallet[] };
};

const ANY = { accountId: null, keyId: null, model: null, channel: null, currency: null };

export class OperatorSummary {
  readonly #sql: SqlExecutor;
  readonly #costs: MonthCostsDeps;
  readonly #refundRows: number;

  constructor(sql: SqlExecutor, costs: MonthCostsDeps, refundRows = REFUND_ROWS) {
    this.#sql = sql;
    this.#costs = costs;
    this.#refundRows = refundRows;
  }

  /** Returns the summary of these days, both included. @throws GatewayError `store_unavailable`. */
  async of(fromDay: number, toDay: number): Promise<Summary> {
    const [fromMs, toMs] = [fromDay * DAY_MS, (toDay + 1) * DAY_MS];
    const groups = await new MonthCosts(this.#costs).of(fromDay, toDay);
    const refunds = await this.#refunds(fromMs, toMs);
    return {
      books: CURRENCIES.flatMap((currency) =>
        inCurrency(currency, groups, refunds, this.#costs.costOf),
      ),
      days: await this.#usage('day', fromDay, toDay),
      accounts: await this.#accounts(fromDay, toDay),
      models: topOf(groups, 'model'),
      overruns: await this.#count(statement`SELECT COUNT(*) AS n FROM overrun
        WHERE at_ms >= ${fromMs} AND at_ms < ${toMs}`),
      newAccounts: await this.#count(statement`SELECT COUNT(*) AS n FROM account
        WHERE created_at_ms >= ${fromMs} AND created_at_ms < ${toMs}`),
      newPeople: await this.#count(statement`SELECT COUNT(*) AS n FROM person
        WHERE created_at_ms >= ${fromMs} AND created_at_ms < ${toMs}`),
      low: {
        count: await this.#count(statement`SELECT COUNT(*) AS n FROM low_balance WHERE is_low = 1`),
        first: await this.#lowWallets(),
      },
    };
  }

  async #usage(by: UsageDimension, fromDay: number, toDay: number): Promise<readonly UsageGroup[]> {
    const filter = { ...ANY, fromDay, toDay };
    return (await this.#costs.usage.page(filter, [by], MAX_GROUPS, null)).rows;
  }

  async #accounts(fromDay: number, toDay: number): Promise<readonly RankedAccount[] | null> {
    let groups: readonly UsageGroup[];
    try {
      groups = await this.#usage('account', fromDay, toDay);
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.code === 'invalid_value') return null;
      throw thrown;
    }
    const ranked: RankedAccount[] = [];
    for (const account of topOf(groups, 'account')) {
      const [row] = await this.#sql.query(
        statement`SELECT name FROM account WHERE id = ${account.id}`,
      );
      ranked.push({ ...account, name: row === undefined ? account.id : text(row, 'name') });
    }
    return ranked;
  }

  /**
   * Reads refunds, newest first, and stops at those older than the first day. This way, the work
   * depends only on the number of newer refunds.
   */
  async #refunds(fromMs: number, toMs: number): Promise<readonly Part[]> {
    const found: Part[] = [];
    let before: bigint | null = 2n ** 62n;
    while (before !== null) {
      const rows = await this.#sql.query(refundsBefore(before, this.#refundRows));
      for (const row of rows) {
        const atMs = Number(integer(row, 'at_ms'));
        if (atMs < fromMs || atMs >= toMs) continue;
        found.push({
          ...{ currency: currencyOf(row), amount: integer(row, 'amount') },
          ...{ model: text(row, 'model'), channel: text(row, 'channel') },
        });
      }
      const last = rows.length < this.#refundRows ? undefined : rows.at(-1);
      const isOlder = last !== undefined && Number(integer(last, 'at_ms')) < fromMs - MAX_SKEW_MS;
      before = last === undefined || isOlder ? null : integer(last, 'id');
    }
    return found;
  }

  async #lowWallets(): Promise<readonly LowWallet[]> {
    const rows = await this.#sql.query(statement`SELECT low_balance.account_id AS account_id,
        low_balance.currency AS currency, account.name AS name
      FROM low_balance JOIN account ON account.id = low_balance.account_id
      WHERE low_balance.is_low = 1 ORDER BY low_balance.account_id, low_balance.currency
      LIMIT ${TOP}`);
    return rows.map((row) => ({
      ...{ accountId: text(row, 'account_id'), name: text(row, 'name') },
      currency: currencyOf(row),
    }));
  }

  async #count(counting: SqlStatement): Promise<number> {
    const [row] = await this.#sql.query(counting);
    return row === undefined ? 0 : Number(integer(row, 'n'));
  }
}

/**
 * In SQLite, CROSS JOIN fixes the join order: the few refunds are read first, instead of all
 * receipts.
 */
const refundsBefore = (id: bigint, limit: number): SqlStatement =>
  statement`SELECT f.transaction_id AS id, t.at_ms AS at_ms, f.amount AS amount,
      r.currency AS currency, r.model AS model, r.channel AS channel
    FROM refund f CROSS JOIN money_transaction t CROSS JOIN receipt r
    WHERE f.transaction_id < ${id} AND t.id = f.transaction_id AND r.request_id = f.request_id
    ORDER BY f.transaction_id DESC LIMIT ${limit}`;

function inCurrency(
  currency: Currency,
  groups: readonly CostedGroup[],
  refunds: readonly Part[],
  costOf: MonthCostsDeps['costOf'],
): Summary['books'] {
  const own = groups.filter((group) => group.currency === currency);
  const back = refunds.filter((refund) => refund.currency === currency);
  return own.length === 0 && back.length === 0 ? [] : [{ currency, ...booksOf(own, back, costOf) }];
}

/** Returns the groups with the highest charges over all currencies, highest first. */
function topOf(groups: readonly UsageGroup[], by: 'account' | 'model'): readonly Ranked[] {
  const sums = new Map<string, Ranked>();
  for (const group of groups) {
    const id = group[by] ?? '';
    const { requests, failed, metered } = sums.get(id) ?? NOTHING;
    sums.set(id, {
      id,
      requests: requests + group.requests,
      failed: failed + group.incomplete,
      metered: metered + group.metered,
    });
  }
  return [...sums.values()].toSorted(byCharge).slice(0, TOP);
}

const NOTHING = { requests: 0n, failed: 0n, metered: 0n };

/** Sorts by charges, then by requests, then by id. */
function byCharge(a: Ranked, b: Ranked): number {
  if (a.metered !== b.metered) return a.metered > b.metered ? -1 : 1;
  if (a.requests !== b.requests) return a.requests > b.requests ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
