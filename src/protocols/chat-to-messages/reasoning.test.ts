/**
 * Tests that thinking is restored with the same text and signature when a chat client sends it
 * back.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../../json/object.ts';
import { readChatStream } from '../chat-rules.fixture.ts';
import { eventText } from '../messages/recorded-messages.fixture.ts';
import { chatAnswer, chatStream } from './answer.fixture.ts';
import { assistant, call, messagesBody, result, user } from './request.fixture.ts';

type Block = { readonly type: string; readonly [member: string]: unknown };

const thinking = (words: string, signature = `sig-${words}`): Block => ({
  type: 'thinking',
  thinking: words,
  signature,
});
const redacted: Block = { type: 'redacted_thinking', data: 'EmwKAhgB' };
const text = (words: string): Block => ({ type: 'text', text: words });
const use = (id: string): Block => ({ type: 'tool_use', id, name: 'f', input: { n: 1 } });

const message = (content: readonly Block[]) => ({
  content,
  stop_reason: content.at(-1)?.type === 'tool_use' ? 'tool_use' : 'end_turn',
  usage: { input_tokens: 1, output_tokens: 2 },
});
const chatMessage = (content: readonly Block[]): JsonObject =>
  JSON.parse(chatAnswer(message(content)).text()).choices[0].message;

/**
 * Streams an answer with these blocks. As from an upstream, thinking and signatures are in events
 * of their own. Returns the answer that a chat client reads.
 */
function streamed(content: readonly Block[], maxEventBytes = 64 * 1024) {
  const blocks = content.flatMap((block, index) => {
    const { thinking: words, signature } = block;
    const isThinking = typeof words === 'string';
    const content_block = isThinking ? { type: 'thinking', thinking: '', signature: '' } : block;
    const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields });
    return [
      { type: 'content_block_start', index, content_block },
      ...(isThinking ? [delta({ type: 'thinking_delta', thinking: words })] : []),
      ...(isThinking ? [delta({ type: 'signature_delta', signature })] : []),
      { type: 'content_block_stop', index },
    ];
  });
  const { stop_reason, usage } = message(content);
  const events = [
    { type: 'message_start', message: { content: [], usage } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ];
  const { text: sent } = chatStream([events.map(eventText).join('')], { maxEventBytes });
  return readChatStream(sent, { includeUsage: true });
}

/**
 * Returns the blocks of the assistant turn that an upstream gets when a client sends this message
 * back.
 */
function sentBack(chat: JsonObject): unknown {
  const calls = Array.isArray(chat['tool_calls']) ? (chat['tool_calls'] as { id: string }[]) : [];
  const answers = calls.map(({ id }) => result(id, '1'));
  const { messages } = messagesBody({ messages: [user('x'), chat, ...answers, user('y')] });
  return (messages as { content: unknown }[])[1]?.content;
}

const ANSWERS: Record<string, readonly Block[]> = {
  'thinking, then text': [thinking('Hm'), text('42')],
  'thinking that is not shown': [thinking('', 'sig'), redacted, text('42')],
  'thinking before a call': [thinking('Hm'), text('See:'), use('a'), use('b')],
  'thinking between calls': [thinking('Hm'), use('a'), thinking('So'), use('b')],
  'thinking between texts': [thinking('Hm'), text('One. '), thinking('So'), redacted, text('Two.')],
};

describe('a client that keeps messages unchanged', () => {
  for (const [name, content] of Object.entries(ANSWERS)) {
    test(`returns ${name}`, () => {
      expect(sentBack(chatMessage(content))).toEqual([...content]);
    });

    test(`returns ${name}, streamed`, () => {
      const { reasoningDetails, faults } = streamed(content);
      expect(faults).toEqual([]);
      expect(reasoningDetails).toEqual(
        (chatMessage(content)['reasoning_details'] ?? []) as unknown[],
      );
    });
  }

  test("in OpenRouter's format", () => {
    expect(chatMessage([thinking('Hm'), redacted, text('42'), thinking('So')])).toEqual({
      role: 'assistant',
      content: '42',
      refusal: null,
      reasoning_content: 'HmSo',
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'Hm',
          signature: 'sig-Hm',
          format: 'anthropic-claude-v1',
          index: 0,
        },
        { type: 'reasoning.encrypted', data: 'EmwKAhgB', format: 'anthropic-claude-v1', index: 1 },
        {
          type: 'reasoning.text',
          text: 'So',
          signature: 'sig-So',
          format: 'anthropic-claude-v1',
          index: 2,
          after: { content: 2, tool_calls: 0 },
        },
      ],
    });
  });

  test("may return it under LiteLLM's name", () => {
    const chat = assistant({ content: '42', thinking_blocks: [thinking('Hm'), redacted] });
    expect(sentBack(chat)).toEqual([thinking('Hm'), redacted, text('42')]);
  });
});

