/**
 * Where all that is known of a request meets, once it is over: the edge knows how it was answered, the
 * purchase what it came to. Whichever comes last ends it, so that each request is told of exactly once:
 * in a log line, in the metrics and as spans.
 */
import type { Caller } from '../accounts/account.ts';
import { type Clock, newId } from '../clock.ts';
import type { ErrorCode } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { type TraceContext, type TraceSampling, traceOf } from '../protocols/trace-context.ts';
import type { Settled } from '../relay/purchase.ts';

/** What sells, or counts what would be sold. */
export type Endpoint = 'chat' | 'messages' | 'images' | 'count_tokens';

/** What the journal needs to know of a route. */
type JournaledRoute = {
  readonly path: string;
  /** Absent where there is no inference. */
  readonly endpoint?: Endpoint;
  readonly doc: { readonly tag: string };
};

/** Beside what a receipt says, how a request may end that has none. */
export type RequestEnd =
  | RequestOutcome
  /** With success, and nothing was sold: a token count, or no inference at all. */
  | 'answered'
  /** With the answer of an earlier request, by its Idempotency-Key. */
  | 'replayed'
  /** With an error that is the caller's to mend. */
  | 'refused'
  /** With an error of ours, before anything was sold. */
  | 'failed'
  /** Sold, but neither the books nor the spool took the settlement. */
  | 'not_booked';

/** What a caller wanted, as far as it was read before the request ended. */
export type AskedFor = {
  readonly model: string;
  readonly channel: string | null;
  readonly stream: boolean;
};

export type FinishedRequest = {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  /** As it is registered, such as `/v1/models/:id`; null when no route has the address. */
  readonly route: string | null;
  /** Null: no inference. */
  readonly endpoint: Endpoint | null;
  /** What probes and scrapers ask, over and over. */
  readonly isProbe: boolean;
  /** Null when nobody was let in. */
  readonly caller: Pick<Caller, 'accountId' | 'keyId'> | null;
  readonly asked: AskedFor | null;
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  readonly end: RequestEnd;
  /** What was sold; null when nothing was. */
  readonly settled: Settled | null;
  /** When it was accepted, milliseconds since 1970. */
  readonly startedAtMs: number;
  /** From there until it was over; a stream: its end. */
  readonly durationMs: number;
};

export type RequestJournalDeps = {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'randomBytes'>;
  readonly sampling: TraceSampling;
  /** Told of every request when it is over; must not throw. */
  readonly onOver: (finished: FinishedRequest) => void;
};

export class RequestJournal {
  readonly #deps: RequestJournalDeps;
  /** Those that the purchase may still tell of; as many as run at once. */
  readonly #running = new Map<string, OpenRequest>();

  constructor(deps: RequestJournalDeps) {
    this.#deps = deps;
  }

  /** @param route null when no route has the address. */
  open(request: Request, route: JournaledRoute | null): OpenRequest {
    const { clock, sampling } = this.#deps;
    const opened = new OpenRequest({
      clock,
      requestId: newId(clock, 'req'),
      trace: traceOf(request.headers.get('traceparent'), clock, sampling),
      method: request.method,
      route,
      end: (finished) => {
        this.#running.delete(finished.requestId);
        this.#deps.onOver(finished);
      },
    });
    if (route?.endpoint !== undefined) this.#running.set(opened.requestId, opened);
    return opened;
  }

  /** The purchase has its receipt. */
  settled(settled: Settled): void {
    this.#running.get(settled.receipt.requestId)?.settled(settled);
  }

  /** The purchase ended without one that anybody keeps. */
  notBooked(requestId: string): void {
    this.#running.get(requestId)?.notBooked();
  }
}

/** That of a parameter, `{.+}` in `/v1/models/:id{.+}`: it says how it is matched, which is ours to know. */
const PATTERN = /\{[^}]*\}/g;

type Opening = {
  readonly clock: RequestJournalDeps['clock'];
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  readonly route: JournaledRoute | null;
  readonly end: (finished: FinishedRequest) => void;
};

/** How the edge answered. */
export type Answered = {
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  readonly isStream: boolean;
  readonly isReplay: boolean;
};

/** One request, from its acceptance until it is over. */
export class OpenRequest {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly acceptedAtMs: number;
  readonly #opening: Opening;
  readonly #startedAtMs: number;
  #caller: FinishedRequest['caller'] = null;
  #asked: AskedFor | null = null;
  #answered: Answered | null = null;
  #settled: Settled | null = null;
  #isNotBooked = false;

  constructor(opening: Opening) {
    this.#opening = opening;
    this.requestId = opening.requestId;
    this.trace = opening.trace;
    this.#startedAtMs = opening.clock.nowMs();
    this.acceptedAtMs = opening.clock.monotonicMs();
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
    // Only a stream goes on after its answer has begun, and every one of those is settled at its end.
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
    return this.#opening.route?.endpoint !== undefined;
  }

  #finish(answered: Answered): void {
    const { requestId, trace, method, route, clock } = this.#opening;
    this.#opening.end({
      requestId,
      trace,
      method,
      route: route?.path.replace(PATTERN, '') ?? null,
      endpoint: route?.endpoint ?? null,
      isProbe: route?.doc.tag === 'service',
      caller: this.#caller,
      asked: this.#asked,
      status: answered.status,
      errorCode: answered.errorCode,
      end: this.#endOf(answered),
      settled: this.#settled,
      startedAtMs: this.#startedAtMs,
      durationMs: clock.monotonicMs() - this.acceptedAtMs,
    });
  }

  #endOf({ errorCode, status, isReplay }: Answered): RequestEnd {
    if (this.#settled !== null) return this.#settled.receipt.outcome;
    if (this.#isNotBooked) return 'not_booked';
    // Before its request was there, so that nothing was sold.
    if (errorCode === 'caller_left') return 'caller_left';
    if (errorCode !== null) return status >= 500 ? 'failed' : 'refused';
    return isReplay ? 'replayed' : 'answered';
  }
}
