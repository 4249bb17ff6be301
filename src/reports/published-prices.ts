/** Lists published price cards and exchange rates, newest first. Receipts refer to them by id. */

import { publishedTerms } from '../ledger/publish.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import type { CardTerms } from '../money/card-terms.ts';
import type { FxRate, Rates } from '../money/price.ts';
import { currencyOf, integer, text, textOrNull } from '../store/row.ts';
import { raw, type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';
import { all, equal } from './report-walk.ts';

export type PublishedCard = {
  readonly id: string;
  readonly model: string;
  readonly channel: string;
  /** The price list that contains the price card; null for a public price. */
  readonly list: string | null;
  readonly currency: Currency;
  /** The rates of the first price row in pico-units per token; null for a price card per image. */
  readonly rates: Rates | null;
  /** The conditions that the price depends on; null for a price card per image. */
  readonly terms: CardTerms | null;
  /**
   * The prices in nano-units per image, by price key (size, or size and quality); null for a price
   * card per token.
   */
  readonly perImage: Readonly<Record<string, NanoAmount>> | null;
  readonly publishedAtMs: number;
};
export type PublishedRate = FxRate & { readonly publishedAtMs: number };

/** The filters of the list of price cards. A field that is null matches every price card. */
export type CardFilter = {
  readonly model: string | null;
  readonly channel: string | null;
  /** The name of a price list; empty for the public prices. */
  readonly list: string | null;
};

/** A position in a list of price cards or exchange rates: that of the last row of a page. */
export type PublishedPlace = { readonly atMs: bigint; readonly id: string };
type Published<Row> = { readonly rows: readonly Row[]; readonly next: PublishedPlace | null };

/** The position before the newest row. */
const NEWEST: PublishedPlace = { atMs: 2n ** 62n, id: '' };

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class PublishedPrices {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  async cards(
    { model, channel, list }: CardFilter,
    limit: number,
    after: PublishedPlace | null,
  ): Promise<Published<PublishedCard>> {
    const ofList = list === '' ? [raw('price_list IS NULL')] : equal({ price_list: list });
    const where = all([before(after), ...equal({ model, channel }), ...ofList]);
    const { rows, next } = await this.#page('card', where, limit);
    const images = await this.#images(rows.map((row) => text(row, 'id')));
    return { rows: rows.map((row) => cardOf(row, images)), next };
  }

  /** Returns the price card with this id; null if it does not exist. */
  async card(id: string): Promise<PublishedCard | null> {
    const [row] = await this.#sql.query(statement`SELECT * FROM card WHERE id = ${id}`);
    return row === undefined ? null : cardOf(row, await this.#images([id]));
  }

  async rates(limit: number, after: PublishedPlace | null): Promise<Published<PublishedRate>> {
    const { rows, next } = await this.#page('fx_rate', before(after), limit);
    return {
      rows: rows.map((row) => ({ ...fxRateOf(row), publishedAtMs: publishedAt(row) })),
      next,
    };
  }

  async #page(
    table: 'card' | 'fx_rate',
    where: SqlStatement,
    limit: number,
  ): Promise<Published<SqlRow>> {
    const found = await this.#sql.query(statement`SELECT * FROM ${raw(table)}
      WHERE ${where} ORDER BY effective_from_ms DESC, id DESC LIMIT ${limit + 1}`);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const isEnd = found.length <= limit || last === undefined;
    return {
      rows,
      next: isEnd ? null : { atMs: integer(last, 'effective_from_ms'), id: text(last, 'id') },
    };
  }

  async #images(cardIds: readonly string[]): Promise<readonly SqlRow[]> {
    if (cardIds.length === 0) return [];
    return await this.#sql.query({
      sql: `SELECT card_id, price_key, price FROM card_image
        WHERE card_id IN (${cardIds.map(() => '?').join(', ')}) ORDER BY price_key`,
      params: cardIds,
    });
  }
}

const before = (after: PublishedPlace | null) => {
  const { atMs, id } = after ?? NEWEST;
  return statement`(effective_from_ms, id) < (${atMs}, ${id})`;
};

const publishedAt = (row: SqlRow): number => Number(integer(row, 'effective_from_ms'));
const imagePriceOf = (row: SqlRow) =>
  [text(row, 'price_key'), nano(integer(row, 'price'))] as const;

function cardOf(row: SqlRow, images: readonly SqlRow[]): PublishedCard {
  const id = text(row, 'id');
  const own = images.filter((image) => text(image, 'card_id') === id);
  const isImage = row['input'] === null;
  const terms = isImage ? null : publishedTerms(row);
  return {
    id,
    model: text(row, 'model'),
    channel: text(row, 'channel'),
    list: textOrNull(row, 'price_list'),
    currency: currencyOf(row, 'currency'),
    rates: terms?.rows[0].rates ?? null,
    terms,
    perImage: isImage ? Object.fromEntries(own.map(imagePriceOf)) : null,
    publishedAtMs: publishedAt(row),
  };
}

export const fxRateOf = (row: SqlRow): FxRate => ({
  id: text(row, 'id'),
  base: currencyOf(row, 'base'),
  quote: currencyOf(row, 'quote'),
  scaled: integer(row, 'scaled'),
});
