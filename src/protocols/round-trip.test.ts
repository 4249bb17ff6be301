/**
 * Tests that requests and answers keep their meaning when translated to another dialect and back.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../json/object.ts';
import { JsonScan } from '../json/scan.ts';
import { recorded as recordedChat } from './chat/recorded-chat.fixture.ts';
import { readChatStream } from './chat-rules.fixture.ts';
import { chatToMessages } from './chat-to-messages/translator.ts';
import { meaningOf, requests } from './conversations.fixture.ts';
import type { TextFormat } from './dialect.ts';
import { eventText, recorded as recordedMessages } from './messages/recorded-messages.fixture.ts';
import { messagesToChat } from './messages-to-chat/translator.ts';
import { NO_QUIRKS } from './quirks.ts';
import { FIXTURE_COST, passChunks } from './recorded-streams.fixture.ts';
import { NO_PLAN } from './request-fields.ts';
import type { PreparedRequest, StreamContext, Translator } from './translator.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const SEED = 4;

const context: StreamContext = {
  requestId: 'req_01JD',
  createdSeconds: 1_790_000_000,
  quirks: NO_QUIRKS,
  model: 'gen-opus-4-8',
  includeUsage: true,
  maxEventBytes: 1024 * 1024,
  estimatedInput: 10,
  response: null,
};

function prepared(translator: Translator, body: string): PreparedRequest {
  const bytes = encoder.encode(body);
  const scanned = new JsonScan({ maxDepth: 1_000 }).finish(bytes, bytes.byteLength);
  return translator.prepare(scanned, { maxOutput: 128_000 }, false);
}

function translated(translator: Translator, body: string, systemAnywhere = true): string {
  const quirks = { ...NO_QUIRKS, systemAnywhere };
  return decoder.decode(
    prepared(translator, body).bodyFor({
      model: 'up',
      quirks,
      clampedOutput: null,
      plan: NO_PLAN,
    }),
  );
}

const ASKED: Readonly<Record<TextFormat, string>> = {
  chat: '{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
  messages:
    '{"model":"m","max_tokens":9,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"Hi"}]}',
  responses: '{"model":"m","input":"Hi"}',
};
const answers = (translator: Translator): PreparedRequest =>
  prepared(translator, ASKED[translator.caller]);

const answered = (translator: Translator, answer: string): string =>
  answers(translator)
    .readAnswer(encoder.encode(answer), context)
    .write({ model: 'm', cost: FIXTURE_COST });

/**
 * Translates an answer's stream to the other dialect. The stream is split into chunks at the
 * positions in `cuts`.
 */
function streamed(
  translator: Translator,
  stream: string | Uint8Array,
  cuts: readonly number[] = [],
): string {
  const bytes = typeof stream === 'string' ? encoder.encode(stream) : stream;
  const ends = [
    0,
    ...cuts.map((cut) => cut % bytes.byteLength).sort((a, b) => a - b),
    bytes.byteLength,
  ];
  const pieces = ends.slice(1).map((end, at) => bytes.subarray(ends[at], end));
  const { text, ended, facts } = passChunks(answers(translator).openStream(context), pieces);
  expect({ ended, error: facts.error }).toEqual({ ended: true, error: null });
  return text;
}

const cutPlaces = fc.array(fc.nat(100_000), { maxLength: 30 });

/** Returns the values that a client reads from a chat stream, without ids and chunk boundaries. */
function said(stream: string): JsonObject {
  const {
    faults,
    calls,
    usage,
    reasoningDetails: _,
    ...rest
  } = readChatStream(stream, { includeUsage: true });
  expect(faults).toEqual([]);
  const { prompt_tokens, completion_tokens } = usage ?? {};
  return {
    ...rest,
    calls: calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) })),
    usage: { prompt_tokens, completion_tokens },
  };
}

