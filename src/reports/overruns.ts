/** Lists the requests that cost more than was held for them, and what made them expensive. */
import { type NanoAmount, nano } from '../money/amount.ts';
import { FEE_UNITS } from '../money/served.ts';
import { BUCKET_COLUMNS, COLUMN_OF } from '../money/usage.ts';
import { integer } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { all, equal } from './report-walk.ts';
import type { CostLine, RequestCost, RequestCosts } from './request-cost.ts';
import { RECEIPTS, type RequestPlace } from './request-filter.ts';
import { type LoggedRequest, loggedOf, REQUEST_COLUMNS } from './request-log.ts';

export const CAUSES = [...BUCKET_COLUMNS, ...FEE_UNITS, 'images'] as const;
export type Cause = (typeof CAUSES)[number];

export type Overrun = {
  readonly request: LoggedRequest;
  readonly held: NanoAmount;
  /** The price: the charge plus the operator's loss. */
  readonly price: NanoAmount;
  /** The kind of usage that cost the most; null when the request's cost has no lines. */
  readonly cause: Cause | null;
  /** The usage that was served without a price, such as `web_fetch` or `tier: fast`. */
  readonly unpriced: readonly string[];
  /**
   * The number of answers that must still stay within their holds. Until then, the account is
   * restricted because of an overrun (see `HoldCommand`).
   */
  readonly carefulAnswers: number;
};

export type OverrunPage = {
  readonly rows: readonly Overrun[];
  readonly next: RequestPlace | null;
};

export class Overruns {
  readonly #sql: SqlExecutor;
  readonly #costs: Pick<RequestCosts, 'of'>;

  constructor(sql: SqlExecutor, costs: Pick<RequestCosts, 'of'>) {
    this.#sql = sql;
    this.#costs = costs;
  }

  /**
   * Lists the overruns of an account, or of all accounts if `accountId` is null, newest first.
   * @throws as `RequestCosts.of`.
   */
  async page(
    accountId: string | null,
    limit: number,
    after: RequestPlace | null,
  ): Promise<OverrunPage> {
    const conditions = equal({ 'o.account_id': accountId });
    if (after !== null) {
      conditions.push(
        statement`(o.at_ms, o.request_id) < (${after.settledAtMs}, ${after.requestId})`,
      );
    }
    // In SQLite, CROSS JOIN fixes the join order: the few overruns are read first, instead of all
    // receipts.
    const rows = await this.#sql.query(statement`SELECT ${REQUEST_COLUMNS}, o.held AS held,
        o.price AS price, a.careful AS careful
      FROM overrun o CROSS JOIN ${RECEIPTS} JOIN account a ON a.id = r.account_id
      WHERE ${all([statement`r.request_id = o.request_id`, ...conditions])}
      ORDER BY o.at_ms DESC, o.request_id DESC LIMIT ${limit}`);
    const found = await Promise.all(rows.map((row) => this.#overrunOf(row)));
    const last = rows.length < limit ? undefined : found.at(-1)?.request;
    const next =
      last === undefined
        ? null
        : { settledAtMs: BigInt(last.settledAtMs), requestId: last.requestId };
    return { rows: found, next };
  }

  async #overrunOf(row: SqlRow): Promise<Overrun> {
    const request = loggedOf(row);
    const cost = await this.#costs.of(request);
    return {
      request,
      held: nano(integer(row, 'held')),
      price: nano(integer(row, 'price')),
      cause: causeOf(cost),
      unpriced: cost.unpriced,
      carefulAnswers: Number(integer(row, 'careful')),
    };
  }
}

function causeOf({ lines }: RequestCost): Cause | null {
  const [first, ...others] = lines;
  if (first === undefined) return null;
  return nameOf(
    others.reduce((most, line) => (line.costPico > most.costPico ? line : most), first),
  );
}

function nameOf(line: CostLine): Cause {
  switch (line.kind) {
    case 'tokens':
      return COLUMN_OF[line.bucket];
    case 'fee':
      return line.unit;
    case 'images':
      return line.kind;
  }
}
