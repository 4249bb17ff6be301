import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '../clock.fixture.ts';
import type { Clock } from '../clock.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { JsonObject } from './body-fields.ts';
import { asList, at, builtinCaller, joinChat, joinMessages } from './builtin-caller.fixture.ts';
import { createBuiltinUpstream } from './builtin-upstream.ts';

const user = (content: unknown): JsonObject => ({ role: 'user', content });
const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};

const requests = fc.record({
  text: fc.constantFrom(
    'Hello',
    'Count to 30',
    'What is the weather in Paris?',
    '北京的天气怎么样？',
    'Say exactly "a 👍 b 𠮷 c"',
    'Tell me a long story about “quotes”, \\ and\nlines\u2028',
  ),
  maxTokens: fc.integer({ min: 1, max: 120 }),
  stop: fc.subarray(['a', ' the', '13', '。', 'I', '👍'], { maxLength: 3 }),
  withTools: fc.boolean(),
  effort: fc.constantFrom(null, 'low', 'max'),
  schema: fc.constantFrom(null, weather),
  count: fc.integer({ min: 1, max: 3 }),
});
type Request = typeof requests extends fc.Arbitrary<infer R> ? R : never;

function chatBody({
  text,
  maxTokens,
  stop,
  withTools,
  effort,
  schema,
  count,
}: Request): JsonObject {
  return {
    model: 'gen-v4-pro',
    messages: [{ role: 'system', content: 'Be kind.' }, user(text)],
    max_completion_tokens: maxTokens,
    n: count,
    ...(stop.length > 0 ? { stop } : {}),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...(withTools
      ? { tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather } }] }
      : {}),
    ...(schema === null
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 's', schema } } }),
  };
}

function messagesBody({ text, maxTokens, stop, withTools, effort, schema }: Request): JsonObject {
  return {
    model: 'gen-opus-4-8',
    system: 'Be kind.',
    messages: [user(text)],
    max_tokens: maxTokens,
    stop_sequences: stop,
    ...(effort === null ? {} : { thinking: { type: 'adaptive' } }),
    output_config: {
      effort,
      ...(schema === null ? {} : { format: { type: 'json_schema', schema } }),
    },
    ...(withTools ? { tools: [{ name: 'get_weather', input_schema: weather }] } : {}),
  };
}

describe('any request', () => {
  test('chat: the joined stream equals the non-streaming answer, usage included', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { json, events } = builtinCaller();
        const body = chatBody(request);
        const whole = await json('chat', body);
        const streamed = joinChat(
          await events('chat', { ...body, stream_options: { include_usage: true } }),
        );
        expect(streamed['usage']).toEqual(whole['usage']);
        const choices = asList(whole['choices']).map(({ logprobs: _, message, ...choice }) => ({
          ...choice,
          // An answer without content has `content: null` if it is non-streaming. The joined chunks
          // of a stream give an empty string instead.
          message: { ...(message as JsonObject), content: at(message, 'content') ?? '' },
        }));
        expect(streamed['choices']).toEqual(choices);
      }),
      { seed: 5, numRuns: 150 },
    );
  });

  test('messages: the joined stream equals the non-streaming answer, usage included', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { json, events } = builtinCaller();
        const body = messagesBody(request);
        expect(joinMessages(await events('messages', body))).toEqual(await json('messages', body));
      }),
      { seed: 6, numRuns: 150 },
    );
  });

  test('honors max_tokens and stop sequences and reports which one ended the answer', async () => {
    const { json } = builtinCaller();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const chat = await json('chat', chatBody(request));
        const messages = await json('messages', messagesBody(request));
        expect(Number(at(messages, 'usage.output_tokens'))).toBeLessThanOrEqual(request.maxTokens);
        expect(Number(at(chat, 'usage.completion_tokens'))).toBeLessThanOrEqual(
          request.maxTokens * request.count,
        );
        const texts = [
          ...asList(chat['choices']).map((choice) => at(choice, 'message.content')),
          ...asList(messages['content']).map((block) => block['text']),
        ];
        for (const text of texts) {
          for (const stop of request.stop) expect(String(text ?? '').includes(stop)).toBe(false);
        }
        if (messages['stop_reason'] === 'stop_sequence') {
          expect(request.stop).toContain(String(messages['stop_sequence']));
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('both protocols and count_tokens count a conversation alike', async () => {
    const { json } = builtinCaller();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const bare = { ...request, withTools: false };
        const { max_tokens: _, stop_sequences: __, ...counted } = messagesBody(bare);
        const { input_tokens: count } = await json('count_tokens', counted);
        expect(at(await json('chat', chatBody(bare)), 'usage.prompt_tokens')).toBe(count);
        expect(at(await json('messages', messagesBody(bare)), 'usage.input_tokens')).toBe(count);
      }),
      { seed: 8, numRuns: 30 },
    );
  });

  test('the same request gets the same answer, ids included; only created differs', async () => {
    const [one, other] = [builtinCaller(), builtinCaller()];
    other.clock.advance(5_000);
    const body = {
      model: 'm',
      messages: [user('weather in Rome')],
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather } }],
    };
    const first = await one.json('chat', body);
    expect(await other.json('chat', body)).toEqual({
      ...first,
      created: Number(first['created']) + 5,
    });
    expect((await one.json('chat', { ...body, seed: 7 }))['id']).not.toBe(first['id']);
  });
});

