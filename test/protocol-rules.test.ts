/**
 * Tests the fifteen rules in section 0 of the protocol reference over HTTP. A gateway that violates
 * one of them breaks client libraries. `keep-alive.test.ts` tests the keep-alives of rule 4.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { TIME_TOOL, WEATHER_MESSAGES_TOOL, WEATHER_TOOL } from './support/samples.ts';
import {
  chatChunk,
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import {
  ask,
  at,
  CHAT,
  eventsOf,
  get,
  hello,
  IMAGES,
  listAt,
  MESSAGES,
  payloads,
  read,
} from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const user = (content: string) => [{ role: 'user', content }];
const streamed = { stream: true };
const chatStreams = async (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await ask(gateway, CHAT, { ...hello.chat, ...streamed, ...more })).text;
const messagesStreams = async (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await ask(gateway, MESSAGES, { ...hello.messages, ...streamed, ...more })).text;
const fromUpstream = async (path: typeof CHAT | typeof MESSAGES, pieces: readonly string[]) => {
  upstream.script(() => eventStream(pieces));
  const isChat = path === CHAT;
  const body = isChat
    ? { ...hello.chat, model: 'scripted-chat' }
    : { ...hello.messages, model: 'scripted-messages' };
  return await ask(gateway, path, { ...body, ...streamed });
};
/** Returns one stream of each kind that the built-in models can produce. */
const allStreams = async (): Promise<readonly string[]> =>
  await Promise.all([
    chatStreams(),
    chatStreams({ n: 3, stream_options: { include_usage: true } }),
    chatStreams({ reasoning_effort: 'high' }),
    chatStreams({
      messages: user('Call get_weather and get_time for Paris'),
      tools: [WEATHER_TOOL, TIME_TOOL],
    }),
    messagesStreams(),
    messagesStreams({ thinking: { type: 'adaptive' } }),
    messagesStreams({
      messages: user('Use get_weather for Paris'),
      tools: [WEATHER_MESSAGES_TOOL],
    }),
  ]);

test('rule 1: a request without `stream` gets no stream', async () => {
  for (const accept of ['application/json', '*/*']) {
    for (const [path, body] of [
      [CHAT, hello.chat],
      [CHAT, { ...hello.chat, stream: null }],
      [CHAT, { ...hello.chat, stream: false }],
      [MESSAGES, hello.messages],
      [IMAGES, hello.image],
    ] as const) {
      const answer = await ask(gateway, path, body, { accept, 'user-agent': 'node' });
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.text).toStartWith('{');
    }
  }
});

test('rule 2: stream: true returns a stream, whatever the Accept header', async () => {
  for (const [path, body] of [
    [CHAT, hello.chat],
    [MESSAGES, hello.messages],
  ] as const) {
    const answer = await ask(
      gateway,
      path,
      { ...body, ...streamed },
      { accept: 'application/json' },
    );
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(eventsOf(answer.text).length).toBeGreaterThan(5);
  }
});

test('rule 3: every JSON answer has the JSON content type, errors included', async () => {
  const answers = await Promise.all([
    ask(gateway, CHAT, hello.chat),
    ask(gateway, MESSAGES, hello.messages),
    ask(gateway, `${MESSAGES}/count_tokens`, hello.messages),
    ask(gateway, IMAGES, hello.image),
    get(gateway, '/v2/models'),
    get(gateway, '/v1/models/gen-v4-pro'),
    get(gateway, '/v1/credits'),
    get(gateway, '/nowhere'),
    ask(gateway, CHAT, '{'),
    ask(gateway, MESSAGES, {}),
    ask(gateway, CHAT, hello.chat, { authorization: null }),
  ]);
  for (const { headers, text } of answers) {
    expect(headers.get('content-type')).toMatch(/^application\/json(?:;charset=utf-8)?$/);
    expect(JSON.parse(text)).toBeObject();
  }
});

describe('rule 4: no id, no retry, no event without data, no empty data', () => {
  const isSafe = (text: string): boolean =>
    text.split('\n\n').every((frame) => /^$|^: ping$|^(?:event: [a-z_]+\n)?data: .+$/.test(frame));

  test('in any stream of the built-in models', async () => {
    for (const text of await allStreams()) expect(isSafe(text)).toBe(true);
  });

  test('even when the upstream sends them', async () => {
    const [first = '', ...rest] = chatStream('Hi');
    const rough = [
      'retry: 500\n\n',
      `id: 7\n${first}`,
      'event: ping\n\n',
      'data:\n\n',
      ': note\n\n',
      ...rest,
    ];
    const { text } = await fromUpstream(CHAT, rough);
    expect(isSafe(text)).toBe(true);
    expect(payloads(text).map((chunk) => at(chunk, 'choices.0.delta.content'))).toContain('Hi');
  });
});

