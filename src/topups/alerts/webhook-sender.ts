/**
 * Posts the signed alerts of accounts to their webhooks. Retries each alert for a day until the
 * receiver returns a 2xx status. Accounts choose the receivers, so `upstreams/public-post.ts`
 * restricts the addresses.
 */
import type { Clock } from '../../clock.ts';
import { backoff, QueueSender } from '../../store/queue-sender.ts';
import { NotPosted, type PublicPost, postPublic } from '../../upstreams/public-post.ts';
import { type AccountWebhooks, isOff, type WebhookTarget } from './account-webhooks.ts';
import { SEND_FOR_MS } from './alert-outbox.ts';
import { FIRST_BACKOFF_MS, TAKEN_FOR_MS } from './alert-sender.ts';
import { signedHeaders } from './signature.ts';
import type { Delivery, WebhookOutbox } from './webhook-outbox.ts';
import { outcome, type WebhookOutcome } from './webhook-outcome.ts';

/** The number of concurrent deliveries, each to the receiver of another account. */
const BATCH = 8;

export type WebhookSenderDeps = {
  readonly outbox: WebhookOutbox;
  readonly webhooks: Pick<AccountWebhooks, 'target' | 'isOn' | 'forgetSecrets'>;
  readonly clock: Clock;
  readonly network: Pick<PublicPost, 'allowPrivate' | 'resolve' | 'ca'>;
  /** Called when the store fails. Failures of receivers are in the delivery log instead. */
  readonly onFailure: (what: string, cause: unknown) => void;
};

export class WebhookSender extends QueueSender {
  readonly #deps: WebhookSenderDeps;

  constructor(deps: WebhookSenderDeps) {
    super(deps.clock);
    this.#deps = deps;
  }

  /**
   * Sends a test to the account's webhook.
   * @returns the delivery; null if the account has no webhook, or sent too many tests.
   * @throws GatewayError `not_allowed` (webhooks are off).
   */
  async sendTest(accountId: string, actor: string): Promise<Delivery | null> {
    const { outbox, webhooks, clock } = this.#deps;
    if (!webhooks.isOn) throw isOff();
    const untilMs = clock.nowMs() + TAKEN_FOR_MS;
    const id = await outbox.addTest(accountId, untilMs, actor);
    const taken = id === null ? null : await outbox.takeOne(id, untilMs);
    if (taken === null) return null;
    await this.#send(taken);
    return await outbox.get(taken.id);
  }

  protected isOn(): boolean {
    return this.#deps.webhooks.isOn;
  }

  protected async sweep(): Promise<void> {
    await this.#deps.outbox.forget();
    await this.#deps.webhooks.forgetSecrets();
  }

  protected failed(of: keyof typeof FAILURES, thrown: unknown): void {
    this.#deps.onFailure(FAILURES[of], thrown);
  }

  protected async sendDue(): Promise<void> {
    const { outbox, clock } = this.#deps;
    for (;;) {
      const due = await outbox.take(BATCH, clock.nowMs() + TAKEN_FOR_MS);
      await Promise.all(due.map((delivery) => this.#send(delivery)));
      if (due.length === 0 || this.signal.aborted) return;
    }
  }

  async #send(delivery: Delivery): Promise<void> {
    const { outbox, webhooks, clock } = this.#deps;
    const { id, accountId, attempts, createdAtMs, isTest } = delivery;
    const target = await webhooks.target(accountId);
    if (target === null) return await outbox.end(id, 'given_up', outcome('removed'));
    const last = await this.#post(delivery, target);
    if (last === null) return;
    if (isDelivered(last)) return await outbox.end(id, 'delivered', last);
    if (this.signal.aborted) return;
    const nextAtMs = clock.nowMs() + backoff(attempts, FIRST_BACKOFF_MS);
    // A test is not retried, since a person waits for its outcome.
    const isOver = isTest || nextAtMs >= createdAtMs + SEND_FOR_MS;
    if (isOver) await outbox.end(id, 'given_up', last);
    else await outbox.later(delivery, nextAtMs, last);
  }

  /** Posts a delivery. Returns null if this process is stopping. */
  async #post({ body }: Delivery, { url, secrets }: WebhookTarget): Promise<WebhookOutcome | null> {
    if (secrets === null) return outcome('secret_unreadable');
    const { clock, network } = this.#deps;
    const headers = signedHeaders(secrets, body, clock.nowMs());
    const { signal } = this;
    try {
      const status = await postPublic({ ...network, url, headers, body, clock, signal });
      return outcome('answered', String(status));
    } catch (thrown) {
      if (thrown instanceof NotPosted) return outcome(thrown.code, thrown.detail);
      if (signal.aborted) return null;
      throw thrown;
    }
  }
}

const isDelivered = ({ code, detail }: WebhookOutcome): boolean =>
  code === 'answered' && detail.startsWith('2');

const FAILURES = {
  work: 'alerts for webhooks of accounts could not be read; retrying',
  sweep: 'old deliveries and secrets of webhooks of accounts could not be deleted',
} as const;
