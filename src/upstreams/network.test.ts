import { afterEach, expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import type { Clock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import {
  type AdapterOptions,
  createAnthropicUpstream,
  createOpenAiUpstream,
  createResponsesUpstream,
} from './adapters.ts';
import { asking, failure } from './asking.fixture.ts';
import { Egress, type EgressOptions } from './egress.ts';
import { PLAIN_FIELDS } from './known-fields.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type Server = ReturnType<typeof Bun.serve>;

let servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop(true)));
  servers = [];
});

/**
 * Starts a server on the loopback address. Returns its URL with a version prefix, as in an
 * operator's configuration.
 */
function listen(handle: Handler): string {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: handle });
  servers.push(server);
  return `http://127.0.0.1:${server.port}/v1`;
}

/**
 * Returns an `Egress` that allows private addresses, because every test server is on the loopback
 * address.
 */
const egress = (baseUrl: string, clock: Clock, options: Partial<EgressOptions> = {}): Egress =>
  new Egress({ name: 'there', baseUrl, allowPrivate: true, isProxied: false, clock, ...options });
const common = {
  name: 'there',
  connectTimeoutMs: 1000,
  apiKey: new Secret('sk-upstream'),
  signIn: null,
  headers: {},
  quirks: NO_QUIRKS,
  fields: PLAIN_FIELDS,
  firstByteTimeoutMs: 1000,
};
type Options = Partial<AdapterOptions> & { readonly reach?: Partial<EgressOptions> };
function adapterOptions(baseUrl: string, { reach, ...options }: Options = {}): AdapterOptions {
  const clock = options.clock ?? manualClock();
  return { ...common, clock, baseUrl, egress: egress(baseUrl, clock, reach), ...options };
}
const openAi = (baseUrl: string, options: Options = {}): Upstream =>
  createOpenAiUpstream(adapterOptions(baseUrl, options));
const speaking = (baseUrl: string): Upstream =>
  openAi(baseUrl, { quirks: { ...NO_QUIRKS, responses: true } });
const SERVER = 'http://127.0.0.1:1/v1';
const anthropic = (baseUrl: string): Upstream => {
  const clock = manualClock();
  return createAnthropicUpstream({ ...common, clock, baseUrl, egress: egress(baseUrl, clock) });
};

/**
 * Sends a request through an upstream. Returns the path, headers and body that the server received.
 */
async function sent(upstream: (url: string) => Upstream, request: UpstreamRequest) {
  const seen = Promise.withResolvers<{ path: string; headers: Headers; body: string }>();
  const url = listen(async (received) => {
    const path = new URL(received.url).pathname;
    seen.resolve({ path, headers: received.headers, body: await received.text() });
    return Response.json({});
  });
  await (await upstream(url).send(request)).arrayBuffer();
  return await seen.promise;
}

test('the OpenAI adapter posts the bytes unchanged to the path of the format', async () => {
  const { path, headers, body } = await sent(openAi, asking());
  expect([path, body]).toEqual(['/v1/chat/completions', '{"model":"m"}']);
  expect(headers.get('authorization')).toBe('Bearer sk-upstream');
  expect((await sent(openAi, asking({ format: 'images' }))).path).toBe('/v1/images/generations');
  const { path: asResponses } = await sent(speaking, asking({ format: 'responses' }));
  expect(asResponses).toBe('/v1/responses');
});

test.each([32 * 1024 - 1, 32 * 1024, 3 * 1024 * 1024 + 7])(
  'a body of %d bytes arrives unchanged, and with its length',
  async (size) => {
    const text = 'abcdefghijklm'.repeat(Math.ceil(size / 13)).slice(0, size);
    const request = asking({ body: new TextEncoder().encode(text), stream: true });
    const { headers, body } = await sent(openAi, request);
    expect(headers.get('content-length')).toBe(String(size));
    expect(headers.has('transfer-encoding')).toBe(false);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('authorization')).toBe('Bearer sk-upstream');
    expect(body === text).toBe(true);
  },
);

test('a server speaks Responses if its make or its protocol says so', async () => {
  const only = createResponsesUpstream(adapterOptions(SERVER));
  expect([...openAi(SERVER).formats]).toEqual(['chat', 'images', 'image_edits', 'embeddings']);
  expect([...speaking(SERVER).formats]).toEqual([
    'chat',
    'images',
    'image_edits',
    'embeddings',
    'responses',
  ]);
  expect([...only.formats]).toEqual(['responses']);
});