test('rule 5: no byte order mark, and the last event ends with a blank line', async () => {
  for (const text of await allStreams()) {
    expect(text.charCodeAt(0)).not.toBe(0xfeff);
    expect(text).toEndWith('\n\n');
    expect(text).not.toContain('\r');
  }
  const chat = chatStream('Hi').join('').trimEnd();
  const overChat = await fromUpstream(CHAT, [`\ufeff${chat}`]);
  expect(overChat.text).toMatch(/^data: \{[\s\S]*\n\ndata: \[DONE\]\n\n$/);
  const messages = [messageStart, messageWords('Hi'), messageEnd].join('').trimEnd();
  const overMessages = await fromUpstream(MESSAGES, [`\ufeff${messages.replaceAll('\n', '\r\n')}`]);
  expect(overMessages.text).toMatch(/^event: message_start\n[\s\S]*"message_stop"\}\n\n$/);
  expect(overMessages.text).not.toContain('\r');
});

test('rule 6: the end mark of chat is exactly data: [DONE]', async () => {
  const own = await chatStreams();
  expect(own.match(/\[DONE\]/g)).toEqual(['[DONE]']);
  expect(own).toEndWith('}\n\ndata: [DONE]\n\n');
  const pieces = chatStream('Hi').with(-1, 'data: [DONE] \n\n');
  expect((await fromUpstream(CHAT, pieces)).text).toEndWith('}\n\ndata: [DONE]\n\n');
});

