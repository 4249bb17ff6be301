/**
 * Sends queued email in the background. If the mail server does not accept a letter, the letter is
 * retried for a day, at growing intervals.
 */
import type { Clock } from '../clock.ts';
import { backoff, QueueSender } from '../store/queue-sender.ts';
import type { MailOutbox, MailRecord, TakenMail } from './mail-outbox.ts';
import { DEADLINE_MS, type MailServer, type SendMail } from './smtp.ts';

/** The number of concurrent connections to the mail server. */
const BATCH = 4;
/**
 * How long a node reserves a letter. This is longer than an attempt takes, so that two nodes never
 * send the same letter.
 */
export const TAKEN_FOR_MS = 3 * DEADLINE_MS;
/** The first pause between attempts. Pauses double up to an hour. */
const FIRST_BACKOFF_MS = 30_000;
/** How long sending is retried: as long as a password reset link stays valid. */
export const SEND_FOR_MS = 24 * 60 * 60_000;
/** The kind of letter that is not retried, because a person waits for the result on a page. */
const ONE_ATTEMPT = 'test';

export type MailSenderDeps = {
  readonly outbox: MailOutbox;
  readonly clock: Clock;
  readonly send: SendMail;
  /**
   * Returns the current settings of the mail server; null while email is off. Letters stay queued
   * until email is on.
   */
  readonly server: () => MailServer | null;
  /** The display name of the sender. */
  readonly fromName: () => string;
  /** Called when a letter could not be sent or the store failed. `what` says which. */
  readonly onFailure: (what: string, cause: unknown) => void;
};

export class MailSender extends QueueSender {
  readonly #deps: MailSenderDeps;

  constructor(deps: MailSenderDeps) {
    super(deps.clock);
    this.#deps = deps;
  }

  /** Sends a queued letter now, even if it is not due yet. Returns its row in the delivery log. */
  async sendNow(id: string): Promise<MailRecord | null> {
    const { outbox, clock, server } = this.#deps;
    const now = server();
    const taken = await outbox.takeOne(id, clock.nowMs() + TAKEN_FOR_MS);
    if (taken !== null && now !== null) await this.#deliver(taken, now);
    return await outbox.get(id);
  }

  protected isOn(): boolean {
    return this.#deps.server() !== null;
  }

  protected async sweep(): Promise<void> {
    await this.#deps.outbox.forget();
  }

  protected failed(of: keyof typeof FAILURES, thrown: unknown): void {
    this.#deps.onFailure(FAILURES[of], thrown);
  }

  protected async sendDue(): Promise<void> {
    const { outbox, clock, server } = this.#deps;
    for (;;) {
      const now = server();
      if (now === null || this.signal.aborted) return;
      const due = await outbox.take(BATCH, clock.nowMs() + TAKEN_FOR_MS);
      await Promise.all(due.map((mail) => this.#deliver(mail, now)));
      if (due.length < BATCH) return;
    }
  }

  async #deliver(mail: TakenMail, server: MailServer): Promise<void> {
    const { outbox, clock, send, fromName, onFailure } = this.#deps;
    const { id, to, letter } = mail;
    if (letter === null) {
      const words = 'The email was encrypted with another console key, so it cannot be decrypted.';
      return await outbox.end(id, 'failed', words);
    }
    try {
      const delivery = { id, to, letter, fromName: fromName() };
      const answer = await send(server, delivery, this.signal);
      return await outbox.end(id, 'sent', answer);
    } catch (thrown) {
      if (this.signal.aborted) return;
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      const nextAtMs = clock.nowMs() + backoff(mail.attempts, FIRST_BACKOFF_MS);
      const isOver = nextAtMs >= mail.createdAtMs + SEND_FOR_MS;
      const isFinal = Object(thrown).isFinal === true || mail.kind === ONE_ATTEMPT;
      if (isFinal || isOver) await outbox.end(id, 'failed', words);
      else await outbox.later(id, nextAtMs, words);
      onFailure(`email ${id} was not sent${isFinal || isOver ? '' : '; retrying'}`, thrown);
    }
  }
}

const FAILURES = {
  work: 'queued email could not be read; retrying',
  sweep: 'old email could not be deleted',
} as const;
