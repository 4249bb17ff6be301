/**
 * Tests that a Messages request keeps its meaning when it is translated to chat and back, and that
 * answers do too.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../json/object.ts';
import { JsonScan } from '../json/scan.ts';
import { chatToMessages } from './chat-to-messages/translator.ts';
import { eventText, recorded } from './messages/recorded-messages.fixture.ts';
import { meaningOf, requests } from './messages-conversations.fixture.ts';
import { brokenRules } from './messages-to-chat/messages-rules.fixture.ts';
import { messagesToChat } from './messages-to-chat/translator.ts';
import { NO_QUIRKS } from './quirks.ts';
import { FIXTURE_COST, type Passed, passChunks } from './recorded-streams.fixture.ts';
import { NO_PLAN } from './request-fields.ts';
import type { PreparedRequest, StreamContext, Translator } from './translator.ts';

const RUNS = { seed: 20_261_121, numRuns: 100 };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const context: StreamContext = {
  requestId: 'req_01JD',
  createdSeconds: 1_790_000_000,
  quirks: NO_QUIRKS,
  model: 'gen-v4-pro',
  includeUsage: true,
  maxEventBytes: 1024 * 1024,
  estimatedInput: 10,
  response: null,
};

function prepared(translator: Translator, body: unknown): PreparedRequest {
  const bytes = encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
  const scanned = new JsonScan({ maxDepth: 1_000 }).finish(bytes, bytes.byteLength);
  return translator.prepare(scanned, { maxOutput: 128_000 }, false);
}

const translated = (translator: Translator, body: unknown): string =>
  decoder.decode(
    prepared(translator, body).bodyFor({
      model: 'm',
      quirks: NO_QUIRKS,
      clampedOutput: null,
      plan: NO_PLAN,
    }),
  );

const asksChat = prepared(chatToMessages, { messages: [{ role: 'user', content: 'Hi' }] });
const asksMessages = prepared(messagesToChat, {
  messages: [{ role: 'user', content: 'Hi' }],
  thinking: { type: 'adaptive' },
});

test('a request translated to chat and back asks for the same', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const back = JSON.parse(translated(chatToMessages, translated(messagesToChat, request)));
      expect(meaningOf(back)).toEqual(meaningOf(request));
    }),
    RUNS,
  );
});

const text = fc.stringMatching(/^[a-zé🙂][ -~é🙂\n]{0,12}$/u);
const input = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 1 }),
  { maxKeys: 3 },
);
const count = fc.nat(10_000);

/** Generates answers like those of a model: with thinking, text and calls. */
const answers = fc.record({
  thinking: fc.option(text),
  words: fc.option(text),
  calls: fc.array(fc.record({ name: fc.constantFrom('f', 'g'), input }), { maxLength: 3 }),
  isCut: fc.boolean(),
  usage: fc.record({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});
type Answer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

const contentOf = ({ thinking, words, calls }: Answer, signature: string): JsonObject[] => [
  ...(thinking === null ? [] : [{ type: 'thinking', thinking, signature }]),
  ...(words === null ? [] : [{ type: 'text', text: words }]),
  ...calls.map((call, index) => ({ type: 'tool_use', id: `toolu_${index}`, ...call })),
];
const reasonOf = ({ calls, isCut }: Answer): string =>
  isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';

test('an answer translated to chat and back has the same content', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const given = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: contentOf(answer, 'sig'),
        stop_reason: reasonOf(answer),
        usage: answer.usage,
      };
      const finish = { model: 'm', cost: FIXTURE_COST };
      const chat = asksChat.readAnswer(encoder.encode(JSON.stringify(given)), context);
      const back = asksMessages.readAnswer(new TextEncoder().encode(chat.write(finish)), context);
      // The signature is lost, since chat has no field for it.
      expect(JSON.parse(back.write(finish))).toMatchObject({
        content: contentOf(answer, ''),
        stop_reason: reasonOf(answer),
        usage: answer.usage,
      });
      expect(back.facts.usage).toEqual(chat.facts.usage);
    }),
    RUNS,
  );
});

/**
 * Translates a Messages stream to chat and back. Each input is split into chunks at the positions
 * in `cuts`.
 */
