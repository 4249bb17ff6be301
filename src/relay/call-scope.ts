/**
 * One request under way: the abort of its upstream, pulled when the caller leaves, a deadline passes or
 * the gateway shuts down, and the times that its receipt reports.
 */
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import type { RelayLimits } from './deadlines.ts';
import { TookTooLong } from './deadlines.ts';
import type { InFlight, Running, RunningFor } from './in-flight.ts';
import { callerLeft } from './outcome.ts';

export type CallScopeOptions = {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly requestId: string;
  readonly caller: RunningFor;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  /** With the model's own deadlines in them. */
  readonly limits: RelayLimits;
};

export class CallScope implements Running {
  readonly clock: Clock;
  readonly requestId: string;
  readonly caller: RunningFor;
  readonly limits: RelayLimits;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly #inFlight: InFlight;
  readonly #abort = new AbortController();
  readonly #startedMs: number;
  #firstByteMs: number | null = null;

  /** Counts as in flight from here until `close`. */
  constructor({ clock, inFlight, requestId, caller, signal, limits }: CallScopeOptions) {
    this.clock = clock;
    this.requestId = requestId;
    this.caller = caller;
    this.limits = limits;
    this.startedAtMs = clock.nowMs();
    this.#inFlight = inFlight;
    this.#startedMs = clock.monotonicMs();
    const leave = (): void => this.#abort.abort(callerLeft());
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    inFlight.add(this);
  }

  /** What the upstream's call listens to. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Since the request was admitted, milliseconds. */
  get elapsedMs(): number {
    return this.clock.monotonicMs() - this.#startedMs;
  }

  /** From the admission to the first byte of the answer, whole milliseconds; null while there is none. */
  get firstByteMs(): number | null {
    return this.#firstByteMs === null ? null : Math.round(this.#firstByteMs);
  }

  get durationMs(): number {
    return Math.round(this.elapsedMs);
  }

  markFirstByte(): void {
    this.#firstByteMs ??= this.elapsedMs;
  }

  /** Another route is asked: what came of the one before is no part of the answer. */
  forgetFirstByte(): void {
    this.#firstByteMs = null;
  }

  /** @param why what those who still look for a route write down. */
  abortUpstream(why?: GatewayError): void {
    this.#abort.abort(why);
  }

  close(): void {
    this.#inFlight.remove(this);
  }

  tick(nowMs: number): void {
    if (nowMs - this.#startedMs <= this.limits.totalTimeoutMs) return;
    this.#abort.abort(new TookTooLong());
  }

  terminate(why: GatewayError): void {
    this.#abort.abort(why);
  }

  /** An aborted call fails with all kinds of errors; the reason for the abort is the true one. */
  reasonOf(thrown: unknown): GatewayError {
    const { aborted, reason } = this.#abort.signal;
    return asGatewayError(aborted && reason instanceof GatewayError ? reason : thrown);
  }
}
