/** What the requests of a month cost the operator, by the costs that are configured now. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import { isFlat } from '../money/card-terms.ts';
import { costPico } from '../money/price.ts';
import { perBucket } from '../money/usage.ts';
import { inCurrency, type OperatorPrices, picoOf } from './operator-cost.ts';
import type { RequestPlace } from './request-filter.ts';
import type { RequestLog } from './request-log.ts';
import { MAX_GROUPS, type UsageGroup, type UsageReport } from './usage-report.ts';

/** The usage of a model on a channel, in one currency, with the operator's cost. */
export type CostedGroup = UsageGroup & {
  /** In the group's currency; null when it is unknown for any request. */
  readonly cost: NanoAmount | null;
};

/**
 * The most requests of a report that are priced one by one, about a second of work. Only costs with
 * conditions and costs of images need that. Above this, the cost of a group counts as unknown.
 */
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
  readonly costOf: (model: string, channel: string) => OperatorPrices | null;
  readonly fx: () => Catalogue['fx'];
};

/** The costs of one report. */
export class MonthCosts {
  readonly #deps: MonthCostsDeps;
  #left: number;

  constructor(deps: MonthCostsDeps, maxPriced = MAX_PRICED) {
    this.#deps = deps;
    this.#left = maxPriced;
  }

  /** Returns the usage of these days by model, channel and currency. Both days are included. */
  async of(fromDay: number, toDay: number): Promise<readonly CostedGroup[]> {
    const filter = { ...ANY_GROUP, fromDay, toDay };
    const { rows } = await this.#deps.usage.page(filter, ['model', 'channel'], MAX_GROUPS, null);
    const groups: CostedGroup[] = [];
    for (const group of rows) {
      groups.push({ ...group, cost: await this.#cost(group, fromDay, toDay) });
    }
    return groups;
  }

  async #cost(group: UsageGroup, fromDay: number, toDay: number): Promise<NanoAmount | null> {
    const { model, channel, currency } = group;
    if (model === null || channel === null) return null;
    const cost = this.#deps.costOf(model, channel);
    if (cost === null) return null;
    const pico =
      cost.unit === 'token' && isFlat(cost.terms)
        ? costPico(
            perBucket(({ column }) => Number(group[column])),
            cost.rates,
          )
        : await this.#pricedOneByOne(cost, {
            ...ANY_REQUEST,
            ...{ model, channel, currency },
            ...{ fromMs: fromDay * DAY_MS, toMs: (toDay + 1) * DAY_MS },
          });
    const fx = this.#deps.fx();
    return pico === null ? null : inCurrency({ pico, currency: cost.currency }, currency, fx);
  }

  async #pricedOneByOne(
    cost: OperatorPrices,
    filter: Parameters<RequestLog['page']>[0] & { readonly currency: Currency },
  ): Promise<bigint | null> {
    let sum = 0n;
    let after: RequestPlace | null = null;
    do {
      const { rows, next } = await this.#deps.requests.page(filter, PAGE_ROWS, after);
      this.#left -= rows.length;
      if (this.#left < 0) return null;
      for (const request of rows) {
        const pico = picoOf(cost, request);
        if (pico === null) return null;
        sum += pico;
      }
      after = next;
    } while (after !== null);
    return sum;
  }
}