const requestOf = (body: JsonObject): UpstreamRequest => ({
  format: 'chat',
  body: new TextEncoder().encode(JSON.stringify(body)),
  stream: true,
  headers: {},
  scope: 'me',
  traceparent: null,
  connectMs: null,
  firstByteMs: null,
  signal: new AbortController().signal,
  abort: () => {},
});

describe('streams', () => {
  const body = { model: 'm', stream: true, messages: [user('Count to 200')] };

  test('are paced by the configured rate, token by token', async () => {
    const { send, clock } = builtinCaller(10);
    const response = await send('chat', body);
    const reader = response.body?.getReader();
    const head = await reader?.read();
    expect(new TextDecoder().decode(head?.value)).toContain('"role":"assistant"');
    let isThere = false;
    const next = reader?.read().then(() => {
      isThere = true;
    });
    clock.advance(99);
    await Promise.resolve();
    expect(isThere).toBe(false);
    clock.advance(1);
    await next;
    expect(isThere).toBe(true);
    await reader?.cancel();
  });

  test('end at once with the reason of an abort, even while waiting', async () => {
    const { send } = builtinCaller(1);
    const abort = new AbortController();
    const response = await send('chat', body, { signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    const waiting = reader?.read();
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(send('chat', body, { signal: abort.signal })).rejects.toThrow('gone');
  });

  test('stop when the reader cancels and leave no timer', async () => {
    const clock = manualClock();
    let timers = 0;
    const counting: Clock = {
      ...clock,
      after: (delayMs, run) => {
        timers += 1;
        const timer = clock.after(delayMs, run);
        return {
          cancel: () => {
            timers -= 1;
            timer.cancel();
          },
        };
      },
    };
    const upstream = createBuiltinUpstream({
      name: 'b',
      clock: counting,
      tokensPerSecond: () => 1,
    });
    const response = await upstream.send(requestOf(body));
    const reader = response.body?.getReader();
    await reader?.read();
    expect(timers).toBe(1);
    await reader?.cancel();
    expect(timers).toBe(0);
    expect((await reader?.read())?.done).toBe(true);
  });

  test('wait for a reader that does not read', async () => {
    let asked = 0;
    const upstream = createBuiltinUpstream({
      name: 'builtin',
      clock: manualClock(),
      tokensPerSecond: () => {
        asked += 1;
        return 0;
      },
    });
    const response = await upstream.send(requestOf(body));
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    expect(asked).toBeLessThan(50);
    await response.text();
    expect(asked).toBeGreaterThan(300);
  });
});

describe('hostile schemas get an answer', () => {
  const { send } = builtinCaller();
  const nested = (depth: number): JsonObject =>
    depth === 0
      ? { type: 'string', minLength: 1e9 }
      : { type: 'array', minItems: 1e9, uniqueItems: true, items: nested(depth - 1) };
  const both = [{ $ref: '#' }, { $ref: '#' }];
  const cases: Readonly<Record<string, JsonObject>> = {
    'a schema that is all of itself twice': {
      allOf: both,
      anyOf: both,
      oneOf: both,
      not: { $ref: '#' },
    },
    'endless required properties': {
      properties: { a: { $ref: '#' }, b: { $ref: '#' } },
      required: ['a', 'b'],
    },
    'lists of lists of a milliard': nested(8),
    'a pattern that never ends': {
      type: 'array',
      minItems: 200,
      items: { type: 'string', pattern: '^((a|a)+)+$' },
    },
    'a hundred thousand required names': {
      required: Array.from({ length: 100_000 }, (_, index) => `r${index}`),
      allOf: both,
    },
    'thousands of properties, joined with themselves': {
      properties: Object.fromEntries(
        Array.from({ length: 4_000 }, (_, index) => [`name_${index}`, { type: 'string' }]),
      ),
      allOf: both,
    },
    'names of the object prototype': {
      type: 'object',
      properties: { a: { type: 'string', format: 'constructor' }, b: { format: '__proto__' } },
      required: ['a', 'b', '__proto__', 'toString'],
      constructor: { x: 1 },
      allOf: [JSON.parse('{"__proto__":{"x":2},"constructor":3,"toString":4}') as JsonObject],
    },
    'an enum of a hundred thousand': {
      enum: Array.from({ length: 100_000 }, (_, index) => `v${index}`),
    },
    'a deep wall of alternatives': Array.from({ length: 12 }).reduce<JsonObject>(
      (inner) => ({ anyOf: [inner, inner, { type: 'null' }] }),
      { type: 'string', pattern: '^b$' },
    ),
  };
  const text = `${'a'.repeat(3000)} "${'a'.repeat(200)}b" ${'( '.repeat(500)} ${'1+'.repeat(300)} say ${' '.repeat(3000)}`;
  test.each(Object.entries(cases))('%s', async (_, schema) => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const response = await send('chat', {
      model: 'm',
      n: 128,
      messages: [user(text)],
      response_format,
    });
    expect([200, 400]).toContain(response.status);
  });
});
