import { expect, test } from 'bun:test';
import OpenAI from 'openai';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import type { AnswerFacts, ReportedError } from '../dialect.ts';
import { passThrough, recorded } from './recorded-chat.fixture.ts';

const usage = (input: number, output: number, more: Partial<Usage> = {}): Usage => ({
  ...NO_USAGE,
  input,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output,
  ...more,
});
const facts = (
  counted: Usage | null,
  outputBytes: number,
  finishReason: string | null,
  error: ReportedError | null = null,
  model = 'vendor-model-2026-05',
): AnswerFacts => ({
  usage: counted,
  served: { ...NOTHING_SERVED, model, responseId: 'chatcmpl-9' },
  outputBytes,
  finishReason,
  error,
});

/**
 * The expected facts of each recorded stream, counted by hand. `outputBytes` is the length of all
 * model output in UTF-8.
 */
const EXPECTED: Readonly<Record<string, AnswerFacts>> = {
  text: facts(usage(10, 10, { cacheRead: 4, cacheWrite5m: 5 }), 16, 'stop'),
  'same-model': facts(usage(19, 10), 21, 'stop', null, 'gen-v4-pro'),
  tool: facts(usage(50, 21), 12, 'tool_calls'),
  'parallel-tools': facts(usage(80, 42), 14, 'tool_calls'),
  'repeated-tool-ids': facts(usage(80, 42), 14, 'tool_calls'),
  'two-choices': facts(usage(7, 8), 16, 'stop'),
  reasoning: facts(usage(3, 5, { cacheRead: 6, reasoning: 7 }), 21, 'stop'),
  refusal: facts(usage(30, 4), 14, 'stop'),
  unicode: facts(usage(5, 9), 50, 'stop'),
  'unicode-escaped': facts(usage(5, 9), 24, 'stop'),
  obfuscated: facts(usage(5, 3), 8, 'stop'),
  logprobs: facts(usage(5, 2), 2, 'stop'),
  'running-usage': facts(usage(11, 3), 2, 'stop'),
  'no-usage': facts(null, 9, 'stop'),
  'zero-usage': facts(usage(0, 0), 4, 'stop'),
  'upstream-cost': facts(usage(5, 6), 0, 'stop'),
  'filter-results': facts(usage(3, 1), 5, 'stop'),
  'function-call': facts(usage(5, 6), 7, 'function_call'),
  error: facts(null, 6, null, {
    type: 'server_error',
    code: 'server_error',
    message: 'The server had an error',
  }),
  'error-text': facts(null, 0, null, { type: null, code: null, message: 'model crashed' }),
  crlf: facts(usage(19, 10), 16, 'stop'),
  cr: facts(usage(19, 10), 16, 'stop'),
  rough: facts(usage(8, 5), 38, 'stop'),
};
const isFailure = (name: string): boolean => name.startsWith('error');

test('every fixture has its facts here', () => {
  expect(recorded.names()).toEqual(Object.keys(EXPECTED).sort());
});

for (const name of recorded.names()) {
  const whole = passThrough([recorded.upstreamBytes(name)]);

  test(`${name}: gives exactly these bytes and facts`, () => {
    expect(whole.text).toBe(Buffer.from(recorded.callerBytes(name)).toString());
    expect(whole.facts).toEqual(EXPECTED[name] as AnswerFacts);
    expect(whole.ended).toBe(!isFailure(name));
  });

  test(`${name}: gives the same bytes and facts cut at every byte`, () => {
    const bytes = recorded.upstreamBytes(name);
    for (let cut = 1; cut < bytes.byteLength; cut++) {
      const passed = passThrough([bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (passed.text !== whole.text) throw new Error(`cut at ${cut}: ${passed.text}`);
      expect(passed.facts).toEqual(whole.facts);
    }
  });

  test(`${name}: gives the same bytes and facts byte by byte`, () => {
    expect(
      passThrough(Array.from(recorded.upstreamBytes(name), (byte) => Uint8Array.of(byte))),
    ).toEqual(whole);
  });
}

for (const name of recorded.names().filter((each) => !isFailure(each) && each !== 'rough')) {
  test(`${name}: reads an end mark without its blank line`, () => {
    const whole = passThrough([recorded.upstreamBytes(name)]);
    const unterminated = Buffer.from(recorded.upstreamBytes(name)).toString().trimEnd();
    for (const end of ['', '\n', '\r', '\r\n']) {
      expect(passThrough([unterminated + end])).toEqual(whole);
    }
    expect(passThrough([unterminated.slice(0, -1)]).ended).toBe(false);
  });
}

const readWithClient = async (body: Uint8Array): Promise<OpenAI.ChatCompletion> => {
  const client = new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () =>
      new Response(body.slice(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.chat.completions
    .stream({ model: 'gen-v4-pro', messages: [{ role: 'user', content: 'hi' }] })
    .finalChatCompletion();
};

for (const name of recorded.names().filter((each) => !isFailure(each))) {
  test(`${name}: the official client reads it to the end`, async () => {
    const completion = await readWithClient(recorded.callerBytes(name));
    expect(completion.model).toBe('gen-v4-pro');
    expect(completion.usage).toMatchObject({ cost_exact: '0.000123400', cost_currency: 'USD' });
    expect(completion.choices.map((choice) => choice.message.role)).toEqual(
      completion.choices.map(() => 'assistant'),
    );
    expect(completion.choices[0]?.finish_reason as string).toBe(EXPECTED[name]?.finishReason ?? '');
  });
}

test('the official client assembles repaired tool calls correctly', async () => {
  const { choices } = await readWithClient(recorded.callerBytes('repeated-tool-ids'));
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_a', type: 'function', function: { name: 'get_time', arguments: '{"tz":"UTC"}' } },
    { id: 'call_b', type: 'function', function: { name: 'ping', arguments: '{}' } },
  ]);
});
