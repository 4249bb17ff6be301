/**
 * The memory for all request bodies together. Each endpoint limits one body; the common budget
 * keeps many large bodies at once from exhausting the process's memory.
 *
 * A body with a declared length reserves its share before it is read, any other as it grows. The
 * share is released with the answer, or once a stream has begun: no other route can be tried then,
 * so the body is no longer needed.
 */
import { type Clock, systemClock, type Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';

/** Time for the first bytes, and for a pause. */
const GRACE_MS = 30_000;
/** Smaller bodies are not worth a timer. */
const SMALL_BYTES = 64 * 1024;
/** The slowest acceptable rate. A slower body would block memory that other requests need. */
const LEAST_BYTES_PER_MS = 64;

export class RequestBytes {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'after'>;
  #inFlight = 0;

  /** @param limit bytes; at least the largest body that an endpoint accepts. */
  constructor(limit: number, clock: Pick<Clock, 'after'> = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Bytes reserved now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** The share of one request, empty at first. */
  open(): BodyShare {
    return new BodyShare((bytes) => this.#take(bytes), this.#clock);
  }

  /** @param bytes below zero: released. */
  #take(bytes: number): boolean {
    if (this.#inFlight + bytes > this.#limit) return false;
    this.#inFlight += bytes;
    return true;
  }
}

/** One request's share of the budget. */
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
   * The result of `reading`, with a timeout: a caller must not reserve memory for a body and then
   * not send it.
   * @param bytes the most that may arrive.
   * @throws GatewayError `caller_left` when the body does not arrive in time.
   */
  async inTime<Read>(reading: Promise<Read>, bytes: number): Promise<Read> {
    if (bytes <= SMALL_BYTES) return await reading;
    let timer: Timer | null = null;
    const late = new Promise<never>((_, reject) => {
      timer = this.#clock.after(GRACE_MS + bytes / LEAST_BYTES_PER_MS, () => reject(timedOut()));
    });
    // After a timeout nobody awaits `reading`, so its rejection must not go unhandled.
    reading.catch(() => undefined);
    try {
      return await Promise.race([reading, late]);
    } finally {
      (timer as Timer | null)?.cancel();
    }
  }

  /**
   * Grows the share to this size. A refusal leaves it unchanged.
   * @throws GatewayError `rate_limit_exceeded` when the budget is used up.
   */
  reserve(totalBytes: number): void {
    // A request that is over reserves nothing more: nobody would release it.
    if (this.#released || totalBytes <= this.#bytes) return;
    if (!this.#take(totalBytes - this.#bytes)) throw busy();
    this.#bytes = totalBytes;
  }

  /** Releases the whole share, once. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#take(-this.#bytes);
  }
}

const timedOut = (): GatewayError =>
  new GatewayError('caller_left', 'The request body did not arrive in time. Retry the request.');

const busy = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'The gateway is busy with large requests. Nothing was charged; retry this request.',
    { retryAfterSeconds: 1 },
  );
