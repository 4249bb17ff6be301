/** Posts signed alerts to the operator's webhook, with retries for a day until a 2xx answer. */
import { createHmac } from 'node:crypto';
import type { Clock, Timer } from '../../clock.ts';
import type { Secret } from '../../config/secret.ts';
import type { Egress } from '../../upstreams/egress.ts';
import { NotSent } from '../../upstreams/upstream.ts';
import { type AlertOutbox, SEND_FOR_MS, type TakenAlert } from './alert-outbox.ts';

/** How often the sender looks for due retries and for alerts of other nodes. */
const TICK_MS = 5_000;
const TICKS_A_SWEEP = 720;
/** The number of concurrent deliveries. */
const BATCH = 8;
const TIMEOUT_MS = 10_000;
/** How long a node reserves an alert: longer than the timeout, so that no two nodes send it. */
const TAKEN_FOR_MS = 30_000;
/** The first pause between attempts. Pauses double up to an hour: about thirty attempts a day. */
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 60 * 60_000;

export const SIGNATURE_HEADER = 'x-modelgate-signature';

export type AlertWebhook = {
  readonly url: string;
  readonly secret: Secret;
  /** Refuses a host name that resolves to a private network, unless the operator allows it. */
  readonly egress: Pick<Egress, 'permission'>;
};

export type AlertSenderDeps = {
  readonly outbox: AlertOutbox;
  readonly clock: Clock;
  /** The webhook; null if none is configured, so that nothing is sent and alerts expire. */
  readonly webhook: AlertWebhook | null;
  /** Called when an alert was not delivered, and for other failures. */
  readonly onFailure: (what: string, cause: unknown) => void;
  /** Called with the body of an alert that could not be delivered within a day. */
  readonly onGivenUp: (body: string) => void;
};

export class AlertSender {
  readonly #deps: AlertSenderDeps;
  readonly #timer: Timer;
  readonly #stopping = new AbortController();
  #working: Promise<void> | null = null;
  #isAwaited = false;
  #ticks = 0;

  constructor(deps: AlertSenderDeps) {
    this.#deps = deps;
    this.#timer = deps.clock.every(TICK_MS, () => {
      this.#ticks += 1;
      if (this.#ticks % TICKS_A_SWEEP === 0) void this.#sweep();
      this.wake();
    });
  }

  /** Starts a round soon if anything is due. Returns at once. */
  wake(): void {
    if (this.#deps.webhook === null || this.#stopping.signal.aborted) return;
    if (this.#working !== null) {
      this.#isAwaited = true;
      return;
    }
    void this.round();
  }

  /** Sends the due alerts. One round runs at a time; never rejects. */
  round(): Promise<void> {
    this.#working ??= this.#sendDue().finally(() => {
      this.#working = null;
      if (!this.#isAwaited) return;
      this.#isAwaited = false;
      this.wake();
    });
    return this.#working;
  }

  /** Aborts deliveries in progress. The next process sends them again. */
  async stop(): Promise<void> {
    this.#timer.cancel();
    this.#stopping.abort();
    await this.#working;
  }

  async #sendDue(): Promise<void> {
    const { webhook, outbox, clock, onFailure } = this.#deps;
    if (webhook === null) return;
    try {
      for (;;) {
        const nowMs = clock.nowMs();
        const due = await outbox.take(BATCH, nowMs, nowMs + TAKEN_FOR_MS);
        await Promise.all(due.map((alert) => this.#send(alert, webhook)));
        if (due.length < BATCH || this.#stopping.signal.aborted) return;
      }
    } catch (thrown) {
      onFailure('alerts could not be read; retrying', thrown);
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
    const nextAtMs = nowMs + backoff(alert.attempts);
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
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: signatureOf(secret, body, this.#deps.clock.nowMs()),
        },
        body,
        signal: AbortSignal.any([deadline.signal, this.#stopping.signal]),
        // A redirect could lead to an address that is not allowed.
        redirect: 'manual',
      });
      // An unread body would keep its connection.
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver returned ${response.status}`);
    } finally {
      timer.cancel();
    }
  }

  async #sweep(): Promise<void> {
    const { outbox, clock, onFailure } = this.#deps;
    await outbox
      .forget(clock.nowMs())
      .catch((thrown) => onFailure('old alerts could not be deleted', thrown));
  }
}

/**
 * @throws Error naming the refused address. The egress's own error, made for callers, does not name
 *   it.
 */
async function permitted(egress: AlertWebhook['egress']): Promise<void> {
  try {
    await egress.permission();
  } catch (thrown) {
    throw thrown instanceof NotSent && thrown.cause instanceof Error ? thrown.cause : thrown;
  }
}

const backoff = (attempts: number): number =>
  Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(attempts - 1, 20), MAX_BACKOFF_MS);

/**
 * Returns the signature header `t=<unix seconds>,v1=<hex>`: the HMAC-SHA256, under the secret, of
 * the seconds, a dot and the exact body. A receiver compares it in constant time, rejects an old
 * signature, and accepts an alert `id` once only, since an unanswered alert is sent again.
 */
function signatureOf(secret: Secret, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const hmac = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`, 'utf8');
  return `t=${seconds},v1=${hmac.digest('hex')}`;
}
