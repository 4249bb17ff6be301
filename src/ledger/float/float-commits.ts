/**
 * Sends the writes of the float (the holds in memory) to the store's thread, many in one commit.
 * Only one commit runs at a time. Writes that are submitted meanwhile share the next commit.
 */
import { type Clock, nextTurn } from '../../clock.ts';
import { asGatewayError, GatewayError } from '../../errors.ts';
import { MAX_BATCH_COMMANDS, MAX_QUEUED_COMMANDS } from '../group-commit.ts';
import type { Outcome } from '../ledger.ts';
import { outcomeOf } from '../shared-ledger.ts';
import { decodeReplies, type Reply } from '../wire.ts';
import type { FloatLink } from './float-store.ts';
import { encodeWrites, type WireWrite } from './float-wire.ts';

/**
 * How long durable charges wait until they are booked (applied to wallets and receipts), in
 * milliseconds. A read of the database books them earlier.
 */
export const BOOK_MS = 100;

/** Writes that must be in one commit, and the functions to call with its result. */
export type Submission = {
  /** `append`: the outcomes are decided already. `write`: the store decides them. */
  readonly kind: 'append' | 'write';
  readonly wires: readonly WireWrite[];
  /** Called when all writes are durable. `replies`: the store's replies to a `write`, in order. */
  done(replies: readonly Reply[]): void;
  failed(thrown: unknown): void;
};

const NO_REPLIES: readonly Reply[] = [];

export class FloatCommits {
  readonly #link: FloatLink;
  readonly #clock: Pick<Clock, 'after'>;
  #queue: Submission[] = [];
  #queued = 0;
  #isSending = false;
  #isClosed = false;
  /** Whether booking is under way: the timer for it is set, or the thread is booking. */
  #isBooking = false;
  /**
   * Whether the last write failed. If so, holds are refused until a write or a heartbeat succeeds.
   */
  #isAway = false;
  /** Whether the thread failed to book charges. If so, holds are refused until booking succeeds. */
  #isStuck = false;

  constructor(link: FloatLink, clock: Pick<Clock, 'after'>) {
    this.#link = link;
    this.#clock = clock;
  }

