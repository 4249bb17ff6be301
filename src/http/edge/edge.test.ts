import { beforeEach, describe, expect, test } from 'bun:test';
import type { Caller } from '../../accounts/account.ts';
import { NO_LIMITS } from '../../accounts/limits/limits.ts';
import { scopeBits } from '../../accounts/scopes.ts';
import { stoppedClock } from '../../accounts/store.fixture.ts';
import { Secret } from '../../config/secret.ts';
import { GatewayError } from '../../errors.ts';
import { unreadJournal } from '../../telemetry/request-journal.fixture.ts';
import { NO_CALLERS } from './edge.fixture.ts';
import { createEdge, type Edge } from './edge.ts';
import { RequestBytes } from './request-bytes.ts';
import type { Route, RouteDialect } from './route.ts';

const CALLER: Caller = {
  accountId: 'acc_1',
  ...{ keyId: 'key_1', keyName: 'ci' },
  allowExchange: true,
  priceList: null,
  limits: { key: NO_LIMITS, account: NO_LIMITS },
  scopes: scopeBits(['inference']),
};
const doc = { summary: 'a route of the tests', tag: 'service' } as const;

const RATE_HEADERS = ['x-ratelimit-reset-tokens', 'anthropic-ratelimit-requests-limit'];

let draining: boolean;
let failures: { requestId: string; path: string; error: GatewayError }[];
let edge: Edge;
/** The value that the handler of `/v1/throws` throws. */
let thrown: unknown;

beforeEach(() => {
  draining = false;
  failures = [];
  const throwing = (path: string, dialect: RouteDialect): Route => ({
    method: 'POST',
    path,
    ...{ auth: 'key', scope: 'any', dialect, doc },
    handle: () => Promise.reject(thrown),
  });
  edge = createEdge(
    [
      {
        method: 'GET',
        path: '/open/:id{.+}',
        auth: 'public',
        dialect: 'both',
        doc,
        handle: async (call) =>
          Response.json({ id: call.params['id'], q: call.url.searchParams.get('q') }),
      },
      {
        method: 'POST',
        path: '/v1/echo',
        auth: 'key',
        scope: 'any',
        ...{ dialect: 'openai', doc },
        handle: async (call) =>
          Response.json({ key: call.caller.keyId, body: await call.readJson() }),
      },
      {
        method: 'POST',
        path: '/v1/small',
        auth: 'key',
        scope: 'any',
        ...{ dialect: 'openai', maxBodyBytes: 10, doc },
        handle: async (call) => Response.json(await call.readJson()),
      },
      {
        method: 'GET',
        path: '/admin/v1/thing',
        auth: 'admin',
        dialect: 'both',
        doc,
        handle: async () => Response.json({ ok: true }),
      },
      throwing('/v1/throws', 'openai'),
      throwing('/v1/messages', 'anthropic'),
      throwing('/v1/both', 'both'),
    ],
    {
      journal: unreadJournal(stoppedClock()),
      authenticate: async (headers) => {
        if (headers.get('authorization') === 'Bearer good') return CALLER;
        throw new GatewayError('invalid_api_key', 'No such key.');
      },
      playgroundOf: () => Promise.reject(new Error('no playground is asked for')),
      signedIn: async () => null,
      ...{ trustedProxies: 0, requireTotp: () => false },
      adminToken: new Secret('the-admin-token'),
      publicUrl: 'http://gateway',
      isDraining: () => draining,
      requestBytes: new RequestBytes(1024 * 1024),
      addressRequests: { enter: () => null, leave: () => {} },
      ...NO_CALLERS,
      onFailure: (requestId, path, error) => failures.push({ requestId, path, error }),
    },
  );
});

