// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of the file.
/** Tests the routes that change the settings in the database, through complete gateways. */
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { join } from 'node:path';
import { readYaml, SMALL_FILE } from '../config/file.fixture.ts';
import { type Answer, joined, setUp, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, openGatewayOf, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);

const KEYED =
  'upstreams: { net: { protocol: openai, base_url: "https://127.0.0.1:9", allow_private: true, api_key: sk-literal-secret, headers: { x-team: hush-header } },';
const FILE = SMALL_FILE.replace('upstreams: {', KEYED);

let gateway: Gateway;
let contract: Contract;
let folder = '';
afterAll(removeFolders);

async function open(file: string): Promise<void> {
  ({ gateway, folder } = await openGatewayOf(file));
  contract = await contractOf(gateway);
}

type Headers = Readonly<Record<string, string>>;

async function send(
  route: string,
  body: object | null = null,
  headers: Headers = {},
): Promise<Answer> {
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const answer = await new Visit(gateway).send(`${route.replace(' ', ' /admin/v1/config')}`, body, {
    authorization,
    ...headers,
  });
  const [method, path = ''] = route.split(' ');
  expect(contract.disagreement(`${method} /admin/v1/config${path}`, answer)).toBeNull();
  return answer;
}
const from = (revision: number): Headers => ({ 'if-match': `"${revision}"` });
const codeOf = ({ status, body }: Answer): string => `${status} ${body.error?.code ?? 'ok'}`;

async function inputPrice(): Promise<string> {
  const { body } = await new Visit(gateway).send('GET /v1/models/gen-x');
  return body.channels[0].price.input ?? JSON.stringify(body.channels[0]);
}

const PRICE = { channels: { direct: { price: { input: '6.00' } } } };
const auditOf = async (): Promise<Answer['body'][]> => {
  const route = 'GET /admin/v1/audit?action=config.change';
  const authorization = `Bearer ${ADMIN_TOKEN}`;
  const { body } = await new Visit(gateway).send(route, null, { authorization });
  return body.data;
};

describe('a configuration in the file', () => {
  beforeEach(() => open(FILE));
  afterEach(() => gateway.close());

  test('can be read, and every change is refused with the name of the file', async () => {
    const { body, headers } = await send('GET ');
    expect(body).toMatchObject({ mode: 'file', revision: null, running_revision: null });
    expect(Object.keys(body.document)).toEqual(['fx', 'upstreams', 'models']);
    expect(headers.get('etag')).toBeNull();
    expect((await send('GET /revisions')).body).toEqual({ data: [], next: null });
    for (const [route, change] of [
      ['PUT ', { document: {} }],
      ['PATCH ', { document: {} }],
      ['PUT /models/x', { value: {} }],
      ['PATCH /upstreams/net', { value: {} }],
      ['DELETE /models/gen-x', null],
      ['POST /revisions/1/restore', {}],
    ] as const) {
      const refused = await send(route, change, from(1));
      expect([route, codeOf(refused)]).toEqual([route, '409 config_in_file']);
      expect(refused.body.error.message).toContain(join(folder, 'modelgate.yaml'));
    }
  });
});

