/** Computes what the requests of a month cost the operator, at the currently configured costs. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { NanoAmount } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import { isFlat } from '../money/card-terms.ts';
import { costPico, imagesPico } from '../money/price.ts';
import { perBucket } from '../money/usage.ts';
import type { Days, ImageSums, Payers } from './operator/image-sums.ts';
import { inCurrency, type OperatorPrices, picoOf } from './operator-cost.ts';
import type { RequestPlace } from './request-filter.ts';
import type { RequestLog } from './request-log.ts';
import { MAX_GROUPS, type UsageGroup, type UsageReport } from './usage-report.ts';

/** The usage of a model on a channel, in one currency, with the operator's cost. */
export type CostedGroup = UsageGroup & {
  /**
   * The operator's cost in nano-units of the group's currency; null if the cost of any request in
   * the group is unknown.
   */
  readonly cost: NanoAmount | null;
};

/** Maximum requests of a report that are priced one by one, which takes about a second. */
const MAX_PRICED = 50_000;
const PAGE_ROWS = 1_000;
const ANY_GROUP = { accountId: null, keyId: null, model: null, channel: null, currency: null };
const ANY_REQUEST = {
  ...{ accountId: null, keyId: null, upstream: null, outcomes: null, status: null },
  ...{ idPrefix: null, minCost: null },
} as const;

export type MonthCostsDeps = {
  readonly usage: Pick<UsageReport, 'page'>;
  readonly requests: Pick<RequestLog, 'page'>;
  readonly images: Pick<ImageSums, 'of'>;
  readonly costOf: (model: string, channel: string) => OperatorPrices | null;
  readonly fx: () => Catalogue['fx'];
};

const EVERYBODY: Payers = { accountId: null, others: new Set() };

/**
 * How many requests, and how many pages of the request log, may be read to price requests one by
 * one.
 */
export type PricingLimits = {
  readonly requests: number;
  /** Maximum pages of the request log. Filling one page may require reading many other requests. */
  readonly pages: number;
};

/**
 * Reasons why the price of some usage is unknown. `too_many`: there are more requests than may be
 * priced one by one. `unpriced`: an image has no price, or the receipt of a request is archived.
 */
export type Unknown = 'too_many' | 'unpriced';

/**
 * Prices the usage of models on channels. For a price with conditions, each request must be read.
 * For any other price, the sums of usage suffice.
 */
export class UsagePricing {
  readonly #deps: Pick<MonthCostsDeps, 'requests' | 'images'>;
  #left: PricingLimits;

  constructor(deps: Pick<MonthCostsDeps, 'requests' | 'images'>, limits: PricingLimits) {
    this.#deps = deps;
    this.#left = limits;
  }

  /** Returns the exact price in pico-units of the currency of `prices`, or why it is unknown. */
  async picoOf(
    { model, channel, currency, ...group }: UsageGroup,
    prices: OperatorPrices,
    days: Days,
    payers = EVERYBODY,
  ): Promise<bigint | Unknown> {
    const { accountId, others } = payers;
    // The sums in `group` may include the usage of `others`, whose receipts are not priced.
    const isExact = others.size === 0;
    if (prices.unit === 'image') {
      const images = await this.#deps.images.of({ model, channel, currency }, days, payers);
      return imagesSum(prices, images, isExact ? group.images : 0n);
    }
    if (isFlat(prices.terms)) {
      return costPico(
        perBucket(({ column }) => Number(group[column])),
        prices.rates,
      );
    }
    if (group.requests > this.#left.requests) return 'too_many';
    const filter = {
      ...ANY_REQUEST,
      ...{ accountId, model, channel, currency },
      ...{ fromMs: days.fromDay * DAY_MS, toMs: (days.toDay + 1) * DAY_MS },
    };
    return await this.#oneByOne(prices, filter, others, isExact ? group.requests : 0n);
  }

  /** @param all the least number of requests to find; if there are fewer, some are archived. */
  async #oneByOne(
    prices: OperatorPrices,
    filter: Parameters<RequestLog['page']>[0],
    others: Payers['others'],
    all: bigint,
  ): Promise<bigint | Unknown> {
    let sum = 0n;
    let priced = 0n;
    let after: RequestPlace | null = null;
    do {
      const { requests, pages } = this.#left;
      if (requests < 0 || pages <= 0) return 'too_many';
      const { rows, next } = await this.#deps.requests.page(filter, PAGE_ROWS, after);
      this.#left = { requests: requests - rows.length, pages: pages - 1 };
      for (const request of rows) {
        if (others.has(request.accountId)) continue;
        const pico = picoOf(prices, request);
        if (pico === null) return 'unpriced';
        sum += pico;
        priced += 1n;
      }
      after = next;
    } while (after !== null);
    return priced < all ? 'unpriced' : sum;
  }
}

/** @param all the least number of images to find; if there are fewer, some are archived. */
function imagesSum(
  { perImage }: Extract<OperatorPrices, { unit: 'image' }>,
  images: ReadonlyMap<string, bigint>,
  all: bigint,
): bigint | Unknown {
  let sum = 0n;
  let priced = 0n;
  for (const [priceKey, count] of images) {
    const price = perImage.get(priceKey);
    if (price === undefined) return 'unpriced';
    sum += imagesPico(price, Number(count));
    priced += count;
  }
  return priced < all ? 'unpriced' : sum;
}

/**
 * Computes what the usage in one report cost the operator. Each report needs its own instance,
 * since `maxPriced` limits the requests that one instance prices one by one.
 */
export class MonthCosts {
  readonly #deps: MonthCostsDeps;
  readonly #pricing: UsagePricing;

  constructor(deps: MonthCostsDeps, maxPriced = MAX_PRICED) {
    this.#deps = deps;
    this.#pricing = new UsagePricing(deps, { requests: maxPriced, pages: Infinity });
  }

  /**
   * Returns the usage of these days and its cost, by model, channel and currency. Both end days are
   * included.
   */
  async of(fromDay: number, toDay: number): Promise<readonly CostedGroup[]> {
    const filter = { ...ANY_GROUP, fromDay, toDay };
    const { rows } = await this.#deps.usage.page(filter, ['model', 'channel'], MAX_GROUPS, null);
    const groups: CostedGroup[] = [];
    for (const group of rows) {
      groups.push({ ...group, cost: await this.#cost(group, { fromDay, toDay }) });
    }
    return groups;
  }

  async #cost(group: UsageGroup, days: Days): Promise<NanoAmount | null> {
    const { model, channel, currency } = group;
    if (model === null || channel === null) return null;
    const cost = this.#deps.costOf(model, channel);
    if (cost === null) return null;
    const pico = await this.#pricing.picoOf(group, cost, days);
    if (typeof pico === 'string') return null;
    return inCurrency({ pico, currency: cost.currency }, currency, this.#deps.fx());
  }
}
