import { afterEach, describe, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { NO_QUIRKS, type Quirks } from '../protocols/quirks.ts';
import {
  createAnthropicUpstream,
  createOpenAiUpstream,
  createResponsesUpstream,
} from '../upstreams/adapters.ts';
import { Egress } from '../upstreams/egress.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import { listenRaw } from '../upstreams/raw-server.fixture.ts';
import { checkUpstream } from './upstream-check.ts';

const KEY = 'sk-canary-0123456789';

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

function listen(answer: (body: Record<string, unknown>, path: string) => Response): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => answer(await request.json(), new URL(request.url).pathname),
  });
  closing.push(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

const PROTOCOLS = {
  openai: { create: createOpenAiUpstream, format: 'chat' },
  anthropic: { create: createAnthropicUpstream, format: 'messages' },
  responses: { create: createResponsesUpstream, format: 'responses' },
} as const;
type Setup = {
  readonly protocol?: keyof typeof PROTOCOLS;
  readonly quirks?: Partial<Quirks>;
};
function check(baseUrl: string, { protocol = 'openai', quirks: own = {} }: Setup = {}) {
  const clock = systemClock;
  const quirks = { ...NO_QUIRKS, ...own };
  const options = {
    ...{
      name: 'there',
      baseUrl,
      clock,
      quirks,
      fields: PLAIN_FIELDS,
      apiKey: new Secret(KEY),
      signIn: null,
      headers: {},
    },
    egress: new Egress({ name: 'there', baseUrl, allowPrivate: true, isProxied: false, clock }),
    ...{ connectTimeoutMs: 10_000, firstByteTimeoutMs: 10_000 },
  };
  const { create, format } = PROTOCOLS[protocol];
  return checkUpstream({ upstream: create(options), model: 'm-1', quirks, format, baseUrl }, clock);
}

const sse = (...events: string[]): Response =>
  new Response(events.map((event) => `${event}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
const refused = (status: number, error: unknown): Response => Response.json({ error }, { status });

const CHAT = [
  'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}],"usage":null}',
  'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":4}}',
  'data: [DONE]',
];
const MESSAGES = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1,"cache_read_input_tokens":3}}}',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}',
  'event: message_stop\ndata: {"type":"message_stop"}',
];
const RESPONSES = [
  'event: response.created\ndata: {"type":"response.created","response":{"error":null,"usage":null}}',
  'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","error":null,"output":[],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":3},"output_tokens":2}}}',
];

describe('an upstream that works', () => {
  test('over chat completions reports times, usage and no problem', async () => {
    let asked: Record<string, unknown> = {};
    const url = listen((body) => {
      asked = body;
      return sse(...CHAT);
    });
    const quirks = { maxTokensField: 'max_completion_tokens', drop: ['seed'] } as const;
    const found = await check(`${url}/v1`, { quirks });
    expect(asked).toEqual({
      model: 'm-1',
      messages: [{ role: 'user', content: 'Say ok.' }],
      max_completion_tokens: 16,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(found).toMatchObject({
      format: 'chat',
      status: 200,
      problem: null,
      raw: null,
      usage: { input: 6, cacheRead: 4, output: 2 },
    });
    expect(found.firstByteMs).toBeGreaterThanOrEqual(found.statusMs ?? Number.NaN);
  });

  test('omits fields that a server does not know', async () => {
    let asked: Record<string, unknown> = {};
    const url = listen((body) => {
      asked = body;
      return sse(...CHAT);
    });
    await check(`${url}/v1`, { quirks: { streamOptions: false } });
    expect(Object.keys(asked)).toEqual(['model', 'messages', 'max_tokens', 'stream']);
  });

  test('over Responses reports the same, and stores nothing', async () => {
    let asked: Record<string, unknown> = {};
    const url = listen((body, path) => {
      asked = { path, ...body };
      return sse(...RESPONSES);
    });
    expect(await check(`${url}/v1`, { protocol: 'responses' })).toMatchObject({
      format: 'responses',
      problem: null,
      usage: { input: 6, cacheRead: 3, output: 2 },
    });
    expect(asked).toEqual({
      path: '/v1/responses',
      model: 'm-1',
      input: [{ role: 'user', content: 'Say ok.' }],
      max_output_tokens: 16,
      store: false,
      stream: true,
    });
  });

  test('over Messages reports the same', async () => {
    const url = listen((_body, path) =>
      path === '/v1/messages' ? sse(...MESSAGES) : refused(404, 'no'),
    );
    expect(await check(url, { protocol: 'anthropic' })).toMatchObject({
      format: 'messages',
      problem: null,
      usage: { input: 9, cacheRead: 3, output: 5 },
    });
  });
});

describe('an upstream that fails is described in plain words', () => {
  test.each([
    [
      401,
      { message: `Incorrect API key provided: ${KEY}` },
      'The server refused the key. Check api_key',
    ],
    [402, { message: 'Insufficient Balance' }, 'Our account at the provider has no balance'],
    [
      429,
      { message: 'no', code: 'insufficient_quota' },
      'Our account at the provider has no balance',
    ],
    [403, { message: 'not in your country' }, 'Our account at the provider lacks the permission.'],
    [
      404,
      { message: 'no', code: 'model_not_found' },
      'The server has no model "m-1". Check the name',
    ],
    [
      429,
      { message: 'slow down' },
      'The server is overloaded, or our rate limit there is used up.',
    ],
    [400, { message: 'temperature?' }, 'The server says that it refused the request.'],
    [500, { message: 'boom' }, 'The server failed. Retry in a minute;'],
    [504, { message: 'late' }, 'The server, or a proxy in front of it, timed out.'],
  ])('%d %p', async (status, error, problem) => {
    const found = await check(`${listen(() => refused(status, error))}/v1`);
    expect(found.status).toBe(status);
    expect(found.problem).toStartWith(problem);
    expect(found.raw).toContain(error.message.replace(KEY, '[hidden]'));
    expect(found.raw).not.toContain(KEY);
  });

  test('an address without /v1, and one of the other protocol', async () => {
    const url = listen(() => new Response('<html>404</html>', { status: 404 }));
    expect((await check(url)).problem).toBe(
      `There is nothing at ${url}/chat/completions, or no model "m-1". base_url does not end with a version; most servers need /v1 at its end.`,
    );
    expect((await check(`${url}/v1`)).problem).toEndWith('write `protocol: anthropic`.');
    expect((await check(`${url}/v1`, { protocol: 'anthropic' })).problem).toBe(
      `There is nothing at ${url}/v1/messages. Check base_url; if the server speaks only chat completions, write \`protocol: openai\`.`,
    );
  });

  test('an address without the Responses API, and answers of another form', async () => {
    const problemOf = async (answer: Response) =>
      (await check(`${listen(() => answer)}/v1`, { protocol: 'responses' })).problem;
    const missing = new Response('<html>404</html>', { status: 404 });
    expect(await problemOf(missing)).toMatch(
      /\/v1\/responses, .*quirks: \{ responses: false \}`\.$/,
    );
    expect(await problemOf(sse(...CHAT))).toStartWith(
      'The answer is not a stream of the Responses protocol.',
    );
    expect(await problemOf(Response.json({ output: [] }))).toStartWith(
      'The server sent a non-streaming',
    );
    const [created = ''] = RESPONSES;
    expect(await problemOf(sse(created))).toStartWith('The stream ended without an end mark');
    expect(await problemOf(sse(created, created))).toStartWith('The stream cannot be passed on');
    const quota = '{"type":"error","error":{"message":"no","code":"insufficient_quota"}}';
    expect(await problemOf(sse(created, `data: ${quota}`))).toStartWith(
      'Our account at the provider',
    );
  });

  test('an answer of another protocol with a success status', async () => {
    for (const answer of [
      new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
      sse(...MESSAGES),
      new Response(''),
      // This stream has an end mark but no events.
      sse('data: [DONE]'),
    ]) {
      const { problem } = await check(`${listen(() => answer)}/v1`);
      expect(problem).toStartWith('The answer is not a stream of the chat completions protocol.');
    }
  });

  test('an upstream that does not stream', async () => {
    const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'ok' } }] };
    const { problem, code } = await check(`${listen(() => Response.json(whole))}/v1`);
    expect(code).toBe('not_streamed');
    expect(problem).toStartWith('The server sent a non-streaming answer to a streaming request.');
  });

  test('an error with a success status, in the stream or instead of it', async () => {
    const quota = '{"error":{"message":"no money","code":"insufficient_quota"}}';
    for (const answer of [sse(`data: ${quota}`), new Response(quota)]) {
      const found = await check(`${listen(() => answer)}/v1`);
      expect(found.problem).toStartWith('Our account at the provider has no balance');
      expect(found.code).toBe('balance');
      expect(found.raw).toContain('no money');
    }
  });

  test('a stream that no caller could use', async () => {
    const unfinished = sse(
      'data: {"choices":[{"index":0,"delta":{"content":"ok"}}]}',
      'data: [DONE]',
    );
    expect((await check(`${listen(() => unfinished)}/v1`)).problem).toStartWith(
      'The stream cannot be passed on to callers. The upstream',
    );
  });

  test('a stream without its end mark, and one that is cut', async () => {
    const [first = ''] = CHAT;
    expect((await check(`${listen(() => sse(first))}/v1`)).problem).toStartWith(
      'The stream ended without an end mark',
    );
    const cut = await listenRaw((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\ndata: {}')),
    );
    closing.push(cut.close);
    expect((await check(cut.url)).problem).toBe(
      'The connection broke during the answer (ECONNRESET).',
    );
  });

  test('a refused connection, missing TLS, unknown host, and no HTTP', async () => {
    const gone = await listenRaw(() => {});
    await gone.close();
    expect((await check(gone.url)).problem).toBe(
      `Connection refused by ${new URL(gone.url).host}. Check base_url, and that the server is running.`,
    );
    expect((await check(gone.url)).code).toBe('unreachable');
    const plain = listen(() => sse(...CHAT));
    expect((await check(`${plain.replace('http:', 'https:')}/v1`)).problem).toBe(
      `There is no TLS at ${new URL(plain).host}. Write http:// in base_url, or use the TLS port.`,
    );
    expect(await check('https://no-such-host.invalid/v1')).toMatchObject({
      problem:
        'The host name no-such-host.invalid cannot be resolved. Check base_url, and the DNS of this machine.',
      code: 'unresolved',
    });
    const ssh = await listenRaw((socket) => socket.write('SSH-2.0-OpenSSH_9\r\n'));
    closing.push(ssh.close);
    expect((await check(ssh.url)).problem).toContain('is not HTTP');
  });

  test('plain HTTP at a TLS port', async () => {
    const html = '<html>400 The plain HTTP request was sent to HTTPS port</html>';
    const url = listen(() => new Response(html, { status: 400 }));
    expect((await check(`${url}/v1`)).problem).toBe(
      'The server requires TLS: write https:// in base_url.',
    );
  });

  test('a redirect', async () => {
    const url = listen(() => Response.redirect('https://elsewhere.example/', 302));
    expect((await check(`${url}/v1`)).problem).toBe(
      'The provider answered with a redirect, which is refused. (upstream "there" answered 302, which leads to https://elsewhere.example/) Check base_url.',
    );
  });
});