test('the Anthropic adapter accepts a base URL with or without version', async () => {
  const { path, headers } = await sent(anthropic, asking({ format: 'messages' }));
  expect(path).toBe('/v1/messages');
  expect(headers.get('x-api-key')).toBe('sk-upstream');
  expect(headers.get('authorization')).toBeNull();
  const bare = (url: string): Upstream => anthropic(`${url.replace(/\/v1$/, '')}/`);
  expect((await sent(bare, asking({ format: 'count_tokens' }))).path).toBe(
    '/v1/messages/count_tokens',
  );
});

test("forwards only the dialect's headers, and prefers the caller's version", async () => {
  const plain = await sent(anthropic, asking({ format: 'messages' }));
  expect(plain.headers.get('anthropic-version')).toBe('2023-06-01');
  const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b' };
  const named = await sent(anthropic, asking({ format: 'messages', headers }));
  expect(named.headers.get('anthropic-version')).toBe('2026-10-21');
  expect(named.headers.get('anthropic-beta')).toBe('a,b');
  const known = new Set([
    ...['accept', 'accept-encoding', 'anthropic-beta', 'anthropic-version', 'connection'],
    ...['content-length', 'content-type', 'host', 'user-agent', 'x-api-key'],
  ]);
  expect([...named.headers.keys()].filter((name) => !known.has(name))).toEqual([]);
  expect(JSON.stringify([...named.headers])).not.toContain('acc_secret');
});

test('adds configured headers in any case, but never over the key', async () => {
  const configured = (baseUrl: string): Upstream =>
    openAi(baseUrl, {
      headers: { 'X-Team': 'a', Authorization: 'Bearer other', 'User-Agent': 'b' },
    });
  const { headers } = await sent(configured, asking());
  expect(headers.get('x-team')).toBe('a');
  expect(headers.get('authorization')).toBe('Bearer sk-upstream');
  expect(headers.get('user-agent')).toBe('b');
  expect((await sent(openAi, asking())).headers.get('user-agent')).toBe('modelgate');
});

test('passes on a trace', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  expect((await sent(openAi, asking({ traceparent }))).headers.get('traceparent')).toBe(
    traceparent,
  );
  expect((await sent(openAi, asking())).headers.get('traceparent')).toBeNull();
});

test('does not send cookies back', async () => {
  const cookies: (string | null)[] = [];
  const url = listen((request) => {
    cookies.push(request.headers.get('cookie'));
    return new Response('{}', { headers: { 'set-cookie': 'a=b' } });
  });
  for (let i = 0; i < 2; i++) await (await openAi(url).send(asking())).text();
  expect(cookies).toEqual([null, null]);
});

test('no request can change the address', async () => {
  const elsewhere = listen(() => expect.unreachable());
  const body = JSON.stringify({ model: elsewhere, base_url: elsewhere, api_base: elsewhere });
  const sentThere = await sent(
    openAi,
    asking({ body: new TextEncoder().encode(body), headers: { host: new URL(elsewhere).host } }),
  );
  expect(sentThere.path).toBe('/v1/chat/completions');
  expect(sentThere.headers.get('host')).not.toBe(new URL(elsewhere).host);
});

test('lists the host, key and other credentials to mask', () => {
  const { hidden } = openAi('https://gw.example:8443/v1', {
    headers: { 'x-token': 'hush-hush', 'x-on': '1' },
  });
  expect(hidden).toEqual(['gw.example:8443', 'gw.example', 'sk-upstream', 'hush-hush']);
});

test('masks a credential without its scheme, and ids in the path', () => {
  const { hidden } = openAi('http://vm/client/accounts/0a1b2c3d4e/compatible-mode/v1', {
    apiKey: null,
    headers: {
      authorization: 'Basic dXNlcjpwYXNz',
      'x-title': 'true',
      'x-cookie': 'id=0123456789',
    },
  });
  // Short words are not masked: "vm", "true" and "accounts" may appear in any message.
  expect(hidden).toEqual([
    'Basic dXNlcjpwYXNz',
    'dXNlcjpwYXNz',
    'id=0123456789',
    '0123456789',
    '0a1b2c3d4e',
  ]);
});

test('sends no credential without a key', async () => {
  const keyless = (baseUrl: string): Upstream => openAi(baseUrl, { apiKey: null });
  expect((await sent(keyless, asking())).headers.get('authorization')).toBeNull();
});

