/** Sums the receipts of an upstream by UTC day and by the model that was served. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Currency } from '../money/amount.ts';
import { dayOf } from '../money/calendar.ts';
import { factsJson, readFacts } from '../money/terms-json.ts';
import {
  perBucket,
  promptTokens,
  tokensIn,
  tokensOf,
  USAGE_BUCKETS,
  type Usage,
} from '../money/usage.ts';
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
  /** The provider's name for the model. */
  readonly model: string;
  readonly sums: Sums;
  /** The number of receipts whose tokens are estimates, because the provider reported no usage. */
  readonly estimated: number;
};

/** Returns the key that groups receipts and rows of the bill by day and model. */
export const groupKey = (day: number, model: string | null): string =>
  `${day}\n${model === null ? '' : modelKey(model)}`;

/**
 * Sums receipts by day and model. The cost of a receipt is computed from the operator's configured
 * `cost`; without one, it is the price that the provider reported. If a receipt has no cost in this
 * currency, the sum of costs is null.
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
    const day = dayOf(request.settledAtMs);
    for (const part of this.#partsOf(request)) this.#addPart(day, part, request.estimated);
  }

  #addPart(
    day: number,
    { model, requests, usage, images, cost }: Part,
    isEstimated: boolean,
  ): void {
    const key = groupKey(day, model);
    const before = this.#groups.get(key);
    const was = before?.sums;
    this.#groups.set(key, {
      day,
      model: before?.model ?? model,
      estimated: (before?.estimated ?? 0) + (isEstimated ? 1 : 0),
      sums: {
        requests: (was?.requests ?? 0n) + requests,
        prompt: (was?.prompt ?? 0n) + BigInt(promptTokens(usage)),
        cache_read: (was?.cache_read ?? 0n) + BigInt(tokensOf(usage, 'cache_read')),
        cache_write: (was?.cache_write ?? 0n) + BigInt(tokensOf(usage, 'cache_write')),
        output: (was?.output ?? 0n) + BigInt(tokensOf(usage, 'output')),
        images: (was?.images ?? 0n) + BigInt(images),
        cost: cost === null || was?.cost === null ? null : (was?.cost ?? 0n) + cost,
      },
    });
  }

  /**
   * Splits a request's usage and cost by the models that generated its answer. There may be
   * several, because tools of the provider may run other models.
   */
  #partsOf(request: SummedRequest): readonly Part[] {
    const { usage, upstreamModel } = request;
    const images = request.images?.count ?? 0;
    // A request that failed before it used anything is skipped, because providers do not count it.
    if (tokensIn(usage) === 0 && images === 0) return [];
    const facts = request.facts === null ? null : readFacts(request.facts);
    const model = facts?.model ?? upstreamModel;
    const whole = { model, requests: 1n, usage, images, cost: this.#costOf(request) };
    const rounds = (facts?.rounds ?? []).flatMap((round): Round[] =>
      round.model === null || modelKey(round.model) === modelKey(model)
        ? []
        : [{ ...round, model: round.model }],
    );
    const rest = perBucket(({ bucket }) =>
      rounds.reduce((left, round) => left - round.usage[bucket], usage[bucket]),
    );
    // If the usage has fewer tokens than the rounds together, the usage is an estimate that
    // excludes the rounds. Then the request is not split.
    const isSplit =
      facts !== null && rounds.length > 0 && !USAGE_BUCKETS.some((it) => rest[it] < 0);
    if (!isSplit) return [whole];
    const others = rounds.map((round): Part => {
      const own = factsJson({ ...facts, uses: {}, rounds: [round] }, NOTHING_TO_ADD);
      const cost = this.#configuredCost({ ...request, usage: round.usage, facts: own });
      return { model: round.model, requests: 0n, usage: round.usage, images: 0, cost };
    });
    const cost = others.reduce<bigint | null>(
      (left, part) => (left === null || part.cost === null ? null : left - part.cost),
      this.#configuredCost(request),
    );
    return [{ ...whole, usage: rest, cost }, ...others];
  }

  #costOf(request: SummedRequest): bigint | null {
    const cost = exactCost(this.#catalogue, request);
    if (cost !== null) return cost.currency === this.#currency ? cost.pico : null;
    return this.#currency === 'USD' ? request.reportedCostPico : null;
  }

  #configuredCost(request: SummedRequest): bigint | null {
    const cost = exactCost(this.#catalogue, request);
    return cost?.currency === this.#currency ? cost.pico : null;
  }
}

type Round = { readonly model: string; readonly usage: Usage };
type Part = Round & {
  readonly requests: bigint;
  readonly images: number;
  readonly cost: bigint | null;
};
const NOTHING_TO_ADD = { assumed: [], unpriced: [] } as const;
