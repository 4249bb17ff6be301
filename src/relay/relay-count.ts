/** Token counting: a question that is not sold, so nothing is held or settled. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { findModel, pickChannel } from '../catalogue/find-model.ts';
import { GatewayError } from '../errors.ts';
import { replaceMembers } from '../protocols/json.ts';
import { attempt, MAX_ATTEMPTS } from '../routing/attempt.ts';
import { orderDestinations } from '../routing/pick.ts';
import { readAnswerBytes } from './answer-bytes.ts';
import { channelHeaders } from './channel-headers.ts';
import type { RelayDeps, TextCall } from './relay-text.ts';

/** `{"input_tokens": 7}` and little else. */
const MAX_COUNT_BYTES = 64 * 1024;

export type CountCall = Omit<TextCall, 'request' | 'stream'> & {
  readonly request: {
    readonly model: string;
    readonly channel: string | null;
    readonly allowFallbacks: boolean;
  };
};

/** @throws GatewayError as `relayText` does, without its money. */
export async function relayCount(deps: RelayDeps, call: CountCall): Promise<Response> {
  const { request } = call;
  const model = findModel(deps.catalogue(), request.model);
  if (model.kind !== 'chat') {
    throw new GatewayError(
      'wrong_endpoint',
      `${model.id} is an image model; it has no tokens to count.`,
      {
        param: 'model',
      },
    );
  }
  const channel = pickChannel(model, request.channel, request.allowFallbacks);
  const permit = deps.limiter.admit(call.caller, {
    model: model.id,
    channel: channel.name,
    tokens: 0,
  });
  try {
    return await count(deps, call, channel);
  } finally {
    permit.end(null);
  }
}

async function count(
  deps: RelayDeps,
  { request, body, headers: passed, caller, signal }: CountCall,
  channel: Channel<Card>,
): Promise<Response> {
  const destinations = orderDestinations(channel.routes, deps.upstreams(), 'count_tokens', 0);
  const common = new Map<string, string | null>(
    body.members.has('provider') ? [['provider', null]] : [],
  );
  const attempted = await attempt(
    destinations,
    ({ route }) => {
      const edits = new Map(common);
      if (route.model !== request.model) edits.set('model', JSON.stringify(route.model));
      return {
        format: 'count_tokens',
        body: edits.size === 0 ? body.bytes : replaceMembers(body, edits),
        stream: false,
        headers: passed,
        scope: caller.accountId,
        traceparent: null,
        connectMs: null,
        firstByteMs: null,
        signal,
      };
    },
    MAX_ATTEMPTS,
    deps.clock,
  );
  if ('failure' in attempted) throw attempted.failure;
  const answer = await readAnswerBytes(attempted.response, MAX_COUNT_BYTES);
  const headers = channelHeaders(request.channel, channel);
  headers.set('content-type', 'application/json');
  return new Response(answer, { headers });
}