describe('any order of thinking, text and calls', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => each.trim() !== '');
  const thought = fc.oneof(
    fc.tuple(fc.string({ unit: 'grapheme' }), words).map(([given, seal]) => thinking(given, seal)),
    fc.constant(redacted),
  );
  const group = fc.record({
    thoughts: fc.array(thought, { minLength: 1, maxLength: 3 }),
    said: fc.option(words.map(text)),
    calls: fc.nat(2),
  });
  /**
   * Generates answers in which a model thinks, writes text and calls tools, up to three times, and
   * does not end with thinking.
   */
  const content = fc
    .array(group, { minLength: 1, maxLength: 3 })
    .map((groups) =>
      groups.flatMap(({ thoughts, said, calls }, at) => [
        ...thoughts,
        ...(said === null ? [] : [said]),
        ...Array.from({ length: calls }, (_, each) => use(`toolu_${at}_${each}`)),
      ]),
    )
    .filter((blocks) => blocks.at(-1)?.type.includes('thinking') === false);

  test('is restored, streamed or not', () => {
    fc.assert(
      fc.property(content, (blocks) => {
        const chat = chatMessage(blocks);
        expect(sentBack(chat)).toEqual(blocks);
        const { reasoningDetails, faults } = streamed(blocks);
        expect(sentBack({ ...chat, reasoning_details: reasoningDetails })).toEqual(blocks);
        expect(faults).toEqual([]);
      }),
      { numRuns: 200, seed: 4 },
    );
  });
});

describe('a client that rebuilds messages and keeps the members of calls', () => {
  /**
   * Rebuilds a message as the AI SDK does, with only the reasoning text and the signature in each
   * call.
   */
  const rebuilt = (chat: JsonObject): JsonObject => {
    const { role, content, reasoning_content, tool_calls } = chat;
    return { role, content, reasoning_content, tool_calls };
  };

  for (const name of ['thinking before a call', 'thinking between calls']) {
    test(`returns ${name}`, () => {
      const content = ANSWERS[name] ?? [];
      const chat = rebuilt(chatMessage(content));
      expect(JSON.stringify(chat)).not.toContain('reasoning_details');
      expect(sentBack(chat)).toEqual([...content]);
    });
  }

  test('returns nothing if the text is not what was signed', () => {
    const chat = rebuilt(chatMessage([thinking('Hm'), use('a')]));
    for (const reasoning_content of ['Hm, hm', 'H', undefined]) {
      expect(sentBack({ ...chat, reasoning_content })).toEqual([use('a')]);
    }
  });

  test('may return signatures of other providers, which are ignored', () => {
    for (const thought_signature of ['CiQB', 'modelgate-1.', 'modelgate-1.bm8', 7]) {
      const foreign = {
        ...call('a', 'f', '{"n":1}'),
        extra_content: { google: { thought_signature } },
      };
      expect(sentBack(assistant({ content: null, tool_calls: [foreign] }))).toEqual([use('a')]);
    }
  });
});

describe('reasoning that cannot be sent back', () => {
  test('is shown, and dropped when a client returns it', () => {
    const chat = chatMessage([thinking('Hm', ''), text('42')]);
    expect(chat).toEqual({
      role: 'assistant',
      content: '42',
      refusal: null,
      reasoning_content: 'Hm',
    });
    expect(sentBack(chat)).toEqual([text('42')]);
    expect(streamed([thinking('Hm', ''), text('42')])).toMatchObject({
      reasoning: 'Hm',
      reasoningDetails: [],
    });
  });

  test('is that of other providers, and any without a signature', () => {
    const foreign = [
      { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'google-gemini-v1' },
      { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1' },
      { type: 'reasoning.summary', summary: 'Hm' },
      { type: 'reasoning.text', text: 'Hm', signature: '' },
      { type: 'reasoning.text', text: 'Hm' },
      { type: 'reasoning.encrypted', data: '' },
      null,
    ];
    expect(sentBack(assistant({ content: '42', reasoning_details: foreign }))).toEqual([
      text('42'),
    ]);
  });

  test('is thinking at the end of a turn, which upstreams refuse', () => {
    const cut = [text('One.'), thinking('Hm'), redacted];
    expect(sentBack(chatMessage(cut))).toEqual([text('One.')]);
    const only = assistant({ ...chatMessage([thinking('Hm')]), content: '' });
    const { messages } = messagesBody({ messages: [user('x'), only, user('y')] });
    expect(messages).toEqual([user([text('x'), text('y')])]);
  });

  test('is thinking longer than an event may be, although all of it is streamed', () => {
    const content = [
      thinking('x'.repeat(3_000), 's'),
      thinking('y'.repeat(3_000), 't'),
      text('42'),
    ];
    expect(streamed(content, 64 * 1024).reasoningDetails).toHaveLength(2);
    const { reasoning, reasoningDetails, faults } = streamed(content, 16 * 1024);
    expect(reasoning).toBe('x'.repeat(3_000) + 'y'.repeat(3_000));
    expect({ reasoningDetails, faults }).toEqual({ reasoningDetails: [], faults: [] });
  });
});
