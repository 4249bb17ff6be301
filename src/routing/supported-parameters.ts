/** Finds the parameters that all routes of a channel support, since any of them may be used. */
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import type { Admits } from '../money/card-terms.ts';
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

/** Maps each chat parameter to its name in Responses, if Responses has it. */
const RESPONSES_NAMES: { readonly [Name in ChatParameter]?: string } = {
  max_completion_tokens: 'max_output_tokens',
  temperature: 'temperature',
  top_p: 'top_p',
  logprobs: 'top_logprobs',
  tools: 'tools',
  tool_choice: 'tool_choice',
  parallel_tool_calls: 'parallel_tool_calls',
  response_format: 'text',
  reasoning_effort: 'reasoning',
  verbosity: 'text',
  service_tier: 'service_tier',
};

/**
 * Maps each parameter that only Messages has to the key of `Admits` under which a price card lists
 * the values that it sells.
 */
const MESSAGES_ONLY = { speed: 'speed', inference_geo: 'geo' } as const;
export const PARAMETERS = [...CHAT_PARAMETERS, 'speed', 'inference_geo'] as const;
export type Parameter = (typeof PARAMETERS)[number];

/**
 * Returns the parameters that all routes of a channel support and its price card sells, in the
 * order of `PARAMETERS`; an empty list for a price per image.
 */
export function supportedParameters(
  { card, routes }: Pick<Channel<Card>, 'card' | 'routes'>,
  upstreams: ReadonlyMap<string, Upstream>,
): readonly Parameter[] {
  if (card.unit === 'image') return [];
  const { admits } = card.terms;
  return PARAMETERS.filter(
    (name) =>
      isSold(name, admits) &&
      routes.every((route) => {
        const upstream = upstreams.get(route.upstream);
        return upstream === undefined || isSupported(name, upstream, route);
      }),
  );
}

/**
 * Whether the price card sells the parameter. A parameter that affects the price is sold only if
 * the price card lists a value other than the default.
 */
function isSold(name: Parameter, admits: Admits): boolean {
  if (name === 'service_tier') return admits.tier.length > 0;
  return isMessagesOnly(name) ? admits[MESSAGES_ONLY[name]].length > 0 : true;
}

const isMessagesOnly = (name: Parameter): name is keyof typeof MESSAGES_ONLY =>
  Object.hasOwn(MESSAGES_ONLY, name);

function isSupported(name: Parameter, { formats, quirks }: Upstream, route: Route): boolean {
  const dropped = [...quirks.drop, ...route.drop];
  if (isMessagesOnly(name)) return formats.has('messages') && !dropped.includes(name);
  if (formats.has('chat')) {
    return !dropped.includes(name) && (name !== 'reasoning_effort' || quirks.reasoningEffort);
  }
  if (!formats.has('messages')) {
    const there = RESPONSES_NAMES[name];
    return there !== undefined && !dropped.includes(there);
  }
  return REQUEST_FIELDS[name]?.fate === 'mapped' && !dropped.includes(MESSAGES_NAMES[name]);
}
