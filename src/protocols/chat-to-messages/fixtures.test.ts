/** Translates every recorded Messages stream to chat, and checks it like a chat client. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import OpenAI from 'openai';
import { readChatStream } from '../chat-rules.fixture.ts';
import { passThrough, recorded } from '../messages/recorded-messages.fixture.ts';
import { chatStream } from './answer.fixture.ts';

const whole = recorded.names().filter((name) => name !== 'error');
const sent = (name: string, includeUsage = true) =>
  chatStream([recorded.upstreamBytes(name)], { includeUsage });

for (const name of whole) {
  test(`${name}: follows every rule of the protocol, with and without usage`, () => {
    for (const includeUsage of [true, false]) {
      const { text, ended } = sent(name, includeUsage);
      expect(ended).toBe(true);
      expect(readChatStream(text, { includeUsage }).faults).toEqual([]);
    }
  });

  test(`${name}: the official client reads it to the end`, async () => {
    const { text } = sent(name);
    const client = new OpenAI({
      apiKey: 'none',
      maxRetries: 0,
      fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
    });
    const completion = await client.chat.completions
      .stream({ model: 'gen-opus-4-8', messages: [{ role: 'user', content: 'hi' }] })
      .finalChatCompletion();
    const read = readChatStream(text, { includeUsage: true });
    const [choice] = completion.choices;
    expect(choice?.message.content).toBe(read.content);
    expect<string | undefined>(choice?.finish_reason).toBe(read.finishReason ?? 'none');
    const calls = (choice?.message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? { id: call.id, ...call.function } : null,
    );
    expect(
      calls.map((call) => ({ id: call?.id, name: call?.name, arguments: call?.arguments })),
    ).toEqual([...read.calls]);
    expect(completion.usage).toMatchObject({ ...read.usage });
  });
}

const says = (finishReason: string, content: string, more: object = {}) => ({
  finishReason,
  content,
  reasoning: '',
  calls: [] as string[],
  outputTokens: 0,
  ...more,
});

const SAYS: Readonly<Record<string, ReturnType<typeof says>>> = {
  text: says('stop', 'Hello, world.', { outputTokens: 6 }),
  cache: says('stop', 'ok', { outputTokens: 2 }),
  thinking: says('stop', '42', { reasoning: 'Let me see...', outputTokens: 31 }),
  'thinking-omitted': says('stop', '42', { outputTokens: 57 }),
  'tool-use': says('tool_calls', 'I will look.', {
    calls: ['toolu_01 get_time{"tz":"UTC"}'],
    outputTokens: 41,
  }),
  'parallel-tools': says('tool_calls', '', {
    calls: ['toolu_01 get_time{"tz":"UTC"}', 'toolu_02 ping{}'],
    outputTokens: 52,
  }),
  citations: says('stop', 'the grass is green', { outputTokens: 20 }),
  compaction: says('stop', '', { outputTokens: 3500 }),
  'server-tools': says('stop', 'Sunny.', { outputTokens: 90 }),
  refusal: says('content_filter', 'I', { outputTokens: 4 }),
  declined: says('content_filter', ''),
  fallback: says('stop', 'Part one.', { outputTokens: 299 }),
  unicode: says('stop', '你好,世界👩‍👩‍👧‍👦 é \u2028 "\\\n', { outputTokens: 17 }),
  crlf: says('stop', 'Hello', { outputTokens: 6 }),
  'several-deltas': says('stop', 'ab', { outputTokens: 9 }),
  rough: says('stop', 'Hi!'),
};

test('every stream has its expected content here', () => {
  expect(whole).toEqual(Object.keys(SAYS).sort());
});

for (const name of whole) {
  test(`${name}: keeps the upstream's content`, () => {
    const { usage, calls, finishReason, content, reasoning } = readChatStream(sent(name).text, {
      includeUsage: true,
    });
    expect<unknown>({
      finishReason,
      content,
      reasoning,
      calls: calls.map((call) => `${call.id} ${call.name}${call.arguments}`),
      outputTokens: usage?.['completion_tokens'],
    }).toEqual(SAYS[name]);
  });

  test(`${name}: has the same usage as for a Messages caller`, () => {
    const { finishReason: _, ...counted } = sent(name).facts;
    const { finishReason: __, ...native } = passThrough(recorded.upstreamBytes(name)).facts;
    expect(counted).toEqual(native);
  });
}

for (const name of recorded.names()) {
  test(`${name}: gives the same output in any pieces`, () => {
    const bytes = recorded.upstreamBytes(name);
    const { closing: _, ...inOne } = sent(name);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.byteLength), { maxLength: 40 }), (cuts) => {
        const ends = [0, ...cuts.sort((a, b) => a - b), bytes.byteLength];
        const pieces = ends.slice(1).map((end, at) => bytes.subarray(ends[at], end));
        const { closing: __, ...inPieces } = chatStream(pieces);
        expect(inPieces).toEqual(inOne);
      }),
      { numRuns: 25, seed: 4 },
    );
    const { closing: ___, ...inBytes } = chatStream(
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    );
    expect(inBytes).toEqual(inOne);
  });
}

test('error: sends what came before it and reports the error', () => {
  const { text, ended, facts } = sent('error');
  expect(text).toContain('"content":"Half an ans"');
  expect(ended).toBe(false);
  expect(facts.error?.type).toBe('overloaded_error');
});
