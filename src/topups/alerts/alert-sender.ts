/**
 * Posts signed alerts to the operator's webhook. Retries each alert for a day until the receiver
 * returns a 2xx status.
 */
import type { Clock } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { backoff, QueueSender } from '../../store/queue-sender.ts';
import type { Egress } from '../../upstreams/egress.ts';
import { NotSent } from '../../upstreams/upstream.ts';
import { type AlertOutbox, SEND_FOR_MS, type TakenAlert } from './alert-outbox.ts';
import { signedHeaders } from './signature.ts';

/** The number of concurrent deliveries. */
const BATCH = 8;
const TIMEOUT_MS = 10_000;
/**
 * How long an alert is reserved for the node that sends it. This is longer than the timeout of a
 * delivery, so that two nodes never send the same alert at the same time.
 */
export const TAKEN_FOR_MS = 30_000;
/**
 * The first pause between attempts. Pauses double up to an hour, which makes about thirty attempts
 * a day.
 */
export const FIRST_BACKOFF_MS = 10_000;
/** Alerts are stored at least this long, so that no alert about a month is sent twice in it. */
const LONGEST_MONTH_MS = 31 * DAY_MS;

export type AlertWebhook = {
  readonly url: string;
  readonly secret: Secret;
  /**
   * Refuses a host name that resolves to a private address, unless the operator allows private
   * addresses.
   */
  readonly egress: Pick<Egress, 'permission'>;
};

export type AlertSenderDeps = {
  readonly outbox: AlertOutbox;
  readonly clock: Clock;
  /** The operator's webhook; null if none is configured. Alerts then expire without being sent. */
  readonly webhook: AlertWebhook | null;
  /** How long alerts are stored, in milliseconds; never less than a month. */
  readonly keptMs: () => number;
  /** Called when an alert could not be delivered, and when the store fails. */
  readonly onFailure: (what: string, cause: unknown) => void;
  /** Called with the body of an alert that could not be delivered within a day. */
  readonly onGivenUp: (body: string) => void;
};

export class AlertSender extends QueueSender {
  readonly #deps: AlertSenderDeps;

  constructor(deps: AlertSenderDeps) {
    super(deps.clock);
    this.#deps = deps;
  }

  protected isOn(): boolean {
    return this.#deps.webhook !== null;
  }

  protected async sweep(): Promise<void> {
    const { outbox, clock, keptMs } = this.#deps;
    await outbox.forget(clock.nowMs() - Math.max(keptMs(), LONGEST_MONTH_MS));
  }

  protected failed(of: keyof typeof FAILURES, thrown: unknown): void {
    this.#deps.onFailure(FAILURES[of], thrown);
  }

  protected async sendDue(): Promise<void> {
    const { webhook, outbox, clock } = this.#deps;
    if (webhook === null) return;
    for (;;) {
      const nowMs = clock.nowMs();
      const due = await outbox.take(BATCH, nowMs, nowMs + TAKEN_FOR_MS);
      await Promise.all(due.map((alert) => this.#send(alert, webhook)));
      if (due.length < BATCH || this.signal.aborted) return;
    }
  }

  async #send(alert: TakenAlert, webhook: AlertWebhook): Promise<void> {
    const { outbox, clock, onFailure, onGivenUp } = this.#deps;
    const failure = await this.#post(alert.body, webhook).then(
      () => null,
      (thrown: unknown) => ({ thrown }),
    );
    if (failure === null) return await outbox.end(alert.id, 'delivered');
    const nowMs = clock.nowMs();
    const nextAtMs = nowMs + backoff(alert.attempts, FIRST_BACKOFF_MS);
    if (nextAtMs < alert.createdAtMs + SEND_FOR_MS) {
      onFailure(`alert ${alert.id} was not delivered; retrying`, failure.thrown);
      return await outbox.later(alert.id, nextAtMs);
    }
    await outbox.end(alert.id, 'given_up');
    onGivenUp(alert.body);
  }

  /** Posts one alert. @throws Error with the reason when delivery failed. */
  async #post(body: string, { url, secret, egress }: AlertWebhook): Promise<void> {
    await permitted(egress);
    const deadline = new AbortController();
    const timer = this.#deps.clock.after(TIMEOUT_MS, () => deadline.abort());
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          ...signedHeaders([secret], body, this.#deps.clock.nowMs()),
        },
        body,
        signal: AbortSignal.any([deadline.signal, this.signal]),
        // Redirects are not followed, because they could lead to an address that is not allowed.
        redirect: 'manual',
      });
      // The body is canceled, because an unread body would keep the connection open.
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver returned ${response.status}`);
    } finally {
      timer.cancel();
    }
  }
}

const FAILURES = {
  work: 'alerts could not be read; retrying',
  sweep: 'old alerts could not be deleted',
} as const;

/**
 * Checks that the receiver's address is allowed.
 * @throws Error that names the refused address. The error of `egress` omits the address, because
 *   callers may see that error.
 */
async function permitted(egress: AlertWebhook['egress']): Promise<void> {
  try {
    await egress.permission();
  } catch (thrown) {
    throw thrown instanceof NotSent && thrown.cause instanceof Error ? thrown.cause : thrown;
  }
}
