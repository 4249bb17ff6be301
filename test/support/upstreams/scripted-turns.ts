/**
 * For tests: writes a turn, which is one answer of a model, in each dialect, streaming and
 * non-streaming. A scenario states its turns once and runs with upstreams of all three dialects.
 */
import { at, type Json } from '../wire.ts';
import {
  eventStream,
  messagesEvent as namedEvent,
  type UpstreamCall,
} from './scripted-upstream.ts';

export const UPSTREAM_DIALECTS = ['chat', 'messages', 'responses'] as const;
export type UpstreamDialect = (typeof UPSTREAM_DIALECTS)[number];

/**
 * Thinking of a model. `seal` is its signature on Messages, or its encrypted content on Responses.
 * These upstreams expect the seal back. On chat, thinking has no seal, so the upstream expects the
 * text.
 */
export type Thinking = { readonly thinking: string; readonly seal: string };
export type Words = { readonly text: string };
export type Call = {
  readonly call: string;
  readonly id: string;
  /** The arguments of the call; for a custom tool, its input text. */
  readonly input: Json | string;
  readonly namespace?: string;
};
export type Part = Thinking | Words | Call;

export type Turn = {
  readonly parts: readonly Part[];
  /** Whether a content filter ended the turn. */
  readonly isFiltered?: true;
  /** Token counts: `input` includes `cached`, and `output` includes `reasoning`. */
  readonly usage: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  };
};

const MODEL = 'upstream-model';
const CREATED = 1_790_000_000;

export function dialectOf({ path }: Pick<UpstreamCall, 'path'>): UpstreamDialect {
  if (path.includes('/chat/completions')) return 'chat';
  return path.includes('/messages') ? 'messages' : 'responses';
}

/** Answers a request in its dialect, as a stream or as JSON. */
export function answerTurn(call: UpstreamCall, turn: Turn): Response {
  const writer = WRITERS[dialectOf(call)];
  return at(call.body, 'stream') === true
    ? eventStream(writer.events(turn))
    : Response.json(writer.answer(turn));
}

/** Returns the events of a streamed turn, so that a script can send only some of them. */
export const turnEvents = (dialect: UpstreamDialect, turn: Turn): readonly string[] =>
  WRITERS[dialect].events(turn);

type Writer = {
  readonly answer: (turn: Turn) => Json;
  readonly events: (turn: Turn) => readonly string[];
};

/** Splits a text into two fragments, so that a client has to join them. */
const halves = (text: string): readonly string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
};

const isCall = (part: Part): part is Call => 'call' in part;
const isThinking = (part: Part): part is Thinking => 'thinking' in part;
const joined = (texts: readonly string[]): string | null => texts.join('') || null;

/**
 * Chat and Messages support neither namespaces nor custom tools, so the gateway converts both to
 * plain tools.
 */
const flatName = ({ call, namespace }: Call): string =>
  namespace === undefined ? call : `${namespace}__${call}`;
const flatInput = ({ input }: Call): Json => (typeof input === 'string' ? { input } : input);

const chatUsageOf = ({ usage }: Turn): Json => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});

const chatCalls = ({ parts }: Turn): readonly Json[] =>
  parts.filter(isCall).map((part) => ({
    id: part.id,
    type: 'function',
    function: { name: flatName(part), arguments: JSON.stringify(flatInput(part)) },
  }));

const chatFinish = ({ parts, isFiltered }: Turn): string =>
  isFiltered ? 'content_filter' : parts.some(isCall) ? 'tool_calls' : 'stop';

function chatDeltas({ parts }: Turn): readonly Json[] {
  let index = -1;
  return parts.flatMap((part): Json[] => {
    if (isThinking(part)) return halves(part.thinking).map((text) => ({ reasoning_content: text }));
    if (!isCall(part)) return halves(part.text).map((content) => ({ content }));
    index += 1;
    const begun = { index, id: part.id, type: 'function' };
    const first = { ...begun, function: { name: flatName(part), arguments: '' } };
    const rest = halves(JSON.stringify(flatInput(part)));
    return [
      { tool_calls: [first] },
      ...rest.map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
    ];
  });
}

