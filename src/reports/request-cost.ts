/** Recomputes a request's cost from its price card and exchange rate. Only the sum is rounded. */

import { GatewayError } from '../errors.ts';
import { publishedTerms } from '../ledger/publish.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { type FxRate, imagesPico, settleAmount } from '../money/price.ts';
import { PLAIN_FACTS, type Priced, type PriceLine, priceOf } from '../money/price-of.ts';
import { readFacts } from '../money/terms-json.ts';
import { currencyOf, integer } from '../store/row.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';
import { fxRateOf } from './published-prices.ts';
import type { LoggedRequest } from './request-log.ts';

/**
 * One line of a request's cost, such as for its input tokens. `costPico` is exact, in pico-units of
 * the price card's currency.
 */
export type CostLine =
  | PriceLine
  | {
      readonly kind: 'images';
      readonly priceKey: string;
      readonly count: number;
      readonly price: NanoAmount;
      readonly costPico: bigint;
    };

export type RequestCost = Pick<Priced, 'assumed' | 'unpriced'> & {
  /** The currency of the price card and of the lines. */
  readonly currency: Currency;
  readonly lines: readonly CostLine[];
  /** The sum of the lines. */
  readonly costPico: bigint;
  /** The exchange rate to the settlement currency; null when the price card is in that currency. */
  readonly rate: FxRate | null;
  /** The sum of the lines, converted to the settlement currency and rounded half to even. */
  readonly price: NanoAmount;
};

export class RequestCosts {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  /**
   * Returns the cost of a request.
   * @throws GatewayError `store_unavailable`; `internal_error` if the price card or the exchange
   *   rate is missing.
   */
  async of(receipt: LoggedRequest): Promise<RequestCost> {
    const { cardId, fxRateId, usage, images } = receipt;
    const [card] = await this.#sql.query(statement`SELECT * FROM card WHERE id = ${cardId}`);
    if (card === undefined) throw missing(`card ${cardId}`);
    const currency = currencyOf(card);
    const recorded = receipt.facts === null ? null : readFacts(receipt.facts);
    const lines: CostLine[] = [];
    const isByToken = images === null || card['input'] !== null;
    if (isByToken) {
      // A receipt without facts, such as a service tier, is priced at the price card's
      // unconditional rates.
      lines.push(...priceOf(publishedTerms(card), usage, recorded ?? PLAIN_FACTS).lines);
    } else lines.push(await this.#imageLine(cardId, images));
    const { assumed = [], unpriced = [] } = recorded ?? {};
    const rate = fxRateId === null ? null : await this.#rate(fxRateId);
    const costPico = lines.reduce((sum, line) => sum + line.costPico, 0n);
    const price = settleAmount(costPico, rate);
    return { currency, lines, costPico, assumed, unpriced, rate, price };
  }

  async #imageLine(
    cardId: string,
    { count, priceKey }: NonNullable<LoggedRequest['images']>,
  ): Promise<CostLine> {
    const [row] = await this.#sql.query(statement`SELECT price FROM card_image
      WHERE card_id = ${cardId} AND price_key = ${priceKey}`);
    if (row === undefined) throw missing(`price ${priceKey} of card ${cardId}`);
    const price = nano(integer(row, 'price'));
    return { kind: 'images', priceKey, count, price, costPico: imagesPico(price, count) };
  }

  async #rate(id: string): Promise<FxRate> {
    const [row] = await this.#sql.query(statement`SELECT * FROM fx_rate WHERE id = ${id}`);
    if (row === undefined) throw missing(`exchange rate ${id}`);
    return fxRateOf(row);
  }
}

const missing = (what: string): GatewayError =>
  new GatewayError('internal_error', 'The cost of this request could not be recomputed.', {
    cause: new Error(`The ledger has no ${what}, which a receipt refers to.`),
  });
