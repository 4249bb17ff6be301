import { expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import type { AnswerFacts } from '../dialect.ts';
import { passThrough, recorded } from './recorded-messages.fixture.ts';

const text = (name: string): string => Buffer.from(recorded.callerBytes(name)).toString();

const tokens = { ...NO_USAGE, input: 12, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
const SERVED: Served = {
  ...NOTHING_SERVED,
  tier: 'standard',
  model: 'up-opus',
  responseId: 'msg_01',
};
const NO_TIER: Served = { ...SERVED, tier: null };
const facts = (
  output: number,
  outputBytes: number,
  finishReason: string | null,
  more: Partial<AnswerFacts> = {},
): AnswerFacts => ({
  usage: { ...tokens, output },
  served: SERVED,
  outputBytes,
  finishReason,
  error: null,
  ...more,
});

const EXPECTED: Readonly<Record<string, AnswerFacts>> = {
  text: facts(6, 13, 'end_turn'),
  cache: facts(2, 2, 'end_turn', {
    served: NO_TIER,
    usage: {
      ...NO_USAGE,
      input: 300,
      cacheRead: 600,
      cacheWrite5m: 40,
      cacheWrite1h: 60,
      output: 2,
    },
  }),
  thinking: facts(2, 15, 'end_turn', { usage: { ...tokens, output: 2, reasoning: 29 } }),
  'thinking-omitted': facts(57, 2, 'end_turn'),
  'tool-use': facts(41, 24, 'tool_use'),
  'parallel-tools': facts(52, 12, 'tool_use'),
  citations: facts(20, 18, 'end_turn'),
  compaction: facts(3500, 15, 'compaction', {
    served: {
      ...SERVED,
      rounds: [
        { model: null, usage: { ...NO_USAGE, input: 180_000, cacheRead: 20_000, output: 3500 } },
      ],
    },
    usage: {
      ...NO_USAGE,
      input: 180_012,
      cacheRead: 20_000,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output: 3500,
    },
  }),
  'server-tools': facts(90, 25, 'end_turn', {
    usage: { ...tokens, input: 2500, output: 90 },
    served: { ...SERVED, uses: { web_search: 1 } },
  }),
  refusal: facts(4, 1, 'refusal'),
  declined: facts(0, 0, 'refusal', { usage: NO_USAGE }),
  fallback: facts(264, 9, 'end_turn', {
    usage: { ...NO_USAGE, input: 820, cacheWrite1h: 60, output: 299 },
    served: {
      ...SERVED,
      speed: 'fast',
      geo: 'us',
      model: 'up-haiku',
      uses: { web_search: 2, web_fetch: 1 },
      rounds: [
        {
          model: 'up-opus',
          usage: { ...NO_USAGE, input: 408, cacheWrite1h: 60, output: 35 },
        },
      ],
    },
  }),
  error: facts(1, 11, null, {
    error: { type: 'overloaded_error', code: null, message: 'Overloaded' },
  }),
  unicode: facts(17, 49, 'end_turn'),
  crlf: facts(6, 5, 'end_turn'),
  'several-deltas': facts(9, 2, 'end_turn'),
  rough: facts(0, 3, 'end_turn', { usage: null, served: NO_TIER }),
};

test('every fixture has its facts here', () => {
  expect(recorded.names()).toEqual(Object.keys(EXPECTED).sort());
});

for (const name of recorded.names()) {
  test(`${name}: gives exactly these bytes and facts`, () => {
    const passed = passThrough(recorded.upstreamBytes(name));
    expect(passed.text).toBe(text(name));
    expect(passed.facts).toEqual(EXPECTED[name] as AnswerFacts);
    expect(passed.ended).toBe(name !== 'error');
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
}

for (const name of recorded.names().filter((each) => !['error', 'rough'].includes(each))) {
  test(`${name}: reads a last event without its blank line`, () => {
    const whole = passThrough(recorded.upstreamBytes(name));
    const unterminated = Buffer.from(recorded.upstreamBytes(name)).toString().trimEnd();
    for (const end of ['', '\n', '\r', '\r\n']) {
      expect(passThrough(unterminated + end)).toEqual(whole);
    }
    expect(passThrough(unterminated.slice(0, -1)).ended).toBe(false);
  });
}

const readWithClient = async (body: Uint8Array): Promise<Anthropic.Message> => {
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () =>
      new Response(body.slice(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return await client.messages
    .stream({ model: 'gen-opus-4-8', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] })
    .finalMessage();
};

for (const name of recorded.names().filter((each) => each !== 'error')) {
  test(`${name}: the official client reads it to the end`, async () => {
    const message = await readWithClient(recorded.callerBytes(name));
    expect(message.model).toBe('gen-opus-4-8');
    expect(message.stop_reason as string | null).toBe(EXPECTED[name]?.finishReason ?? null);
  });
}

test('rough: the official client reads the repaired text', async () => {
  const { content } = await readWithClient(recorded.callerBytes('rough'));
  expect(content).toEqual([{ type: 'text', text: 'Hi!' }] as typeof content);
});
