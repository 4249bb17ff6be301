/**
 * Sums delivered images by price key (size, or size and quality), mostly from an index instead of
 * from receipts.
 */
import { DAY_MS } from '../../money/calendar.ts';
import { integer, text, textOrNull } from '../../store/row.ts';
import { raw, type SqlExecutor, type SqlStatement, statement } from '../../store/sql.ts';
import { all, equal } from '../report-walk.ts';
import { latest, ownedBy, RECEIPTS } from '../request-filter.ts';
import { nextCount, type UsageGroup } from '../usage-report.ts';

/** Maximum index entries that one statement should sum: about 5 ms of the embedded store's time. */
const STEP_ENTRIES = 50_000;

/** A range of days, both ends included. Days count from 1970 (UTC). */
export type Days = { readonly fromDay: number; readonly toDay: number };

/** The accounts whose usage is priced: one account, or all accounts except `others`. */
export type Payers = { readonly accountId: string | null; readonly others: ReadonlySet<string> };

/** The requests to sum: those of a model on a channel, in one currency. */
type Drawn = Pick<UsageGroup, 'model' | 'channel' | 'currency'>;

export class ImageSums {
  readonly #sql: Pick<SqlExecutor, 'query'>;
  readonly #stepEntries: number;

  constructor(sql: Pick<SqlExecutor, 'query'>, stepEntries = STEP_ENTRIES) {
    this.#sql = sql;
    this.#stepEntries = stepEntries;
  }

  /**
   * Returns the number of delivered images by price key. A key whose requests delivered no image
   * has zero.
   * @throws GatewayError `store_unavailable`.
   */
  async of(drawn: Drawn, days: Days, payers: Payers): Promise<ReadonlyMap<string, bigint>> {
    const sums = new Map<string, bigint>();
    const add = (key: string, images: bigint) => sums.set(key, (sums.get(key) ?? 0n) + images);
    const own = paidBy(payers);
    let key = await this.#keyAfter(drawn, '');
    while (key !== null) {
      for (const images of await this.#steps(drawn, key, days, own)) add(key, images);
      key = await this.#keyAfter(drawn, key);
    }
    for (const row of await this.#sql.query(lostOnes(drawn, days, own))) {
      add(text(row, 'price_key'), integer(row, 'images'));
    }
    return sums;
  }

  async #keyAfter(drawn: Drawn, after: string): Promise<string | null> {
    const [row] = await this.#sql.query(statement`SELECT MIN(r.image_price_key) AS price_key
      FROM receipt r WHERE ${all([...indexed(drawn), statement`r.image_price_key > ${after}`])}`);
    return row === undefined ? null : textOrNull(row, 'price_key');
  }

  /**
   * Counts the images of one price key with one statement per range of days. Returns a count for
   * each range in which the payers had requests.
   */
  async #steps(
    drawn: Drawn,
    key: string,
    { fromDay, toDay }: Days,
    own: readonly SqlStatement[],
  ): Promise<readonly bigint[]> {
    const found: bigint[] = [];
    let count = 1;
    for (let from = fromDay; from <= toDay; ) {
      const to = Math.min(toDay, from + count - 1);
      const where = all([
        ...indexed(drawn),
        statement`r.image_price_key = ${key}`,
        ...settledIn({ fromDay: from, toDay: to }),
      ]);
      // The condition on payers (`own`) filters only the sums. `entries` must count all index
      // entries in the range, since it decides how many days the next statement reads.
      const isOwn = own.length === 0 ? raw('') : statement`FILTER (WHERE ${all(own)})`;
      const [row] = await this.#sql.query(statement`SELECT COUNT(*) AS entries,
          COUNT(*) ${isOwn} AS requests, CAST(SUM(r.image_count) ${isOwn} AS BIGINT) AS images
        FROM receipt r WHERE ${where}`);
      if (row === undefined) break;
      if (integer(row, 'requests') > 0n) found.push(integer(row, 'images'));
      count = nextCount(to - from + 1, Number(integer(row, 'entries')), this.#stepEntries);
      from = to + 1;
    }
    return found;
  }
}

/** Conditions for these requests, written so that query planners use the index `receipt_images`. */
const indexed = ({ model, channel, currency }: Drawn): readonly SqlStatement[] => [
  ...equal({ 'r.model': model, 'r.channel': channel, 'r.currency': currency }),
  raw("r.image_count IS NOT NULL AND r.outcome <> 'node_lost'"),
];

/**
 * Sums the images of the few requests whose node was declared dead (`node_lost`). If a receipt came
 * later, its values are used.
 */
const lostOnes = (
  { model, channel, currency }: Drawn,
  days: Days,
  own: readonly SqlStatement[],
): SqlStatement => {
  const [key, count] = [raw(latest('image_price_key')), raw(latest('image_count'))];
  const where = all([
    raw("r.outcome = 'node_lost'"),
    ...settledIn(days),
    ...equal({ [latest('model')]: model, [latest('channel')]: channel, 'r.currency': currency }),
    ...own,
  ]);
  return statement`SELECT ${key} AS price_key, CAST(SUM(${count}) AS BIGINT) AS images
    FROM ${RECEIPTS} WHERE ${where} AND ${count} IS NOT NULL GROUP BY 1`;
};

const settledIn = ({ fromDay, toDay }: Days): readonly SqlStatement[] => [
  statement`r.settled_at_ms >= ${fromDay * DAY_MS}`,
  statement`r.settled_at_ms < ${(toDay + 1) * DAY_MS}`,
];

function paidBy({ accountId, others }: Payers): readonly SqlStatement[] {
  const places = Array.from(others, () => '?').join(', ');
  const without = { sql: `r.account_id NOT IN (${places})`, params: [...others] };
  return [...ownedBy(accountId), ...(others.size === 0 ? [] : [without])];
}