const chat: Writer = {
  answer: (turn) => {
    const { parts } = turn;
    const calls = chatCalls(turn);
    const message = {
      role: 'assistant',
      content: joined(parts.flatMap((part) => ('text' in part ? [part.text] : []))),
      reasoning_content: joined(parts.filter(isThinking).map(({ thinking }) => thinking)),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return {
      id: 'chatcmpl-up',
      object: 'chat.completion',
      created: CREATED,
      model: MODEL,
      choices: [{ index: 0, message, finish_reason: chatFinish(turn) }],
      usage: chatUsageOf(turn),
    };
  },
  events: (turn) => {
    const common = {
      id: 'chatcmpl-up',
      object: 'chat.completion.chunk',
      created: CREATED,
      model: MODEL,
    };
    const chunk = (more: Json): string => `data: ${JSON.stringify({ ...common, ...more })}\n\n`;
    const choice = (delta: Json, finish: string | null): string =>
      chunk({ choices: [{ index: 0, delta, finish_reason: finish }] });
    return [
      choice({ role: 'assistant', content: '' }, null),
      ...chatDeltas(turn).map((delta) => choice(delta, null)),
      choice({}, chatFinish(turn)),
      chunk({ choices: [], usage: chatUsageOf(turn) }),
      'data: [DONE]\n\n',
    ];
  },
};

const messagesUsageOf = ({ usage }: Turn): Json => ({
  input_tokens: usage.input - usage.cached,
  cache_read_input_tokens: usage.cached,
  cache_creation_input_tokens: 0,
  output_tokens: usage.output,
});

function block(part: Part): Json {
  if (isThinking(part)) return { type: 'thinking', thinking: part.thinking, signature: part.seal };
  if (!isCall(part)) return { type: 'text', text: part.text };
  return { type: 'tool_use', id: part.id, name: flatName(part), input: flatInput(part) };
}

function blockStart(part: Part): Json {
  if (isThinking(part)) return { type: 'thinking', thinking: '', signature: '' };
  return isCall(part) ? { ...block(part), input: {} } : { type: 'text', text: '' };
}

function blockDeltas(part: Part): readonly Json[] {
  if (isThinking(part)) {
    const thoughts = halves(part.thinking);
    return [
      ...thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: part.seal },
    ];
  }
  if (!isCall(part)) return halves(part.text).map((text) => ({ type: 'text_delta', text }));
  const fragments = halves(JSON.stringify(flatInput(part)));
  return fragments.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

const stopReason = ({ parts, isFiltered }: Turn): string =>
  isFiltered ? 'refusal' : parts.some(isCall) ? 'tool_use' : 'end_turn';

const messages: Writer = {
  answer: (turn) => ({
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: turn.parts.map(block),
    stop_reason: stopReason(turn),
    stop_sequence: null,
    usage: messagesUsageOf(turn),
  }),
  events: (turn) => [
    namedEvent('message_start', {
      message: {
        ...messages.answer({ ...turn, parts: [] }),
        stop_reason: null,
        usage: { ...messagesUsageOf(turn), output_tokens: 1 },
      },
    }),
    ...turn.parts.flatMap((part, index) => [
      namedEvent('content_block_start', { index, content_block: blockStart(part) }),
      ...blockDeltas(part).map((delta) => namedEvent('content_block_delta', { index, delta })),
      namedEvent('content_block_stop', { index }),
    ]),
    namedEvent('message_delta', {
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens: turn.usage.output },
    }),
    namedEvent('message_stop', {}),
  ],
};

