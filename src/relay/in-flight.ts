/** Tracks the requests in flight. One timer serves them all, and a shutdown waits for them. */
import type { Caller } from '../accounts/account.ts';
import type { Change } from '../accounts/change-feed.ts';
import type { Timeouts } from '../catalogue/catalogue.ts';
import { type Clock, nextTurn, type Timer } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { CallAbort, type CallSignal } from '../routing/call-abort.ts';
import { revoked } from './hold-refusal.ts';
import { callerLeft, TookTooLong } from './outcome.ts';

/**
 * The key and account of a request. The request ends when the key is revoked or disabled, or when
 * the account is suspended.
 */
export type RunningFor = Pick<Caller, 'keyId' | 'accountId'>;

export type Running = {
  readonly caller: RunningFor;
  /** Called about once a second with the monotonic time, for keep-alives and deadlines. */
  readonly tick: (nowMs: number) => void;
  /** Ends the request now: reports the reason to the caller and settles. */
  readonly terminate: (why: GatewayError) => void;
};

const TICK_MS = 1_000;
/** Number of `tick` calls after which other work may run. Each call takes up to 20 µs. */
const TICK_SLICE = 256;
const DRAIN_POLL_MS = 20;
/**
 * Maximum number of answers that are read to their end although the caller has disconnected. If
 * there are more, the oldest is aborted.
 */
export const MAX_READ_ON = 1_024;

export class InFlight {
  readonly #clock: Clock;
  readonly #onFailure: (thrown: unknown) => void;
  readonly #running = new Set<Running>();
  /** The requests whose caller has disconnected, but whose answer is read to its end. */
  readonly #readOn = new Set<CallScope>();
  /**
   * The number of requests that called `enter` but not yet `leave`: they have been admitted, but
   * not answered. Those that have a hold are also in `#running`.
   */
  #entered = 0;
  #isTicking = false;
  readonly #timer: Timer;

  /** @param onFailure called when the tick of one request throws; the other ticks still run. */
  constructor(clock: Clock, onFailure: (thrown: unknown) => void) {
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#timer = clock.every(TICK_MS, () => void this.#tick());
  }

  get count(): number {
    return this.#running.size;
  }

  /** The number of answers that are still being read although their callers have disconnected. */
  get readOnCount(): number {
    return this.#readOn.size;
  }

  /** Counts a request until `leave`, so that a shutdown also waits for requests without a hold. */
  enter(): void {
    this.#entered += 1;
  }

  /** Stops counting a request. Called when its response is complete or has begun as a stream. */
  leave(): void {
    this.#entered -= 1;
  }

  add(running: Running): void {
    this.#running.add(running);
  }

  remove(running: Running): void {
    this.#running.delete(running);
  }

  /**
   * Counts an answer that is read although its caller has disconnected, until `endReadOn`. If there
   * are too many such answers, aborts the oldest.
   */
  startReadOn(scope: CallScope): void {
    this.#readOn.add(scope);
    const [oldest] = this.#readOn;
    if (this.#readOn.size <= MAX_READ_ON || oldest === undefined) return;
    this.#readOn.delete(oldest);
    oldest.terminate(callerLeft());
  }

  endReadOn(scope: CallScope): void {
    this.#readOn.delete(scope);
  }

  /** Ends the requests of a revoked or disabled key, or of a suspended account. */
  endRevoked({ action, subject }: Change): void {
    if (action === 'key.revoke') {
      this.end(({ keyId }) => keyId === subject, revoked('key_inactive'));
    } else if (action === 'key.disable') {
      this.end(({ keyId }) => keyId === subject, revoked('key_disabled'));
    } else if (action === 'account.suspend') {
      this.end(({ accountId }) => accountId === subject, revoked('account_inactive'));
    }
  }

  /** Ends the requests of all callers for which `isMeant` is true; returns their number. */
  end(isMeant: (caller: RunningFor) => boolean, why: GatewayError): number {
    const ended = [...this.#running].filter(({ caller }) => isMeant(caller));
    for (const running of ended) running.terminate(why);
    return ended.length;
  }

  /**
   * Waits up to `graceMs` for all requests, then ends the rest and waits up to `settleMs` for their
   * settlement. Returns the number of running requests that did not finish within `graceMs`.
   */
  async drain(graceMs: number, settleMs: number): Promise<number> {
    await this.#untilEmpty(graceMs, () => undefined);
    const cut = this.#running.size;
    await this.#untilEmpty(settleMs, () => {
      // This runs repeatedly, because requests that were being admitted during the last run have
      // started since then.
      this.end(() => true, shuttingDown());
    });
    this.#timer.cancel();
    return cut;
  }

