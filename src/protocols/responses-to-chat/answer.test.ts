/** Tests the content of responses, streamed or not. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { ANSWER_CONTEXT, FIXTURE_COST } from '../recorded-streams.fixture.ts';
import { brokenRules } from '../responses-rules.fixture.ts';
import {
  type Block,
  chatEvents,
  completion,
  fragment,
  message,
  messagesEvents,
  OVER_CHAT,
  OVER_MESSAGES,
  prepared,
  SEALS,
  TOOLS,
  translated,
  translatedWhole,
} from './answer.fixture.ts';

const SEED = { seed: 20_261_122 };
const fromChat = (message: JsonObject, more: JsonObject = {}, request = TOOLS): JsonObject =>
  translatedWhole(OVER_CHAT, completion(message, more), request).response();

const fromMessages = (content: readonly Block[], stop = 'end_turn', request = TOOLS): JsonObject =>
  translatedWhole(OVER_MESSAGES, message(content, stop), request).response();

const streamedEnd = (stream: ReturnType<typeof translated>): JsonObject =>
  asJsonObject(stream.events.at(-1)?.['response']) ?? {};

const itemsOf = (response: JsonObject): readonly JsonObject[] =>
  asArray(response['output']).map((item) => asJsonObject(item) ?? {});

const textOf = (item: JsonObject | undefined): unknown =>
  asArray(item?.['content']).map((part) => asJsonObject(part)?.['text']);

/** Returns the reasoning that the gateway signed and stored in an item's `encrypted_content`. */
const unsealed = (item: JsonObject | undefined) =>
  SEALS.unseal(String(item?.['encrypted_content']), 'input[0]');

const call = (id: string, name: string, args: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
  ...more,
});

describe('a non-streaming answer says the same as the stream', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1 });
  const names = fc.constantFrom('get_time', 'apply_patch', 'mcp__demo__add', 'tool_search');

  test('from chat', () => {
    const inputs = fc.array(fc.tuple(names, fc.dictionary(fc.string(), fc.string())), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.option(words), fc.option(words), inputs, (reasoning, text, calls) => {
        const tool_calls = calls.map(([name, input], at) =>
          call(`c${at}`, name, JSON.stringify(input)),
        );
        const whole = fromChat({ content: text, reasoning_content: reasoning, tool_calls });
        const stream = translated(OVER_CHAT, [
          chatEvents([
            ...(reasoning === null ? [] : [{ reasoning_content: reasoning }]),
            ...(text === null ? [] : [{ content: text }]),
            ...calls.map(([name, input], at) =>
              fragment(at, JSON.stringify(input), { id: `c${at}`, name }),
            ),
          ]),
        ]);
        expect(streamedEnd(stream)).toEqual(whole);
        expect(brokenRules(stream.text, true)).toEqual([]);
      }),
      SEED,
    );
  });

  test('from Messages, with blocks in any order', () => {
    const block: fc.Arbitrary<Block> = fc.oneof(
      words.map((text) => ({ type: 'text', text })),
      words.map((thinking) => ({ type: 'thinking', thinking, signature: 'EqQB' })),
      words.map((data) => ({ type: 'redacted_thinking', data })),
      fc.tuple(names, fc.dictionary(fc.string(), fc.string())).map(([name, input]) => ({
        type: 'tool_use',
        id: 'toolu_1',
        name,
        input,
      })),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (content) => {
        const stream = translated(OVER_MESSAGES, [messagesEvents(content)]);
        expect(streamedEnd(stream)).toEqual(fromMessages(content));
        expect(brokenRules(stream.text, true)).toEqual([]);
      }),
      SEED,
    );
  });
});

