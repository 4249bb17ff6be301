/** Tests the routes behind two console pages: that of an upstream and that of a model. */
import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { type Answer, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, openGatewayOf, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);

const KEY = 'sk-of-the-upstream-WXYZ';
const OTHER_KEY = 'sk-another-of-the-operator';
const STREAM =
  'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n' +
  'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}\n\ndata: [DONE]\n\n';

let keys: (string | null)[] = [];
const provider = Bun.serve({
  port: 0,
  fetch: (request) => {
    keys.push(request.headers.get('authorization'));
    return request.url.endsWith('/models')
      ? Response.json({ data: [{ id: 'one' }] })
      : new Response(STREAM, { headers: { 'content-type': 'text/event-stream' } });
  },
});

const NET = `upstreams:
  net:
    protocol: openai
    base_url: "http://127.0.0.1:${provider.port}/v1"
    allow_private: true
    api_key: ${KEY}
    headers: { x-team: hush-header }
    quirks: { drop: [temperature], responses: false }
  builtin: { protocol: builtin }
`;
const FILE = SMALL_FILE.replace('upstreams: { builtin: { protocol: builtin } }\n', NET).replace(
  'routes: [{ upstream: builtin, model: x }]\n  img-x:',
  `routes: [{ upstream: net, model: one }, { upstream: builtin, model: x }]
      stable:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: net, model: one }]
  net-only:
    kind: chat
    maker: gen
    description: { en: "Short", zh: "短" }
    context_window: 1000
    max_output: 100
    default_channel: stable
    channels:
      direct:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: net, model: two }]
      stable:
        price: { input: "5.00", output: "25.00" }
        routes: [{ upstream: net, model: one }]
  img-x:`,
);

let gateway: Gateway;
let contract: Contract;
async function open(file: string): Promise<void> {
  ({ gateway } = await openGatewayOf(file));
  contract = await contractOf(gateway);
}
beforeEach(() => open(`config: database\n${FILE}`));
afterEach(async () => {
  keys = [];
  await gateway.close();
});
afterAll(async () => {
  await provider.stop(true);
  removeFolders();
});

