/**
 * The memory that request bodies may take in all. Each endpoint limits one body; only a budget over all of
 * them keeps many large ones, sent at once, from ending the process that serves everybody.
 *
 * A body whose length is declared takes its share before it is read, another one as it grows. A share is
 * given back when its body is no longer needed: with the answer, or as soon as a stream has begun, since
 * no other route can be asked any more.
 */
import { type Clock, systemClock, type Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';

/** Whoever sends has this long for the beginning, and for a pause. */
const GRACE_MS = 30_000;
/** Up to here a body holds no room worth a timer. */
const SMALL_BYTES = 64 * 1024;
/** A body that comes slower than over a poor line holds room that others need. */
const LEAST_BYTES_PER_MS = 64;

export class RequestBytes {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'after'>;
  #inFlight = 0;

  /** @param limit bytes; at least one body of the largest endpoint, or that endpoint is of no use. */
  constructor(limit: number, clock: Pick<Clock, 'after'> = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Bytes that bodies take now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** For one request; nothing is taken until it reserves. */
  open(): BodyShare {
    return new BodyShare((bytes) => this.#take(bytes), this.#clock);
  }

  /** @param bytes below zero: given back. */
  #take(bytes: number): boolean {
    if (this.#inFlight + bytes > this.#limit) return false;
    this.#inFlight += bytes;
    return true;
  }
}

/** What one request has of the budget. */
export class BodyShare {
  readonly #take: (bytes: number) => boolean;
  readonly #clock: Pick<Clock, 'after'>;
  #bytes = 0;
  #released = false;

  constructor(take: (bytes: number) => boolean, clock: Pick<Clock, 'after'>) {
    this.#take = take;
    this.#clock = clock;
  }

  /**
   * What `reading` gives: nobody may declare a body, and hold the room for it, without sending it.
   * @param bytes as many as may come.
   * @throws GatewayError `caller_left` when they do not come in time.
   */
  async inTime<Read>(reading: Promise<Read>, bytes: number): Promise<Read> {
    if (bytes <= SMALL_BYTES) return await reading;
    let timer: Timer | null = null;
    const late = new Promise<never>((_, reject) => {
      timer = this.#clock.after(GRACE_MS + bytes / LEAST_BYTES_PER_MS, () => reject(tooSlow()));
    });
    // Whoever waits no more is told by what came in time.
    reading.catch(() => undefined);
    try {
      return await Promise.race([reading, late]);
    } finally {
      (timer as Timer | null)?.cancel();
    }
  }

  /**
   * Makes the share this large, if it is not already. A refusal leaves it as it was.
   * @throws GatewayError `rate_limit_exceeded` when the budget has no room for it now.
   */
  reserve(totalBytes: number): void {
    // Whoever still reads for a request that is over gets nothing that nobody would give back.
    if (this.#released || totalBytes <= this.#bytes) return;
    if (!this.#take(totalBytes - this.#bytes)) throw busy();
    this.#bytes = totalBytes;
  }

  /** Gives all of it back, once, however often it is called. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#take(-this.#bytes);
  }
}

const tooSlow = (): GatewayError =>
  new GatewayError('caller_left', 'The request body did not arrive in time. Send it again.');

const busy = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'The gateway is busy with large requests at the moment. Nothing was charged; send this one again.',
    { retryAfterSeconds: 1 },
  );
