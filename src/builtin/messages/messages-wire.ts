/** Serializes answers in the Messages format, as one JSON object or as named events. */
import type { StreamEvent, StreamEvents } from '../paced-stream.ts';
import type { CacheUse } from '../prompt-cache.ts';
import type { Block, Finish, Reply } from '../reply/reply.ts';
import { idOf } from '../seeded-random.ts';
import { pieces } from '../tokenizer.ts';
import type { MessagesRequest } from './messages-request.ts';

export type MessagesAnswer = {
  readonly request: MessagesRequest;
  readonly seed: bigint;
  readonly promptTokens: number;
  /**
   * The numbers of tokens read from and written to the prompt cache, which `promptTokens` includes.
   */
  readonly cache: CacheUse;
  readonly reply: Reply;
};

const STOP_REASONS = {
  end: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
} as const satisfies Record<Finish['kind'], string>;

const ID_CHARS = 22;

export function messagesJson(answer: MessagesAnswer): Record<string, unknown> {
  return {
    ...frame(answer),
    content: answer.reply.blocks.map((block) => wholeBlock(block, answer.request.hidesThinking)),
    ...ending(answer),
    usage: messagesUsage(answer),
    ...contextManagement(answer),
  };
}

function frame({ seed, request }: MessagesAnswer): Record<string, unknown> {
  return {
    id: `msg_01${idOf(seed, ID_CHARS)}`,
    type: 'message',
    role: 'assistant',
    model: request.conversation.model,
    container: null,
    diagnostics: null,
  };
}

function ending({ reply: { finish } }: MessagesAnswer): Record<string, unknown> {
  return {
    stop_reason: STOP_REASONS[finish.kind],
    stop_sequence: finish.kind === 'stop_sequence' ? finish.sequence : null,
    stop_details: null,
  };
}

const contextManagement = ({ request }: MessagesAnswer): Record<string, unknown> =>
  request.managesContext ? { context_management: { applied_edits: [] } } : {};

export function messagesUsage(answer: MessagesAnswer): Record<string, unknown> {
  const { promptTokens, cache, reply } = answer;
  const written = cache.write5m + cache.write1h;
  return {
    input_tokens: promptTokens - cache.read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cache.read,
    cache_creation: {
      ephemeral_5m_input_tokens: cache.write5m,
      ephemeral_1h_input_tokens: cache.write1h,
    },
    output_tokens: reply.outputTokens,
    output_tokens_details: { thinking_tokens: reply.thinkingTokens },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  };
}

function wholeBlock(block: Block, hidesThinking: boolean): Record<string, unknown> {
  switch (block.kind) {
    case 'thinking': {
      const { signature } = block;
      return { type: 'thinking', thinking: hidesThinking ? '' : block.text, signature };
    }
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_call':
      return { ...emptyBlock(block), input: JSON.parse(block.input) };
  }
}

/**
 * Returns the block of a `content_block_start` event. The fields that deltas fill later are empty.
 */
function emptyBlock(block: Block): Record<string, unknown> {
  switch (block.kind) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '' };
    case 'tool_call': {
      const { id, name } = block;
      return { type: 'tool_use', id: `toolu_${id}`, name, input: {}, caller: { type: 'direct' } };
    }
  }
}

const event = (type: string, fields: Record<string, unknown>): StreamEvent => ({
  text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
  tokens: 0,
});

/**
 * Yields the events of a stream. The input counts are final in `message_start`. The output counts
 * are final in the last `message_delta`.
 */
export function* messagesEvents(answer: MessagesAnswer): StreamEvents {
  const usage = messagesUsage(answer);
  const open = { stop_reason: null, stop_sequence: null, stop_details: null };
  yield event('message_start', {
    message: {
      ...frame(answer),
      content: [],
      ...open,
      usage: { ...usage, output_tokens: 0, output_tokens_details: { thinking_tokens: 0 } },
    },
  });
  for (const [index, block] of answer.reply.blocks.entries()) {
    yield event('content_block_start', { index, content_block: emptyBlock(block) });
    if (index === 0) yield event('ping', {});
    yield* deltas(block, index, answer.request.hidesThinking);
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: { ...ending(answer), container: null },
    usage,
    ...contextManagement(answer),
  });
  yield event('message_stop', {});
}

/**
 * Returns a `content_block_delta` event. `delta` is JSON text. The event is concatenated instead of
 * serialized, because a stream has about one per token.
 */
const deltaEvent = (index: number, delta: string, tokens: number): StreamEvent => ({
  text:
    'event: content_block_delta\n' +
    `data: {"type":"content_block_delta","index":${index},"delta":${delta}}\n\n`,
  tokens,
});

function* deltas(block: Block, index: number, hidesThinking: boolean): StreamEvents {
  switch (block.kind) {
    case 'thinking': {
      for (const piece of pieces(hidesThinking ? '' : block.text)) {
        yield deltaEvent(index, `{"type":"thinking_delta","thinking":${JSON.stringify(piece)}}`, 1);
      }
      const delta = { type: 'signature_delta', signature: block.signature };
      yield deltaEvent(index, JSON.stringify(delta), 0);
      return;
    }
    case 'text':
      for (const piece of pieces(block.text)) {
        yield deltaEvent(index, `{"type":"text_delta","text":${JSON.stringify(piece)}}`, 1);
      }
      return;
    case 'tool_call':
      for (const piece of ['', ...pieces(block.input)]) {
        const delta = { type: 'input_json_delta', partial_json: piece };
        yield deltaEvent(index, JSON.stringify(delta), 1);
      }
      return;
  }
}
