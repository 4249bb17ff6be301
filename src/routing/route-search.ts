/**
 * Sends a request to one destination after the other until one answers. A failure is left behind before
 * the caller has seen a byte; what was tried is written down, and each route's health learns how it went.
 */
import type { Card } from '../catalogue/catalogue.ts';
import { asGatewayError, type ErrorCode, GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { NotSent, type UpstreamRequest } from '../upstreams/upstream.ts';
import { type Destination, failureContext } from './destination.ts';
import { type RouteHealth, routeId, type Trial, type Verdict } from './health.ts';
import { isLastResort, noneFitNow } from './route-plan.ts';
import { upstreamFailure, withoutPlace } from './upstream-failure.ts';

/** More tries than this would outlast a caller's patience; two channels of two routes fit in. */
export const MAX_ATTEMPTS = 5;

export type TryOptions<C extends Card, Opened> = {
  /**
   * What to send; a GatewayError passes this destination over (recorded with its code, no mark on its
   * health). The signal is of this attempt alone, and aborts when it is given up.
   */
  readonly request: (to: Destination<C>, signal: AbortSignal) => Promise<UpstreamRequest>;
  /**
   * Takes an answer with a success status, up to the first event of a stream. What it throws counts as
   * the route's failure, unless it is the caller's own fault.
   */
  readonly open: (response: Response, to: Destination<C>, trial: Trial) => Promise<Opened>;
  readonly health: RouteHealth;
  /** Since the request was admitted, milliseconds. */
  readonly elapsedMs: () => number;
  /** Which failures allow another try: text before its first byte, or an image of which provably nothing was begun. */
  readonly repeat: 'until_first_byte' | 'unless_begun';
  /** The caller's side; aborts all. */
  readonly signal: AbortSignal;
  readonly maxAttempts?: number;
};

export type Attempted<C extends Card, Opened> = {
  /** What was tried or passed over, in order. */
  readonly attempts: readonly AttemptRecord[];
} & (
  | {
      readonly destination: Destination<C>;
      readonly opened: Opened;
      /** Whoever takes the answer ends it. */
      readonly trial: Trial;
    }
  | {
      /** Whose failure it is; null when nothing was sent anywhere, or nobody was asked when it was aborted. */
      readonly destination: Destination<C> | null;
      readonly failure: GatewayError;
    }
);

/**
 * Tries destinations in order. A refusal that is the caller's own fault ends it, as it would be refused
 * elsewhere too. When all fail, the failure that helps the caller most is told. When the caller's side
 * aborts, the failure is its reason.
 *
 * A destination whose health does not allow a try any more is passed over without a record, unless there
 * is no other.
 */
export async function tryRoutes<C extends Card, Opened>(
  destinations: readonly Destination<C>[],
  options: TryOptions<C, Opened>,
): Promise<Attempted<C, Opened>> {
  const { signal, health, maxAttempts = MAX_ATTEMPTS } = options;
  const attempts: AttemptRecord[] = [];
  let told: Failed<C> | null = null;
  let sent = 0;
  for (const to of inTurn(destinations, health, () => sent === 0)) {
    if (sent === maxAttempts || signal.aborted) break;
    const tried = await tryOne(to, options, attempts);
    if (tried.kind === 'opened') {
      const { opened, trial } = tried;
      return { attempts, destination: to, opened, trial };
    }
    if (tried.kind === 'ended') {
      return { attempts, destination: to, failure: tried.failure };
    }
    if (tried.sent) sent += 1;
    told = moreUseful(told, { to: tried.sent ? to : null, failure: tried.failure });
  }
  if (signal.aborted) {
    return { attempts, destination: null, failure: asGatewayError(signal.reason) };
  }
  if (told === null) {
    const waits = destinations.map(({ route }) => health.fitness(routeId(route)).waitMs);
    return { attempts, destination: null, failure: noneFitNow(Math.min(...waits)) };
  }
  return { attempts, destination: told.to, failure: told.failure };
}

/** Those that are fit now, each asked for its health when its turn comes; if nobody was asked, the last resort. */
function* inTurn<C extends Card>(
  destinations: readonly Destination<C>[],
  health: Pick<RouteHealth, 'fitness'>,
  isNobodyAsked: () => boolean,
): Generator<Destination<C>> {
  const seen = new Set<Destination<C>>();
  for (const to of destinations) {
    if (health.fitness(routeId(to.route)).waitMs > 0) continue;
    seen.add(to);
    yield to;
  }
  if (!isNobodyAsked()) return;
  for (const to of destinations) {
    if (!seen.has(to) && isLastResort(health.fitness(routeId(to.route)))) yield to;
  }
}

type Failed<C extends Card> = {
  readonly to: Destination<C> | null;
  readonly failure: GatewayError;
};

type Tried<Opened> =
  | { readonly kind: 'opened'; readonly opened: Opened; readonly trial: Trial }
  /** Another destination may do better; `sent` says whether this one was asked at all. */
  | { readonly kind: 'failed'; readonly failure: GatewayError; readonly sent: boolean }
  /** No other destination may be tried. */
  | { readonly kind: 'ended'; readonly failure: GatewayError };

/** Its listener on the caller's side lasts as long as the attempt, or as the answer it led to. */
async function tryOne<C extends Card, Opened>(
  to: Destination<C>,
  options: TryOptions<C, Opened>,
  attempts: AttemptRecord[],
): Promise<Tried<Opened>> {
  const { signal } = options;
  const abort = new AbortController();
  const follow = (): void => abort.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  const giveUp = (): void => {
    signal.removeEventListener('abort', follow);
    // An answer that nobody takes may be endless.
    abort.abort();
  };
  const tried = recorder(to, options.elapsedMs, attempts);
  let request: UpstreamRequest;
  try {
    request = await options.request(to, abort.signal);
  } catch (thrown) {
    giveUp();
    if (!(thrown instanceof GatewayError)) throw thrown;
    tried(thrown.code);
    return { kind: 'failed', failure: thrown, sent: false };
  }
  if (signal.aborted) {
    giveUp();
    return { kind: 'failed', failure: asGatewayError(signal.reason), sent: false };
  }
  const outcome = await send(to, request, options);
  if (outcome.kind === 'opened') {
    tried(String(outcome.status), outcome.answeredMs);
    return outcome;
  }
  giveUp();
  const { failure, failedStatus } = outcome;
  if (signal.aborted) {
    const reason = asGatewayError(signal.reason);
    tried(reason.code);
    outcome.trial.end({ kind: 'unknown' });
    return { kind: 'ended', failure: reason };
  }
  tried(failedStatus === null ? failure.code : String(failedStatus));
  outcome.trial.end(verdictOf(outcome));
  return mayRepeat(outcome, options.repeat)
    ? { kind: 'failed', failure, sent: true }
    : { kind: 'ended', failure };
}

type Recorder = (result: string, untilMs?: number) => void;

function recorder<C extends Card>(
  { channel, route }: Destination<C>,
  elapsedMs: () => number,
  attempts: AttemptRecord[],
): Recorder {
  const startMs = Math.round(elapsedMs());
  return (result, untilMs = elapsedMs()) => {
    attempts.push({
      channel: channel.name,
      upstream: route.upstream,
      model: route.model,
      result,
      startMs,
      durationMs: Math.max(0, Math.round(untilMs) - startMs),
    });
  };
}

type Failure = {
  readonly kind: 'failure';
  readonly trial: Trial;
  readonly failure: GatewayError;
  /** The status of a refusal; null when no status came, or a good one whose answer could not be used. */
  readonly failedStatus: number | null;
  /** Whether the upstream itself said how long to wait. */
  readonly toldWait: boolean;
  /** Whether the refusal is in JSON, as the server's own are, and not a page of a proxy before it. */
  readonly isOwnWord: boolean;
};
type Success<Opened> = {
  readonly kind: 'opened';
  readonly trial: Trial;
  readonly opened: Opened;
  readonly status: number;
  /** When the status line came. */
  readonly answeredMs: number;
};

async function send<C extends Card, Opened>(
  to: Destination<C>,
  request: UpstreamRequest,
  { health, open, elapsedMs }: TryOptions<C, Opened>,
): Promise<Success<Opened> | Failure> {
  const trial = health.begin(routeId(to.route), request.stream ? 'stream' : 'whole');
  try {
    const response = await to.upstream.send(request);
    const { status, ok, headers } = response;
    const answeredMs = elapsedMs();
    if (ok) {
      return { kind: 'opened', trial, opened: await open(response, to, trial), status, answeredMs };
    }
    const told = await upstreamFailure(response, failureContext(to));
    const failure = to.isTranslated ? withoutPlace(told) : told;
    const toldWait = headers.has('retry-after');
    const isOwnWord = headers.get('content-type')?.includes('json') ?? false;
    return { kind: 'failure', trial, failure, failedStatus: status, toldWait, isOwnWord };
  } catch (thrown) {
    const failure = asGatewayError(thrown);
    const unsaid = { failedStatus: null, toldWait: false, isOwnWord: false };
    return { kind: 'failure', trial, failure, ...unsaid };
  }
}

const isCallersFault = ({ failure }: Failure): boolean => failure.status < 500;

/**
 * Whether one caller's peculiar request brings it about, again and again, while all others fare well: a fault
 * of ours, or more at once than the upstream ever takes from us.
 */
const isOfThisRequest = ({ code, retryable }: GatewayError): boolean =>
  code === 'internal_error' || (code === 'upstream_overloaded' && !retryable);

function verdictOf(failed: Failure): Verdict {
  const { failure, failedStatus, toldWait } = failed;
  if (isCallersFault(failed) || isOfThisRequest(failure)) return { kind: 'unknown' };
  // A 429 may also say that our account there is empty, and no pause helps that.
  if (failure.code === 'upstream_overloaded' && (failedStatus === 429 || toldWait)) {
    return { kind: 'overloaded', retryAfterMs: (failure.retryAfterSeconds ?? 1) * 1000 };
  }
  const { cause } = failure;
  return {
    kind: 'failure',
    code: failure.code,
    cause: cause instanceof Error ? cause.message : null,
  };
}

/** Refusals after which an upstream has certainly not begun to draw: no key, no money, no right, its rate. */
const NOT_BEGUN: ReadonlySet<number> = new Set([401, 402, 403, 429]);

function mayRepeat(failed: Failure, repeat: 'until_first_byte' | 'unless_begun'): boolean {
  if (isCallersFault(failed)) return false;
  if (repeat === 'until_first_byte') return true;
  const { failure, failedStatus, isOwnWord } = failed;
  if (failure instanceof NotSent) return true;
  // A proxy says it too of a server that fell while it drew.
  if (failedStatus === 503) return isOwnWord;
  return failedStatus !== null && NOT_BEGUN.has(failedStatus);
}

/** The failures that say most to a caller: first what a retry can help, with the time it takes. */
const MOST_USEFUL: readonly ErrorCode[] = [
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_truncated',
  'upstream_failed',
  'internal_error',
  'upstream_refused_us',
];

function moreUseful<C extends Card>(known: Failed<C> | null, next: Failed<C>): Failed<C> {
  if (known === null) return next;
  const byRank = rank(next) - rank(known);
  if (byRank !== 0) return byRank < 0 ? next : known;
  const sooner = (failed: Failed<C>): number => failed.failure.retryAfterSeconds ?? 0;
  return sooner(next) < sooner(known) ? next : known;
}

function rank<C extends Card>({ to, failure }: Failed<C>): number {
  const place = MOST_USEFUL.indexOf(failure.code);
  const unlisted = place < 0 ? MOST_USEFUL.length : place;
  // What was passed over, unasked, says least of all.
  return to === null ? unlisted + MOST_USEFUL.length + 1 : unlisted;
}
