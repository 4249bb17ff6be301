/** Token counting: a question that is not sold, so nothing is held or settled. */
import type { Card, Channel, Timeouts } from '../catalogue/catalogue.ts';
import { findModel } from '../catalogue/find-model.ts';
import { GatewayError } from '../errors.ts';
import { asJsonObject } from '../json/object.ts';
import { estimateInputTokens } from '../protocols/input-estimate.ts';
import { messagesBody } from '../protocols/messages/translator.ts';
import type { Destination } from '../routing/destination.ts';
import type { RouteHealth } from '../routing/health.ts';
import { planRoutes } from '../routing/route-plan.ts';
import { tryRoutes } from '../routing/route-search.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { channelsFor } from './admission.ts';
import { readAnswerBytes } from './answer-bytes.ts';
import { answerHeaders, withAttempts } from './answer-headers.ts';
import { type Exchange, openExchange } from './call-scope.ts';
import { chance } from './chance.ts';
import { deadlinesFor, type RelayLimits } from './deadlines.ts';
import { mayUseChannel } from './permitted.ts';
import type { RelayDeps, TextCall } from './sell.ts';

/** `{"input_tokens": 7}` and little else. */
const MAX_COUNT_BYTES = 64 * 1024;

export type CountCall = Omit<TextCall, 'request' | 'stream' | 'releaseBody'> & {
  readonly request: {
    readonly model: string;
    readonly channel: string | null;
    readonly allowFallbacks: boolean;
  };
};

/** @throws GatewayError as `relayText` does, without its money. */
export async function relayCount(deps: RelayDeps, call: CountCall): Promise<Response> {
  const { request, caller } = call;
  const model = findModel(deps.catalogue(), request.model);
  if (model.kind !== 'chat') {
    throw new GatewayError(
      'wrong_endpoint',
      `${model.id} is an image model; it has no tokens to count.`,
      { param: 'model' },
    );
  }
  const channels = channelsFor(model, request, mayUseChannel(caller));
  const permit = deps.limiter.admit(caller, {
    model: model.id,
    channel: channels[0].name,
    tokens: 0,
  });
  const counting = { ...deps, limits: deadlinesFor(deps.limits, model.timeouts) };
  const exchange = openExchange(counting, call);
  try {
    const counted = hasCounter(channels, deps.upstreams())
      ? await count(counting, call, { channels, timeouts: model.timeouts, exchange })
      : null;
    return counted ?? estimate(call, channels);
  } finally {
    exchange.close();
    permit.end(null);
  }
}

const hasCounter = (
  channels: readonly Channel<Card>[],
  upstreams: ReadonlyMap<string, Upstream>,
): boolean =>
  channels.some(({ routes }) =>
    routes.some(({ upstream }) => upstreams.get(upstream)?.formats.has('count_tokens') === true),
  );

/** Many servers count nothing beforehand, and their callers plan by the answer all the same. */
function estimate(
  { request, body }: CountCall,
  [channel]: readonly [Channel<Card>, ...unknown[]],
): Response {
  const about = { requested: request.channel, channel, attempts: [], limits: {} };
  const headers = answerHeaders({ ...about, contentType: 'application/json' });
  headers.set('x-estimated', 'true');
  return new Response(JSON.stringify({ input_tokens: estimateInputTokens(body) }), { headers });
}

/** What a server makes of a count says nothing of how it answers: many know no such thing. */
const withoutTrials = (health: RouteHealth): RouteHealth => ({
  fitness: (route) => health.fitness(route),
  begin: () => ({ firstByte: () => undefined, end: () => undefined }),
});

type Asking = {
  readonly channels: readonly Channel<Card>[];
  readonly timeouts: Timeouts;
  readonly exchange: Exchange;
};

/**
 * Null when no upstream could count.
 * @throws GatewayError what is wrong with the request.
 */
async function count(
  deps: RelayDeps & { readonly limits: RelayLimits },
  { request, body, headers: passed, caller, affinity }: CountCall,
  { channels, timeouts, exchange }: Asking,
): Promise<Response | null> {
  const { clock, limits } = deps;
  const health = withoutTrials(deps.health);
  const destinations = planRoutes({
    channels,
    upstreams: deps.upstreams(),
    formats: ['count_tokens'],
    affinity,
    health,
    draw: () => chance(clock),
  });
  const tried = await tryRoutes<Card, string>(destinations, {
    request: async ({ route, quirks }: Destination, attemptSignal) => ({
      format: 'count_tokens',
      body: messagesBody(body, { model: route.model, quirks, clampedOutput: null }),
      stream: false,
      headers: passed,
      scope: caller.accountId,
      traceparent: null,
      connectMs: timeouts.connectMs,
      firstByteMs: timeouts.firstByteMs,
      signal: attemptSignal,
    }),
    open: async (response) =>
      countIn(
        await readAnswerBytes(response, { ...limits, clock, maxAnswerBytes: MAX_COUNT_BYTES }),
      ),
    health,
    elapsedMs: () => exchange.elapsedMs,
    repeat: 'until_first_byte',
    signal: exchange.signal,
  });
  if ('failure' in tried) {
    if (tried.failure.status < 500) throw withAttempts(tried.failure, tried.attempts);
    return null;
  }
  const { channel } = tried.destination;
  const about = { requested: request.channel, channel, attempts: tried.attempts, limits: {} };
  const headers = answerHeaders({ ...about, contentType: 'application/json' });
  return new Response(tried.opened, { headers });
}

/**
 * The answer anew, of nothing but its counts: what else a server or a proxy before it wrote may name it.
 * @throws GatewayError `upstream_failed` when there is no count.
 */
function countIn(bytes: Uint8Array): string {
  const answer = asJsonObject(parsed(bytes));
  const count = answer?.['input_tokens'];
  if (!isCount(count)) {
    throw new GatewayError('upstream_failed', 'The provider behind this channel counted nothing.');
  }
  // What it would be without the edits that the caller asked for.
  const edits = asJsonObject(answer?.['context_management']);
  const original = edits?.['original_input_tokens'];
  return JSON.stringify({
    input_tokens: count,
    ...(isCount(original) ? { context_management: { original_input_tokens: original } } : {}),
  });
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new GatewayError(
      'upstream_failed',
      'The provider behind this channel did not answer with JSON.',
      { cause },
    );
  }
}
