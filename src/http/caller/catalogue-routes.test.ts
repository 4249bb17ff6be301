import { describe, expect, test } from 'bun:test';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { loadConfig } from '../../config/config.ts';
import { changedFile, SMALL_FILE, settingsOf } from '../../config/file.fixture.ts';
import { perPrice } from '../../money/usage.ts';
import { CHAT_PARAMETERS } from '../../routing/supported-parameters.ts';
import { serving } from './catalogue-room.fixture.ts';

const SHIPPED = loadCatalogue(loadConfig({ path: null, env: {} }), 0);
const small = (file = SMALL_FILE): Catalogue => loadCatalogue(settingsOf(file), 0);

const UNKNOWN = {
  status: 'unknown',
  success_rate: null,
  uptime_90d: null,
  first_byte_ms: null,
  tokens_per_second: null,
};

type Json = Readonly<Record<string, unknown>>;
type Page = {
  readonly object: string;
  readonly data: readonly Json[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
};

const get = serving(() => SHIPPED);
const list = async (query = ''): Promise<Page> => (await get(`/v1/models${query}`)).json();
const idsOf = ({ data }: Page): readonly unknown[] => data.map(({ id }) => id);
const ALL = [...SHIPPED.models.keys()];

describe('the list', () => {
  test('is the same body for both protocols and prefixes', async () => {
    const page = await list();
    expect(Object.keys(page)).toEqual(['object', 'data', 'has_more', 'first_id', 'last_id']);
    expect(page).toMatchObject({
      object: 'list',
      has_more: false,
      first_id: 'gen-opus-4-8',
      last_id: 'embed-1',
    });
    expect(idsOf(page)).toEqual(ALL);
    expect(await (await get('/v2/models')).json()).toEqual(page);
    const anthropic = await get('/v1/models', { 'anthropic-version': '2023-06-01' });
    expect(await anthropic.json()).toEqual(page);
    expect(anthropic.headers.get('content-type')).toBe('application/json');
  });

  test('has an entry of each chat model for Codex, which sends its version', async () => {
    const { models, ...page } = await (await get('/v1/models?client_version=0.169.0')).json();
    expect(page).toEqual(await list());
    const chat = [...SHIPPED.models.values()].filter(({ kind }) => kind === 'chat');
    expect(models.map(({ slug }: Json) => slug)).toEqual(chat.map(({ id }) => id));
    // Codex rejects the whole list of models if a model in it lacks one of these members.
    for (const [priority, model] of models.entries())
      expect(model).toMatchObject({
        ...{ display_name: chat[priority]?.name, priority, shell_type: 'unified_exec' },
        ...{ visibility: 'list', supported_in_api: true, support_verbosity: false },
        supported_reasoning_levels: expect.any(Array),
        base_instructions: expect.stringContaining('Codex CLI'),
        truncation_policy: { mode: 'tokens', limit: 10_000 },
        experimental_supported_tools: [],
      });
  });

  test('is empty when there are no models', async () => {
    const empty = serving(() => ({ ...SHIPPED, models: new Map() }));
    expect(await (await empty('/v1/models')).json()).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      first_id: null,
      last_id: null,
    });
  });

  test('shows capabilities and prices of a chat model', async () => {
    const [opus] = (await list()).data;
    const card = (channel: 'direct' | 'stable' | 'economical') =>
      SHIPPED.models.get('gen-opus-4-8')?.channels.get(channel)?.card.id ?? '';
    const channel = (name: 'direct' | 'stable' | 'economical', prices: Json) => ({
      channel: name,
      default: name === 'direct',
      example: name !== 'direct',
      price_card: card(name),
      price: {
        currency: 'USD',
        unit: '1M tokens',
        ...perPrice(() => null),
        not_sold: ['audio_input', 'audio_output', 'image_output'],
        per_image: null,
        ...prices,
      },
      price_terms: null,
      upcoming: [],
      supported_parameters: CHAT_PARAMETERS.filter((name) => name !== 'service_tier'),
      health: UNKNOWN,
    });
    expect(opus).toEqual({
      id: 'gen-opus-4-8',
      object: 'model',
      type: 'model',
      created: 0,
      created_at: '1970-01-01T00:00:00Z',
      owned_by: 'gen',
      display_name: 'Gen Opus 4.8',
      shutdown_date: null,
      lifecycle: 'active',
      line: null,
      deprecated_at: null,
      retires_at: null,
      capabilities: null,
      allowed_fallback_models: [],
      name: 'Gen Opus 4.8',
      maker: 'gen',
      kind: 'chat',
      description: SHIPPED.models.get('gen-opus-4-8')?.description?.en,
      description_zh: SHIPPED.models.get('gen-opus-4-8')?.description?.zh,
      tags: ['flagship', 'code', 'agents', 'vision'],
      context_length: 1_000_000,
      max_output_tokens: 128_000,
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      input_modalities: ['text', 'image', 'file'],
      output_modalities: ['text'],
      release_date: null,
      settlement: 'USD',
      settlement_rate: null,
      channels: [
        channel('direct', {
          input: '5.00',
          output: '25.00',
          cache_read: '0.50',
          cache_write: '6.25',
        }),
        channel('stable', {
          input: '5.50',
          output: '27.50',
          cache_read: '0.55',
          cache_write: '6.875',
        }),
        channel('economical', {
          input: '3.00',
          output: '15.00',
          cache_read: '0.30',
          cache_write: '3.75',
        }),
      ],
    });
  });

  test('shows the conditions and fees of a price', async () => {
    const terms = `price: { input: "5.00", output: "25.00", fees: { web_search: "0.01" }, admit: { tier: [priority], tools: [web_search] }, rows: [{ when: { tier: priority }, scale: "2" }], times: [{ tokens: "1.1" }] }`;
    const file = changedFile('price: { input: "5.00", output: "25.00" }', terms);
    const page: Page = await (await serving(() => small(file))('/v1/models')).json();
    expect(page.data[0]).toMatchObject({
      channels: [
        {
          price: { input: '5.00', output: '25.00' },
          upcoming: [],
          price_terms: {
            rows: [{ when: 'tier: priority', sold: true, input: '10.00', audio_input: null }],
            times: [{ when: '', of: 'tokens', multiple: '1.1' }],
            fees: [{ unit: 'web_search', fee: '0.01' }],
            accepts: { tier: ['priority'], speed: [], geo: [], tools: ['web_search'] },
            time_zone: 'UTC',
          },
        },
      ],
    });
  });

  test('shows null where a model has no cache price', async () => {
    const pro = (await list()).data.find(({ id }) => id === 'gen-v4-pro');
    expect(pro).toMatchObject({
      settlement: 'CNY',
      channels: [
        { channel: 'direct', price: { currency: 'USD', cache_read: '0.04', cache_write: null } },
        { channel: 'economical' },
      ],
    });
  });

  test('shows the sizes of an image model and their prices', async () => {
    const image = (await list()).data.find(({ id }) => id === 'img-3');
    expect(image).toMatchObject({
      kind: 'image',
      context_length: null,
      max_output_tokens: null,
      max_input_tokens: null,
      max_tokens: null,
      sizes: ['1024x1024', '1792x1024', '1024x1792'],
      max_images: 1,
      qualities: ['standard', 'hd'],
      styles: ['vivid', 'natural'],
      output_modalities: ['image'],
    });
    expect(image?.['channels']).toEqual([
      {
        channel: 'direct',
        default: true,
        example: true,
        price_card: SHIPPED.models.get('img-3')?.channels.get('direct')?.card.id ?? '',
        price: {
          currency: 'USD',
          unit: 'image',
          ...perPrice(() => null),
          not_sold: [],
          per_image: {
            '1024x1024': '0.040',
            '1024x1024/hd': '0.080',
            '1792x1024': '0.080',
            '1792x1024/hd': '0.120',
            '1024x1792': '0.080',
            '1024x1792/hd': '0.120',
          },
        },
        price_terms: null,
        upcoming: [],
        supported_parameters: [],
        health: UNKNOWN,
      },
    ]);
  });

  test('dates a model by its release in the format of each protocol', async () => {
    const dated = small(changedFile('maker: gen', 'maker: gen\n    release_date: 2026/02/28'));
    const page: Page = await (await serving(() => dated)('/v1/models')).json();
    expect(page.data[0]).toMatchObject({
      release_date: '2026/02/28',
      created: 1_772_236_800,
      created_at: '2026-02-28T00:00:00Z',
    });
  });
});