  async #untilEmpty(limitMs: number, meanwhile: () => void): Promise<void> {
    const deadlineMs = this.#clock.monotonicMs() + limitMs;
    while (this.#running.size + this.#entered > 0 && this.#clock.monotonicMs() < deadlineMs) {
      meanwhile();
      await this.#clock.sleep(DRAIN_POLL_MS);
    }
  }

  /** Ticks all requests. After every `TICK_SLICE` of them, lets other work run. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      let ticked = 0;
      for (const running of this.#running) {
        if (ticked > 0 && ticked % TICK_SLICE === 0) await nextTurn();
        ticked += 1;
        try {
          running.tick(this.#clock.monotonicMs());
        } catch (thrown) {
          this.#onFailure(thrown);
        }
      }
    } finally {
      this.#isTicking = false;
    }
  }
}

const shuttingDown = (): GatewayError =>
  new GatewayError('shutting_down', 'The gateway is restarting. Retry the request.', {
    retryAfterSeconds: 1,
  });

/** The limits of a relayed request. A model may override the timeouts. */
export type RelayLimits = {
  /** The maximum wait for the upstream's status line, and again for the first event after it. */
  readonly firstByteTimeoutMs: number;
  /** The maximum silence of the upstream within its answer. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
  /** The time without bytes to the caller after which a keep-alive is sent. */
  readonly keepAliveMs: number;
  /** How long a caller may leave bytes unread before it counts as disconnected. */
  readonly stallTimeoutMs: number;
  /**
   * How long the gateway waits for a stream's first event before it sends a 200, so that an early
   * failure gets its own HTTP status.
   */
  readonly firstEventHoldMs: number;
  /** The maximum size of a non-streaming answer. */
  readonly maxAnswerBytes: number;
  readonly maxEventBytes: number;
  /** How long an answer is read for its usage after its caller has disconnected. */
  readonly readOnMs: number;
};

/** Returns the gateway's limits, with the timeouts that the model sets instead of the gateway's. */
export function deadlinesFor(
  limits: RelayLimits,
  { firstByteMs, idleMs, totalMs }: Timeouts,
): RelayLimits {
  if (firstByteMs === null && idleMs === null && totalMs === null) return limits;
  return {
    ...limits,
    firstByteTimeoutMs: firstByteMs ?? limits.firstByteTimeoutMs,
    idleTimeoutMs: idleMs ?? limits.idleTimeoutMs,
    totalTimeoutMs: totalMs ?? limits.totalTimeoutMs,
  };
}

/** A stream whose caller may disconnect. */
type Abandoned = { readonly abandon: () => void };

type CallScopeOptions = Pick<CallScope, 'clock' | 'requestId' | 'caller' | 'limits'> & {
  readonly inFlight: InFlight;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
};

/** One request in flight: its times, its deadlines, and the signal that aborts its upstream. */
export class CallScope implements Running {
  readonly clock: Clock;
  readonly requestId: string;
  readonly caller: RunningFor;
  /** The limits, including the timeouts that the model sets. */
  readonly limits: RelayLimits;
  readonly startedAtMs: number;
  /** Whether the answer is read to its end, not aborted, if the caller disconnects now. */
  readsOn = false;
  readonly #inFlight: InFlight;
  readonly #abort = new CallAbort();
  readonly #startedMs: number;
  #firstByteMs: number | null = null;
  #leftMs: number | null = null;
  #stream: Abandoned | null = null;