describe('reasoning', () => {
  test('of a chat server is a summary, and sealed as text', () => {
    const [item] = itemsOf(fromChat({ content: 'Hi', reasoning_content: 'Hm.' }));
    expect(item).toMatchObject({
      type: 'reasoning',
      id: 'rs_01JD_0',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    });
    expect(unsealed(item)).toEqual({ text: 'Hm.', details: [], calls: {} });
  });

  test('of Messages is one item for each block, which is sealed with its signature', () => {
    const items = itemsOf(
      fromMessages([
        { type: 'thinking', thinking: 'a', signature: 's1' },
        { type: 'redacted_thinking', data: 'Emw' },
        { type: 'text', text: 'Hi' },
        { type: 'thinking', thinking: 'b', signature: 's2' },
      ]),
    );
    expect(items.map(({ type, summary }) => [type, asArray(summary).length])).toEqual([
      ['reasoning', 1],
      ['reasoning', 0],
      ['message', 0],
      ['reasoning', 1],
    ]);
    const format = 'anthropic-claude-v1';
    expect(items.filter(({ type }) => type === 'reasoning').map((item) => unsealed(item))).toEqual(
      [
        { type: 'reasoning.text', text: 'a', signature: 's1', format, index: 0 },
        { type: 'reasoning.encrypted', data: 'Emw', format, index: 0 },
        { type: 'reasoning.text', text: 'b', signature: 's2', format, index: 0 },
      ].map((detail) => ({ text: '', details: [detail], calls: {} })),
    );
  });

  test('with details of a chat server is sealed with them, joined from their fragments', () => {
    const detail = (text: string, more: JsonObject = {}): JsonObject => ({
      reasoning_details: [{ type: 'reasoning.text', text, format: 'f', index: 0, ...more }],
    });
    const stream = translated(OVER_CHAT, [
      chatEvents([
        { reasoning: 'I ', ...detail('I ') },
        { reasoning: 'think.', ...detail('think.', { signature: null }) },
        detail('', { signature: 'sig', format: null }),
        { content: 'Hi' },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'late', index: 1 }] },
      ]),
    ]);
    const items = itemsOf(streamedEnd(stream));
    expect(items.map(({ type }) => type)).toEqual(['reasoning', 'message', 'reasoning']);
    expect(unsealed(items[0])?.details).toEqual([
      { type: 'reasoning.text', text: 'I think.', format: 'f', index: 0, signature: 'sig' },
    ]);
    expect(unsealed(items[2])?.details).toEqual([
      { type: 'reasoning.encrypted', data: 'late', index: 1 },
    ]);
  });

  test('whose details arrive within the text does not divide the text', () => {
    const late = [null, 'no detail', { type: 'reasoning.encrypted', data: 'late' }];
    const stream = translated(OVER_CHAT, [
      chatEvents([{ content: 'a' }, { reasoning_details: late }, { content: 'b' }]),
    ]);
    const [text, reasoning] = itemsOf(streamedEnd(stream));
    expect(textOf(text)).toEqual(['ab']);
    expect(unsealed(reasoning)?.details).toEqual([{ type: 'reasoning.encrypted', data: 'late' }]);
  });

  test('has the signature that a maker puts on a call, since clients drop it there', () => {
    const extra = { google: { thought_signature: 'AbC' } };
    const message = { tool_calls: [call('c1', 'get_time', '{}', { extra_content: extra })] };
    const stream = translated(OVER_CHAT, [
      chatEvents([fragment(0, '{}', { id: 'c1', name: 'get_time', extra })]),
    ]);
    for (const response of [fromChat(message), streamedEnd(stream)]) {
      const [reasoning, tool] = itemsOf(response);
      expect(unsealed(reasoning)).toEqual({ text: '', details: [], calls: { c1: extra } });
      expect(reasoning?.['summary']).toEqual([]);
      expect(tool).toMatchObject({ type: 'function_call', call_id: 'c1' });
    }
  });

  test('is not delivered to a caller who switched it off', () => {
    const request = { reasoning: { effort: 'none' } };
    const blocks = [
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'redacted_thinking', data: 'Emw' },
      { type: 'text', text: 'Hi' },
    ];
    const details = { reasoning_details: [{ type: 'reasoning.text', text: 'a' }] };
    for (const response of [
      fromChat({ content: 'Hi', reasoning_content: 'a', ...details }, {}, request),
      fromMessages(blocks, 'end_turn', request),
    ]) {
      expect(itemsOf(response).map(({ type }) => type)).toEqual(['message']);
    }
  });
});

