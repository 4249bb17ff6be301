/**
 * Reads the stored refusals: lists requests that were refused before anything was charged, and
 * counts refusals by day and code.
 */
import { all, equal, STEP_ROWS, type Walked, walk } from '../../reports/report-walk.ts';
import { integer, text, textOrNull } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../../store/sql.ts';

/** A request that ended with an error before anything was charged. It contains no prompt. */
export type Refusal = {
  readonly requestId: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly keyId: string;
  readonly endpoint: string;
  /** The requested model; null if the request ended before its body was read. */
  readonly model: string | null;
  readonly status: number;
  readonly code: string;
  /** The message that the caller got; long messages are shortened. */
  readonly message: string;
};

/** Matches requests from `fromMs` (inclusive) to `toMs` (exclusive). Null matches every request. */
export type RefusalFilter = {
  /** Null for all accounts, which only administrators may read. */
  readonly accountId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** A request id or its first characters. */
  readonly idPrefix: string | null;
  readonly keyId: string | null;
  readonly model: string | null;
  readonly code: string | null;
};

/**
 * The exact number of refusals with one error code on one UTC day. `day` is the number of days
 * since 1970-01-01.
 */
export type RefusalCount = {
  readonly day: number;
  readonly code: string;
  readonly requests: bigint;
};

/**
 * The position of a refusal in the list, which is sorted newest first. The next page begins after
 * it.
 */
export type RefusalPlace = { readonly atMs: bigint; readonly requestId: string };

