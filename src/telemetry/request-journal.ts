/**
 * Joins what the edge knows of a request (how it was answered) with what the purchase knows (usage
 * and charge). Whichever comes last finishes the entry, so each request is reported exactly once:
 * as a log line, in the metrics and as spans.
 */
import type { Caller } from '../accounts/account.ts';
import { isChannelName } from '../catalogue/catalogue.ts';
import { type Clock, newId } from '../clock.ts';
import type { ErrorCode } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { type TraceContext, type TraceSampling, traceOf } from '../protocols/trace-context.ts';
import type { Settled } from '../relay/purchase.ts';

/** Inference and token counting. */
export type Endpoint = 'chat' | 'messages' | 'images' | 'count_tokens';

/** The part of a route that the journal needs. */
type JournaledRoute = {
  readonly path: string;
  /** Inference routes only. */
  readonly endpoint?: Endpoint;
  readonly doc: { readonly tag: string };
};

/** Outcomes of a request: those of a receipt, and those without one. */
export type RequestEnd =
  | RequestOutcome
  /** Success without a charge: a token count, or no inference. */
  | 'answered'
  /** A replay under an Idempotency-Key. */
  | 'replayed'
  /** An error that the caller can fix. */
  | 'refused'
  /** An error of the gateway before anything was sold. */
  | 'failed'
  /** Delivered, but neither the ledger nor the spool accepted the settlement. */
  | 'not_booked';

/** What was requested, as far as the request was read. */
export type AskedFor = {
  readonly model: string;
  readonly channel: string | null;
  readonly stream: boolean;
};

/** The requested channel is text of the caller, so only known names are reported. */
export const shownChannel = (asked: string | null): string | null =>
  asked === null || isChannelName(asked) ? asked : 'unknown';

export type FinishedRequest = {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  /** The registered path, such as `/v1/models/:id`; null: no route matched. */
  readonly route: string | null;
  /** Null: not inference. */
  readonly endpoint: Endpoint | null;
  /** Requests of probes and scrapers. */
  readonly isProbe: boolean;
  /** Null: no key was accepted. */
  readonly caller: Pick<Caller, 'accountId' | 'keyId'> | null;
  readonly asked: AskedFor | null;
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  readonly end: RequestEnd;
  /** The charged request; null: nothing was charged. */
  readonly settled: Settled | null;
  /** Time of acceptance, milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Milliseconds from acceptance to the end; of a stream: its last byte. */
  readonly durationMs: number;
};

export type RequestJournalDeps = {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'randomBytes'>;
  readonly sampling: TraceSampling;
  /** Called for every finished request; must not throw. */
  readonly onFinished: (finished: FinishedRequest) => void;
};

export class RequestJournal {
  readonly #deps: RequestJournalDeps;
  /** Requests whose purchase may still report, bounded by the number of running requests. */
  readonly #running = new Map<string, OpenRequest>();

  constructor(deps: RequestJournalDeps) {
    this.#deps = deps;
  }

  /** @param route null: no route matched. */
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
        this.#deps.onFinished(finished);
      },
    });
    if (route?.endpoint !== undefined) this.#running.set(opened.requestId, opened);
    return opened;
  }

  /** Called when the purchase is settled. */
  settled(settled: Settled): void {
    this.#running.get(settled.receipt.requestId)?.settled(settled);
  }

  /** Called when the settlement could not be recorded. */
  notBooked(requestId: string): void {
    this.#running.get(requestId)?.notBooked();
  }
}

/** The pattern of a path parameter, not reported: `{.+}` in `/v1/models/:id{.+}`. */
const PATTERN = /\{[^}]*\}/g;

type Opening = {
  readonly clock: RequestJournalDeps['clock'];
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly method: string;
  readonly route: JournaledRoute | null;
  readonly end: (finished: FinishedRequest) => void;
};

/** The answer of the edge. */
export type Answered = {
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  readonly isStream: boolean;
  readonly isReplay: boolean;
};

/** One request, from acceptance to the end. */
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
    // Only a stream continues after its answer has begun, and every stream is settled at its end.
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
    // The caller left before the body was complete, so nothing was sold.
    if (errorCode === 'caller_left') return 'caller_left';
    if (errorCode !== null) return status >= 500 ? 'failed' : 'refused';
    return isReplay ? 'replayed' : 'answered';
  }
}