describe('text', () => {
  test('has the log probabilities that were asked for', () => {
    const token = { token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] };
    const bare = { token: '!', logprob: -1, top_logprobs: [{ token: '?', logprob: -2 }] };
    const expected = [
      token,
      {
        ...bare,
        bytes: [],
        top_logprobs: [{ token: '?', logprob: -2, bytes: [] }],
      },
    ];
    const logprobs = { content: [token, bare] };
    const whole = fromChat({ content: 'Hi!' }, { logprobs });
    expect(itemsOf(whole)).toMatchObject([{ content: [{ logprobs: expected }] }]);
    const choice = { index: 0, delta: { content: 'Hi!' }, logprobs };
    const chunk = `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
    const stream = translated(OVER_CHAT, [chunk + chatEvents([])]);
    expect(itemsOf(streamedEnd(stream))).toMatchObject([{ content: [{ logprobs: expected }] }]);
    const delta = stream.events.find(({ type }) => type === 'response.output_text.delta');
    expect(delta?.['logprobs']).toEqual(expected);
  });

  test('has those of blank tokens at its start too', () => {
    const tokens = ['\n', ' ', 'Hi'].map((token) => ({ token, logprob: -1, bytes: [] }));
    const chunks = tokens.map((token) => {
      const choice = { index: 0, delta: { content: token.token }, logprobs: { content: [token] } };
      return `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
    });
    const stream = translated(OVER_CHAT, [chunks.join('') + chatEvents([])]);
    expect(itemsOf(streamedEnd(stream))).toMatchObject([
      { content: [{ text: '\n Hi', logprobs: tokens }] },
    ]);
  });

  test('has citations with their place, and leaves out those without', () => {
    const citation = { start_index: 0, end_index: 2, url: 'https://a.example', title: 'A' };
    const annotations = [
      { type: 'url_citation', url_citation: citation },
      { type: 'url_citation', url_citation: { url: 'https://b.example' } },
    ];
    const expected = [{ type: 'url_citation', ...citation }];
    expect(itemsOf(fromChat({ content: 'Hi', annotations }))).toMatchObject([
      { content: [{ annotations: expected }] },
    ]);
    const stream = translated(OVER_CHAT, [chatEvents([{ content: 'Hi' }, { annotations }])]);
    const added = stream.events.find(({ type }) => type.endsWith('annotation.added'));
    expect(added).toMatchObject({ annotation_index: 0, annotation: expected[0] });
    expect(brokenRules(stream.text, true)).toEqual([]);
  });

  test('of Messages has the citations of each block, with their place in the message', () => {
    const web = (url: string) => ({ type: 'web_search_result_location', url, title: 'T' });
    const text = (words: string, ...citations: JsonObject[]): Block => ({
      type: 'text',
      text: words,
      citations,
    });
    const content = [
      text('One. '),
      text('Two.', web('https://a.example'), web('https://b.example')),
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      text('Three.', web('https://c.example'), { type: 'page_location', document_index: 0 }),
    ];
    const note = (url: string, start_index: number, end_index: number): JsonObject => ({
      type: 'url_citation',
      start_index,
      end_index,
      title: 'T',
      url,
    });
    const whole = fromMessages(content);
    expect(itemsOf(whole)).toMatchObject([
      {
        content: [
          { annotations: [note('https://a.example', 5, 9), note('https://b.example', 5, 9)] },
        ],
      },
      { type: 'reasoning' },
      { content: [{ text: 'Three.', annotations: [note('https://c.example', 0, 6)] }] },
    ]);
    const stream = translated(OVER_MESSAGES, [messagesEvents(content)]);
    expect(streamedEnd(stream)).toEqual(whole);
    expect(brokenRules(stream.text, true)).toEqual([]);
  });

  test('and a refusal are parts of one message', () => {
    const response = fromChat({ content: 'Well.', refusal: 'No.' });
    expect(itemsOf(response)).toMatchObject([
      {
        content: [
          { type: 'output_text', text: 'Well.' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ]);
    const stream = translated(OVER_CHAT, [chatEvents([{ content: 'Well.' }, { refusal: 'No.' }])]);
    expect(streamedEnd(stream)).toEqual(response);
    expect(brokenRules(stream.text, true)).toEqual([]);
  });

  test('that a Messages server refused is incomplete', () => {
    expect(fromMessages([{ type: 'text', text: 'I' }], 'refusal')).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
  });

  test('longer than may be kept ends the stream with a failure', () => {
    const long = 'x'.repeat(600);
    const block = { type: 'text', text: long };
    const limits = { maxEventBytes: 1_000 };
    for (const { facts } of [
      translated(OVER_CHAT, [chatEvents([{ content: long }, { content: long }])], limits),
      translated(OVER_MESSAGES, [messagesEvents([block, block])], limits),
    ]) {
      expect(facts.error?.message).toBe('The answer of the upstream is longer than the limit.');
    }
  });
});

test('texts of one answer are items in the order of the model', () => {
  const items = itemsOf(
    fromMessages([
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'get_time', input: {} },
      { type: 'text', text: 'b' },
    ]),
  );
  expect(items.map(({ type }) => type)).toEqual(['message', 'function_call', 'message']);
  expect([textOf(items[0]), textOf(items[2])]).toEqual([['a'], ['b']]);
});

test('quirks of the server are honored: reasoning under another name', () => {
  const quirks = { ...NO_QUIRKS, reasoningFields: ['thoughts'] };
  const bytes = new TextEncoder().encode(JSON.stringify(completion({ thoughts: 'Hm.' })));
  const { write } = prepared(OVER_CHAT).readAnswer(bytes, { ...ANSWER_CONTEXT, quirks });
  const [item] = itemsOf(JSON.parse(write({ model: 'm', cost: FIXTURE_COST })));
  expect(item).toMatchObject({ type: 'reasoning', summary: [{ text: 'Hm.' }] });
});

test.each(['', 'call_1'])('calls of a complete message with the same id %j are separate', (id) => {
  const calls = [call(id, 'f', '{}'), call(id, 'f', ''), call(id, 'g', '"x"'), call(id, 'h', '5')];
  const items = itemsOf(fromChat({ content: null, tool_calls: calls }));
  const written = items.map(({ name, arguments: json }) => `${name} ${json}`);
  expect(written).toEqual(['f {}', 'f {}', 'g "x"', 'h 5']);
  expect(new Set(items.map((item) => item['call_id'])).size).toBe(4);
});
