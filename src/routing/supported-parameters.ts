/** Finds the chat parameters that all routes of a channel support, since any of them may serve. */
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import { REQUEST_FIELDS } from '../protocols/chat-to-messages/field-table.ts';
import type { Upstream } from '../upstreams/upstream.ts';

/** Maps each chat parameter to its counterpart in Messages. */
const MESSAGES_NAMES = {
  max_completion_tokens: 'max_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  seed: 'seed',
  stop: 'stop_sequences',
  n: 'n',
  logit_bias: 'logit_bias',
  logprobs: 'logprobs',
  tools: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'tool_choice',
  response_format: 'output_config',
  reasoning_effort: 'thinking',
  verbosity: 'verbosity',
  service_tier: 'service_tier',
} as const;
export type ChatParameter = keyof typeof MESSAGES_NAMES;

export const CHAT_PARAMETERS = Object.keys(MESSAGES_NAMES).filter((name): name is ChatParameter =>
  Object.hasOwn(MESSAGES_NAMES, name),
);

/** Returns the parameters in the order of `CHAT_PARAMETERS`; an empty list for an image channel. */
export function supportedParameters(
  { card, routes }: Pick<Channel<Card>, 'card' | 'routes'>,
  upstreams: ReadonlyMap<string, Upstream>,
): readonly ChatParameter[] {
  if (card.kind === 'image') return [];
  return CHAT_PARAMETERS.filter((name) =>
    routes.every((route) => {
      const upstream = upstreams.get(route.upstream);
      return upstream === undefined || isSupported(name, upstream, route);
    }),
  );
}

function isSupported(name: ChatParameter, { formats, quirks }: Upstream, route: Route): boolean {
  const dropped = [...quirks.drop, ...route.drop];
  if (formats.has('chat')) {
    return !dropped.includes(name) && (name !== 'reasoning_effort' || quirks.reasoningEffort);
  }
  return REQUEST_FIELDS[name]?.fate === 'mapped' && !dropped.includes(MESSAGES_NAMES[name]);
}
