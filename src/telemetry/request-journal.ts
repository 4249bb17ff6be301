/**
 * Combines the reports of `http/edge` and of the relay about a request, so that each request is
 * logged exactly once.
 */
import type { Caller } from '../accounts/account.ts';
import { isChannelName } from '../catalogue/catalogue.ts';
import { type Clock, newId } from '../clock.ts';
import type { ErrorCode, GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { type TraceContext, type TraceSampling, traceOf } from '../protocols/trace-context.ts';
import type { Settled } from '../relay/purchase.ts';

export type Endpoint = 'chat' | 'messages' | 'responses' | 'images' | 'embeddings' | 'count_tokens';

/** The part of a route that the journal reads. */
type JournaledRoute = {
  readonly path: string;
  /** The endpoint; set only on routes of inference and token counting. */
  readonly endpoint?: Endpoint;
  readonly doc: { readonly tag: string };
};

/** Counts the running requests of each IP address. `leave` decrements the count of one address. */
export type AddressCount = { readonly leave: (address: string) => void };

/**
 * How a request ended: the outcome of its receipt, or one of the values below if it has no receipt.
 */
export type RequestEnd =
  | RequestOutcome
  /** Success without a charge, such as a token count or a route other than inference. */
  | 'answered'
  /** A stored response, replayed for a repeated Idempotency-Key. */
  | 'replayed'
  /** The request ended with an error that the caller can fix. */
  | 'refused'
  /** The gateway failed before the request had a receipt. */
  | 'failed'
  /** The answer was delivered, but neither the ledger nor the spool recorded the settlement. */
  | 'not_booked';

/**
 * The model, channel and streaming mode that the caller requested. They may come from a body of
 * which only a part was read.
 */
export type AskedFor = {
  readonly model: string;
  readonly channel: string | null;
  readonly stream: boolean;
  /** The endpoint that serves the request, if the route serves several. */
  readonly endpoint?: Endpoint;
};

/** Returns a known channel name, else `unknown`, because callers can send any text. */
export const shownChannel = (asked: string | null): string | null =>
  asked === null || isChannelName(asked) ? asked : 'unknown';

export type FinishedRequest = {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  /** The registered path of the route, such as `/v1/models/:id`; null if no route matched. */
  readonly route: string | null;
  /** The endpoint; null for routes other than inference and token counting. */
  readonly endpoint: Endpoint | null;
  /** Whether the request came from a health probe or a metrics scraper. */
  readonly isProbe: boolean;
  /** The account and key of the caller; null if no API key or playground session was accepted. */
  readonly caller: Pick<Caller, 'accountId' | 'keyId'> | null;
  readonly asked: AskedFor | null;
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  /** The message of the error that the caller got. */
  readonly errorMessage: string | null;
  readonly end: RequestEnd;
  /** The receipt and its cost; null if nothing was settled. */
  readonly settled: Settled | null;
  readonly startedAtMs: number;
  /** Milliseconds from acceptance to the answer, or to the last byte of a stream. */
  readonly durationMs: number;
};

export type RequestJournalDeps = {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'randomBytes'>;
  readonly sampling: TraceSampling;
  /** Called once for every finished request; must not throw. */
  readonly onFinished: (finished: FinishedRequest) => void;
};

export class RequestJournal {
  readonly #deps: RequestJournalDeps;
  /** Unfinished requests of inference and token counting, by id. */
  readonly #running = new Map<string, OpenRequest>();

  readonly #end = (finished: FinishedRequest): void => {
    if (finished.endpoint !== null) this.#running.delete(finished.requestId);
    this.#deps.onFinished(finished);
  };

  constructor(deps: RequestJournalDeps) {
    this.#deps = deps;
  }

  /**
   * Opens the entry of a request that was just accepted.
   * @param route the matching route; null if no route matched.
   */
  open(request: Request, route: JournaledRoute | null): OpenRequest {
    const opened = new OpenRequest(this.#deps, request, route, this.#end);
    if (route?.endpoint !== undefined) this.#running.set(opened.requestId, opened);
    return opened;
  }

  settled(settled: Settled): void {
    this.#running.get(settled.receipt.requestId)?.settled(settled);
  }

  /** Records that the settlement of a request could not be stored. */
  notBooked(requestId: string): void {
    this.#running.get(requestId)?.notBooked();
  }
}

/**
 * Matches the regular expression after a path parameter, such as `{.+}` in `/v1/models/:id{.+}`.
 * The logged path does not contain it.
 */
const PATTERN = /\{[^}]*\}/g;

