/** Tests the HTTP layer of the gateway as clients, browsers, health probes and operators use it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { metricsText } from './support/metrics-text.ts';
import { pngSize } from './support/samples.ts';
import { ask, at, CHAT, get, hello, IMAGES, listAt, MESSAGES, post, read } from './support/wire.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('browsers', () => {
  const origin = 'https://app.example';

  test('a preflight allows the requested headers, without credentials', async () => {
    const asked = 'authorization, content-type, x-stainless-lang, anthropic-version';
    for (const path of [CHAT, MESSAGES, IMAGES, '/v2/models']) {
      const answer = await fetch(`${gateway.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('answers and errors both allow cross-origin reads and expose the relevant headers', async () => {
    const answers = await Promise.all([
      ask(gateway, CHAT, hello.chat, { origin }),
      ask(gateway, CHAT, { ...hello.chat, stream: true }, { origin }),
      ask(gateway, CHAT, {}, { origin }),
      ask(gateway, MESSAGES, hello.messages, { origin, authorization: null }),
      ask(gateway, '/v1/nowhere', {}, { origin }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(headers.get('access-control-expose-headers')).toContain('x-cost');
    }
  });

  test('a cache does not give pages a response without the headers that they need', async () => {
    for (const path of ['/status.json', '/v1/models', '/llms.txt']) {
      for (const headers of [{}, { origin }]) {
        const answer = await fetch(`${gateway.url}${path}`, { headers });
        expect([path, answer.headers.get('vary')]).toEqual([path, 'accept-encoding, origin']);
      }
    }
    const hello = await fetch(`${gateway.url}/healthz`);
    expect(hello.headers.get('vary')).toBe('accept-encoding');
  });

  test("the administrator's API does not allow cross-origin requests", async () => {
    const answer = await fetch(`${gateway.url}/admin/v1/accounts`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('headers of every answer', () => {
  test('a unique request id under both names, and the channel', async () => {
    const answers = await Promise.all([
      ask(gateway, CHAT, { ...hello.chat, provider: { channel: 'stable' } }),
      ask(gateway, CHAT, { ...hello.chat, stream: true, provider: { channel: 'stable' } }),
      ask(gateway, MESSAGES, { ...hello.messages, provider: { channel: 'stable' } }),
      ask(gateway, IMAGES, { ...hello.image, provider: { channel: 'stable' } }),
    ]);
    for (const { headers, status } of answers) {
      expect(status).toBe(200);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
      expect(headers.get('x-channel-requested')).toBe('stable');
      expect(headers.get('x-price-card')).toMatch(/^card_/);
    }
    const served = answers.map(({ headers }) => headers.get('x-channel'));
    expect(served).toEqual(['stable', 'stable', 'stable', 'direct']);
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(4);
  });

  test('a stream has headers against caching, buffering and transformation', async () => {
    const { headers } = await ask(gateway, CHAT, { ...hello.chat, stream: true });
    expect(headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-length')).toBeNull();
  });

  test('accepts two credentials when one is valid, in either header', async () => {
    const { key } = gateway;
    const mixed = [
      { authorization: `Bearer ${key}`, 'x-api-key': 'sk-ant-leftover' },
      { authorization: 'Bearer sk-leftover', 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
    ];
    for (const headers of mixed) {
      expect((await ask(gateway, MESSAGES, hello.messages, headers)).status).toBe(200);
      expect((await ask(gateway, CHAT, hello.chat, headers)).status).toBe(200);
    }
  });
});

describe('operators', () => {
  test('answers liveness and readiness probes', async () => {
    for (const path of ['/', '/api/hello', '/healthz', '/readyz']) {
      expect((await fetch(`${gateway.url}${path}`, { method: 'HEAD' })).status).toBe(200);
      const found = await read(await fetch(`${gateway.url}${path}`));
      expect([found.status, typeof JSON.parse(found.text)]).toEqual([200, 'object']);
    }
  });

  test('counts requests and tokens in the metrics', async () => {
    await ask(gateway, CHAT, hello.chat);
    const metrics = await metricsText(gateway);
    const line = /^modelgate_requests_total\{([^}]*)\} (\d+)$/m.exec(metrics);
    expect(line?.[1]).toContain('outcome="completed"');
    expect(Number(line?.[2])).toBeGreaterThan(0);
    expect(metrics).toMatch(/^modelgate_tokens_total\{.*\} \d+$/m);
    expect(metrics).toMatch(/^modelgate_requests_in_flight 0$/m);
    expect(metrics).not.toContain(gateway.key);
  });

  test('shows the metrics to the administrator only, since they name upstreams and revenue', async () => {
    for (const headers of [{}, { authorization: `Bearer ${gateway.key}` }]) {
      const refused = await read(await fetch(`${gateway.url}/metrics`, { headers }));
      expect([refused.status, refused.at('error.code')]).toEqual([401, 'invalid_api_key']);
      expect(refused.text).not.toContain('modelgate_');
    }
  });

  test('openapi.json describes every path that answers', async () => {
    const found = await get(gateway, '/openapi.json');
    const document: unknown = JSON.parse(found.text);
    expect(at(document, 'openapi')).toBe('3.1.0');
    const paths = Object.keys(Object(at(document, 'paths')));
    for (const prefix of ['/v1', '/v2']) {
      for (const path of [
        '/chat/completions',
        '/messages',
        '/messages/count_tokens',
        '/images/generations',
        '/embeddings',
        '/models',
        '/models/{id}',
        '/key',
        '/credits',
        '/generation',
      ])
        expect(paths).toContain(`${prefix}${path}`);
    }
    for (const path of paths) expect(path).toMatch(/^\/(?:[\w.-]+|\{\w+\}|\/)*$/);
    const schema = '/v2/chat/completions.post.requestBody.content.application/json.schema';
    const chat = schema
      .split('.')
      .reduce<unknown>((value, step) => Object(value)[step], Object(document).paths);
    expect(at(chat, 'properties.messages.type')).toBe('array');
  });
});

describe('the catalogue', () => {
  test('is public, and returns 304 when unchanged', async () => {
    const first = await fetch(`${gateway.url}/v2/models`);
    const etag = first.headers.get('etag') ?? '';
    // The entity tag is weak, because the bytes depend on the content encoding.
    expect(etag).toMatch(/^W\/"\S+"$/);
    const again = await fetch(`${gateway.url}/v2/models`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('lists the prices of the service document as decimal strings, with the example mark', async () => {
    const { text } = await get(gateway, '/v1/models', { 'anthropic-version': '2023-06-01' });
    const models = listAt(JSON.parse(text), 'data');
    const priced = (id: string, channel: number) =>
      at(
        models.find((model) => at(model, 'id') === id),
        `channels.${channel}`,
      );
    expect(at(priced('gen-opus-4-8', 0), 'price')).toMatchObject({
      currency: 'USD',
      unit: '1M tokens',
      input: '5.00',
      output: '25.00',
      cache_read: '0.50',
      cache_write: '6.25',
    });
    expect(at(priced('gen-v4-pro', 0), 'price')).toMatchObject({
      input: '1.32',
      output: '3.96',
      cache_read: '0.04',
      cache_write: null,
    });
    expect(
      ['gen-opus-4-8', 'gen-v4-pro', 'img-2'].map((id) => at(priced(id, 0), 'example')),
    ).toEqual([false, false, true]);
    expect(models[0]).toMatchObject({ object: 'model', type: 'model', owned_by: 'gen' });
  });
});

describe('images', () => {
  test.each(['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792'])(
    'an image of %s is a PNG of that size',
    async (size) => {
      const answer = await ask(gateway, IMAGES, {
        ...hello.image,
        size,
        response_format: 'b64_json',
      });
      const png = Buffer.from(String(answer.at('data.0.b64_json')), 'base64');
      expect(pngSize(png).join('x')).toBe(size);
      expect(Object.keys(Object(answer.at('data.0')))).not.toContain('url');
    },
  );

  test('an image URL needs no key, ignores a wrong one, and states when it expires', async () => {
    const answer = await ask(gateway, IMAGES, hello.image);
    const url = String(answer.at('data.0.url'));
    expect(url).toStartWith(`${gateway.url}/`);
    const lifeMs = Date.parse(answer.headers.get('x-image-expires') ?? '') - Date.now();
    expect(lifeMs).toBeGreaterThan(55 * 60_000);
    expect(lifeMs).toBeLessThanOrEqual(60 * 60_000);
    for (const headers of [{}, { authorization: 'Bearer sk-bad' }]) {
      const found = await fetch(url, { headers, redirect: 'error' });
      expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(pngSize(await found.bytes())).toEqual([256, 256]);
    }
    const head = await fetch(url, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  });

  test('an image URL with one character changed returns 404, whichever character it is', async () => {
    const answer = await ask(gateway, IMAGES, hello.image);
    const url = new URL(String(answer.at('data.0.url')));
    const changed = (text: string, at: number): string =>
      `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
    const tail = `${url.pathname}${url.search}`;
    const places = [...tail.matchAll(/[0-9A-Za-z]+/g)].slice(1).map(({ index }) => index + 2);
    expect(places.length).toBeGreaterThan(3);
    for (const place of places) {
      const found = await fetch(`${gateway.url}${changed(tail, place)}`);
      expect([found.status, tail.slice(0, place)]).toEqual([404, tail.slice(0, place)]);
    }
  });
});

describe('default of `stream`, by client', () => {
  const wantsStream = async (headers: Readonly<Record<string, string>>): Promise<boolean> => {
    const response = await post(gateway, CHAT, hello.chat, headers);
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    expect(type.startsWith('text/event-stream')).toBe(text.startsWith('data: '));
    return type.startsWith('text/event-stream');
  };
  const json = 'application/json';

  test.each([
    [json, 'OpenAI/JS 7.55.0', false],
    [json, 'OpenAI/Python 3.22.1', false],
    [json, 'Anthropic/JS 1.11.0', false],
    [json, 'Anthropic/Python 1.13.0', false],
    [json, 'langchainjs-openai/1.6.0 (node)', false],
    ['*/*', 'ai/7.0.173 ai-sdk-provider-utils/4.0.0 runtime/node.js/22', false],
    ['*/*', 'ai-sdk-openai-compatible/3.0.92 ai-sdk/provider-utils/3', false],
    ['*/*', 'node', false],
    [json, 'claude-cli/2.1.329 (external, cli)', false],
    ['*/*', 'curl/7.88.1', true],
    ['*/*', 'Wget/1.21', true],
    ['*/*', 'HTTPie/3.2', true],
    [json, 'curl/7.88.1', false],
    ['application/json, */*;q=0.5', 'HTTPie/3.2', false],
    ['text/event-stream', 'node', true],
    ['application/json, text/event-stream', 'OpenAI/JS 7.55.0', true],
  ])('Accept %s from %s: a stream is %p', async (accept, agent, streams) => {
    expect(await wantsStream({ accept, 'user-agent': agent })).toBe(streams);
  });
});
