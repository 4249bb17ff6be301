import { describe, expect, test } from 'bun:test';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST as cost } from '../recorded-streams.fixture.ts';
import { readResponsesAnswer } from './answer.ts';

const ECHO = new Map([['metadata', '{"a":"b"}']]);
const read = (text: string) =>
  readResponsesAnswer(new TextEncoder().encode(text), { quirks: NO_QUIRKS }, ECHO);
const factsOf = (json: unknown) => read(JSON.stringify(json)).facts;

const USAGE =
  '{"input_tokens":12,"input_tokens_details":{"cached_tokens":2,"cache_write_tokens":0},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":18,"future":1.0}';
const ANSWER = `{"id":"resp_1","status":"completed","error":null,"model": "up","output":[{"type":"message","content":[{"type":"output_text","text":"H\\u00e9 \\ud83d\\ude00"}]},{"type":"function_call","arguments":"{\\"a\\": 1}"}],"store":false,"metadata":{},"unknown":{"model":"up","n":1.50},"usage":${USAGE}}`;

describe('writing', () => {
  test('changes the model, the usage and repeated fields; all else keeps its bytes', () => {
    const written = read(ANSWER).write({ model: 'gen-6-sol', cost });
    const priced = `${USAGE.slice(0, -1)},"cost":0.0001234,"cost_exact":"0.000123400","cost_currency":"USD"}`;
    const expected = ANSWER.replace('"model": "up"', '"model": "gen-6-sol"')
      .replace('"metadata":{}', '"metadata":{"a":"b"}')
      .replace(USAGE, priced);
    expect(written).toBe(expected);
  });

  test('gives an answer without usage the counts that clients require', () => {
    for (const usage of ['', ',"usage":null', ',"usage":{}']) {
      const written = read(`{"output":[]${usage}}`).write({ model: 'gen-6-sol', cost });
      expect(JSON.parse(written)).toEqual({
        output: [],
        model: 'gen-6-sol',
        metadata: { a: 'b' },
        store: false,
        usage: {
          input_tokens: 0,
          input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
          output_tokens: 0,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 0,
          cost: 0.0001234,
          cost_exact: '0.000123400',
          cost_currency: 'USD',
        },
      });
    }
  });

  test('states the usage that was estimated and charged', () => {
    const estimated = { ...NO_USAGE, input: 6, cacheRead: 3, output: 4, reasoning: 5 };
    for (const usage of [null, { input_tokens: -1, output_tokens: 2, total_tokens: 1 }]) {
      const text = JSON.stringify({ output: [], usage });
      const written = read(text).write({ model: 'm', cost: { ...cost, estimated } });
      expect(JSON.parse(written).usage).toMatchObject({
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 18,
        cost: 0.0001234,
      });
    }
  });

  test("removes the operator's own price", () => {
    const usage = { input_tokens: 1, output_tokens: 1, cost: 9, cost_details: {} };
    const text = JSON.stringify({ output: [], usage });
    const written = read(text).write({ model: 'm', cost });
    expect(JSON.parse(written).usage).toMatchObject({ cost: 0.0001234 });
    expect(written).not.toContain('cost_details');
  });
});

describe('reading', () => {
  test('reports usage, output and how it was served', () => {
    expect(read(ANSWER).facts).toEqual({
      usage: { ...NO_USAGE, input: 10, cacheRead: 2, output: 5, reasoning: 1 },
      served: { ...NOTHING_SERVED, model: 'up', responseId: 'resp_1' },
      outputBytes: 16,
      finishReason: 'completed',
      error: null,
    });
  });

  test('an incomplete answer has its reason', () => {
    const json = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    expect(factsOf({ ...json, output: [] }).finishReason).toBe('content_filter');
    expect(factsOf({ status: 'incomplete', output: [] }).finishReason).toBe('incomplete');
  });

  test.each([
    [{ error: { type: 'server_error', code: 'x', message: 'Broken.' } }, 'Broken.'],
    [{ error: 'Broken.' }, 'Broken.'],
    [{ status: 'failed', output: [], error: { code: 'server_error', message: 'Bad.' } }, 'Bad.'],
    [{ status: 'failed', output: [], error: null }, 'without a message'],
    [{ status: 'cancelled', output: [] }, 'without a message'],
    [{ status: 'queued', output: [] }, 'has not ended'],
    [{ status: 'in_progress', output: [] }, 'has not ended'],
    [{ choices: [] }, 'not a response object'],
  ])('%j: is a failure, also with status 200', (json, message) => {
    expect(factsOf(json).error?.message).toContain(message);
  });

  test.each([
    '',
    '[]',
    '<html>',
    '{"output":[],"output":[]}',
    '{"output":[],"usage":{"a":1,"a":2}}',
  ])('%p: is not an answer', (text) => {
    expect(read(text).facts.error?.message).toContain('not a JSON object');
  });
});