/** Maximum ids, over all accounts, that a search by prefix reads. */
const MAX_SAME_PREFIX = 5_000;
/** A suffix that makes a prefix sort after every id that starts with it, in any collation. */
const AFTER_ALL = 'z'.repeat(26);

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class RefusalLog {
  readonly #sql: SqlExecutor;
  readonly #writeWaiting: () => Promise<void>;

  /**
   * @param writeWaiting writes this node's waiting refusals. It is called before each query, except
   *   for the second and later pages of a list.
   */
  constructor(sql: SqlExecutor, writeWaiting = async () => {}) {
    this.#sql = sql;
    this.#writeWaiting = writeWaiting;
  }

  /**
   * Returns refusals, newest first. `after` is the `next` of the previous page; null for the first
   * page.
   */
  async page(
    filter: RefusalFilter,
    limit: number,
    after: RefusalPlace | null,
  ): Promise<Walked<Refusal, RefusalPlace>> {
    if (after === null) await this.#writeWaiting();
    const start = after ?? { atMs: BigInt(filter.toMs), requestId: '' };
    const { keyId: key_id, model, code, idPrefix } = filter;
    const filters = equal({ key_id, model, code });
    return await walk(start, limit, placeOf, async (place, wanted) => {
      const within = spanOf(filter, place, null);
      if (idPrefix !== null) {
        const source = withPrefix(idPrefix);
        return { rows: await this.#read([...within, ...filters], wanted, source), end: null };
      }
      const end = filters.length === 0 ? null : await this.#endOfStep(within);
      const step = end === null ? within : spanOf(filter, place, end);
      const rows = await this.#read([...step, ...filters], wanted);
      const last = rows.at(-1);
      if (filters.length > 0) return { rows, end };
      return { rows, end: rows.length < wanted || last === undefined ? null : placeOf(last) };
    });
  }

  /** Returns a refusal; null if not found. @param accountId null for any account. */
  async one(requestId: string, accountId: string | null): Promise<Refusal | null> {
    await this.#writeWaiting();
    const where = all([statement`request_id = ${requestId}`, ...equal({ account_id: accountId })]);
    const [row] = await this.#sql.query(statement`SELECT * FROM refusal WHERE ${where}`);
    return row === undefined ? null : refusalOf(row);
  }

  /**
   * Counts refusals by day and code, newest day first. If `accountId` is null, counts all accounts.
   */
  async counts(
    accountId: string | null,
    fromDay: number,
    toDay: number,
  ): Promise<readonly RefusalCount[]> {
    await this.#writeWaiting();
    const rows = await this.#sql.query(countsStatement(accountId, fromDay, toDay));
    return rows.map((row) => ({
      day: Number(integer(row, 'day')),
      code: text(row, 'code'),
      requests: integer(row, 'requests'),
    }));
  }

  /**
   * Looks ahead over the next `STEP_ROWS` rows and returns the position of the last one, at which a
   * filtered query stops. Returns null if fewer rows remain. It reads only an index.
   */
  async #endOfStep(within: readonly SqlStatement[]): Promise<RefusalPlace | null> {
    const [row] = await this.#sql.query(statement`SELECT at_ms, request_id FROM refusal
      WHERE ${all(within)} ORDER BY at_ms DESC, request_id DESC LIMIT 1 OFFSET ${STEP_ROWS - 1}`);
    if (row === undefined) return null;
    return { atMs: integer(row, 'at_ms'), requestId: text(row, 'request_id') };
  }

  async #read(
    conditions: readonly SqlStatement[],
    limit: number,
    source: SqlStatement = statement`refusal`,
  ): Promise<readonly Refusal[]> {
    const rows = await this.#sql.query(statement`SELECT * FROM ${source} WHERE ${all(conditions)}
      ORDER BY at_ms DESC, request_id DESC LIMIT ${limit}`);
    return rows.map(refusalOf);
  }
}

/** Returns the statement that counts refusals. Exported for tests of the query plan. */
export function countsStatement(
  accountId: string | null,
  fromDay: number,
  toDay: number,
): SqlStatement {
  // The key of the table begins with the day. With a list of days instead of a range, the rows of
  // one account are found without reading those of all others.
  const days = Array.from({ length: Math.max(0, toDay - fromDay + 1) }, (_, at) => fromDay + at);
  const ofDays =
    accountId === null || days.length === 0
      ? statement`day BETWEEN ${fromDay} AND ${toDay}`
      : { sql: `day IN (${days.map(() => '?').join(', ')})`, params: days };
  const where = all([ofDays, ...equal({ account_id: accountId })]);
  return statement`SELECT day, code, CAST(SUM(requests) AS BIGINT) AS requests
    FROM refusal_count WHERE ${where} GROUP BY day, code ORDER BY day DESC, code`;
}

const withPrefix = (prefix: string): SqlStatement =>
  statement`(SELECT * FROM refusal WHERE request_id BETWEEN ${prefix} AND ${prefix + AFTER_ALL}
    ORDER BY request_id DESC LIMIT ${MAX_SAME_PREFIX}) AS p`;

/**
 * Returns conditions that select the rows after `place` in the list, up to and including `end`. If
 * `end` is null, they select all remaining rows since `fromMs`. There is always only one lower
 * bound, to help the query planner.
 */
const spanOf = (
  { accountId, fromMs }: RefusalFilter,
  place: RefusalPlace,
  end: RefusalPlace | null,
): SqlStatement[] => [
  ...equal({ account_id: accountId }),
  statement`(at_ms, request_id) < (${place.atMs}, ${place.requestId})`,
  end === null
    ? statement`at_ms >= ${BigInt(fromMs)}`
    : statement`(at_ms, request_id) >= (${end.atMs}, ${end.requestId})`,
];

const placeOf = ({ atMs, requestId }: Refusal): RefusalPlace => ({
  atMs: BigInt(atMs),
  requestId,
});

const refusalOf = (row: SqlRow): Refusal => ({
  requestId: text(row, 'request_id'),
  accountId: text(row, 'account_id'),
  atMs: Number(integer(row, 'at_ms')),
  keyId: text(row, 'key_id'),
  endpoint: text(row, 'endpoint'),
  model: textOrNull(row, 'model'),
  status: Number(integer(row, 'status')),
  code: text(row, 'code'),
  message: text(row, 'message'),
});
