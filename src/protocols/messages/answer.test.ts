import { describe, expect, test } from 'bun:test';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST as cost } from '../recorded-streams.fixture.ts';
import { readMessagesAnswer } from './answer.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const write = (text: string): string =>
  readMessagesAnswer(bytes(text), { quirks: NO_QUIRKS }).write({ model: 'gen-opus-4-8', cost });
const read = (json: unknown) =>
  readMessagesAnswer(bytes(JSON.stringify(json)), { quirks: NO_QUIRKS }).facts;

const USAGE = '{"input_tokens":12, "output_tokens":6,"future":1.0}';
const ANSWER = `{"id":"msg_01","type":"message","model": "up","content":[{"type":"text","text":"H\\u00e9 \\ud83d\\ude00"}],"stop_reason":"end_turn","unknown":{"model":"up","n":1.50},"usage":${USAGE}}`;

describe('writing', () => {
  test('changes model and usage; every other member keeps its bytes', () => {
    const written = write(ANSWER);
    const [head = '', tail = ''] = ANSWER.replace('"model": "up"', '"model": "gen-opus-4-8"').split(
      USAGE,
    );
    expect(written).toStartWith(head);
    expect(written).toEndWith(tail);
    expect(JSON.parse(written).usage).toEqual({
      input_tokens: 12,
      output_tokens: 6,
      future: 1,
      cost: 0.0001234,
      cost_exact: '0.000123400',
      cost_currency: 'USD',
    });
    expect(written).toContain('"future":1.0,');
  });

  test.each([['{"content":[]}'], ['{"content":[],"usage":null}']])(
    '%s: adds usage and cost to an answer without counts',
    (text) => {
      expect(JSON.parse(write(text))).toEqual({
        content: [],
        model: 'gen-opus-4-8',
        usage: {
          input_tokens: 0,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 0,
          cost: 0.0001234,
          cost_exact: '0.000123400',
          cost_currency: 'USD',
        },
      });
    },
  );
});

test('writes usage that has a key twice, since the answer is charged by then', () => {
  const usage = '{"input_tokens":1,"input_tokens":12,"output_tokens":6,"cost":0.5}';
  expect(JSON.parse(write(ANSWER.replace(USAGE, usage))).usage).toEqual({
    ...{ input_tokens: 12, output_tokens: 6, cost: 0.0001234 },
    ...{ cost_exact: '0.000123400', cost_currency: 'USD' },
  });
});

describe('reading', () => {
  test('reports usage and stop reason', () => {
    expect(readMessagesAnswer(bytes(ANSWER), { quirks: NO_QUIRKS }).facts).toEqual({
      usage: { ...NO_USAGE, input: 12, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 6 },
      served: { ...NOTHING_SERVED, model: 'up', responseId: 'msg_01' },
      outputBytes: 8,
      finishReason: 'end_turn',
      error: null,
    });
  });

  test('counts text, thinking and tool arguments as output, not search results', () => {
    const content = [
      { type: 'thinking', thinking: 'abc', signature: 'long signature' },
      { type: 'text', text: 'de' },
      { type: 'tool_use', id: 'toolu_01', name: 'x', input: { a: 1 } },
      { type: 'web_search_tool_result', content: [{ encrypted_content: 'x'.repeat(500) }] },
    ];
    expect(read({ type: 'message', content })).toMatchObject({ usage: null, outputBytes: 12 });
  });

  test('counts text beyond what validation reads', () => {
    const content = [{ type: 'text', text: 'x'.repeat(50_000) }];
    expect(read({ content }).outputBytes).toBe(50_000);
  });

  test.each([
    [{ type: 'error', error: { type: 'api_error', message: 'Broke' } }, 'api_error'],
    [{ error: { message: 'Broke' } }, null],
  ])('reports %j in a 200 as an error', (json, type) => {
    expect(read(json)).toEqual({
      usage: null,
      served: NOTHING_SERVED,
      outputBytes: 0,
      finishReason: null,
      error: { type, code: null, message: 'Broke' },
    });
  });

  test.each([
    ['<html>'],
    ['[]'],
    [''],
    ['{"content":'],
    ['{}'],
    ['{"content":"x"}'],
    ['{"a":tru}'],
  ])('rejects %p with upstream_failed', (text) => {
    expect(() => readMessagesAnswer(bytes(text), { quirks: NO_QUIRKS })).toThrow(
      expect.objectContaining({ code: 'upstream_failed' }),
    );
  });
});
