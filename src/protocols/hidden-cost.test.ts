/** Callers never get the price that an upstream reports, in any dialect. */
import { describe, expect, test } from 'bun:test';
import { readChatAnswer } from './chat/answer.ts';
import { openChatStream } from './chat/stream-pass.ts';
import type { StreamPass, TextAnswer } from './dialect.ts';
import { readEmbeddingsAnswer, writeEmbeddings } from './embeddings/answer.ts';
import { readMessagesAnswer } from './messages/answer.ts';
import { openMessagesStream } from './messages/stream-pass.ts';
import { NO_QUIRKS, type Quirks } from './quirks.ts';
import { FIXTURE_COST as cost, passChunks, STREAM_CONTEXT } from './recorded-streams.fixture.ts';
import { readResponsesAnswer } from './responses/answer.ts';
import { openResponsesStream } from './responses/stream-pass.ts';

type Json = Readonly<Record<string, unknown>>;

const quirks: Quirks = { ...NO_QUIRKS, reportedCost: { path: 'price.total', decimals: 0 } };
const COSTS = { price: { total: 7.5, currency: 'USD' }, estimated_cost: 7.5 };
const CHAT_USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, ...COSTS };
const USAGE = { input_tokens: 3, output_tokens: 2, ...COSTS };
const REPORTED = { served: { reportedCostPico: 7_500_000_000_000n } };

const bytes = (json: Json): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(json));

function expectHidden(text: string): void {
  expect(text).toContain('"cost":0.0001234');
  expect(text).not.toContain('price');
  expect(text).not.toContain('estimated_cost');
}

const choice = (part: Json): Json => ({
  id: 'c',
  model: 'up',
  choices: [{ index: 0, ...part, finish_reason: 'stop' }],
  usage: CHAT_USAGE,
});
const message = {
  type: 'message',
  model: 'up',
  content: [],
  stop_reason: 'end_turn',
  usage: USAGE,
};
const response = { id: 'r', status: 'completed', model: 'up', output: [], usage: USAGE };

describe('an answer', () => {
  const context = { requestId: 'req_01X', quirks };
  test.each<[string, () => TextAnswer]>([
    ['chat', () => readChatAnswer(bytes(choice({ message: { content: 'Hi' } })), context)],
    ['messages', () => readMessagesAnswer(bytes(message), context)],
    ['responses', () => readResponsesAnswer(bytes(response), context, new Map())],
  ])('%s', (_dialect, read) => {
    const { facts, write } = read();
    expect(facts).toMatchObject(REPORTED);
    expectHidden(String(write({ model: 'ours', cost })));
  });

  test('embeddings', async () => {
    const data = [{ index: 0, embedding: [0.5] }];
    const answer = await readEmbeddingsAnswer(bytes({ data, usage: CHAT_USAGE }), 1, quirks);
    if (answer.kind === 'error') throw new Error(answer.error.message);
    expect(answer).toMatchObject(REPORTED);
    const written = writeEmbeddings(answer, null, { model: 'ours', tokens: 3, cost });
    expectHidden(new TextDecoder().decode(written));
  });
});

describe('a stream', () => {
  const context = { ...STREAM_CONTEXT, quirks };
  const event = (json: Json): string =>
    `${'type' in json ? `event: ${json['type']}\n` : ''}data: ${JSON.stringify(json)}\n\n`;
  const delta = { stop_reason: 'end_turn' };
  const begun = { ...response, status: 'in_progress', usage: null };
  test.each<[string, StreamPass, string]>([
    [
      'chat',
      openChatStream(context),
      `${event(choice({ delta: { content: 'Hi' } }))}data: [DONE]\n\n`,
    ],
    [
      'messages',
      openMessagesStream(context),
      event({ type: 'message_start', message }) +
        event({ type: 'message_delta', delta, usage: USAGE }) +
        event({ type: 'message_delta', delta, usage: USAGE }) +
        event({ type: 'message_stop' }),
    ],
    [
      'responses',
      openResponsesStream({ ...context, echo: new Map() }),
      event({ type: 'response.created', sequence_number: 0, response: begun }) +
        event({ type: 'response.completed', sequence_number: 1, response }),
    ],
  ])('%s', (_dialect, pass, sent) => {
    const { text, facts, ended } = passChunks(pass, [sent]);
    expect(ended).toBe(true);
    expect(facts).toMatchObject(REPORTED);
    expectHidden(text);
  });
});