async function send(route: string, body: object | null = null, revision = 1): Promise<Answer> {
  const sent = route.replace(' ', ' /admin/v1');
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'if-match': `"${revision}"` };
  const answer = await new Visit(gateway).send(sent, body, headers);
  expect(contract.disagreement(sent, answer)).toBeNull();
  return answer;
}
const fieldsOf = async (record: string) => {
  const { body } = await send(`GET /config/${record}/fields`);
  return new Map<string, Record<string, unknown>>(
    body.data.map((field: { keys: readonly string[] }) => [field.keys.slice(2).join('.'), field]),
  );
};
const warned = ({ body }: Answer): readonly string[] =>
  body.warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`);

test('lists the fields of an upstream by its protocol, without its secrets', async () => {
  const net = await fieldsOf('upstreams/net');
  expect(net.get('base_url')).toMatchObject({ type: 'text', value: expect.stringMatching(/v1$/) });
  expect(net.get('api_key')).toMatchObject({ type: 'secret', value: '***' });
  expect(net.get('headers')).toMatchObject({ type: 'json', value: '{"x-team":"***"}' });
  expect(net.get('quirks.drop')).toMatchObject({ type: 'list', value: ['temperature'] });
  expect(net.get('quirks.responses')).toMatchObject({ type: 'boolean', value: false });
  expect(net.get('pass')).toMatchObject({ type: 'list', default: [] });
  expect(net.get('connect_timeout')).toMatchObject({ type: 'duration', maximum: '24d' });
  const required = [...net].filter(([, field]) => field['required']).map(([path]) => path);
  expect(required).toEqual(['protocol', 'base_url']);
  expect(net.get('sign_in.region')).toMatchObject({
    only_if: { keys: ['upstreams', 'net', 'sign_in', 'kind'], value: 'aws' },
  });
  expect(JSON.stringify([...net])).not.toContain(KEY);
  expect([...(await fieldsOf('upstreams/builtin')).keys()]).toEqual(['tokens_per_second']);
  expect((await send('GET /config/upstreams/none/fields')).status).toBe(404);
});

test('lists the fields of a model by its kind, without its channels', async () => {
  const chat = await fieldsOf('models/net-only');
  expect(chat.get('context_window')).toMatchObject({ type: 'integer', value: 1000, minimum: '1' });
  expect(chat.get('input')).toMatchObject({ type: 'list', value: null, default: ['text'] });
  expect(chat.get('description.zh')).toMatchObject({ type: 'text', value: '短' });
  expect([chat.has('description'), chat.has('kind')]).toEqual([false, false]);
  expect([...chat.keys()].some((path) => path.startsWith('channels'))).toBe(false);
  const image = await fieldsOf('models/img-x');
  expect(image.get('sizes')).toMatchObject({ type: 'list', value: ['512x512', '1024x1024'] });
  expect([image.has('description'), image.has('max_output')]).toEqual([true, false]);
});

test('a list of fields to pass may say all of them', async () => {
  const { body } = await send('PATCH /config/upstreams/net', { value: { pass: ['all'] } });
  expect(body.errors).toEqual([]);
  expect((await fieldsOf('upstreams/net')).get('pass')).toMatchObject({ value: ['all'] });
});

test('tests a change with its own key, and saves nothing', async () => {
  const test = (change: object) => send('POST /upstreams/net/test', { change });
  const { body } = await test({ api_key: OTHER_KEY });
  expect(body).toMatchObject({ upstream: 'net', model: 'one', ok: true });
  expect(new Set(keys)).toEqual(new Set([`Bearer ${OTHER_KEY}`]));
  expect((await test({ base_url: 'ftp://x' })).body.error).toMatchObject({
    code: 'invalid_value',
    param: 'upstreams.net.base_url',
  });
  expect((await send('GET /config')).body.revision).toBe(1);
});

test("reads the models of an upstream with the gateway's key", async () => {
  const { body } = await send('POST /upstreams/net/models');
  expect(body).toMatchObject({ data: [{ id: 'one' }], problem: null });
  expect(keys).toEqual([`Bearer ${KEY}`]);
  expect((await send('POST /upstreams/builtin/models')).status).toBe(404);
});

test('removes an upstream with what it alone serves, as one revision', async () => {
  const planned = await send('POST /config/upstreams/net/remove?dry_run=true', {});
  expect(planned.body.errors).toEqual([]);
  expect(warned(planned)).toEqual([
    'channel_removed models.gen-x.channels.stable',
    'model_removed models.net-only',
  ]);
  const { body } = await send('POST /config/upstreams/net/remove', {});
  expect(body).toMatchObject({ revision: 2, in_force: true });
  const { document } = (await send('GET /config')).body;
  expect(Object.keys(document.upstreams)).toEqual(['builtin']);
  expect(Object.keys(document.models)).toEqual(['gen-x', 'img-x']);
  expect(document.models['gen-x'].channels).toEqual({
    direct: {
      price: { input: '5.00', output: '25.00' },
      routes: [{ upstream: 'builtin', model: 'x' }],
    },
  });
  const undone = await send('POST /config/revisions/1/restore', null, 2);
  expect(undone.body).toMatchObject({ revision: 3 });
  expect(Object.keys((await send('GET /config')).body.document.upstreams)).toContain('net');
});

test('removes one route, and a default channel that loses its last one is replaced', async () => {
  const route = { model: 'net-only', channel: 'stable', upstream_model: 'one' };
  const { body } = await send('POST /config/upstreams/net/remove', route);
  expect(warned({ body } as Answer)).toEqual(['channel_removed models.net-only.channels.stable']);
  const { document } = (await send('GET /config')).body;
  expect(document.models['net-only']).toMatchObject({ default_channel: 'direct' });
  expect(Object.keys(document.models['net-only'].channels)).toEqual(['direct']);
  expect(document.upstreams.net).toBeDefined();
  const none = await send('POST /config/upstreams/net/remove', { channel: 'economical' }, 2);
  expect(none.body).toMatchObject({ revision: 2, changes: [] });
});

test('price lists lose the models and channels that are removed', async () => {
  const price = { input: '1.00', output: '2.00' };
  const models = {
    'net-only': { hidden: true },
    'gen-x': { channels: { direct: { price }, stable: { price } } },
  };
  const lists = { partners: { only: ['gen-x', 'net-only'], models } };
  await send('PATCH /config', { document: { price_lists: lists } });
  const { body } = await send('POST /config/upstreams/net/remove', {}, 2);
  expect(body).toMatchObject({ revision: 3 });
  const listed = async () => (await send('GET /config')).body.document.price_lists;
  const left = { 'gen-x': { channels: { direct: { price } } } };
  expect(await listed()).toEqual({ partners: { only: ['gen-x'], models: left } });
  // Deleting the model is refused. It is the last model that the price list names, and a list
  // without names would sell all models.
  const { error } = (await send('DELETE /config/models/gen-x', null, 3)).body;
  expect(error).toMatchObject({ param: 'price_lists.partners.only' });
});

test('with the settings in the file, a removal and a test of a change are refused', async () => {
  await gateway.close();
  await open(FILE);
  expect((await fieldsOf('upstreams/net')).get('base_url')).toBeDefined();
  for (const [route, body] of [
    ['POST /config/upstreams/net/remove', {}],
    ['POST /upstreams/net/test', { change: {} }],
  ] as const) {
    expect((await send(route, body)).body.error).toMatchObject({ code: 'config_in_file' });
  }
});