type Sent = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Sent> {
  const response = await edge.fetch(
    new Request(`http://gateway${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  );
  const text = await response.text();
  const parsed = text === '' ? {} : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed, text };
}

const GOOD = { authorization: 'Bearer good' };
const ADMIN = { authorization: 'Bearer the-admin-token' };

test('a public route accepts anyone, and a parameter may contain slashes', async () => {
  expect((await send('GET', '/open/a%2Fb?q=1')).body).toEqual({ id: 'a/b', q: '1' });
  expect((await send('GET', '/open/a/b')).body).toEqual({ id: 'a/b', q: null });
});

test('a key route passes the caller, and refuses before it reads the body', async () => {
  expect((await send('POST', '/v1/echo', GOOD, { a: 1 })).body).toEqual({
    key: 'key_1',
    body: { a: 1 },
  });
  // If the body were read before authorization, this would be a 415.
  const refused = await send('POST', '/v1/echo', { 'content-type': 'text/plain' }, 'x');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(refused.headers.get('x-should-retry')).toBe('false');
});

test('only the administrator token opens admin routes', async () => {
  expect((await send('GET', '/admin/v1/thing', ADMIN)).status).toBe(200);
  for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer good', 'Bearer the-admin-tokeN']) {
    expect((await send('GET', '/admin/v1/thing', { authorization })).status).toBe(401);
  }
  expect((await send('GET', '/admin/v1/thing', { 'x-api-key': 'the-admin-token' })).status).toBe(
    401,
  );
  expect((await send('POST', '/v1/echo', ADMIN, {})).status).toBe(401);
});

test('applies the body limit of the route', async () => {
  expect((await send('POST', '/v1/small', GOOD, { a: 1 })).status).toBe(200);
  const large = await send('POST', '/v1/small', GOOD, { a: 12_345_678 });
  expect([large.status, large.body['error']]).toMatchObject([413, { code: 'request_too_large' }]);
});

test('answers to sessions, and their refusals, are not cached', async () => {
  for (const headers of [ADMIN, {}]) {
    const answer = await send('GET', '/admin/v1/thing', headers);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect((await send('GET', '/open/a')).headers.get('cache-control')).toBeNull();
});

test('returns 405 with the allowed methods', async () => {
  const { status, headers, body } = await send('DELETE', '/v1/echo', GOOD);
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('OPTIONS, POST');
  expect(body['error']).toMatchObject({
    code: 'method_not_allowed',
    message: 'DELETE is not allowed here; use POST.',
  });
  expect((await send('POST', '/open/x')).headers.get('allow')).toBe('OPTIONS, GET, HEAD');
});

test('answers HEAD like GET without a body', async () => {
  const { status, headers, text } = await send('HEAD', '/open/x');
  expect([status, text]).toEqual([200, '']);
  expect(headers.get('content-type')).toContain('application/json');
});

test('every answer has a request id in two headers', async () => {
  const ids = new Set<string>();
  for (const [method, path] of [
    ['GET', '/open/x'],
    ['POST', '/v1/echo'],
    ['GET', '/nowhere'],
    ['PUT', '/v1/echo'],
  ] as const) {
    const { headers } = await send(method, path);
    const id = headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(headers.get('request-id')).toBe(id);
    ids.add(id);
  }
  expect(ids.size).toBe(4);
});

describe('a failure speaks the dialect of its path', () => {
  beforeEach(() => {
    thrown = new GatewayError('invalid_value', 'n is 7.', { param: 'n', extra: { most: 1 } });
  });

  test('openai', async () => {
    const { status, body } = await send('POST', '/v1/throws', GOOD);
    expect(status).toBe(400);
    expect(body).toEqual({
      error: {
        message: 'n is 7.',
        type: 'invalid_request_error',
        param: 'n',
        code: 'invalid_value',
        most: 1,
      },
    });
  });

  test('anthropic', async () => {
    const { body, headers } = await send('POST', '/v1/messages', GOOD);
    expect(body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('n is 7.') },
      request_id: headers.get('request-id'),
    });
  });

  test('both', async () => {
    const { body, headers } = await send('POST', '/v1/both', GOOD);
    expect(body).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'n is 7.',
        param: 'n',
        code: 'invalid_value',
        most: 1,
      },
      request_id: headers.get('request-id'),
    });
  });
});

test('sends the rate-limit headers of the dialect, or of both', async () => {
  const openai = 'x-ratelimit-remaining-requests';
  const anthropic = 'anthropic-ratelimit-requests-remaining';
  const detail = { retryAfterSeconds: 1, headers: { [openai]: '0', [anthropic]: '0' } };
  thrown = new GatewayError('rate_limit_exceeded', 'Too many.', detail);
  const dialectsOf = async (path: string) => {
    const { headers } = await send('POST', path, GOOD);
    return [openai, anthropic].map((name) => headers.has(name));
  };
  expect(await dialectsOf('/v1/throws')).toEqual([true, false]);
  expect(await dialectsOf('/v1/messages')).toEqual([false, true]);
  expect(await dialectsOf('/v1/both')).toEqual([true, true]);
});

test('a permanent refusal says that a retry is useless', async () => {
  thrown = new GatewayError('rate_limit_exceeded', 'Too long.', { retryable: false });
  expect((await send('POST', '/v1/throws', GOOD)).headers.get('x-should-retry')).toBe('false');
});

test('refuses an invalid Host header before any handler', async () => {
  const request = new Request('http://gateway/open/a');
  // Without a valid Host header, the runtime passes only the path as the URL.
  Object.defineProperty(request, 'url', { value: '/open/a' });
  const response = await edge.fetch(request);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: 'Host' } });
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
});

test('refuses two Host headers, of which a proxy may take the other one', async () => {
  // The runtime joins repeated Host headers with a comma.
  const response = await edge.fetch(
    new Request('http://gateway/open/a', { headers: { host: 'gateway, other' } }),
  );
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_value', param: 'Host' } });
});

describe('the server closes an answered connection', () => {
  const closesAfter = async (method: string, path: string, body: string | null, key = 'good') => {
    const seconds: number[] = [];
    const init = { method, headers: { authorization: `Bearer ${key}` }, body };
    const timeout = (_request: Request, after: number): unknown => seconds.push(after);
    const server = { requestIP: () => null, timeout };
    await edge.fetch(new Request(`http://gateway${path}`, init), server);
    return seconds;
  };

  test('late when the whole body was read', async () => {
    expect(await closesAfter('POST', '/v1/small', '{}')).toEqual([0, 255]);
    expect(await closesAfter('POST', '/v1/small', null)).toEqual([0, 255]);
  });

  test('by its own timeout when no model may answer slowly', async () => {
    expect(await closesAfter('POST', '/v1/nowhere', '{}')).toEqual([]);
    expect(await closesAfter('GET', '/open/a', null)).toEqual([]);
  });

  test('soon when a refusal left a body unread, which may never end', async () => {
    expect(await closesAfter('POST', '/v1/small', '{}', 'bad')).toEqual([0, 30]);
    expect(await closesAfter('POST', '/v1/small', '{"a":"longer"}')).toEqual([0, 30]);
  });
});