  /** Registers the request as in flight until `close`. */
  constructor({ clock, inFlight, requestId, caller, signal, limits }: CallScopeOptions) {
    this.clock = clock;
    this.requestId = requestId;
    this.caller = caller;
    this.limits = limits;
    this.startedAtMs = clock.nowMs();
    this.#inFlight = inFlight;
    this.#startedMs = clock.monotonicMs();
    if (signal.aborted) this.leave();
    else signal.addEventListener('abort', () => this.#callerLeft());
    inFlight.add(this);
  }

  /** Sets the stream to abandon when the caller disconnects; at once if it has disconnected. */
  streams(stream: Abandoned): void {
    this.#stream = stream;
    if (this.hasLeft) stream.abandon();
  }

  #callerLeft(): void {
    this.leave();
    this.#stream?.abandon();
  }

  /** Whether the caller has disconnected. */
  get hasLeft(): boolean {
    return this.#leftMs !== null;
  }

  /**
   * Handles a disconnect of the caller: aborts the upstream, unless `readsOn` is true. Returns true
   * if the answer is read to its end.
   */
  leave(): boolean {
    if (this.#leftMs === null) {
      this.#leftMs = this.clock.monotonicMs();
      if (this.readsOn) this.#inFlight.startReadOn(this);
      else this.abortUpstream(callerLeft());
    }
    return !this.signal.aborted;
  }

  /** Whether the caller disconnected more than `readOnMs` ago, so that reading must end. */
  hasReadEnough(nowMs: number): boolean {
    return this.#leftMs !== null && nowMs - this.#leftMs > this.limits.readOnMs;
  }

  /** The signal that aborts the calls to upstreams. */
  get signal(): CallSignal {
    return this.#abort;
  }

  /** Milliseconds since the request was admitted. */
  get elapsedMs(): number {
    return this.clock.monotonicMs() - this.#startedMs;
  }

  /** Whole milliseconds from admission to the first byte of the answer; null before that byte. */
  get firstByteMs(): number | null {
    return this.#firstByteMs === null ? null : Math.round(this.#firstByteMs);
  }

  get durationMs(): number {
    return Math.round(this.elapsedMs);
  }

  markFirstByte(): void {
    this.#firstByteMs ??= this.elapsedMs;
  }

  /** Discards a failed attempt's first-byte time, so that the next route's first byte counts. */
  forgetFirstByte(): void {
    this.#firstByteMs = null;
  }

  /** Aborts the running call to an upstream. @param why the error to record for that attempt. */
  abortUpstream(why?: GatewayError): void {
    this.#abort.abort(why);
  }

  close(): void {
    this.#inFlight.remove(this);
  }

  /** Called once the request is settled. From then on, a disconnect of the caller has no effect. */
  settled(): void {
    this.readsOn = false;
    this.#inFlight.endReadOn(this);
  }

  tick(nowMs: number): void {
    if (nowMs - this.#startedMs > this.limits.totalTimeoutMs) this.terminate(new TookTooLong());
    else if (this.hasReadEnough(nowMs)) this.terminate(callerLeft());
  }

  /**
   * Aborts the upstream. The reason is `why`, or the disconnect if the caller has disconnected
   * before.
   */
  terminate(why: GatewayError): void {
    this.#abort.abort(this.hasLeft ? callerLeft() : why);
  }

  /**
   * Returns the error to report when a call to an upstream throws `thrown`. After an abort this is
   * the abort's reason, because an aborted call may fail with any error; otherwise, it is `thrown`.
   */
  reasonOf(thrown: unknown): GatewayError {
    const { aborted, reason } = this.#abort;
    return asGatewayError(aborted && reason instanceof GatewayError ? reason : thrown);
  }
}