test('dates a model without a release by the day of the catalogue, as no client shows 1970', async () => {
  const loadedAtMs = Date.parse('2026-11-22T17:45:12Z');
  const page: Page = await (await serving(() => ({ ...SHIPPED, loadedAtMs }))('/v1/models')).json();
  expect(page.data[0]).toMatchObject({
    release_date: null,
    created: Date.parse('2026-11-22T00:00:00Z') / 1000,
    created_at: '1970-01-01T00:00:00Z',
  });
});

describe('pages', () => {
  test('follow each other to the end', async () => {
    const first = await list('?limit=3');
    expect([idsOf(first), first.has_more]).toEqual([ALL.slice(0, 3), true]);
    const second = await list(`?limit=3&after_id=${first.last_id}`);
    expect([idsOf(second), second.has_more]).toEqual([ALL.slice(3, 6), true]);
    const third = await list(`?limit=3&after_id=${second.last_id}`);
    expect([idsOf(third), third.has_more]).toEqual([ALL.slice(6), false]);
    expect([third.first_id, third.last_id]).toEqual(['img-3', 'embed-1']);
  });

  test('end with the list, whatever the limit', async () => {
    expect((await list('?limit=9')).has_more).toBe(false);
    expect((await list('?limit=8')).has_more).toBe(true);
    expect(idsOf(await list('?limit=1000'))).toEqual(ALL);
    expect(await list('?after_id=embed-1')).toMatchObject({
      data: [],
      has_more: false,
      last_id: null,
    });
  });

  test('before a model are those just before it, with has_more for earlier ones', async () => {
    const page = await list('?limit=2&before_id=gen-v4-pro');
    expect([idsOf(page), page.has_more]).toEqual([['gen-opus-4-7', 'gen-sonnet-5'], true]);
    const rest = await list(`?limit=2&before_id=${page.first_id}`);
    expect([idsOf(rest), rest.has_more]).toEqual([['gen-opus-4-8'], false]);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=', 'limit'],
    ['?limit=0x5', 'limit'],
    ['?lifecycle=Active', 'lifecycle'],
    ['?after_id=nobody', 'after_id'],
    ['?before_id=', 'before_id'],
    ['?after_id=img-3&before_id=img-2', 'before_id'],
  ])('%s is a 400 that names the parameter', async (query, param) => {
    const response = await get(`/v1/models${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { code: 'invalid_value', param, message: expect.stringContaining(param) },
    });
  });

  test('are empty for stages of the lifecycle in which no model is', async () => {
    expect(idsOf(await list('?lifecycle[]=active&lifecycle[]=retired'))).toEqual(ALL);
    for (const stages of ['lifecycle=retired', 'lifecycle[]=deprecated&lifecycle[]=retired'])
      expect(await list(`?${stages}`)).toMatchObject({ data: [], has_more: false, first_id: null });
  });

  test('other parameters are ignored', async () => {
    expect(idsOf(await list('?beta=true'))).toEqual(ALL);
  });
});

describe('one model', () => {
  test('is the same as in the list', async () => {
    for (const model of (await list()).data) {
      expect(await (await get(`/v2/models/${model['id']}`)).json()).toEqual(model);
    }
  });

  test('is found by an id with a slash, escaped or not', async () => {
    const at = serving(() => small(changedFile('  gen-x:', '  maker/gen-x:1.0:')));
    for (const path of ['/v1/models/maker%2Fgen-x%3A1.0', '/v1/models/maker/gen-x:1.0']) {
      const response = await at(path);
      expect([response.status, (await response.json()).id]).toEqual([200, 'maker/gen-x:1.0']);
    }
  });

  test('that is unknown gets a 404 valid in both dialects, with suggestions', async () => {
    const response = await get('/v1/models/gen-opus-4-9');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: {
        type: 'not_found_error',
        code: 'model_not_found',
        param: 'model',
        message: expect.stringContaining('Did you mean gen-opus-4-8'),
      },
    });
  });
});

describe('entity tags', () => {
  const tagOf = async (path: string, at = get): Promise<string> =>
    (await at(path)).headers.get('etag') ?? '';

  test.each(['/v1/models', '/v1/models/img-3', '/v1/models?limit=2'])(
    '%s that is known already is a 304 without a body',
    async (path) => {
      const etag = await tagOf(path);
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await get(path, { 'if-none-match': known });
        expect([response.status, await response.text()]).toEqual([304, '']);
        expect(response.headers.get('etag')).toBe(etag);
        expect(response.headers.get('cache-control')).toBe('no-cache');
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  test('differ between different answers', async () => {
    const paths = ['/v1/models', '/v1/models?limit=2', '/v1/models/img-3', '/v1/models/img-2'];
    const tags = await Promise.all(paths.map((path) => tagOf(path)));
    expect(new Set(tags).size).toBe(paths.length);
  });

  test('survive a restart and change with any price', async () => {
    const tag = async (file: string): Promise<string> =>
      await tagOf(
        '/v1/models',
        serving(() => small(file)),
      );
    expect(await tag(SMALL_FILE)).toBe(await tag(SMALL_FILE));
    expect(await tag(changedFile('"0.04"', '"0.041"'))).not.toBe(await tag(SMALL_FILE));
  });

  test('change after a reload, as the bodies do', async () => {
    let current = small();
    const at = serving(() => current);
    const before = await tagOf('/v1/models', at);
    current = small(changedFile('input: "5.00"', 'input: "6.00"'));
    const response = await at('/v1/models', { 'if-none-match': before });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"input":"6.00"');
  });
});

describe('access', () => {
  test('needs no key unless the operator requires one', async () => {
    const closed = serving(() => SHIPPED, false);
    for (const path of ['/v1/models', '/v2/models/img-3']) {
      expect((await get(path)).status).toBe(200);
      expect((await closed(path)).status).toBe(401);
      expect((await closed(path, { authorization: 'Bearer right' })).status).toBe(200);
    }
  });

  test('is read-only', async () => {
    expect((await get('/v1/models', {}, 'POST')).status).toBe(405);
    const head = await get('/v1/models', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
