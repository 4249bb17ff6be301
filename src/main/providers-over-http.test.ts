/** Tests the routes that check a provider's settings before they are saved. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { perMillion } from '../upstreams/model-list.ts';
import { Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);

const KEY = 'sk-provider-0123456789-WXYZ';
const NOTHING = (): Response => new Response('', { status: 404 });

let gateway: Gateway;
let answer: (request: Request) => Response | Promise<Response> = NOTHING;
const provider = Bun.serve({ port: 0, fetch: (request) => answer(request) });
const BASE = `http://127.0.0.1:${provider.port}/v1`;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
});
afterEach(() => {
  answer = NOTHING;
});
afterAll(async () => {
  await provider.stop(true);
  await gateway.close();
  removeFolders();
});

const ask = (route: string, changed: object = {}) =>
  new Visit(gateway).send(
    route,
    {
      ...{ make: 'generic', protocol: 'openai', base_url: BASE, api_key: KEY },
      ...{ allow_private: true, ...changed },
    },
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  );
const list = async (changed: object = {}) =>
  (await ask('POST /admin/v1/providers/models', changed)).body;

test('reads a list with sizes and exact costs, each model once', async () => {
  answer = (request) => {
    expect(new URL(request.url).pathname).toBe('/v1/models');
    expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    const pricing = { prompt: '0.00000125', completion: '0.00001' };
    const architecture = { input_modalities: ['text', 'image'] };
    const top_provider = { max_completion_tokens: 4096 };
    return Response.json({
      data: [
        { id: 'a/b', name: 'B', context_length: 32_000, pricing, architecture, top_provider },
        ...[{ id: 'a/b' }, { id: 'has space' }, { id: 7 }, null, { id: 'c', context_length: -1 }],
      ],
    });
  };
  const nothing = { name: null, context_window: null, max_output: null, reads_images: false };
  expect(await list()).toEqual({
    data: [
      {
        ...{ id: 'a/b', name: 'B', context_window: 32_000, max_output: 4096, reads_images: true },
        cost: { input: '1.25', output: '10', source: null },
      },
      { id: 'c', ...nothing, cost: null },
    ],
    left_out: 4,
    problem: null,
  });
});

test('suggests the cost of a well-known model, with its source', async () => {
  answer = () => Response.json({ data: [{ id: 'gpt-4.1' }, { id: 'constructor' }] });
  const costs = async (make: string) =>
    (await list({ make })).data.map(({ cost }: { cost: object | null }) => cost);
  const source = expect.stringMatching(/^models\.dev, \d{4}-\d{2}-\d{2}$/);
  expect(await costs('openai')).toEqual([{ input: '2.00', output: '8.00', source }, null]);
  expect(await costs('generic')).toEqual([null, null]);
});

test('asks Anthropic at its own path with its own headers', async () => {
  answer = (request) => {
    const { pathname } = new URL(request.url);
    const key = request.headers.get('x-api-key');
    const isRight = pathname === '/v1/models' && key === KEY;
    return isRight ? Response.json({ data: [{ id: 'm' }] }) : NOTHING();
  };
  expect(await list({ protocol: 'anthropic' })).toMatchObject({ data: [{ id: 'm' }] });
});

test('bounds the number and the bytes of a list', async () => {
  answer = () =>
    Response.json({ data: Array.from({ length: 1_200 }, (_, id) => ({ id: `m${id}` })) });
  const found = await list();
  expect([found.data.length, found.left_out]).toEqual([1_000, 200]);
  answer = () => new Response(' '.repeat(9 * 1024 * 1024));
  expect(await list()).toMatchObject({ data: [], problem: { code: 'too_large' } });
});

test('says why there is no list, and never shows the key', async () => {
  const refused = (status: number, message: string) => () =>
    Response.json({ error: { message } }, { status });
  const cases: readonly [string, () => Response][] = [
    ['key', refused(401, `Incorrect API key provided: ${KEY}`)],
    ['balance', refused(402, 'Insufficient balance')],
    ['not_found', NOTHING],
    ['redirect', () => Response.redirect('https://elsewhere.example/v1/models', 302)],
    ['not_a_list', () => new Response('<html>')],
    ['empty', () => Response.json({ data: [] })],
    ['failed', refused(500, 'boom')],
  ];
  for (const [code, script] of cases) {
    answer = script;
    const found = await list();
    expect(found).toMatchObject({ data: [], problem: { code } });
    expect(JSON.stringify(found)).not.toContain(KEY);
  }
  expect(await list({ base_url: 'http://127.0.0.1:1/v1' })).toMatchObject({
    problem: { code: 'unreachable' },
  });
  expect(await list({ base_url: 'http://no-such-host.invalid/v1' })).toMatchObject({
    problem: { code: 'unresolved' },
  });
});

test('refuses a private address without permission, by the name of the setting', async () => {
  for (const route of ['models', 'test']) {
    const body = { allow_private: false, ...(route === 'test' ? { model: 'm' } : {}) };
    const { status, body: refused } = await ask(`POST /admin/v1/providers/${route}`, body);
    expect([status, Object(refused).error.param]).toEqual([400, 'base_url']);
    expect(Object(refused).error.message).toContain('allow_private');
  }
});

test('tests a provider that is not saved, with its own error', async () => {
  const error = { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' };
  answer = () => Response.json({ error }, { status: 401 });
  const { body } = await ask('POST /admin/v1/providers/test', { model: 'm' });
  expect(body).toMatchObject({ ok: false, model: 'm', checks: [{ format: 'chat', status: 401 }] });
  expect(JSON.stringify(body)).toContain('The server refused the key.');
  expect(JSON.stringify(body)).not.toContain(KEY);
});

test('refuses a key that no header can hold, and an address with credentials', async () => {
  const statusOf = async (changed: object) =>
    (await ask('POST /admin/v1/providers/models', changed)).status;
  expect(await statusOf({ api_key: 'two words' })).toBe(400);
  expect(await statusOf({ base_url: 'https://user:pass@models.example/v1' })).toBe(400);
  expect(await statusOf({ make: 'unknown' })).toBe(400);
});

test('moves the decimal point of a price exactly', () => {
  expect(['0.000001', '0.00000125', '1', '0.0000000001'].map(perMillion)).toEqual([
    ...['1', '1.25', '1000000', '0.0001'],
  ]);
  expect(['-1', '1e-6', 0.5, undefined].map(perMillion)).toEqual([null, null, null, null]);
});

test('tests a model of embeddings and one of images with a request of its kind', async () => {
  const asked: string[] = [];
  answer = async (request) => {
    asked.push(`${new URL(request.url).pathname} ${await request.text()}`);
    return request.url.endsWith('/embeddings')
      ? Response.json({ data: [{ embedding: [0.5, -1, 2] }] })
      : Response.json({ data: [{ b64_json: 'AAAA' }] });
  };
  const of = async (kind: string) =>
    (await ask('POST /admin/v1/providers/test', { model: 'm', kind })).body;
  expect(await of('embedding')).toMatchObject({
    ok: true,
    checks: [{ format: 'embeddings', ok: true, status: 200, dimensions: 3, problem: null }],
  });
  expect(await of('image')).toMatchObject({
    ok: true,
    checks: [{ format: 'images', ok: true, dimensions: null }],
  });
  expect(asked).toEqual([
    '/v1/embeddings {"model":"m","input":"ok","encoding_format":"float"}',
    '/v1/images/generations {"model":"m","prompt":"A gray square.","n":1}',
  ]);
});

test('says what is wrong with a model of another kind, a key, and a protocol without images', async () => {
  const of = async (changed: object) =>
    (await ask('POST /admin/v1/providers/test', { model: 'm', kind: 'embedding', ...changed }))
      .body;
  answer = () => Response.json({ choices: [] });
  const { checks } = await of({});
  expect(checks[0]).toMatchObject({ ok: false, error: '{"choices":[]}' });
  expect(checks[0].problem).toContain('has no embedding');
  answer = () => Response.json({ error: { message: 'Incorrect API key' } }, { status: 401 });
  expect((await of({})).checks[0].problem).toContain('The server refused the key');
  answer = NOTHING;
  expect((await of({})).checks[0].problem).toContain('/v1/embeddings');
  expect((await of({ protocol: 'anthropic' })).error).toMatchObject({ param: 'kind' });
});
