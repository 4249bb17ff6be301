/** Sends one request to routes with scripted answers, and records the results for their health. */
import type { ImageCard } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.fixture.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { AttemptResult, RouteHealth, RouteId, Trial } from './route-health.ts';
import type { Destination } from './route-plan.ts';
import {
  type CallTimes,
  type RouteAttempt,
  RouteSearch,
  type SearchOptions,
} from './route-search.ts';
import { destinationAt, healthOf, upstreamNamed } from './routes.fixture.ts';

export type Answer = (request: UpstreamRequest) => Response | Promise<Response>;

export const ok: Answer = () => new Response('fine');
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(JSON.stringify({ error: { message: `says ${code}` } }), { status: code, headers });
export const fails =
  (error: unknown): Answer =>
  () =>
    Promise.reject(error);
export const never: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The health of routes that are always fit. It records the result of each attempt. */
export class NotingHealth implements RouteHealth {
  readonly results: [RouteId, AttemptResult | 'running'][] = [];
  fitness = healthOf().fitness;
  begin(route: RouteId): Trial {
    const entry: [RouteId, AttemptResult | 'running'] = [route, 'running'];
    this.results.push(entry);
    return {
      firstByte: () => {},
      end: (result) => {
        entry[1] = result;
      },
    };
  }
}

/** Search options, with functions that make a request and accept its answer, as a sale does. */
export type Options = SearchOptions & {
  readonly request: (to: Destination<ImageCard>, signal: AbortSignal) => Promise<UpstreamRequest>;
  readonly open: (response: Response, to: Destination<ImageCard>) => Promise<string>;
};

export type Attempted = Pick<RouteSearch<ImageCard>, 'attempts' | 'destination'> &
  ({ readonly opened: string } | { readonly failure: GatewayError });

/** Tries routes until one answers, as a sale does. */
export async function tryRoutes(
  destinations: readonly Destination<ImageCard>[],
  { request, open, ...options }: Options,
): Promise<Attempted> {
  const search = new RouteSearch(destinations, options);
  const use = async (attempt: RouteAttempt<ImageCard>): Promise<string> => {
    const response = await attempt.send(await request(attempt.to, attempt.signal));
    return await open(response, attempt.to);
  };
  for (let attempt = search.next(); attempt !== null; attempt = search.next()) {
    try {
      const opened = await use(attempt);
      search.answered(attempt);
      return { attempts: search.attempts, destination: search.destination, opened };
    } catch (thrown) {
      search.failed(attempt, thrown);
    }
  }
  const { attempts, destination, failure } = search;
  return { attempts, destination, failure };
}

/** Returns the times of a request that was admitted when the clock was at zero. */
export const timesOf = (clock: Pick<Clock, 'monotonicMs'>): CallTimes => ({
  get elapsedMs() {
    return clock.monotonicMs();
  },
  markFirstByte: () => undefined,
  forgetFirstByte: () => undefined,
});

export function attempt(answers: readonly Answer[], given: Partial<Options> = {}) {
  const clock = manualClock();
  const health = new NotingHealth();
  const signals: AbortSignal[] = [];
  const destinations = answers.map((answer, i) =>
    destinationAt(
      upstreamNamed(`u${i + 1}`, ['chat'], async (request) => {
        clock.advance(10);
        return await answer(request);
      }),
    ),
  );
  const done = tryRoutes(destinations, {
    request: async (_to, signal) => {
      signals.push(signal);
      return requestWith(signal);
    },
    open: (response) => response.text(),
    health,
    times: timesOf(clock),
    repeat: 'until_first_byte',
    signal: new AbortController().signal,
    ...given,
  });
  return { done, health, signals, destinations };
}

export const requestWith = (signal: AbortSignal): UpstreamRequest => ({
  format: 'chat',
  body: new Uint8Array(),
  stream: false,
  headers: {},
  scope: 'acct_1',
  traceparent: null,
  connectMs: null,
  firstByteMs: null,
  signal,
  abort: () => {},
});

/** An abort controller that counts the listeners of its signal. */
export class CountedController extends AbortController {
  listeners = 0;

  constructor() {
    super();
    const { signal } = this;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<AbortSignal['addEventListener']>) => {
      this.listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<AbortSignal['removeEventListener']>) => {
      this.listeners -= 1;
      remove(...args);
    };
  }
}

export const results = ({ attempts }: Attempted): string[] => attempts.map(({ result }) => result);
export const failureOf = (attempted: Attempted): GatewayError => {
  if ('failure' in attempted) return attempted.failure;
  throw new Error('it was answered');
};
export const kinds = (health: NotingHealth): string[] =>
  health.results.map(([, result]) => (result === 'running' ? result : result.kind));