describe('requests', () => {
  test('from chat to Messages and back mean the same', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const there = translated(chatToMessages, JSON.stringify(request));
        const back = JSON.parse(translated(messagesToChat, there));
        expect(meaningOf(back)).toEqual(meaningOf(request));
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  test('are accepted by an upstream with strict turns', () => {
    fc.assert(
      fc.property(requests, fc.boolean(), (request, systemAnywhere) => {
        const body = JSON.parse(
          translated(chatToMessages, JSON.stringify(request), systemAnywhere),
        );
        expect(turnFaults(body.messages, systemAnywhere)).toEqual([]);
      }),
      { numRuns: 200, seed: SEED },
    );
  });
});

type Turn = { readonly role: string; readonly content: readonly JsonObject[] };

/** Returns the rules of the Messages protocol that the turns break. */
function turnFaults(turns: readonly Turn[], systemAnywhere: boolean): readonly string[] {
  const faults: string[] = [];
  const must = (holds: boolean, sentence: string) => holds || faults.push(sentence);
  const ids = new Set<unknown>();
  let open: unknown[] = [];
  for (const [at, { role, content }] of turns.entries()) {
    const before = turns[at - 1]?.role;
    const after = turns[at + 1]?.role;
    must(content.length > 0, `turn ${at} is empty`);
    must(role !== before, `turn ${at} has the role of the turn before`);
    if (role === 'system') {
      must(systemAnywhere, 'a system turn goes to an upstream that knows none');
      must(
        before === 'user' && (after === undefined || after === 'assistant'),
        `system turn ${at} is misplaced`,
      );
      continue;
    }
    const results = content.filter(({ type }) => type === 'tool_result');
    must(
      content.slice(0, results.length).every((each) => results.includes(each)),
      'results do not come first',
    );
    const answered = results.map((each) => each['tool_use_id']);
    must(
      JSON.stringify(answered.sort()) === JSON.stringify(open.sort()),
      'calls and results differ',
    );
    open = content.flatMap((each) => (each['type'] === 'tool_use' ? [each['id']] : []));
    for (const id of open) {
      must(
        !ids.has(id) && /^[A-Za-z0-9_-]+$/.test(String(id)),
        `id ${id} comes twice, or is malformed`,
      );
      ids.add(id);
    }
  }
  return faults;
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const input = fc.dictionary(fc.string(), fc.oneof(fc.integer(), text), {
  maxKeys: 3,
  noNullPrototype: true,
});
const call = fc.record({ name: fc.stringMatching(/^[a-z_]{1,8}$/), input });
const generatedAnswer = fc.record({
  thinking: text,
  words: fc.array(text, { maxLength: 5 }),
  calls: fc.array(call, { maxLength: 3 }),
  isCut: fc.boolean(),
  inputTokens: fc.nat(10_000),
  outputTokens: fc.nat(10_000),
  cuts: cutPlaces,
});
type Generated = typeof generatedAnswer extends fc.Arbitrary<infer Value> ? Value : never;

const stopReason = ({ isCut, calls }: Generated): string =>
  isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
const usageOf = ({ inputTokens, outputTokens }: Generated) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
});

function messagesAnswer(answer: Generated): string {
  const { thinking, words, calls } = answer;
  const content = [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking, signature: 'sig' }]),
    ...words.map((each) => ({ type: 'text', text: each })),
    ...calls.map((each, at) => ({ type: 'tool_use', id: `toolu_${at}`, ...each })),
  ];
  return JSON.stringify({ content, stop_reason: stopReason(answer), usage: usageOf(answer) });
}

function messagesStream(answer: Generated): string {
  const { content, stop_reason, usage } = JSON.parse(messagesAnswer(answer));
  const blocks = (content as { type: string; [member: string]: unknown }[]).flatMap(
    (block, index) => {
      const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields });
      const empty = {
        text: { text: '' },
        thinking: { thinking: '', signature: '' },
        tool_use: { input: {} },
      };
      const json = JSON.stringify(block['input'] ?? {});
      const deltas = {
        text: [delta({ type: 'text_delta', text: block['text'] })],
        thinking: [
          delta({ type: 'thinking_delta', thinking: block['thinking'] }),
          delta({ type: 'signature_delta', signature: block['signature'] }),
        ],
        tool_use: [json.slice(0, 3), json.slice(3)].map((partial_json) =>
          delta({ type: 'input_json_delta', partial_json }),
        ),
      };
      const type = block.type as keyof typeof deltas;
      return [
        { type: 'content_block_start', index, content_block: { ...block, ...empty[type] } },
        ...deltas[type],
        { type: 'content_block_stop', index },
      ];
    },
  );
  const events = [
    { type: 'message_start', message: { content: [], usage: { ...usage, output_tokens: 0 } } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ];
  return events.map(eventText).join('');
}

