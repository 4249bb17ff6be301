/** One request tried on routes that answer as a test says, and what each route's health is told of it. */
import type { ImageCard } from '../catalogue/catalogue.ts';
import { manualClock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { RouteHealth, RouteId, Trial, Verdict } from './health.ts';
import { type Attempted, type TryOptions, tryRoutes } from './route-search.ts';
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

/** Notes the verdict on each trial. */
export class NotingHealth implements RouteHealth {
  readonly verdicts: [RouteId, Verdict | 'running'][] = [];
  fitness = healthOf().fitness;
  begin(route: RouteId): Trial {
    const entry: [RouteId, Verdict | 'running'] = [route, 'running'];
    this.verdicts.push(entry);
    return {
      firstByte: () => {},
      end: (verdict) => {
        entry[1] = verdict;
      },
    };
  }
}

export type Options = TryOptions<ImageCard, string>;

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
    elapsedMs: () => clock.monotonicMs(),
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
});

/** Knows how many listen to it. */
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

export const results = ({ attempts }: Attempted<ImageCard, string>): string[] =>
  attempts.map(({ result }) => result);
export const failureOf = (attempted: Attempted<ImageCard, string>): GatewayError => {
  if ('failure' in attempted) return attempted.failure;
  throw new Error('it was answered');
};
export const kinds = (health: NotingHealth): string[] =>
  health.verdicts.map(([, verdict]) => (verdict === 'running' ? verdict : verdict.kind));