  /** @throws GatewayError `store_unavailable` while writing or booking fails. */
  requireStore(): void {
    if (this.#isAway) throw nothingSold('the last write to the store failed');
    if (this.#isStuck) throw nothingSold('charges that are already on disk cannot be booked');
  }

  /**
   * Queues writes for the next commit. They fail with `store_unavailable` when the queue is full or
   * closed, and with `invalid_value` when they are too many for one transaction.
   */
  submit(submission: Submission): void {
    const refusal = this.#refusalOf(submission);
    if (refusal !== null) {
      submission.failed(refusal);
      return;
    }
    this.#queue.push(submission);
    this.#queued += submission.wires.length;
    if (!this.#isSending) this.#send();
  }

  /** Queues writes. Resolves with the outcomes when all are durable. @throws as `Ledger.apply` */
  write(wires: readonly WireWrite[]): Promise<readonly Outcome[]> {
    if (wires.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const done = (replies: readonly Reply[]): void => {
        try {
          resolve(replies.map(outcomeOf));
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.submit({ kind: 'write', wires, done, failed: reject });
    });
  }

  /** Queues writes with decided outcomes. Resolves when all are durable. @throws as `apply` */
  append(wires: readonly WireWrite[]): Promise<void> {
    if (wires.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.submit({ kind: 'append', wires, done: () => resolve(), failed: reject });
    });
  }

  /** Resolves when all writes that are queued now have succeeded or failed. */
  answered(): Promise<void> {
    if (!this.#isSending) return Promise.resolve();
    return new Promise((resolve) => {
      // An empty submission resolves when all earlier submissions have been answered.
      this.#queue.push({
        kind: 'append',
        wires: [],
        done: () => resolve(),
        failed: () => resolve(),
      });
    });
  }

  /**
   * Awaits a write by code outside of this class, and records whether the store accepted it. Such a
   * write first books all durable charges, so its success also means that booking works.
   */
  async noteWrite<Result>(writing: Promise<Result>): Promise<Result> {
    try {
      const result = await writing;
      this.#isAway = false;
      this.#isStuck = false;
      return result;
    } catch (thrown) {
      this.#noteFailure(thrown);
      throw thrown;
    }
  }

  /** Refuses new writes from now on. Resolves when all earlier writes have succeeded or failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.answered();
  }

  #refusalOf({ wires }: Submission): GatewayError | null {
    if (wires.length > MAX_BATCH_COMMANDS) {
      const message = `A batch may have at most ${MAX_BATCH_COMMANDS} commands.`;
      return new GatewayError('invalid_value', message, { param: 'batch' });
    }
    if (this.#isClosed) return new GatewayError('store_unavailable', 'The store is closed.');
    if (this.#queued + wires.length <= MAX_QUEUED_COMMANDS) return null;
    const message = 'The store is overloaded. Repeat the request in a moment.';
    return new GatewayError('store_unavailable', message, { retryAfterSeconds: 1 });
  }

  /** Sends the oldest submissions that are of the same kind and fit into one commit. */
  #send(): void {
    const batch = this.#nextBatch();
    const kind = batch[0]?.kind;
    this.#isSending = kind !== undefined;
    if (kind === undefined) return;
    const wires = batch.length === 1 ? batch[0]?.wires : batch.flatMap((each) => each.wires);
    if (wires === undefined || wires.length === 0) {
      for (const each of batch) each.done(NO_REPLIES);
      this.#send();
      return;
    }
    const text = encodeWrites(wires);
    const sent =
      kind === 'append'
        ? this.#link.ask(kind, text, () => this.#appended(batch))
        : this.#link.ask(kind, text, (answer) => this.#written(batch, decodeReplies(answer)));
    sent.catch((thrown: unknown) => {
      this.#noteFailure(thrown);
      for (const each of batch) each.failed(thrown);
      this.#send();
    });
  }

  #appended(batch: readonly Submission[]): void {
    this.#isAway = false;
    for (const each of batch) each.done(NO_REPLIES);
    if (!this.#isBooking) this.#bookLater();
    // Waits one turn of the event loop, so that requests that continue after this answer can share
    // the next commit.
    void nextTurn().then(() => this.#send());
  }

  #written(batch: readonly Submission[], replies: readonly Reply[]): void {
    this.#isAway = false;
    this.#isStuck = false;
    let from = 0;
    for (const each of batch) {
      each.done(replies.slice(from, from + each.wires.length));
      from += each.wires.length;
    }
    this.#send();
  }

  #nextBatch(): readonly Submission[] {
    const kind = this.#queue[0]?.kind;
    let writes = 0;
    let taken = 0;
    for (const submission of this.#queue) {
      if (submission.kind !== kind || writes + submission.wires.length > MAX_BATCH_COMMANDS) break;
      writes += submission.wires.length;
      taken += 1;
    }
    this.#queued -= writes;
    return this.#queue.splice(0, taken);
  }

  #bookLater(): void {
    this.#isBooking = true;
    this.#clock.after(BOOK_MS, () => void this.#book());
  }

  /**
   * Asks the store's thread to book the charges slice by slice, so that it can commit other writes
   * in between. Never rejects.
   */
  async #book(): Promise<void> {
    try {
      let left = await this.#link.ask('book', null);
      while (left === 'window') left = await this.#link.ask('book', null);
      this.#isStuck = false;
      if (left === 'nothing') this.#isBooking = false;
      else this.#bookLater();
    } catch {
      // The next heartbeat reports the error. Until booking succeeds, holds are refused.
      this.#isStuck = true;
      if (this.#isClosed) this.#isBooking = false;
      else this.#bookLater();
    }
  }

  #noteFailure(thrown: unknown): void {
    if (asGatewayError(thrown).code === 'store_unavailable') this.#isAway = true;
  }
}

const nothingSold = (why: string): GatewayError =>
  new GatewayError(
    'store_unavailable',
    'The gateway cannot record charges at the moment, so it accepts no requests. This request was not charged. Retry it.',
    { retryAfterSeconds: 2, cause: new Error(why) },
  );
