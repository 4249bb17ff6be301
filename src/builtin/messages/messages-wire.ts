/** Writes answers in the Messages format, as one JSON object or as named events. */
import type { StreamEvent } from '../paced-stream.ts';
import { idOf } from '../seeded-random.ts';
import { pieces } from '../tokenizer.ts';
import type { MessagesAnswer, MessagesBlock, PassUsage } from './messages-answer.ts';

const STOP_REASONS = {
  end: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  compaction: 'compaction',
} as const satisfies Record<MessagesAnswer['finish']['kind'], string>;

const ID_CHARS = 22;

export function messagesJson(answer: MessagesAnswer): Record<string, unknown> {
  return {
    ...frame(answer),
    content: answer.blocks.map((block) => wholeBlock(block, answer.request.hidesThinking)),
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

function ending({ finish }: MessagesAnswer): Record<string, unknown> {
  return {
    stop_reason: STOP_REASONS[finish.kind],
    stop_sequence: finish.kind === 'stop_sequence' ? finish.sequence : null,
    stop_details: null,
  };
}

const contextManagement = ({ appliedEdits }: MessagesAnswer): Record<string, unknown> =>
  appliedEdits === null ? {} : { context_management: { applied_edits: appliedEdits } };

function inputCounts({ input, cache }: PassUsage): Record<string, unknown> {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cache.write5m + cache.write1h,
    cache_read_input_tokens: cache.read,
    cache_creation: {
      ephemeral_5m_input_tokens: cache.write5m,
      ephemeral_1h_input_tokens: cache.write1h,
    },
  };
}

export function messagesUsage(answer: MessagesAnswer): Record<string, unknown> {
  const { usage, compaction, finish } = answer;
  const iteration = (type: 'compaction' | 'message', pass: PassUsage): Record<string, unknown> => ({
    type,
    ...inputCounts(pass),
    output_tokens: pass.output,
  });
  const passes = compaction === null ? [] : [iteration('compaction', compaction)];
  if (finish.kind !== 'compaction') passes.push(iteration('message', usage));
  return {
    ...inputCounts(usage),
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.thinking },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
    ...(compaction === null ? {} : { iterations: passes }),
  };
}

function wholeBlock(block: MessagesBlock, hidesThinking: boolean): Record<string, unknown> {
  switch (block.kind) {
    case 'thinking': {
      const { signature } = block;
      return { type: 'thinking', thinking: hidesThinking ? '' : block.text, signature };
    }
    case 'text':
      return { type: 'text', text: block.text, citations: null };
    case 'tool_call':
      return { ...emptyBlock(block), input: JSON.parse(block.input) };
    case 'compaction':
      return { type: 'compaction', content: block.text, encrypted_content: null };
  }
}

/** A block in `content_block_start`: the fields that deltas fill are empty. */
function emptyBlock(block: MessagesBlock): Record<string, unknown> {
  switch (block.kind) {
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'text':
      return { type: 'text', text: '', citations: null };
    case 'tool_call': {
      const { id, name } = block;
      return { type: 'tool_use', id: `toolu_${id}`, name, input: {}, caller: { type: 'direct' } };
    }
    case 'compaction':
      return { type: 'compaction', content: null, encrypted_content: null };
  }
}

const event = (type: string, fields: Record<string, unknown>, tokens = 0): StreamEvent => ({
  text: `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`,
  tokens,
});

/** The stream of an answer. Input counts are final in `message_start`, output counts at the end. */
export function* messagesEvents(answer: MessagesAnswer): Generator<StreamEvent, void, undefined> {
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
  for (const [index, block] of answer.blocks.entries()) {
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

/** Text events are concatenated, not serialized, because a stream has one per token. */
const deltaEvent = (index: number, delta: string, tokens: number): StreamEvent => ({
  text:
    'event: content_block_delta\n' +
    `data: {"type":"content_block_delta","index":${index},"delta":${delta}}\n\n`,
  tokens,
});

function* deltas(
  block: MessagesBlock,
  index: number,
  hidesThinking: boolean,
): Generator<StreamEvent, void, undefined> {
  switch (block.kind) {
    case 'thinking': {
      if (!hidesThinking) {
        for (const piece of pieces(block.text)) {
          yield deltaEvent(
            index,
            `{"type":"thinking_delta","thinking":${JSON.stringify(piece)}}`,
            1,
          );
        }
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
    case 'compaction': {
      const delta = { type: 'compaction_delta', content: block.text, encrypted_content: null };
      yield deltaEvent(index, JSON.stringify(delta), 0);
    }
  }
}
