/**
 * The thread that every relayed request hangs by: one abort for its upstream, pulled when the caller
 * leaves, a deadline passes or the gateway shuts down, and the times that its receipt reports.
 */
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { TookTooLong } from './deadlines.ts';
import type { InFlight, Running, RunningFor } from './in-flight.ts';

export type ExchangeOptions = {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly caller: RunningFor;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  readonly totalTimeoutMs: number;
};

/** @param call whose request it is, and the signal that its caller has left. */
export const openExchange = (
  deps: Pick<ExchangeOptions, 'clock' | 'inFlight'> & {
    readonly limits: Pick<ExchangeOptions, 'totalTimeoutMs'>;
  },
  { caller, signal }: Pick<ExchangeOptions, 'caller' | 'signal'>,
): Exchange => {
  const { clock, inFlight, limits } = deps;
  return new Exchange({ clock, inFlight, caller, signal, totalTimeoutMs: limits.totalTimeoutMs });
};

export type ExchangeTimes = {
  readonly startedAtMs: number;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
};

export class Exchange implements Running {
  readonly caller: RunningFor;
  readonly #options: ExchangeOptions;
  readonly #abort = new AbortController();
  readonly #startedAtMs: number;
  readonly #startedMs: number;
  #firstByteMs: number | null = null;

  /** Counts as in flight from here until `close`. */
  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.caller = options.caller;
    this.#startedAtMs = options.clock.nowMs();
    this.#startedMs = options.clock.monotonicMs();
    const leave = (): void => this.#abort.abort(callerLeft());
    if (options.signal.aborted) leave();
    else options.signal.addEventListener('abort', leave, { once: true });
    options.inFlight.add(this);
  }

  /** What the upstream's exchange listens to. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get elapsedMs(): number {
    return this.#options.clock.monotonicMs() - this.#startedMs;
  }

  get times(): ExchangeTimes {
    return {
      startedAtMs: this.#startedAtMs,
      firstByteMs: this.#firstByteMs === null ? null : Math.round(this.#firstByteMs),
      durationMs: Math.round(this.elapsedMs),
    };
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
    this.#options.inFlight.remove(this);
  }

  tick(nowMs: number): void {
    if (nowMs - this.#startedMs <= this.#options.totalTimeoutMs) return;
    this.#abort.abort(new TookTooLong());
  }

  terminate(why: GatewayError): void {
    this.#abort.abort(why);
  }

  /** An aborted exchange fails with all kinds of errors; the reason for the abort is the true one. */
  reasonOf(thrown: unknown): GatewayError {
    const { aborted, reason } = this.#abort.signal;
    return asGatewayError(aborted && reason instanceof GatewayError ? reason : thrown);
  }
}

export const callerLeft = (): GatewayError =>
  new GatewayError('caller_left', 'The caller closed the connection.');

/** How a request that failed is written down. */
export function outcomeOf(error: GatewayError): RequestOutcome {
  switch (error.code) {
    case 'caller_left':
      return 'caller_left';
    case 'shutting_down':
      return 'shutdown';
    case 'upstream_timeout':
      return 'upstream_timeout';
    case 'upstream_truncated':
      return 'upstream_truncated';
    case 'insufficient_balance':
    case 'spend_limit_reached':
      return 'length';
    case 'invalid_api_key':
    case 'not_allowed':
      return 'revoked';
    case 'internal_error':
    case 'store_unavailable':
      return 'gateway_error';
    default:
      return 'upstream_error';
  }
}