test('rule 7: each Messages event is named by its type, and [DONE] never appears', async () => {
  for (const text of [
    await messagesStreams(),
    await messagesStreams({ thinking: { type: 'adaptive' } }),
  ]) {
    for (const { name, data } of eventsOf(text)) expect(at(JSON.parse(data), 'type')).toBe(name);
    expect(text).not.toContain('[DONE]');
  }
  const nameless = [messageStart, messageWords('Hi'), messageEnd]
    .join('')
    .replaceAll(/^event: .*\n/gm, '');
  const events = eventsOf((await fromUpstream(MESSAGES, [nameless])).text);
  expect(events.map(({ name }) => name)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
});

describe('rule 8: later fragments of a tool call carry only index and arguments', () => {
  const fragments = (text: string): readonly unknown[] =>
    payloads(text).flatMap((chunk) => {
      const calls = at(chunk, 'choices.0.delta.tool_calls');
      return Array.isArray(calls) ? calls : [];
    });
  const isRight = (found: readonly unknown[]): void => {
    const begun = new Set<unknown>();
    for (const fragment of found) {
      const index = at(fragment, 'index');
      const { length } = JSON.stringify(fragment);
      if (!begun.has(index)) {
        begun.add(index);
        expect(fragment).toMatchObject({ type: 'function', id: expect.stringMatching(/^\S+$/) });
        expect(at(fragment, 'function.name')).toBeString();
      } else {
        const text = at(fragment, 'function.arguments');
        expect(length).toBe(JSON.stringify({ index, function: { arguments: text } }).length);
      }
    }
  };

  test('from the built-in models', async () => {
    const text = await chatStreams({
      messages: user('Call get_weather and get_time for Paris'),
      tools: [WEATHER_TOOL, TIME_TOOL],
    });
    const found = fragments(text);
    expect(found.length).toBeGreaterThan(3);
    isRight(found);
  });

  test('from an upstream that repeats them, or sends null', async () => {
    const piece = (more: Readonly<Record<string, unknown>>, words: string, name: unknown = 'f') =>
      chatChunk({ tool_calls: [{ index: 0, ...more, function: { name, arguments: words } }] });
    const { text } = await fromUpstream(CHAT, [
      chatChunk({ role: 'assistant', content: null }),
      piece({ id: 'call_1', type: 'function' }, ''),
      piece({ id: 'call_1', type: 'function' }, '{"city":'),
      piece({ id: null, type: null }, '"Paris"', null),
      piece({ id: '' }, '}', ''),
      chatChunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ]);
    const found = fragments(text);
    isRight(found);
    expect(found.map((each) => at(each, 'function.arguments')).join('')).toBe('{"city":"Paris"}');
  });
});

test('rule 9: an ordinary chunk has no error key', async () => {
  for (const text of await allStreams()) {
    for (const payload of payloads(text)) expect(payload).not.toHaveProperty('error');
  }
  const pieces = [
    chatChunk({ role: 'assistant', content: '' }, null, { error: null }),
    chatChunk({ content: 'Hi' }, null, { error: null }),
    chatChunk({}, 'stop', { error: null }),
    'data: [DONE]\n\n',
  ];
  const { text } = await fromUpstream(CHAT, pieces);
  expect(text).toContain('"Hi"');
  expect(text).not.toContain('"error"');
});

test('rule 10: message_start and message_delta have usage; blocks start empty', async () => {
  const all = payloads(
    (await messagesStreams({ thinking: { type: 'adaptive' } })) +
      (await messagesStreams({
        messages: user('Use get_weather for Paris'),
        tools: [WEATHER_MESSAGES_TOOL],
      })),
  );
  const ofType = (type: string) => all.filter((event) => at(event, 'type') === type);
  for (const start of ofType('message_start')) {
    expect(at(start, 'message.content')).toEqual([]);
    expect(at(start, 'message.usage')).toMatchObject({
      input_tokens: expect.any(Number),
      output_tokens: 0,
    });
  }
  for (const delta of ofType('message_delta'))
    expect(at(delta, 'usage.output_tokens')).toBeGreaterThan(0);
  const blocks = ofType('content_block_start').map((start) => at(start, 'content_block'));
  const empties = {
    text: ['text', ''],
    thinking: ['thinking', ''],
    tool_use: ['input', {}],
  } as const;
  for (const [type, [member, empty]] of Object.entries(empties)) {
    const block = blocks.find((each) => at(each, 'type') === type);
    expect([type, at(block, member)]).toEqual([type, empty]);
  }
});

test('rule 11: the chunk without choices is sent only when usage was requested', async () => {
  const bare = (text: string) =>
    payloads(text).filter((chunk) => listAt(chunk, 'choices').length === 0);
  for (const more of [{}, { stream_options: null }, { stream_options: { include_usage: false } }]) {
    const text = await chatStreams(more);
    expect(bare(text)).toEqual([]);
    expect(text).not.toContain('"usage"');
  }
  const text = await chatStreams({ stream_options: { include_usage: true } });
  const [usage, ...more] = bare(text);
  expect(more).toEqual([]);
  expect(at(usage, 'usage.total_tokens')).toBeGreaterThan(0);
  expect(payloads(text).at(-1)).toEqual(usage);
  const others = payloads(text).slice(0, -1);
  expect(others.every((chunk) => at(chunk, 'usage') === null)).toBe(true);
  // The gateway always requests the usage, because the charge depends on it. The caller gets the
  // usage only on request.
  const relayed = await fromUpstream(CHAT, chatStream('Hi'));
  expect(at(upstream.calls.at(-1)?.body, 'stream_options.include_usage')).toBe(true);
  expect(bare(relayed.text)).toEqual([]);
});

test('rule 12: an error that a retry cannot fix has x-should-retry: false', async () => {
  const poor = { authorization: `Bearer ${await newAccountKey(gateway, null)}` };
  const refused = await Promise.all([
    ask(gateway, CHAT, hello.chat, { authorization: 'Bearer sk-bad' }),
    ask(gateway, MESSAGES, hello.messages, { authorization: 'Bearer sk-bad' }),
    ask(gateway, CHAT, hello.chat, poor),
    ask(gateway, MESSAGES, hello.messages, poor),
    ask(gateway, IMAGES, hello.image, poor),
    ask(gateway, CHAT, { ...hello.chat, model: 'none' }),
    ask(gateway, CHAT, '{'),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 402, 402, 402, 404, 400]);
  expect(refused.map(({ headers }) => headers.get('x-should-retry'))).toEqual(
    refused.map(() => 'false'),
  );
});

test('rule 13: either credential, either version, ?beta=true and any beta list', async () => {
  const bearer = { authorization: `Bearer ${gateway.key}` };
  const header = { authorization: null, 'x-api-key': gateway.key };
  for (const credential of [bearer, header, { ...bearer, 'x-api-key': gateway.key }]) {
    for (const version of ['2023-06-01', '2026-10-21', null]) {
      const headers = {
        ...credential,
        'anthropic-version': version,
        'anthropic-beta': 'no-such-beta-2031-01-01, context-management-2025-06-27',
      };
      const answer = await ask(gateway, `${MESSAGES}?beta=true`, hello.messages, headers);
      expect([answer.status, answer.at('type')]).toEqual([200, 'message']);
    }
  }
  expect((await ask(gateway, CHAT, hello.chat, header)).status).toBe(200);
});

test('rule 14: errors have the body of the protocol of their path', async () => {
  const chat = await ask(gateway, CHAT, { ...hello.chat, temperature: 'hot' });
  expect(JSON.parse(chat.text)).toEqual({
    error: {
      message: expect.stringContaining('temperature'),
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'invalid_value',
    },
  });
  const messages = await ask(gateway, MESSAGES, { ...hello.messages, max_tokens: 'many' });
  expect(JSON.parse(messages.text)).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringContaining('max_tokens') },
    request_id: messages.headers.get('request-id'),
  });
  const unknown = await read(await fetch(`${gateway.url}/v1/unknown`));
  expect(JSON.parse(unknown.text)).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error', message: expect.any(String), code: 'unknown_url' },
  });
});

test('rule 15: unknown fields are accepted everywhere', async () => {
  const extra = { x_future: { deep: [1, null] }, provider: { channel: 'direct', hue: 'blue' } };
  const answers = await Promise.all([
    ask(gateway, CHAT, { ...hello.chat, ...extra }),
    ask(gateway, CHAT, { ...hello.chat, ...extra, ...streamed }),
    ask(gateway, MESSAGES, { ...hello.messages, ...extra }),
    ask(gateway, `${MESSAGES}/count_tokens`, { ...hello.messages, ...extra }),
    ask(gateway, IMAGES, { ...hello.image, ...extra }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
