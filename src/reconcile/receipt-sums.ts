/** Sums the receipts of an upstream by UTC day and by the model that was served. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Currency } from '../money/amount.ts';
import { dayOf } from '../money/calendar.ts';
import { readFacts } from '../money/terms-json.ts';
import { promptTokens, tokensOf } from '../money/usage.ts';
import { exactCost } from '../reports/operator-cost.ts';
import type { LoggedRequest } from '../reports/request-log.ts';
import { modelKey, type Sums } from './bill.ts';

/** The fields of a receipt that are compared. */
export type SummedRequest = Pick<
  LoggedRequest,
  | 'settledAtMs'
  | 'model'
  | 'channel'
  | 'upstreamModel'
  | 'currency'
  | 'usage'
  | 'images'
  | 'facts'
  | 'startedAtMs'
  | 'durationMs'
  | 'estimated'
  | 'reportedCostPico'
>;

export type ReceiptSums = {
  readonly day: number;
  /** The provider's name of the model. */
  readonly model: string;
  readonly sums: Sums;
  /** How many receipts have estimated tokens, since no usage was reported. */
  readonly estimated: number;
};

/** Key of a day and a model, by which receipts and bill are joined. */
export const groupKey = (day: number, model: string | null): string =>
  `${day}\n${model === null ? '' : modelKey(model)}`;

/**
 * Adds up receipts. The cost of a group is what the operator's `cost` makes of it, or the
 * provider's own price on the receipt; null when one receipt has neither in this currency.
 */
export class ReceiptTotals {
  readonly #catalogue: Pick<Catalogue, 'models'>;
  readonly #currency: Currency;
  readonly #groups = new Map<string, ReceiptSums>();

  constructor(catalogue: Pick<Catalogue, 'models'>, currency: Currency) {
    this.#catalogue = catalogue;
    this.#currency = currency;
  }

  get groups(): ReadonlyMap<string, ReceiptSums> {
    return this.#groups;
  }

  add(request: SummedRequest): void {
    const { usage, images } = request;
    const prompt = BigInt(promptTokens(usage));
    const output = BigInt(tokensOf(usage, 'output'));
    // A provider does not count a request that failed before it used anything.
    if (prompt === 0n && output === 0n && (images?.count ?? 0) === 0) return;
    const model = servedModel(request);
    const day = dayOf(request.settledAtMs);
    const key = groupKey(day, model);
    const before = this.#groups.get(key);
    const cost = this.#costOf(request);
    const was = before?.sums;
    this.#groups.set(key, {
      day,
      model: before?.model ?? model,
      estimated: (before?.estimated ?? 0) + (request.estimated ? 1 : 0),
      sums: {
        requests: (was?.requests ?? 0n) + 1n,
        prompt: (was?.prompt ?? 0n) + prompt,
        cache_read: (was?.cache_read ?? 0n) + BigInt(tokensOf(usage, 'cache_read')),
        cache_write: (was?.cache_write ?? 0n) + BigInt(tokensOf(usage, 'cache_write')),
        output: (was?.output ?? 0n) + output,
        images: (was?.images ?? 0n) + BigInt(images?.count ?? 0),
        cost: cost === null || was?.cost === null ? null : (was?.cost ?? 0n) + cost,
      },
    });
  }

  #costOf(request: SummedRequest): bigint | null {
    const cost = exactCost(this.#catalogue, request);
    if (cost !== null) return cost.currency === this.#currency ? cost.pico : null;
    return this.#currency === 'USD' ? request.reportedCostPico : null;
  }
}

/** Returns the model that the provider reported, or else the one that was requested there. */
const servedModel = ({ facts, upstreamModel }: SummedRequest): string =>
  (facts === null ? null : readFacts(facts).model) ?? upstreamModel;
