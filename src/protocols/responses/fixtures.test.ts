import { expect, test } from 'bun:test';
import OpenAI from 'openai';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import type { AnswerFacts } from '../dialect.ts';
import {
  FIXTURE_MODEL,
  openFixtureStream,
  passThrough,
  recorded,
} from './recorded-responses.fixture.ts';

const text = (name: string): string => Buffer.from(recorded.callerBytes(name)).toString();

const SERVED: Served = {
  ...NOTHING_SERVED,
  tier: 'priority',
  model: 'up-sol',
  responseId: 'resp_0a1b',
};
const RUNNING: Served = { ...SERVED, tier: null };
const facts = (
  usage: Partial<Usage> | null,
  outputBytes: number,
  finishReason: string | null,
  more: Partial<AnswerFacts> = {},
): AnswerFacts => ({
  usage: usage === null ? null : { ...NO_USAGE, ...usage },
  served: SERVED,
  outputBytes,
  finishReason,
  error: null,
  ...more,
});

const EXPECTED: Readonly<Record<string, AnswerFacts>> = {
  text: facts({ input: 24, cacheRead: 5, cacheWrite5m: 8, output: 11 }, 18, 'completed'),
  obfuscated: facts({ input: 9, output: 2 }, 3, 'completed'),
  crlf: facts({ input: 9, output: 2 }, 3, 'completed'),
  tools: facts({ input: 26, cacheRead: 64, output: 15, reasoning: 25 }, 30, 'completed'),
  incomplete: facts({ input: 9, output: 4, reasoning: 12 }, 7, 'max_output_tokens'),
  'no-usage': facts(null, 2, 'completed'),
  failed: facts({ input: 9, output: 18, reasoning: 12 }, 7, null, {
    served: RUNNING,
    error: { type: null, code: 'server_error', message: 'The server had an error.' },
  }),
  error: facts(null, 0, null, {
    served: RUNNING,
    error: { type: null, code: 'rate_limit_exceeded', message: 'Slow down.' },
  }),
  rough: facts({ input: 9, output: 2 }, 2, 'completed', { served: RUNNING }),
};
const BROKEN = ['error', 'failed'];

test('every fixture has its facts here', () => {
  expect(recorded.names()).toEqual(Object.keys(EXPECTED).sort());
});

for (const name of recorded.names()) {
  test(`${name}: gives exactly these bytes and facts`, () => {
    const passed = passThrough(recorded.upstreamBytes(name));
    expect(passed.text.split('\n')).toEqual(text(name).split('\n'));
    expect(passed.facts).toEqual(EXPECTED[name] as AnswerFacts);
    expect(passed.facts.error !== null).toBe(BROKEN.includes(name));
  });

  test(`${name}: gives the same bytes and facts cut at every byte`, () => {
    const bytes = recorded.upstreamBytes(name);
    const whole = passThrough(bytes);
    for (let cut = 1; cut < bytes.byteLength; cut++) {
      const passed = passThrough(bytes.subarray(0, cut), bytes.subarray(cut));
      if (passed.text !== whole.text) throw new Error(`cut at ${cut}: ${passed.text}`);
      expect(passed.facts).toEqual(whole.facts);
    }
  });

  test(`${name}: gives the same bytes and facts byte by byte`, () => {
    const bytes = recorded.upstreamBytes(name);
    const each = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(passThrough(...each)).toEqual(passThrough(bytes));
  });

  test(`${name}: is whole only with its last event, wherever it is cut off`, () => {
    const bytes = recorded.upstreamBytes(name);
    const pass = openFixtureStream();
    let end = 0;
    for (const byte of bytes) {
      if (pass.ended) break;
      expect(pass.facts.finishReason).toBeNull();
      pass.push(Uint8Array.of(byte));
      end += 1;
    }
    const [last = ''] = Buffer.from(bytes.subarray(0, end)).toString().split('data: ').slice(-1);
    expect(pass.ended).toBe(name !== 'error');
    expect(() => JSON.parse(last)).not.toThrow();
  });
}

for (const name of recorded.names().filter((each) => ![...BROKEN, 'rough'].includes(each))) {
  test(`${name}: reads a last event without its blank line`, () => {
    const whole = passThrough(recorded.upstreamBytes(name));
    const unterminated = Buffer.from(recorded.upstreamBytes(name)).toString().trimEnd();
    for (const end of ['', '\n', '\r', '\r\n']) {
      expect(passThrough(unterminated + end)).toEqual(whole);
    }
  });
}

const readWithClient = async (body: Uint8Array): Promise<OpenAI.Responses.Response> => {
  const client = new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () =>
      new Response(body.slice(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.responses.stream({ model: FIXTURE_MODEL, input: 'hi' }).finalResponse();
};

// The recording `rough` has no text deltas, which the official client needs.
for (const name of recorded.names().filter((each) => ![...BROKEN, 'rough'].includes(each))) {
  test(`${name}: the official client reads it to the end`, async () => {
    const response = await readWithClient(recorded.callerBytes(name));
    expect(response.model as string).toBe(FIXTURE_MODEL);
    expect(response.status).toBe(name === 'incomplete' ? 'incomplete' : 'completed');
    expect(response.usage).toMatchObject({ cost: 0.0001234 });
  });
}
