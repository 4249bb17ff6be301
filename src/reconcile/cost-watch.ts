/**
 * Sends an alert when a channel sells below its configured `cost`, at most once per channel, price
 * list and day. Also reports prices whose review date has passed.
 */
import { type BelowCost, belowCostSteps } from '../catalogue/below-cost.ts';
import { type Catalogue, wholeCatalogue } from '../catalogue/catalogue.ts';
import { type ReviewDue, reviewsDue } from '../catalogue/review.ts';
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import { inSlices } from '../config/document/steps.ts';
import { dayOf } from '../money/calendar.ts';
import { formatPico } from '../money/price.ts';
import { type Alert, type AlertOutbox, alertIdOf, alertOf } from '../topups/alerts/alert-outbox.ts';

/** How often to check whether the configuration or the day has changed. */
const LOOK_EVERY_MS = 60_000;

export type CostWatchDeps = {
  readonly catalogue: () => Catalogue;
  readonly outbox: Pick<AlertOutbox, 'add'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'every' | 'sleep'>;
  /** Called for each alert, after it is stored. */
  readonly onAlert: (alert: Alert) => void;
  /** Called for each price that is due for a review: at the start, after a reload and every day. */
  readonly onReviewDue: (due: ReviewDue) => void;
  /** Called when alerts could not be stored. The next check tries again. */
  readonly onFailure: (thrown: unknown) => void;
};

export class CostWatch {
  readonly #deps: CostWatchDeps;
  readonly #timer: Timer;
  #checked = '';
  #looking: Promise<void> = Promise.resolve();

  /** Checks the prices whenever they or the day have changed, until `stop` is called. */
  constructor(deps: CostWatchDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(LOOK_EVERY_MS, () => void this.look());
  }

  stop(): void {
    this.#timer.cancel();
  }

  /**
   * Checks the prices, after a check that is running, unless the same prices were checked today.
   * Never rejects.
   */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { catalogue, clock, onFailure } = this.#deps;
    const [current, nowMs] = [catalogue(), clock.nowMs()];
    const state = `${current.version}\n${dayOf(nowMs)}`;
    if (state === this.#checked) return;
    this.#checked = state;
    for (const due of reviewsDue(wholeCatalogue(current), nowMs)) this.#deps.onReviewDue(due);
    try {
      for (const { list, models } of [current, ...current.lists.values()]) {
        for (const model of models.values()) {
          const found = await inSlices(belowCostSteps(model, nowMs), clock);
          await this.#alertAll(found, list, nowMs);
          await nextTurn();
        }
      }
    } catch (thrown) {
      this.#checked = '';
      onFailure(thrown);
    }
  }

  async #alertAll(
    findings: readonly BelowCost[],
    list: string | null,
    nowMs: number,
  ): Promise<void> {
    const { outbox, onAlert } = this.#deps;
    const channels = Map.groupBy(findings, ({ model, channel }) => `${model}\n${channel}`);
    for (const [, [first, ...others]] of channels) {
      if (first === undefined) continue;
      const alert = alertFor(first, others.length + 1, list, nowMs);
      if (await outbox.add(alert)) onAlert(alert);
    }
  }
}

/** Makes the alert for a channel, at most one per price list and UTC day. */
function alertFor(first: BelowCost, items: number, list: string | null, nowMs: number): Alert {
  const type = 'price.below_cost';
  const { model, channel, item, why, pricePico, costPico } = first;
  const ofList = list === null ? {} : { price_list: list };
  const id = alertIdOf(type, model, channel, dayOf(nowMs), ...Object.values(ofList));
  const amounts = { price: formatPico(pricePico), cost: formatPico(costPico) };
  const body = { type, model, channel, ...ofList, item, why, ...amounts, items: String(items) };
  return alertOf(id, body, nowMs);
}