function thereAndBack(stream: Uint8Array | string, cuts: readonly number[]): Passed {
  const there = passChunks(asksChat.openStream(context), pieces(stream, cuts));
  return passChunks(asksMessages.openStream(context), pieces(there.text, cuts));
}

function pieces(stream: Uint8Array | string, cuts: readonly number[]): readonly Uint8Array[] {
  const bytes = typeof stream === 'string' ? encoder.encode(stream) : stream;
  const places = cuts.map((cut) => cut % (bytes.byteLength + 1)).sort((a, b) => a - b);
  const ends = [0, ...places, bytes.byteLength];
  return ends.slice(1).map((end, at) => bytes.subarray(ends[at], end));
}

/** Returns the content of a stream as a client assembles it. */
function contentIn(stream: string): readonly JsonObject[] {
  const blocks: Record<string, unknown>[] = [];
  const written: string[] = [];
  for (const event of stream.split('\n\n').filter((each) => each !== '')) {
    const { type, content_block: block, delta } = JSON.parse(event.slice(event.indexOf('{')));
    if (type === 'content_block_start') {
      blocks.push(block);
      written.push('');
    }
    if (type === 'content_block_delta') {
      written[written.length - 1] += delta.text ?? delta.thinking ?? delta.partial_json ?? '';
    }
  }
  return blocks.map(({ citations: _, ...block }, at) => {
    const whole = written[at] ?? '';
    if (block['type'] === 'text') return { ...block, text: whole };
    if (block['type'] === 'thinking') return { ...block, thinking: whole };
    return { ...block, input: whole === '' ? {} : JSON.parse(whole) };
  });
}

describe('streams', () => {
  const cuts = fc.array(fc.nat(100_000), { maxLength: 20 });

  test('translated to chat and back, cut anywhere, have the same content', () => {
    fc.assert(
      fc.property(answers, cuts, (answer, at) => {
        const { text: back, ended, facts } = thereAndBack(streamOf(answer), at);
        expect([ended, facts.error, facts.finishReason]).toEqual([true, null, reasonOf(answer)]);
        expect(brokenRules(back, true)).toEqual([]);
        expect(contentIn(back)).toEqual(contentOf(answer, ''));
      }),
      RUNS,
    );
  });

  for (const name of recorded.names().filter((each) => each !== 'error' && each !== 'rough')) {
    test(`${name}, as recorded, follows the rules after the round trip`, () => {
      const { text: back, ended } = thereAndBack(recorded.upstreamBytes(name), []);
      expect(ended).toBe(true);
      expect(brokenRules(back, true)).toEqual([]);
    });
  }
});

function streamOf(answer: Answer): string {
  const { input_tokens, ...counts } = answer.usage;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage: { input_tokens, output_tokens: 0 },
  };
  const events = contentOf(answer, 'sig').flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message },
    ...events,
    { type: 'message_delta', delta: { stop_reason: reasonOf(answer) }, usage: counts },
    { type: 'message_stop' },
  ]
    .map(eventText)
    .join('');
}

function emptied(block: JsonObject): JsonObject {
  if (block['type'] === 'text') return { ...block, text: '' };
  if (block['type'] === 'thinking') return { ...block, thinking: '', signature: '' };
  return { ...block, input: {} };
}

/** Returns the deltas of a block, with each of its values split into two fragments. */
function deltasOf({
  type,
  text: words,
  thinking,
  signature,
  input: given,
}: JsonObject): JsonObject[] {
  if (type === 'text') {
    return halvesOf(String(words)).map((half) => ({ type: 'text_delta', text: half }));
  }
  if (type === 'thinking') {
    return [
      ...halvesOf(String(thinking)).map((half) => ({ type: 'thinking_delta', thinking: half })),
      { type: 'signature_delta', signature },
    ];
  }
  return halvesOf(JSON.stringify(given)).map((half) => ({
    type: 'input_json_delta',
    partial_json: half,
  }));
}

/** Splits a text into halves, but not within a character. */
function halvesOf(value: string): readonly string[] {
  const characters = [...value];
  const middle = Math.floor(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')];
}
