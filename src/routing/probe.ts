/**
 * Asks a route that was long out for one token, so that no caller has to find out whether it is well
 * again. Made once each time a pause is over, at most once a minute for a route; what it asks is always
 * the same, and nothing of any caller is in it.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import type { TextFormat } from '../protocols/dialect.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { type RouteId, routeId } from './health.ts';
import type { LastFailure, RouteHealthBook } from './route-health.ts';
import { upstreamFailure } from './upstream-failure.ts';

/** How often it is looked whether one is due: a caller is told to come back in a second. */
const LOOK_EVERY_MS = 1_000;
/** One token takes less; a route that takes longer is not well. */
const PROBE_TIMEOUT_MS = 20_000;
/** An answer of one token is a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

const QUESTION = [{ role: 'user', content: 'Hi' }] as const;

/** Where to ask, and how. */
export type ProbeTarget = {
  readonly upstream: Upstream;
  /** The model's name there. */
  readonly model: string;
  /** The name that callers know it by. */
  readonly knownAs: string;
  readonly format: TextFormat;
};

export type ProberOptions = {
  readonly clock: Pick<Clock, 'every' | 'after'>;
  readonly health: Pick<RouteHealthBook, 'dueForProbe' | 'probed'>;
  readonly catalogue: () => Catalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
};

export class Prober {
  readonly #options: ProberOptions;
  readonly #running = new Set<RouteId>();
  readonly #stopped = new AbortController();

  /** Looks every second until stopped. */
  constructor(options: ProberOptions) {
    this.#options = options;
    const timer = options.clock.every(LOOK_EVERY_MS, () => this.#look());
    this.#stopped.signal.addEventListener('abort', () => timer.cancel());
  }

  stop(): void {
    this.#stopped.abort();
  }

  #look(): void {
    for (const route of this.#options.health.dueForProbe()) {
      if (!this.#running.has(route)) void this.#probe(route);
    }
  }

  async #probe(route: RouteId): Promise<void> {
    const { clock, health, catalogue, upstreams } = this.#options;
    const target = probeTarget(catalogue(), upstreams(), route);
    // A reload took it away: there is nobody left to wait for it.
    if (target === null) return;
    this.#running.add(route);
    const failure = await probe(target, clock, this.#stopped.signal);
    this.#running.delete(route);
    if (!this.#stopped.signal.aborted) health.probed(route, failure);
  }
}

/** Null where there is no tiny question: an image costs as much as any other. */
export function probeTarget(
  { models }: Catalogue,
  upstreams: ReadonlyMap<string, Upstream>,
  id: RouteId,
): ProbeTarget | null {
  for (const model of models.values()) {
    if (model.kind !== 'chat') continue;
    for (const { routes } of model.channels.values()) {
      const route = routes.find((each) => routeId(each) === id);
      const upstream = route === undefined ? undefined : upstreams.get(route.upstream);
      if (route === undefined || upstream === undefined) continue;
      const format = (['chat', 'messages'] as const).find((each) => upstream.formats.has(each));
      if (format !== undefined) return { upstream, model: route.model, knownAs: model.id, format };
    }
  }
  return null;
}

/** Null when the route is well. Never throws. */
export async function probe(
  target: ProbeTarget,
  clock: Pick<Clock, 'after'>,
  stopped: AbortSignal,
): Promise<Omit<LastFailure, 'atMs'> | null> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(stopped.reason);
  stopped.addEventListener('abort', stop, { once: true });
  const timer = clock.after(PROBE_TIMEOUT_MS, () =>
    abort.abort(new GatewayError('upstream_timeout', 'A probe was not answered in time.')),
  );
  try {
    const response = await target.upstream.send(probeRequest(target, abort.signal));
    await judge(response, target);
    return null;
  } catch (thrown) {
    const { signal } = abort;
    const { code, message, cause } = asGatewayError(signal.aborted ? signal.reason : thrown);
    return { code, cause: `probe: ${cause instanceof Error ? cause.message : message}` };
  } finally {
    timer.cancel();
    stopped.removeEventListener('abort', stop);
    abort.abort();
  }
}

function probeRequest(
  { upstream, model, format }: ProbeTarget,
  signal: AbortSignal,
): UpstreamRequest {
  const limit =
    format === 'messages' ? 'max_tokens' : (upstream.quirks.maxTokensField ?? 'max_tokens');
  const body = JSON.stringify({ model, messages: QUESTION, [limit]: 1 });
  return {
    format,
    body: new TextEncoder().encode(body),
    stream: false,
    headers: {},
    scope: 'probe',
    traceparent: null,
    connectMs: null,
    firstByteMs: PROBE_TIMEOUT_MS,
    signal,
  };
}

/** @throws GatewayError when a caller would not have got an answer either. */
async function judge(response: Response, { upstream, model, knownAs }: ProbeTarget): Promise<void> {
  if (!response.ok) {
    const names = { there: model, here: knownAs };
    const failure = await upstreamFailure(response, { hidden: upstream.hidden, model: names });
    // It has read the question and finds fault with it: some models want room for more than a token.
    if (failure.status < 500) return;
    throw failure;
  }
  if (!isAnswer(await firstBytes(response))) {
    throw new GatewayError('upstream_failed', 'it answered with something else than an answer');
  }
}

/** Whether it is a JSON object without an error in it. */
function isAnswer(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof body !== 'object' || body === null) return false;
  const error: unknown = Object.getOwnPropertyDescriptor(body, 'error')?.value;
  return error === undefined || error === null;
}

async function firstBytes(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    if (size > MAX_ANSWER_BYTES) break;
  }
  return text;
}