test('asks for an uncompressed answer, and for a stream only when wanted', async () => {
  const { headers } = await sent(openAi, asking());
  expect(headers.get('accept-encoding')).toBe('identity');
  expect(headers.get('accept')).toBe('application/json');
  expect(headers.get('content-type')).toBe('application/json');
  const streamed = await sent(openAi, asking({ stream: true }));
  expect(streamed.headers.get('accept')).toBe('text/event-stream');
});

test('resolves with any status', async () => {
  const url = listen(() => Response.json({ error: 'busy' }, { status: 529 }));
  const response = await openAi(url).send(asking());
  expect([response.status, await response.json()]).toEqual([529, { error: 'busy' }]);
});

test('refuses a redirect without following it', async () => {
  let asked = 0;
  const target = listen(() => {
    asked += 1;
    return new Response();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const url = listen(
      () => new Response(null, { status, headers: { location: `${target}?token=x#y` } }),
    );
    const thrown = await failure(openAi(url).send(asking()));
    expect(thrown).toBeInstanceOf(GatewayError);
    expect(thrown).toMatchObject({ code: 'upstream_failed' });
    // The redirect's target appears only in the cause, which the caller does not see.
    expect(thrown).toMatchObject({
      cause: { message: `upstream "there" answered ${status}, which leads to ${target}` },
    });
  }
  expect(asked).toBe(0);
});

test('aborts an upstream that does not answer in time', async () => {
  const clock = manualClock();
  const reached = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const baseUrl = listen((request) => {
    request.signal.addEventListener('abort', () => gone.resolve());
    reached.resolve();
    return new Promise<Response>(() => {});
  });
  const upstream = openAi(baseUrl, { clock });
  const failed = failure(upstream.send(asking()));
  await reached.promise;
  clock.advance(999);
  expect(await Promise.race([failed, Promise.resolve('waiting')])).toBe('waiting');
  clock.advance(1);
  expect(await failed).toMatchObject({ code: 'upstream_timeout' });
  await gone.promise;
});

test('the first-byte timeout does not cut a slow body', async () => {
  const clock = manualClock();
  const more = Promise.withResolvers<void>();
  const baseUrl = listen(
    () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode('one '));
            await more.promise;
            controller.enqueue(new TextEncoder().encode('two'));
            controller.close();
          },
        }),
      ),
  );
  const upstream = openAi(baseUrl, { clock });
  const response = await upstream.send(asking());
  clock.advance(60_000);
  more.resolve();
  expect(await response.text()).toBe('one two');
});

test('a caller who disconnects before the answer aborts with its reason', async () => {
  const leaving = new AbortController();
  const gone = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const url = listen((request) => {
    request.signal.addEventListener('abort', () => gone.resolve());
    reached.resolve();
    return new Promise<Response>(() => {});
  });
  const failed = failure(openAi(url).send(asking({ signal: leaving.signal })));
  await reached.promise;
  const reason = new GatewayError('caller_left', 'Gone.');
  leaving.abort(reason);
  expect(await failed).toBe(reason);
  await gone.promise;
});

test("a caller who disconnects during a stream closes the upstream's connection", async () => {
  const leaving = new AbortController();
  const gone = Promise.withResolvers<void>();
  const url = listen((request) => {
    request.signal.addEventListener('abort', () => gone.resolve());
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      }),
    );
  });
  const response = await openAi(url).send(asking({ stream: true, signal: leaving.signal }));
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  leaving.abort(new GatewayError('caller_left', 'Gone.'));
  await failure(reader?.read() ?? Promise.resolve());
  await gone.promise;
});

test('sends nothing for a caller who has disconnected', async () => {
  let asked = 0;
  const url = listen(() => {
    asked += 1;
    return new Response();
  });
  const reason = new GatewayError('caller_left', 'Gone.');
  expect(await failure(openAi(url).send(asking({ signal: AbortSignal.abort(reason) })))).toBe(
    reason,
  );
  expect(asked).toBe(0);
});

test('a refused connection names neither host nor key', async () => {
  const url = listen(() => new Response());
  await servers.pop()?.stop(true);
  const thrown = await failure(openAi(url).send(asking()));
  expect(thrown).toMatchObject({
    code: 'upstream_failed',
    message: 'The provider could not be reached.',
    cause: expect.anything(),
  });
});

test('each adapter lists its formats', () => {
  expect([...openAi('http://x/v1').formats].join()).toBe('chat,images,image_edits,embeddings');
  expect([...anthropic('http://x').formats]).toEqual(['messages', 'count_tokens']);
});
