/** Serializes replies in the chat completions format, as one JSON object or as stream chunks. */
import type { StreamEvent, StreamEvents } from '../paced-stream.ts';
import type { Block, Finish, Reply, ToolCall } from '../reply/reply.ts';
import { countTokens, pieces } from '../tokenizer.ts';
import type { ChatRequest } from './chat-request.ts';

export type ChatAnswer = {
  readonly request: ChatRequest;
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly promptTokens: number;
  /** The number of tokens read from the prompt cache, which `promptTokens` includes. */
  readonly cachedTokens: number;
  readonly replies: readonly Reply[];
};

const FINISH_REASONS = {
  end: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
} as const satisfies Record<Finish['kind'], string>;

const textOf = (reply: Reply, kind: 'text' | 'thinking'): string =>
  reply.blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('');

const callsOf = (reply: Reply): readonly ToolCall[] =>
  reply.blocks.filter((block) => block.kind === 'tool_call');

export function chatJson(answer: ChatAnswer): Record<string, unknown> {
  const { request, id, created, replies } = answer;
  return {
    id,
    object: 'chat.completion',
    created,
    model: request.conversation.model,
    service_tier: request.serviceTier,
    choices: replies.map((reply, index) => ({
      index,
      message: messageOf(reply),
      logprobs: logprobsOf(textOf(reply, 'text'), request.topLogprobs),
      finish_reason: FINISH_REASONS[reply.finish.kind],
    })),
    usage: chatUsage(answer),
  };
}

function messageOf(reply: Reply): Record<string, unknown> {
  const reasoning = textOf(reply, 'thinking');
  const calls = callsOf(reply);
  const text = textOf(reply, 'text');
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls.map(callObject) } : {}),
  };
}

function callObject({ id, name, input, isFreeText }: ToolCall): Record<string, unknown> {
  return isFreeText
    ? { id: `call_${id}`, type: 'custom', custom: { name, input } }
    : { id: `call_${id}`, type: 'function', function: { name, arguments: input } };
}

/** Returns log probabilities. All are 0, since a deterministic model is certain of every token. */
function logprobsOf(text: string, top: number | null): Record<string, unknown> | null {
  if (top === null) return null;
  const content = Array.from(pieces(text), (token) => {
    const entry = { token, bytes: [...Buffer.from(token)], logprob: 0 };
    return { ...entry, top_logprobs: top > 0 ? [entry] : [] };
  });
  return { content, refusal: null };
}

export function chatUsage({
  promptTokens,
  cachedTokens,
  replies,
}: ChatAnswer): Record<string, unknown> {
  const completion = replies.reduce((sum, reply) => sum + reply.outputTokens, 0);
  const reasoning = replies.reduce((sum, reply) => sum + reply.thinkingTokens, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
    prompt_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Yields the events of one choice after another, then the usage (if requested) and `[DONE]`. */
export function* chatEvents(answer: ChatAnswer): StreamEvents {
  const { request } = answer;
  const chunk = chunkWriter(answer);
  for (const [index, reply] of answer.replies.entries()) {
    const write = chunk(index);
    yield write('{"role":"assistant","content":"","refusal":null}', 0);
    let callIndex = 0;
    for (const block of reply.blocks) {
      yield* blockEvents(block, callIndex, request, write);
      if (block.kind === 'tool_call') callIndex += 1;
    }
    yield write('{}', 0, JSON.stringify(FINISH_REASONS[reply.finish.kind]));
  }
  if (request.includeUsage) yield usageChunk(answer);
  yield { text: 'data: [DONE]\n\n', tokens: 0 };
}

type Write = (delta: string, tokens: number, finish?: string, logprobs?: string) => StreamEvent;

/**
 * Returns the beginning that all chunks of a stream share. It is serialized only once, because a
 * stream has one chunk per token.
 */
function chunkHead({ request, id, created }: ChatAnswer): string {
  const head = {
    id,
    object: 'chat.completion.chunk',
    created,
    model: request.conversation.model,
    service_tier: request.serviceTier,
  };
  return `data: ${JSON.stringify(head).slice(0, -1)},"choices":[`;
}

function chunkWriter(answer: ChatAnswer): (index: number) => Write {
  const head = chunkHead(answer);
  const end = answer.request.includeUsage ? '}],"usage":null}\n\n' : '}]}\n\n';
  return (index) => {
    const start = `${head}{"index":${index},"delta":`;
    return (delta, tokens, finish = 'null', logprobs = 'null') => ({
      text: `${start}${delta},"logprobs":${logprobs},"finish_reason":${finish}${end}`,
      tokens,
    });
  };
}

function usageChunk(answer: ChatAnswer): StreamEvent {
  return {
    text: `${chunkHead(answer)}],"usage":${JSON.stringify(chatUsage(answer))}}\n\n`,
    tokens: 0,
  };
}

function* blockEvents(
  block: Block,
  callIndex: number,
  request: ChatRequest,
  write: Write,
): StreamEvents {
  switch (block.kind) {
    case 'thinking':
      for (const piece of pieces(block.text)) {
        yield write(`{"reasoning_content":${JSON.stringify(piece)}}`, 1);
      }
      return;
    case 'text':
      for (const piece of pieces(block.text)) {
        const logprobs = logprobsOf(piece, request.topLogprobs);
        yield write(`{"content":${JSON.stringify(piece)}}`, 1, 'null', JSON.stringify(logprobs));
      }
      return;
    case 'tool_call':
      yield* callEvents(block, callIndex, write);
  }
}

/** Yields the fragments of a tool call. Only the first fragment has an id, a type and a name. */
function* callEvents(call: ToolCall, index: number, write: Write): StreamEvents {
  const head = { index, ...callObject({ ...call, input: '' }) };
  yield write(JSON.stringify({ tool_calls: [head] }), countTokens(call.name));
  for (const piece of pieces(call.input)) {
    const fragment = call.isFreeText
      ? { custom: { input: piece } }
      : { function: { arguments: piece } };
    yield write(JSON.stringify({ tool_calls: [{ index, ...fragment }] }), 1);
  }
}
