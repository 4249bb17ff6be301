/**
 * Limits the memory and the time of request bodies. All bodies share one memory budget: a declared
 * length is reserved before reading, other bytes as they arrive. The memory is released when the
 * response is ready or a stream begins, because the body is then not sent to another upstream. A
 * body must arrive in time, and an IP address may send only some slow bodies at once.
 */
import { type Clock, systemClock, type Timer } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { countedAddress } from './address-requests.ts';

/** The time that a body may take in addition to its size divided by the minimum rate. */
const GRACE_SECONDS = 30;
/** The minimum rate of a body. A slower one would block memory that other requests need. */
const LEAST_BYTES_PER_SECOND = 64_000;
/** A body that takes longer than this is slow. Most bodies arrive together with the headers. */
const SLOW_SECONDS = 2;
/** Maximum slow bodies per IP address: enough for an office, and a small part of all sockets. */
export const MAX_SLOW_BODIES = 128;
const SWEEP_MS = 1000;

/** A body that is being read. Its age is counted in sweeps of one second (`seconds`). */
type Waiting = {
  readonly address: () => string | null;
  readonly receivedBytes: number;
  readonly refuse: (error: GatewayError) => void;
  seconds: number;
};

export class RequestBytes {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'every'>;
  readonly #waiting = new Set<Waiting>();
  #sweeper: Timer | null = null;
  #inFlight = 0;

  /** @param limit the budget in bytes; at least the largest body that an endpoint accepts. */
  constructor(limit: number, clock: Pick<Clock, 'every'> = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The number of bytes that are reserved now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Returns an empty share of the memory budget for the body of a new request.
   * @param address returns the caller's IP address.
   */
  open(address: () => string | null = () => null): BodyShare {
    return new BodyShare(this, address);
  }

  /** Adds a body that is being read. */
  wait(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.#sweeper ??= this.#clock.every(SWEEP_MS, () => this.#sweep());
  }

  /** Removes a body that was read, or whose reading failed. */
  waitNoLonger(waiting: Waiting): void {
    this.#waiting.delete(waiting);
  }

  /** Reserves bytes; a negative number releases bytes. Returns false if the budget is exceeded. */
  take(bytes: number): boolean {
    if (this.#inFlight + bytes > this.#limit) return false;
    this.#inFlight += bytes;
    return true;
  }

  /** Refuses overdue bodies, and the newest slow bodies of each IP address that has too many. */
  #sweep(): void {
    if (this.#waiting.size === 0) {
      this.#sweeper?.cancel();
      this.#sweeper = null;
    }
    const slow = new Map<string, number>();
    for (const waiting of this.#waiting) {
      waiting.seconds += 1;
      if (waiting.seconds > GRACE_SECONDS + waiting.receivedBytes / LEAST_BYTES_PER_SECOND) {
        this.#refuse(waiting, timedOut());
      } else if (waiting.seconds > SLOW_SECONDS) {
        const address = countedAddress(waiting.address());
        const count = (slow.get(address) ?? 0) + 1;
        if (count > MAX_SLOW_BODIES) this.#refuse(waiting, tooManySlow());
        else slow.set(address, count);
      }
    }
  }

  #refuse(waiting: Waiting, error: GatewayError): void {
    this.#waiting.delete(waiting);
    waiting.refuse(error);
  }
}

const nothing = (): void => {};

type Budget = Pick<RequestBytes, 'take' | 'wait' | 'waitNoLonger'>;

/** The part of the memory budget that one request has reserved for its body. */
export class BodyShare implements Waiting {
  /** Returns the caller's IP address. */
  readonly address: () => string | null;
  /**
   * The number of bytes that have arrived. For a body that is read in one call, its declared
   * length.
   */
  receivedBytes = 0;
  seconds = 0;
  refuse: Waiting['refuse'] = nothing;
  readonly #budget: Budget;
  #bytes = 0;
  #released = false;
  #arrived = false;

  constructor(budget: Budget, address: () => string | null) {
    this.#budget = budget;
    this.address = address;
  }

  /** Whether the whole body was read. */
  get arrived(): boolean {
    return this.#arrived;
  }

  /**
   * Awaits a body for as long as its bytes may take, so that a caller who stops sending cannot
   * block memory and a connection.
   * @param failure makes the error of a body that cannot be read.
   * @param convert makes the result of the body that was read.
   * @throws GatewayError `caller_left` when the body is late, `rate_limit_exceeded` when too many
   * bodies of its address are slow. Rejects with what `convert` throws.
   */
  inTime<Read, Result>(
    reading: Promise<Read>,
    failure: (thrown: unknown) => unknown,
    convert: (read: Read) => Result,
  ): Promise<Result> {
    // A promise made by hand costs each request less time than `Promise.race` or an async function
    // would.
    return new Promise((resolve, reject) => {
      this.refuse = reject;
      this.seconds = 0;
      this.#budget.wait(this);
      reading.then(
        (read) => {
          this.#waitNoLonger();
          this.#arrived = true;
          try {
            resolve(convert(read));
          } catch (thrown) {
            reject(thrown);
          }
        },
        (thrown: unknown) => {
          this.#waitNoLonger();
          reject(failure(thrown));
        },
      );
    });
  }

  #waitNoLonger(): void {
    this.#budget.waitNoLonger(this);
    // The promise of `inTime` keeps the body in memory, and this function would keep the promise.
    this.refuse = nothing;
  }

  /** Grows the share to `totalBytes`. @throws GatewayError `rate_limit_exceeded` over budget. */
  reserve(totalBytes: number): void {
    // A finished request reserves nothing more, because nobody would release it.
    if (this.#released || totalBytes <= this.#bytes) return;
    if (!this.#budget.take(totalBytes - this.#bytes)) throw busy();
    this.#bytes = totalBytes;
  }

  /** Releases the whole share. Further calls have no effect. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#budget.take(-this.#bytes);
  }
}

/** The rest of the body may never arrive, so the connection cannot carry another request. */
const CLOSES = { headers: { connection: 'close' } } as const;

const timedOut = (): GatewayError =>
  new GatewayError(
    'caller_left',
    `The request body did not arrive in time. Send it within ${GRACE_SECONDS} seconds, at ${LEAST_BYTES_PER_SECOND / 1000} KB per second or faster.`,
    CLOSES,
  );

const tooManySlow = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `More than ${MAX_SLOW_BODIES} request bodies from this address are arriving slowly. Send fewer at once.`,
    { ...CLOSES, retryAfterSeconds: 1 },
  );

const busy = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'The gateway is busy with large requests. Nothing was charged; retry this request.',
    { retryAfterSeconds: 1 },
  );
