/**
 * The memory that request bodies may take in all. Each endpoint limits one body; only a budget over all of
 * them keeps many large ones, sent at once, from ending the process that serves everybody.
 *
 * A body whose length is declared takes its share before it is read, another one as it grows. A share is
 * given back when its body is no longer needed: with the answer, or as soon as a stream has begun, since
 * no other route can be asked any more.
 */
import { GatewayError } from '../errors.ts';

export class RequestBytes {
  readonly #limit: number;
  #inFlight = 0;

  /** @param limit bytes; at least one body of the largest endpoint, or that endpoint is of no use. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that bodies take now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** For one request; nothing is taken until it reserves. */
  open(): BodyShare {
    return new BodyShare((bytes) => this.#take(bytes));
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
  #bytes = 0;
  #released = false;

  constructor(take: (bytes: number) => boolean) {
    this.#take = take;
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

const busy = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'The gateway is busy with large requests at the moment. Nothing was charged; send this one again.',
    { retryAfterSeconds: 1 },
  );
