/** Compares each upstream's receipts with its provider's report every night, and raises alerts. */
import type { Clock, Timer } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import { DAY_MS, dateOf, dayOf } from '../money/calendar.ts';
import { type Alert, type AlertOutbox, alertIdOf, alertOf } from '../topups/alerts/alert-outbox.ts';
import type { Reconciler } from './reconciler.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Reconciliations } from './reconciliations.ts';

/**
 * The time after midnight (UTC) at which a comparison starts. Providers need some hours to complete
 * the report of a day.
 */
const AFTER_MIDNIGHT_MS = 6 * 60 * 60_000;
/**
 * The number of days per comparison. One day is not enough: a report may be late, or count a
 * request on the next day.
 */
export const NIGHTLY_DAYS = 3;
const LOOK_EVERY_MS = 5 * 60_000;
/**
 * How long a node reserves a comparison, so that no other node runs it. When the reservation ends,
 * a failed comparison is repeated.
 */
const CLAIM_MS = 60 * 60_000;

export type NightlyDeps = {
  readonly reconciler: Pick<Reconciler, 'run' | 'upstreams'>;
  readonly stored: Pick<Reconciliations, 'claim' | 'store' | 'fail'>;
  readonly outbox: Pick<AlertOutbox, 'add'>;
  readonly clock: Pick<Clock, 'nowMs' | 'every'>;
  /** Called for each alert, after it is stored. */
  readonly onAlert: (alert: Alert) => void;
  /**
   * Called when a comparison failed. The comparison is repeated every hour until the next night.
   */
  readonly onFailure: (upstream: string, thrown: unknown) => void;
};

export class Nightly {
  readonly #deps: NightlyDeps;
  readonly #timer: Timer;
  #running: Promise<void> | null = null;
  #isStopped = false;

  /** Runs comparisons when they are due, until `stop` is called. */
  constructor(deps: NightlyDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(LOOK_EVERY_MS, () => void this.round());
  }

  /**
   * Runs all due comparisons. Never rejects. A call while comparisons are running starts no others
   * and returns the running promise.
   */
  round(): Promise<void> {
    this.#running ??= this.#all().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Starts no further comparisons. If the process ends during a comparison, a node repeats it once
   * the reservation has ended.
   */
  stop(): void {
    this.#isStopped = true;
    this.#timer.cancel();
  }

  async #all(): Promise<void> {
    for (const upstream of this.#deps.reconciler.upstreams) {
      if (this.#isStopped) return;
      await this.#one(upstream).catch((thrown: unknown) => this.#failed(upstream, thrown));
    }
  }

  async #one(upstream: string): Promise<void> {
    const { reconciler, stored, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const day = dayOf(nowMs - AFTER_MIDNIGHT_MS) - 1;
    if (!(await stored.claim(upstream, day, nowMs, nowMs + CLAIM_MS))) return;
    try {
      const days = { from: day - NIGHTLY_DAYS + 1, to: day };
      const result = await reconciler.run(upstream, days, null);
      // The alert comes first: a stored comparison is not repeated, so its alert would be lost.
      if (result.beyond > 0) await this.#alert(differsAlert(result, clock.nowMs()));
      await stored.store(result, day, clock.nowMs());
    } catch (thrown) {
      this.#failed(upstream, thrown);
      const failure = asGatewayError(thrown).message;
      await stored.fail(upstream, day, failure, clock.nowMs());
      await this.#alert(failedAlert(upstream, day, failure, clock.nowMs()));
    }
  }

  #failed(upstream: string, thrown: unknown): void {
    if (!this.#isStopped) this.#deps.onFailure(upstream, thrown);
  }

  async #alert(alert: Alert): Promise<void> {
    const { outbox, onAlert } = this.#deps;
    if (await outbox.add(alert)) onAlert(alert);
  }
}

function differsAlert(result: Reconciliation, nowMs: number): Alert {
  const type = 'reconcile.differs';
  const { upstream, from, to, currency, beyond, differences } = result;
  const first = differences.find((it) => it.beyond);
  const fields = {
    type,
    upstream,
    from,
    to,
    differences: String(beyond),
    day: first?.day ?? null,
    model: first?.model ?? null,
    cause: first?.cause ?? null,
    currency,
    billed: result.billed.cost,
    receipts: result.receipts.cost,
  };
  return alertOf(alertIdOf(type, upstream, to), fields, nowMs);
}

/**
 * Makes the alert for a comparison that failed. Its id contains the week, so that there is at most
 * one such alert a week per upstream, although a comparison may fail every hour.
 */
function failedAlert(upstream: string, day: number, detail: string, nowMs: number): Alert {
  const type = 'reconcile.failed';
  const week = Math.floor(nowMs / (7 * DAY_MS));
  const fields = { type, upstream, to: dateOf(day), detail };
  return alertOf(alertIdOf(type, upstream, week), fields, nowMs);
}