describe('a configuration in the database', () => {
  beforeEach(() => open(`config: database\n${FILE}`));
  afterEach(() => gateway.close());

  test('a change of one price is in force at once, as a new revision', async () => {
    const before = await send('GET ');
    expect(before.body).toMatchObject({ mode: 'database', revision: 1, running_revision: 1 });
    expect(before.headers.get('etag')).toBe('"1"');
    const route = 'PATCH /models/gen-x?note=higher%20price';
    const changed = await send(route, { value: PRICE }, from(1));
    expect(changed.body).toEqual({
      revision: 2,
      in_force: true,
      dry_run: false,
      changes: [
        {
          path: 'models.gen-x.channels.direct.price.input',
          before: '"5.00"',
          after: '"6.00"',
        },
      ],
      errors: [],
      warnings: [],
      needs_restart: [],
    });
    expect(changed.headers.get('etag')).toBe('"2"');
    expect(await inputPrice()).toContain('6.00');
    expect((await auditOf())[0]).toMatchObject({
      actor: 'admin',
      subject: 'revision 2',
      detail: {
        note: 'higher price',
        'models.gen-x.channels.direct.price.input': '"5.00" → "6.00"',
      },
    });
    const { body } = await send('GET /revisions/2');
    expect(body).toMatchObject({ revision: 2, by: 'admin', note: 'higher price' });
    expect(body.changes).toEqual(changed.body.changes);
  });

  test('a change needs the revision that it was made from', async () => {
    const value = { value: PRICE };
    expect(codeOf(await send('PATCH /models/gen-x', value))).toBe('428 if_match_required');
    const odd = await send('PATCH /models/gen-x', value, { 'if-match': '7' });
    expect(codeOf(odd)).toBe('400 invalid_value');
    await send('PATCH /models/gen-x?note=first', value, from(1));
    const late = await send('PATCH /models/gen-x', value, from(1));
    expect(codeOf(late)).toBe('412 revision_changed');
    expect(late.body.error).toMatchObject({ revision: 2, by: 'admin', note: 'first' });
    expect(late.headers.get('etag')).toBe('"2"');
    const weak = await send('PATCH /models/gen-x', value, { 'if-match': 'W/"2"' });
    expect(weak.body).toMatchObject({ revision: 2, changes: [] });
  });

  test('of two administrators at once, one is refused', async () => {
    const ask = (input: string) =>
      send(
        'PATCH /models/gen-x',
        { value: { channels: { direct: { price: { input } } } } },
        from(1),
      );
    const answers = await Promise.all([ask('6.00'), ask('7.00')]);
    expect(answers.map(codeOf).toSorted()).toEqual(['200 ok', '412 revision_changed']);
    expect((await send('GET ')).body.revision).toBe(2);
    expect(await auditOf()).toHaveLength(2);
  });

  test('an invalid change is refused whole, and a dry run lists every problem', async () => {
    const document = {
      fx: { 'USD/CNY': '7.2000' },
      models: { 'gen-x': { default_channel: 'stable', makr: 'x' } },
    };
    const refused = await send('PATCH ', { document }, from(1));
    expect(codeOf(refused)).toBe('400 invalid_value');
    expect(refused.body.error).toMatchObject({ param: 'models.gen-x.makr' });
    expect(refused.body.error.message).toContain('did you mean "maker"?');
    const { body } = await send('PATCH ?dry_run=true', { document }, from(1));
    expect(body).toMatchObject({ revision: 1, dry_run: true, in_force: false });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'models.gen-x.makr',
      'models.gen-x.default_channel',
    ]);
    const route = await send('DELETE /upstreams/builtin', null, from(1));
    expect(route.body.error.message).toContain('there is no upstream "builtin"');
    expect((await send('GET ')).body.revision).toBe(1);
    expect(await auditOf()).toHaveLength(1);
  });

  test('a price of zero or of ten times as much needs confirmation', async () => {
    const ask = (query: string, input: string, revision = 1) =>
      send(
        `PATCH /models/gen-x${query}`,
        { value: { channels: { direct: { price: { input } } } } },
        from(revision),
      );
    const zero = await ask('', '0');
    expect(codeOf(zero)).toBe('409 confirmation_required');
    expect(zero.body.error).toMatchObject({ confirm: 'price_zero' });
    expect(zero.body.error.message).toContain('becomes 0, from 5.');
    expect(codeOf(await ask('?confirm=price_jump', '0'))).toBe('409 confirmation_required');
    expect(codeOf(await ask('', '50.01'))).toBe('409 confirmation_required');
    expect((await ask('?dry_run=true', '50.00')).body.warnings).toEqual([]);
    expect((await ask('?dry_run=true', '0.40')).body.warnings).toMatchObject([
      { code: 'price_jump', needs_confirmation: true },
    ]);
    expect((await ask('?confirm=price_zero,price_jump', '0')).body.revision).toBe(2);
    expect(codeOf(await ask('', '1.00', 2))).toBe('200 ok');
  });

  test('a change names what it would break', async () => {
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const visit = new Visit(gateway);
    const accounts = await visit.send('GET /admin/v1/accounts', null, admin);
    const key = {
      account_id: accounts.body.data[0].id,
      name: 'only',
      limits: { models: ['img-x'] },
    };
    expect((await visit.send('POST /admin/v1/keys', key, admin)).status).toBe(201);
    const { body } = await send('DELETE /models/img-x?dry_run=true', null, from(1));
    expect(body.warnings).toMatchObject([
      { code: 'model_removed', path: 'models.img-x', needs_confirmation: false },
      { code: 'limited_to_removed', path: 'models', needs_confirmation: true },
    ]);
    expect(body.warnings[1].message).toContain('the API key only (key_');
    const cost = { value: { channels: { direct: { cost: { input: '9.00', output: '1.00' } } } } };
    const below = await send('PATCH /models/gen-x?dry_run=true', cost, from(1));
    expect(below.body.warnings).toMatchObject([
      { code: 'below_cost', path: 'models.gen-x.channels.direct' },
    ]);
    const retire = 'DELETE /models/img-x?confirm=limited_to_removed';
    expect((await send(retire, null, from(1))).body.revision).toBe(2);
    expect((await visit.send('GET /v1/models/img-x')).status).toBe(404);
    const cards = await visit.send('GET /admin/v1/cards?model=img-x', null, admin);
    expect(cards.body.data).toMatchObject([{ model: 'img-x', in_force: false }]);
  });

  test('an earlier revision can be restored', async () => {
    await send('PATCH /models/gen-x', { value: PRICE }, from(1));
    const restored = await send('POST /revisions/1/restore?note=undo', {}, from(2));
    expect(restored.body).toMatchObject({ revision: 3, in_force: true });
    expect(await inputPrice()).toContain('5.00');
    const { body } = await send('GET /revisions?limit=2');
    expect(body.data.map(({ revision }: { revision: number }) => revision)).toEqual([3, 2]);
    expect(body.next).toBe('2');
    expect((await send('GET /revisions?limit=2&after=2')).body).toMatchObject({ next: null });
    expect(codeOf(await send('GET /revisions/9'))).toBe('404 not_found');
    expect(codeOf(await send('POST /revisions/9/restore', {}, from(3)))).toBe('404 not_found');
  });

  test('secrets are never shown, and stay when they come back as ***', async () => {
    const { body } = await send('GET ');
    expect(body.document.upstreams.net).toMatchObject({
      api_key: '***',
      headers: { 'x-team': '***' },
    });
    const same = await send('PUT ', { document: body.document }, from(1));
    expect(same.body).toMatchObject({ revision: 1, changes: [] });
    const value = { ...body.document.upstreams.net, make: 'vllm' };
    await send('PUT /upstreams/net', { value }, from(1));
    expect(gateway.live.config.upstreams['net']).toMatchObject({ make: 'vllm' });
    const net = gateway.live.config.upstreams['net'];
    expect(net?.protocol === 'openai' && net.api_key?.reveal()).toBe('sk-literal-secret');
    const fresh = await send('PATCH /upstreams/net', { value: { api_key: 'sk-second' } }, from(2));
    expect(fresh.body.changes).toEqual([
      { path: 'upstreams.net.api_key', before: '"***"', after: '"***"' },
    ]);
    expect(fresh.body.warnings).toMatchObject([
      { code: 'plain_secret', path: 'upstreams.net.api_key', needs_confirmation: false },
      { code: 'plain_secret', path: 'upstreams.net.headers.x-team' },
    ]);
    const other = await send('PUT /upstreams/copy', { value }, from(3));
    expect(other.body.error.message).toContain('write the secret itself');
    const seen = [
      await send('GET /revisions/2'),
      await send('GET /upstreams'),
      await send('GET /upstreams/net'),
      await send('GET /export'),
    ];
    const shown = JSON.stringify([...seen.map((each) => each.body), fresh.body, await auditOf()]);
    expect(shown).not.toMatch(/sk-literal-secret|sk-second|hush-header/);
    const reference = { value: { api_key: '${NET_KEY:-sk-fallback}' } };
    const dry = await send('PATCH /upstreams/net?dry_run=true', reference, from(3));
    expect(JSON.stringify(dry.body)).not.toContain('sk-fallback');
  });

  test('records are read and changed by kind', async () => {
    const models = await send('GET /models');
    expect(models.body.data.map(({ id }: { id: string }) => id)).toEqual(['gen-x', 'img-x']);
    const rate = await send('PUT /rates/USD%2FCNY', { value: '7.2000' }, from(1));
    expect(rate.body.changes).toMatchObject([{ path: 'fx.USD/CNY' }]);
    expect((await send('GET /rates/USD%2FCNY')).body.value).toBe('7.2000');
    const limits = await send('PATCH /settings/limits', { value: { drain: '5s' } }, from(2));
    expect(limits.body.needs_restart).toEqual(['limits']);
    const chat = await send('PUT /settings/chat', { value: { stream_default: 'never' } }, from(3));
    expect(chat.body.needs_restart).toEqual([]);
    expect(gateway.live.config.chat.stream_default).toBe('never');
    expect((await send('GET /settings')).body.data).toEqual([
      { id: 'chat', value: { stream_default: 'never' } },
      { id: 'limits', value: { drain: '5s' } },
    ]);
    await send('DELETE /settings/chat', null, from(4));
    expect(gateway.live.config.chat.stream_default).toBe('negotiate');
    expect((await send('GET /settings/chat')).body.error.message).toContain('its defaults are');
    for (const route of ['PUT /settings/listen', 'PUT /settings/models', 'PUT /settings/nothing']) {
      expect(codeOf(await send(route, { value: {} }, from(5)))).toBe('404 not_found');
    }
    expect(codeOf(await send('PATCH /models/x', { value: {} }, from(5)))).toBe('404 not_found');
    expect(codeOf(await send('DELETE /models/x', null, from(5)))).toBe('404 not_found');
    const odd = await send('PUT /models/x', { value: {}, valu: {} }, from(5));
    expect(codeOf(odd)).toBe('400 unsupported_parameter');
    expect(codeOf(await send('PUT /models/x', {}, from(5)))).toBe('400 missing_required_parameter');
    const proto = JSON.parse('{"value":{"__proto__":{"a":1}}}');
    expect(codeOf(await send('PATCH /models/gen-x', proto, from(5)))).toBe('400 invalid_value');
  });

  test('single settings have their types, bounds, defaults and what they wait for', async () => {
    const fields = async () => {
      const { body, headers } = await send('GET /fields');
      expect(headers.get('etag')).toBe(`"${body.revision}"`);
      const data: { keys: string[] }[] = body.data;
      return (path: string) => data.find(({ keys }) => keys.join('.') === path);
    };
    const before = await fields();
    const drain = { keys: ['limits', 'drain'], type: 'duration', default: '30s', choices: [] };
    const open = { minimum: null, maximum: null, only_if: null, required: false };
    const idle = { value: null, needs_restart: true, awaits_restart: false };
    expect(before('limits.drain')).toEqual({ ...drain, ...open, ...idle });
    expect(before('limits.keep_alive')).toMatchObject({ maximum: '4m' });
    expect(before('console.session_idle')).toMatchObject({ minimum: '5m', maximum: '365d' });
    expect(before('limits.careful_answers')).toMatchObject({ minimum: '0', maximum: '10000' });
    expect(before('console.sign_up')).toMatchObject({ choices: ['closed', 'open'] });
    expect(before('console.sign_up')).toMatchObject({ needs_restart: false });
    expect(before('console.secret')).toMatchObject(idle);
    expect(before('images.bucket')).toMatchObject({
      only_if: { keys: ['images', 'store'], value: 's3' },
    });
    const secret = { stripe: { secret_key: 'sk_hush', webhook_secret: '${WHSEC:-whsec_hush}' } };
    await send('PATCH /settings/payments', { value: secret }, from(1));
    await send(
      'PATCH ',
      { document: { limits: { drain: '5s' }, fx: { 'USD/CNY': '7.3' } } },
      from(2),
    );
    const after = await fields();
    expect(after('limits.drain')).toMatchObject({ value: '5s', awaits_restart: true });
    expect(after('limits.keep_alive')).toMatchObject({ awaits_restart: false });
    expect(after('fx.USD/CNY')).toMatchObject({ value: '7.3', awaits_restart: false });
    const hidden = { type: 'secret', value: '***', awaits_restart: true };
    expect(after('payments.stripe.secret_key')).toMatchObject(hidden);
    expect(after('payments.stripe.webhook_secret')).toMatchObject(hidden);
    const signedBy = { document: { console: { secret: 's'.repeat(32), sign_up: 'open' } } };
    expect((await send('PATCH ', signedBy, from(3))).body.needs_restart).toEqual([
      'console.secret',
    ]);
    const signed = await fields();
    expect(signed('console.secret')).toMatchObject({ value: '***', awaits_restart: true });
    expect(signed('console.sign_up')).toMatchObject({ value: 'open', awaits_restart: false });
    // The setting returns to its value at the start, so it no longer waits for a restart.
    await send('PATCH ', { document: { limits: { drain: null } } }, from(4));
    expect((await fields())('limits.drain')).toMatchObject({ awaits_restart: false });
  });

  test('a new model sells at once, and a repeated restore is made once', async () => {
    const { body } = await send('GET /models/gen-x');
    await send('PUT /models/gen-y', { value: body.value }, from(1));
    expect((await new Visit(gateway).send('GET /v1/models/gen-y')).status).toBe(200);
    const key = { 'idempotency-key': 'once', ...from(2) };
    const first = await send('POST /revisions/1/restore', {}, key);
    const again = await send('POST /revisions/1/restore', {}, key);
    expect([first.body.revision, again.body.revision]).toEqual([3, 3]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await send('GET ')).body.revision).toBe(3);
  });

  test('a person is named, and only administrators may look', async () => {
    const administrator = await setUp(gateway);
    const owner = await joined(gateway, 'owner');
    const route = 'PATCH /admin/v1/config/models/gen-x';
    const made = await administrator.send(route, { value: PRICE }, from(1));
    expect(made.body.revision).toBe(2);
    const { body } = await send('GET /revisions');
    expect(body.data[0]).toMatchObject({ by_name: 'Ada' });
    expect((await owner.send('GET /admin/v1/config')).status).toBe(403);
    expect((await send('GET /nodes')).body).toMatchObject({
      newest_revision: 2,
      data: [{ revision: 2, failure: null }],
    });
  });

  test('a document may have thousands of models, and at most 8 MiB', async () => {
    const { document } = (await send('GET ')).body;
    const model = { ...document.models['gen-x'], description: 'x'.repeat(900) };
    const copies = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`copy-${at}`, model]));
    const large = { document: { ...document, models: copies(3500) } };
    const tried = await send('PUT ?dry_run=true', large, from(1));
    expect([tried.status, tried.body.errors, tried.body.changes.length]).toEqual([200, [], 3502]);
    const most = { document: { ...document, models: copies(9000) } };
    expect(codeOf(await send('PUT ', most, from(1)))).toBe('413 request_too_large');
  });

  test('the export is the document as YAML', async () => {
    const { body, headers } = await send('GET /export');
    expect(headers.get('content-type')).toContain('application/yaml');
    const { document } = (await send('GET ')).body;
    expect(readYaml(body, 'f.yaml', {}).value).toEqual(document);
  });
});
