/**
 * Limits the memory of all request bodies together, so that many large ones cannot exhaust it. A
 * declared length is reserved before reading, other bytes as they arrive. The response releases the
 * memory; a stream does so once it has begun, because no other route can be tried then.
 */
import { type Clock, systemClock, type Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';

/** The longest wait for the first bytes, and the longest pause between bytes. */
const GRACE_MS = 30_000;
/** The largest body that is read without a timeout, because it blocks little memory. */
const SMALL_BYTES = 64 * 1024;
/** The lowest accepted rate. A slower body would block memory that other requests need. */
const LEAST_BYTES_PER_MS = 64;

export class RequestBytes {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'after'>;
  #inFlight = 0;

  /** @param limit the budget in bytes; at least the largest body that an endpoint accepts. */
  constructor(limit: number, clock: Pick<Clock, 'after'> = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The number of bytes that are reserved now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  open(): BodyShare {
    return new BodyShare((bytes) => this.#take(bytes), this.#clock);
  }

  /** Reserves bytes (negative: releases them), and returns whether the budget allowed it. */
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
   * Awaits at most `bytes` with a timeout: a caller must not reserve memory and then send nothing.
   * @throws GatewayError `caller_left` when the body does not arrive in time.
   */
  async inTime<Read>(reading: Promise<Read>, bytes: number): Promise<Read> {
    if (bytes <= SMALL_BYTES) return await reading;
    let timer: Timer | null = null;
    const late = new Promise<never>((_, reject) => {
      timer = this.#clock.after(GRACE_MS + bytes / LEAST_BYTES_PER_MS, () => reject(timedOut()));
    });
    // After a timeout nobody awaits `reading`, so its rejection would be unhandled.
    reading.catch(() => undefined);
    try {
      return await Promise.race([reading, late]);
    } finally {
      (timer as Timer | null)?.cancel();
    }
  }

  /** Grows the share to `totalBytes`. @throws GatewayError `rate_limit_exceeded` over budget. */
  reserve(totalBytes: number): void {
    // A finished request reserves nothing more, because nobody would release it.
    if (this.#released || totalBytes <= this.#bytes) return;
    if (!this.#take(totalBytes - this.#bytes)) throw busy();
    this.#bytes = totalBytes;
  }

  /** Releases the whole share. Further calls have no effect. */
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