/** The data that the code in `http/edge` reports about its response to a request. */
export type Answered = {
  readonly status: number;
  readonly error: Pick<GatewayError, 'code' | 'message'> | null;
  readonly isStream: boolean;
  readonly isReplay: boolean;
};

/** The journal's entry of one request. It is open from acceptance until the request is finished. */
export class OpenRequest {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly acceptedAtMs: number;
  readonly #clock: RequestJournalDeps['clock'];
  readonly #method: string;
  readonly #route: JournaledRoute | null;
  readonly #end: (finished: FinishedRequest) => void;
  readonly #startedAtMs: number;
  #caller: FinishedRequest['caller'] = null;
  #asked: AskedFor | null = null;
  #answered: Answered | null = null;
  #settled: Settled | null = null;
  #isNotBooked = false;
  #address: string | null = null;
  #addressCount: AddressCount | null = null;

  constructor(
    { clock, sampling }: Pick<RequestJournalDeps, 'clock' | 'sampling'>,
    { method, headers }: Request,
    route: JournaledRoute | null,
    end: (finished: FinishedRequest) => void,
  ) {
    this.#clock = clock;
    this.#method = method;
    this.#route = route;
    this.#end = end;
    this.requestId = newId(clock, 'req');
    this.trace = traceOf(headers.get('traceparent'), clock, sampling);
    this.#startedAtMs = clock.nowMs();
    this.acceptedAtMs = clock.monotonicMs();
  }

  /**
   * Records that the request is included in the count of running requests of this client address.
   * The count is decremented when the request ends. The address is null if the request is not
   * counted.
   */
  countedUnder(address: string | null, count: AddressCount): void {
    this.#address = address;
    this.#addressCount = count;
  }

  admit(caller: Pick<Caller, 'accountId' | 'keyId'>): void {
    this.#caller = caller;
  }

  asks(asked: AskedFor): void {
    this.#asked = asked;
  }

  answered(answered: Answered): void {
    this.#answered = answered;
    const isSold = this.#settled !== null || this.#isNotBooked;
    // The body of a stream is still sent after the headers. The stream's entry is finished when the
    // request is settled.
    if (this.#isInference && answered.isStream && !isSold) return;
    this.#finish(answered);
  }

  settled(settled: Settled): void {
    this.#settled = settled;
    if (this.#answered !== null) this.#finish(this.#answered);
  }

  notBooked(): void {
    this.#isNotBooked = true;
    if (this.#answered !== null) this.#finish(this.#answered);
  }

  get #isInference(): boolean {
    return this.#route?.endpoint !== undefined;
  }

  #finish(answered: Answered): void {
    if (this.#address !== null) this.#addressCount?.leave(this.#address);
    this.#address = null;
    const route = this.#route;
    this.#end({
      requestId: this.requestId,
      trace: this.trace,
      method: this.#method,
      route: route?.path.replace(PATTERN, '') ?? null,
      endpoint: this.#asked?.endpoint ?? route?.endpoint ?? null,
      isProbe: route?.doc.tag === 'service',
      caller: this.#caller,
      asked: this.#asked,
      status: answered.status,
      errorCode: answered.error?.code ?? null,
      errorMessage: answered.error?.message ?? null,
      end: this.#endOf(answered),
      settled: this.#settled,
      startedAtMs: this.#startedAtMs,
      durationMs: this.#clock.monotonicMs() - this.acceptedAtMs,
    });
  }

  #endOf({ error, status, isReplay }: Answered): RequestEnd {
    if (this.#settled !== null) return this.#settled.receipt.outcome;
    if (this.#isNotBooked) return 'not_booked';
    // The caller disconnected before the body was complete, so nothing was sold.
    if (error?.code === 'caller_left') return 'caller_left';
    if (error !== null) return status >= 500 ? 'failed' : 'refused';
    return isReplay ? 'replayed' : 'answered';
  }
}
