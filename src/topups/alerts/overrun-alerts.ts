/**
 * Alerts the operator, at most once per account and day, when an answer cost more than its hold.
 */
import type { Clock } from '../../clock.ts';
import { type Currency, formatAmount, type NanoAmount } from '../../money/amount.ts';
import { dayOf } from '../../money/calendar.ts';
import { type Alert, type AlertOutbox, alertIdOf, alertOf } from './alert-outbox.ts';

/**
 * Maximum cached ids of stored alerts. At this limit, the cache is cleared. Storing an alert that
 * is stored already has no effect.
 */
const MAX_REMEMBERED = 1_000;

export type Overrun = {
  readonly requestId: string;
  readonly accountId: string;
  readonly model: string;
  readonly currency: Currency;
  readonly held: NanoAmount;
  /** The price of the answer: charge and loss together. */
  readonly price: NanoAmount;
  readonly loss: NanoAmount;
};

export type OverrunAlertsDeps = {
  readonly outbox: Pick<AlertOutbox, 'add'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Called for each alert, after it is stored. */
  readonly onAlert: (alert: Alert) => void;
  /** Called when an alert was not stored. The account's next overrun stores one. */
  readonly onFailure: (thrown: unknown) => void;
};

export class OverrunAlerts {
  readonly #deps: OverrunAlertsDeps;
  readonly #stored = new Set<string>();
  readonly #running = new Set<Promise<void>>();

  constructor(deps: OverrunAlertsDeps) {
    this.#deps = deps;
  }

  /** Stores an alert, unless the account already has one today. Returns at once; never throws. */
  observe(overrun: Overrun): void {
    const { outbox, clock, onAlert, onFailure } = this.#deps;
    const alert = overrunAlert(overrun, clock.nowMs());
    if (this.#stored.has(alert.id)) return;
    if (this.#stored.size >= MAX_REMEMBERED) this.#stored.clear();
    this.#stored.add(alert.id);
    const running = outbox
      .add(alert)
      .then((isNew) => {
        if (isNew) onAlert(alert);
      })
      .catch((thrown: unknown) => {
        this.#stored.delete(alert.id);
        onFailure(thrown);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all alerts are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/**
 * Creates an alert whose id is derived from the account and the UTC day, so that all nodes together
 * store only one alert.
 */
function overrunAlert(overrun: Overrun, nowMs: number): Alert {
  const { requestId, accountId, model, currency, held, price, loss } = overrun;
  const type = 'request.overrun';
  const amounts = { held: formatAmount(held), price: formatAmount(price) };
  const fields = { type, account_id: accountId, request_id: requestId, model, currency };
  const all = { ...fields, ...amounts, loss: formatAmount(loss) };
  return alertOf(alertIdOf(type, accountId, dayOf(nowMs)), all, nowMs);
}
