/** How long each part of a request may take, and waits with a timeout. */
import type { Timeouts } from '../catalogue/catalogue.ts';
import type { Clock, Timer } from '../clock.ts';
import { GatewayError } from '../errors.ts';

/** In milliseconds. A model may override each of them. */
export type Deadlines = {
  /** Until the upstream's status line, and again from there to the first event. */
  readonly firstByteTimeoutMs: number;
  /** The longest silence of the upstream within its answer. */
  readonly idleTimeoutMs: number;
  /** The whole request. */
  readonly totalTimeoutMs: number;
};

export type StreamLimits = Pick<Deadlines, 'idleTimeoutMs' | 'totalTimeoutMs'> & {
  /** How long the caller gets nothing before a keep-alive is sent. */
  readonly keepAliveMs: number;
  /** How long a caller may leave bytes unread. */
  readonly stallTimeoutMs: number;
};

export type RelayLimits = Deadlines &
  StreamLimits & {
    /** How long the 200 waits for a first event, so that early failures become HTTP errors. */
    readonly firstEventHoldMs: number;
    /** The longest non-streaming answer. */
    readonly maxAnswerBytes: number;
    /** The longest event of a stream. */
    readonly maxEventBytes: number;
  };

/** The gateway's limits, overridden by the model's own. */
export const deadlinesFor = <Limits extends Deadlines>(
  limits: Limits,
  { firstByteMs, idleMs, totalMs }: Timeouts,
): Limits => ({
  ...limits,
  firstByteTimeoutMs: firstByteMs ?? limits.firstByteTimeoutMs,
  idleTimeoutMs: idleMs ?? limits.idleTimeoutMs,
  totalTimeoutMs: totalMs ?? limits.totalTimeoutMs,
});

/** The whole request took too long. That is not held against the route that served it. */
export class TookTooLong extends GatewayError {
  constructor() {
    super('upstream_timeout', 'The answer took longer than the gateway allows.');
  }
}

/** Waits for `promise` for at most `limitMs`. The promise itself is not canceled. */
export async function orTimeout<Value>(
  clock: Pick<Clock, 'after'>,
  promise: Promise<Value>,
  limitMs: number,
): Promise<Value | 'timeout'> {
  let timer: Timer | null = null;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = clock.after(limitMs, () => resolve('timeout'));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    (timer as Timer | null)?.cancel();
  }
}

/** One time limit over several waits. */
export class TimeLimit {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limitMs: number;
  readonly #message: string;
  readonly #over = Promise.withResolvers<never>();
  #timer: Timer;

  /** @param message of the `upstream_timeout` with which the waits fail. */
  constructor(clock: Pick<Clock, 'after'>, limitMs: number, message: string) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#message = message;
    // Without a wait in progress the timeout must not become an unhandled rejection.
    this.#over.promise.catch(() => undefined);
    this.#timer = this.#start();
  }

  /** @throws GatewayError `upstream_timeout`. */
  orTimeout<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.#over.promise]);
  }

  restart(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  end(): void {
    this.#timer.cancel();
  }

  #start(): Timer {
    return this.#clock.after(this.#limitMs, () =>
      this.#over.reject(new GatewayError('upstream_timeout', this.#message)),
    );
  }
}