function item(part: Part, index: number): Json {
  if (isThinking(part)) {
    const summary = [{ type: 'summary_text', text: part.thinking }];
    return { type: 'reasoning', id: `rs_up${index}`, summary, encrypted_content: part.seal };
  }
  if (!isCall(part)) {
    const content = [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }];
    const id = `msg_up${index}`;
    return { type: 'message', id, status: 'completed', role: 'assistant', content };
  }
  const { call: name, id: call_id, input, namespace } = part;
  const named = { call_id, name, ...(namespace === undefined ? {} : { namespace }) };
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_up${index}`, ...named, input, status: 'completed' }
    : {
        type: 'function_call',
        id: `fc_up${index}`,
        ...named,
        arguments: JSON.stringify(input),
        status: 'completed',
      };
}

const responseEnd = ({ isFiltered }: Turn) => (isFiltered ? 'incomplete' : 'completed');

const response = (turn: Turn, status: 'in_progress' | 'completed' | 'incomplete'): Json => {
  const { input, cached, output, reasoning } = turn.usage;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
  return {
    id: 'resp_up',
    object: 'response',
    created_at: CREATED,
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'content_filter' } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: MODEL,
    output: status === 'in_progress' ? [] : turn.parts.map(item),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: status === 'in_progress' ? null : usage,
  };
};

type NamedEvent = readonly [type: string, rest: Json];

/**
 * Returns the delta events of a text. They contain the padding that OpenAI adds unless
 * `include_obfuscation` is false.
 */
const deltas = (type: string, text: string, rest: Json): readonly NamedEvent[] =>
  halves(text).map((delta) => [`${type}.delta`, { ...rest, delta, obfuscation: 'aX3' }]);

function summaryEvents(text: string, place: Json): readonly NamedEvent[] {
  const rest = { ...place, summary_index: 0 };
  const part = { type: 'summary_text', text };
  return [
    ['response.reasoning_summary_part.added', { ...rest, part: { ...part, text: '' } }],
    ...deltas('response.reasoning_summary_text', text, rest),
    ['response.reasoning_summary_text.done', { ...rest, text }],
    ['response.reasoning_summary_part.done', { ...rest, part }],
  ];
}

function textEvents(text: string, place: Json): readonly NamedEvent[] {
  const rest = { ...place, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return [
    ['response.content_part.added', { ...rest, part: { ...part, text: '' } }],
    ...deltas('response.output_text', text, { ...rest, logprobs: [] }),
    ['response.output_text.done', { ...rest, text, logprobs: [] }],
    ['response.content_part.done', { ...rest, part }],
  ];
}

function callEvents({ call, input }: Call, place: Json): readonly NamedEvent[] {
  if (typeof input === 'string')
    return [
      ...deltas('response.custom_tool_call_input', input, place),
      ['response.custom_tool_call_input.done', { ...place, input }],
    ];
  const text = JSON.stringify(input);
  const type = 'response.function_call_arguments';
  return [
    ...deltas(type, text, place),
    [`${type}.done`, { ...place, name: call, arguments: text }],
  ];
}

/** Returns an item as its first event contains it: without the content that later events add. */
function announced(part: Part, whole: Json): Json {
  if (isThinking(part)) return { type: 'reasoning', id: whole['id'], summary: [] };
  const begun = { ...whole, status: 'in_progress' };
  if (!isCall(part)) return { ...begun, content: [] };
  return { ...begun, [typeof part.input === 'string' ? 'input' : 'arguments']: '' };
}

function itemEvents(part: Part, output_index: number): readonly NamedEvent[] {
  const whole = item(part, output_index);
  const place = { item_id: whole['id'], output_index };
  const inner = isThinking(part)
    ? summaryEvents(part.thinking, place)
    : isCall(part)
      ? callEvents(part, place)
      : textEvents(part.text, place);
  return [
    ['response.output_item.added', { output_index, item: announced(part, whole) }],
    ...inner,
    ['response.output_item.done', { output_index, item: whole }],
  ];
}

const responses: Writer = {
  answer: (turn) => response(turn, responseEnd(turn)),
  events: (turn) => {
    const begun = { response: response(turn, 'in_progress') };
    const all: readonly NamedEvent[] = [
      ['response.created', begun],
      ['response.in_progress', begun],
      ...turn.parts.flatMap(itemEvents),
      [`response.${responseEnd(turn)}`, { response: response(turn, responseEnd(turn)) }],
    ];
    return all.map(([type, rest], index) => namedEvent(type, { sequence_number: index, ...rest }));
  },
};

const WRITERS: Readonly<Record<UpstreamDialect, Writer>> = { chat, messages, responses };