describe('answers', () => {
  const meaning = (chat: string) => {
    const { choices, usage } = JSON.parse(chat);
    const {
      content,
      refusal,
      tool_calls: calls = [],
      reasoning_content: reasoning,
    } = choices[0].message;
    const { prompt_tokens, completion_tokens } = usage;
    return {
      content: content ?? '',
      refusal,
      reasoning,
      finishReason: choices[0].finish_reason,
      calls: calls.map((each: { function: object }) => each.function),
      usage: { prompt_tokens, completion_tokens },
    };
  };

  test('from Messages to chat, Messages and chat mean the same', () => {
    fc.assert(
      fc.property(generatedAnswer, (answer) => {
        const once = answered(chatToMessages, messagesAnswer(answer));
        const again = answered(chatToMessages, answered(messagesToChat, once));
        expect(meaning(again)).toEqual(meaning(once));
        expect(meaning(once)).toMatchObject({
          content: answer.words.join(''),
          calls: answer.calls.map((each) => ({
            name: each.name,
            arguments: JSON.stringify(each.input),
          })),
          usage: { prompt_tokens: answer.inputTokens, completion_tokens: answer.outputTokens },
        });
      }),
      { numRuns: 200, seed: SEED },
    );
  });
});

describe('streams', () => {
  test('from Messages to chat, Messages and chat mean the same', () => {
    fc.assert(
      fc.property(generatedAnswer, (answer) => {
        const once = streamed(chatToMessages, messagesStream(answer), answer.cuts);
        const again = streamed(
          chatToMessages,
          streamed(messagesToChat, once, answer.cuts),
          answer.cuts,
        );
        expect(said(again)).toEqual(said(once));
        expect(said(once)).toMatchObject({
          content: answer.words.join(''),
          reasoning: answer.thinking,
          calls: answer.calls,
          usage: { prompt_tokens: answer.inputTokens, completion_tokens: answer.outputTokens },
        });
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  test('have the same content as the non-streaming answer', () => {
    fc.assert(
      fc.property(generatedAnswer, (answer) => {
        const { choices } = JSON.parse(answered(chatToMessages, messagesAnswer(answer)));
        const { reasoning_details: details = [] } = choices[0].message;
        const read = readChatStream(streamed(chatToMessages, messagesStream(answer)), {
          includeUsage: true,
        });
        expect(read.reasoningDetails).toEqual(details);
        expect(read.finishReason).toBe(choices[0].finish_reason);
      }),
      { numRuns: 100, seed: SEED },
    );
  });

  for (const name of recordedMessages.names().filter((each) => each !== 'error')) {
    test(`recorded from Messages: ${name}`, () => {
      const once = streamed(chatToMessages, recordedMessages.upstreamBytes(name));
      const { refusal, ...answer } = said(once);
      const again = said(streamed(chatToMessages, streamed(messagesToChat, once)));
      // Messages has no field for the text of a refusal, so it comes back as content.
      expect(again).toEqual({ ...answer, content: `${answer['content']}${refusal}`, refusal: '' });
    });
  }

  /**
   * Streams that Messages cannot express: with an unknown finish reason, or with several choices.
   */
  const UNSAYABLE = ['error', 'error-text', 'two-choices', 'function-call'];
  for (const name of recordedChat.names().filter((each) => !UNSAYABLE.includes(each))) {
    test(`recorded from chat: ${name}`, () => {
      const once = streamed(
        chatToMessages,
        streamed(messagesToChat, recordedChat.upstreamBytes(name)),
      );
      const again = streamed(chatToMessages, streamed(messagesToChat, once));
      expect(said(again)).toEqual(said(once));
      const native = readChatStream(decoder.decode(recordedChat.callerBytes(name)), {
        includeUsage: true,
      });
      // In Messages, a refusal is ordinary text with a stop reason that only refusals have.
      expect(said(once)).toMatchObject({
        content: native.content + native.refusal,
        finishReason: native.refusal === '' ? native.finishReason : 'content_filter',
      });
    });
  }
});