test('refuses a NUL character in the URL before any handler', async () => {
  for (const path of ['/open/a%00b', '/open/a?q=%00']) {
    const { status, body } = await send('GET', path);
    expect([status, body['error']]).toMatchObject([400, { code: 'invalid_value' }]);
  }
  expect((await send('GET', '/open/%2500?q=%25')).status).toBe(200);
});

test('an unexpected error is a 500 without details, which are logged', async () => {
  thrown = new TypeError('SELECT secret FROM /work/host 10.0.0.7');
  const { status, headers, text, body } = await send('POST', '/v1/throws', GOOD);
  expect(status).toBe(500);
  expect(body['error']).toMatchObject({ type: 'server_error', code: 'internal_error' });
  expect(headers.get('x-should-retry')).toBe('true');
  expect(text).not.toMatch(/SELECT|10\.0\.0\.7|TypeError|\bat \//);
  expect(failures).toEqual([
    {
      requestId: headers.get('x-request-id') ?? '',
      path: '/v1/throws',
      error: expect.objectContaining({ cause: thrown }),
    },
  ]);
});

test("does not log a caller's mistake as a failure", async () => {
  thrown = new GatewayError('invalid_value', 'n is 7.');
  await send('POST', '/v1/throws', GOOD);
  await send('POST', '/v1/echo');
  await send('GET', '/nowhere');
  expect(failures).toEqual([]);
});

test('an overloaded upstream is 503 in chat and 529 in Messages, with retry-after', async () => {
  thrown = new GatewayError('upstream_overloaded', 'Busy.', { retryAfterSeconds: 7 });
  const chat = await send('POST', '/v1/throws', GOOD);
  const messages = await send('POST', '/v1/messages', GOOD);
  expect([chat.status, messages.status]).toEqual([503, 529]);
  expect(chat.headers.get('retry-after')).toBe('7');
  expect(messages.body['error']).toMatchObject({ type: 'overloaded_error' });
});

test('while draining, refuses calls with retry-after; public routes still answer', async () => {
  draining = true;
  const { status, headers, body } = await send('POST', '/v1/echo', GOOD, {});
  expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([
    503,
    '1',
    'true',
  ]);
  expect(body['error']).toMatchObject({ code: 'shutting_down' });
  expect((await send('GET', '/open/x')).status).toBe(200);
});

describe('browsers', () => {
  const origin = { origin: 'https://page.example' };

  test('a page can read answers and failures, without cookies', async () => {
    for (const { headers } of [
      await send('GET', '/open/x', origin),
      await send('GET', '/x', origin),
    ]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = headers.get('access-control-expose-headers')?.split(', ');
      for (const name of ['x-request-id', ...RATE_HEADERS]) expect(exposed).toContain(name);
    }
  });

  test('a call without Origin gets no CORS headers', async () => {
    expect((await send('GET', '/open/x')).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a preflight grants the requested headers by name', async () => {
    const { status, headers } = await send('OPTIONS', '/v1/echo', {
      ...origin,
      'access-control-request-headers': 'authorization,x-stainless-lang',
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toBe('authorization,x-stainless-lang');
    expect(headers.get('access-control-allow-methods')).toContain('POST, OPTIONS, PATCH, DELETE');
    expect(headers.get('access-control-max-age')).toBe('86400');
  });

  test("the administrator's API is closed to other sites", async () => {
    const preflight = await send('OPTIONS', '/admin/v1/thing', origin);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull();
    for (const headers of [ADMIN, {}]) {
      const { headers: got } = await send('GET', '/admin/v1/thing', { ...origin, ...headers });
      expect(got.get('access-control-allow-origin')).toBeNull();
    }
  });
});
