/**
 * Tests images of remote servers. Scripted answers have the formats of such servers. The tests
 * check what the gateway requests, delivers and charges.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import sharp from 'sharp';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, nanoOf, receiptOf, wallet } from './support/history/ledger-views.ts';
import {
  CANARY_KEY,
  CANARY_ORG,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, get, IMAGES } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

const server = (name: string, make: string): string =>
  `  ${name}: { protocol: openai, make: ${make}, base_url: "http://${upstream.host}/v1", api_key: "${CANARY_KEY}", allow_private: true }\n`;
const model = (id: string, servedBy: string): string => `
  ${id}:
    kind: image
    maker: img
    sizes: [256x256]
    default_channel: direct
    channels:
      direct:
        price: { per_image: { 256x256: "0.010" } }
        routes: [{ upstream: ${servedBy}, model: pictures-1 }]
`;

const TOKEN_MODEL = `
  token-image:
    kind: image
    maker: img
    sizes: [256x256, 512x512]
    qualities: [medium, low, high]
    image_tokens: { 256x256: 1000, 512x512/low: 300, 512x512/medium: 2000, 512x512/high: 7033 }
    default_channel: direct
    channels:
      direct:
        price:
          input: "5"
          cache_read: "1.25"
          image_input: "8"
          image_output: "30"
          rows:
            - { when: { quality: high }, input: "6", cache_read: "1.5", image_input: "9", image_output: "40" }
            - { when: { quality: high, size: 512x512 }, input: "-", image_output: "-" }
          names: { quality: { hd: high } }
        routes: [{ upstream: base64-only, model: pictures-1 }]
`;

const passing = (): string =>
  server('passing', 'openai').replace('allow_private', 'pass: [negative_prompt], allow_private');
const PASSING_MODEL = TOKEN_MODEL.replace('token-image', 'passing-image').replace(
  'upstream: base64-only',
  'upstream: passing',
);

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${server('plain', 'generic')}${server('base64-only', 'openai')}${passing()}`,
      '\nmodels:\n': `\nmodels:\n${model('plain-image', 'plain')}${model('base64-image', 'base64-only')}${TOKEN_MODEL}${PASSING_MODEL}`,
    }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const draw = (id: string) =>
  ask(gateway, IMAGES, { model: id, prompt: 'a red boat', response_format: 'b64_json' });
const answering = (item: Record<string, unknown>) => (): Response =>
  Response.json({ created: 1, data: [item], usage: { input_tokens: 'many' }, quality: 'low' });
const picture = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#a02020' } });

/** Runs `work`, which sends a request. Returns the answer and the charge. */
async function charged(work: () => ReturnType<typeof draw>) {
  const before = await wallet(gateway);
  const answer = await work();
  const after = await eventually(
    'nothing is held',
    () => wallet(gateway),
    ({ held }) => held === 0n,
  );
  return { answer, cost: before.balance - after.balance };
}

describe("converts the upstream's image to a PNG of the requested size", () => {
  test.each(['jpeg', 'webp', 'png'] as const)('%s', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    upstream.script(answering({ b64_json: bytes.toString('base64'), url: null }));
    const { answer, cost } = await charged(() => draw('plain-image'));
    expect(answer.status).toBe(200);
    const drawn = sharp(Buffer.from(String(answer.at('data.0.b64_json')), 'base64'));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });
    expect(cost).toBe(nanoOf('0.010000000'));
  });

  test("keeps the upstream's count of tokens on the receipt, and charges by the image", async () => {
    const data = [{ b64_json: (await picture().png().toBuffer()).toString('base64') }];
    const input_tokens_details = { text_tokens: 20, image_tokens: 0 };
    const usage = { input_tokens: 20, input_tokens_details, output_tokens: 272, total_tokens: 292 };
    upstream.script(() => Response.json({ created: 1, data, usage }));
    const { answer, cost } = await charged(() => draw('plain-image'));
    expect(cost).toBe(nanoOf('0.010000000'));
    const receipt = await receiptOf(gateway, answer.headers.get('x-request-id') ?? '');
    expect(receipt.at('data')).toMatchObject({
      cost_exact: '0.010000000',
      usage_buckets: { input: 20, image_input: 0, image_output: 272, output: 0 },
    });
  });

  test('accepts a data URL prefix in the data or the URL', async () => {
    const dataUrl = `data:image/jpeg;base64,${(await picture().jpeg().toBuffer()).toString('base64')}`;
    for (const item of [{ b64_json: dataUrl }, { url: dataUrl }]) {
      upstream.script(answering(item));
      expect((await draw('plain-image')).status).toBe(200);
    }
  });
});

test('requests base64 from servers that know the field, and not from servers that refuse it', async () => {
  upstream.script(answering({ b64_json: (await picture().png().toBuffer()).toString('base64') }));
  await draw('plain-image');
  expect(at(upstream.calls.at(-1)?.body, 'response_format')).toBe('b64_json');
  await draw('base64-image');
  expect(upstream.calls.at(-1)?.body).toEqual({
    model: 'pictures-1',
    prompt: 'a red boat',
    n: 1,
    size: '256x256',
  });
});

describe('an image by URL', () => {
  test('is fetched, converted and stored, and its URL is one of the gateway', async () => {
    const bytes = await picture().jpeg().toBuffer();
    using store = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(bytes) });
    upstream.script(answering({ url: `http://127.0.0.1:${store.port}/x.jpg` }));
    const { answer, cost } = await charged(() =>
      ask(gateway, IMAGES, { model: 'plain-image', prompt: 'a red boat' }),
    );
    expect(answer.status).toBe(200);
    const url = String(answer.at('data.0.url'));
    expect(url.startsWith(`${gateway.url}/files/`)).toBe(true);
    const file = await fetch(url);
    expect(file.headers.get('content-type')).toBe('image/png');
    const drawn = sharp(Buffer.from(await file.arrayBuffer()));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });
    expect(cost).toBe(nanoOf('0.010000000'));
  });

  test.each([
    ['answers an error', () => new Response('no', { status: 500 })],
    ['is no image', () => new Response('<html>')],
  ])('that %s costs the caller nothing', async (_what, fetch) => {
    using store = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
    upstream.script(answering({ url: `http://127.0.0.1:${store.port}/x.png` }));
    const { answer, cost } = await charged(() => draw('plain-image'));
    expect([answer.status, answer.at('error.code')]).toEqual([502, 'upstream_failed']);
    expect(cost).toBe(0n);
  });

  test('that cannot be fetched is not asked for again by the official client', async () => {
    upstream.script(answering({ url: 'http://127.0.0.1:1/x.png' }));
    const asked = upstream.calls.length;
    const client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key, maxRetries: 2 });
    const { cost } = await charged(async () => {
      const failure = await client.images
        .generate({ model: 'plain-image', prompt: 'a red boat' })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ status: 502, code: 'upstream_failed' });
      return await ask(gateway, IMAGES, {});
    });
    expect(cost).toBe(0n);
    // The request is not sent again, because the provider has already generated the image and would
    // bill another one.
    expect(upstream.calls.length - asked).toBe(1);
  });
});

describe('an answer without a valid image is free and leaks nothing', () => {
  const moderation = { message: `rejected by ${CANARY_ORG}`, code: 'moderation_blocked' };
  test.each([
    ['none', () => Response.json({ data: [] }), 502, 'upstream_failed'],
    ['a truncated file', answering({ b64_json: 'iVBORw0KGgo=' }), 502, 'upstream_failed'],
    [
      'a refused prompt',
      () => Response.json({ error: moderation }, { status: 400 }),
      400,
      'content_policy_violation',
    ],
    [
      'a refused prompt with a good status',
      () => Response.json({ error: moderation }),
      400,
      'content_policy_violation',
    ],
    [
      'no money of ours',
      () =>
        Response.json({ error: { message: 'no', code: 'insufficient_quota' } }, { status: 429 }),
      502,
      'upstream_refused_us',
    ],
  ])('%s', async (_name, script, status, code) => {
    upstream.script(script);
    const asked = upstream.calls.length;
    const { answer, cost } = await charged(() => draw('plain-image'));
    expect([answer.status, answer.at('error.code')]).toEqual([status, code]);
    expect(cost).toBe(0n);
    expect(upstream.calls.length - asked).toBe(1);
    for (const secret of [CANARY_KEY, CANARY_ORG, upstream.host, '169.254']) {
      expect(answer.text).not.toContain(secret);
    }
    expect(await breaches(gateway)).toEqual([]);
  });
});

describe('a model that is priced by the token', () => {
  const USAGE = {
    input_tokens: 20,
    input_tokens_details: { text_tokens: 20, image_tokens: 0, cached_tokens: 8 },
    output_tokens: 900,
    total_tokens: 920,
  };
  const drawn = async (more: Record<string, unknown> = {}, count = 1) => {
    const b64_json = (await picture().png().toBuffer()).toString('base64');
    const data = Array.from({ length: count }, () => ({ b64_json }));
    upstream.script(() => Response.json({ created: 1, data, usage: USAGE, ...more }));
  };
  const paint = (more: Record<string, unknown> = {}) =>
    ask(gateway, IMAGES, { model: 'token-image', prompt: 'a red boat', ...more });
  const generation = async (id: string) => (await receiptOf(gateway, id)).at('data');

  test('states the tokens and the cost that were charged', async () => {
    await drawn({ size: '256x256', quality: 'hd' });
    const answer = await paint({ size: '256x256', response_format: 'b64_json' });
    const { data, created, ...facts } = JSON.parse(answer.text);
    expect([data.length, typeof created]).toEqual([1, 'number']);
    expect(facts).toEqual({
      ...{ size: '256x256', output_format: 'png', quality: 'medium' },
      usage: {
        ...{ input_tokens: 20, output_tokens: 900, total_tokens: 920 },
        input_tokens_details: { text_tokens: 12, image_tokens: 0, cached_tokens: 8 },
        output_tokens_details: { text_tokens: 0, image_tokens: 900 },
        ...{ cost: 0.036084, cost_exact: '0.036084000', cost_currency: 'USD' },
      },
    });
    expect(answer.headers.get('x-cost')).toBe('0.036084000 USD');
  });

  test('charges the tokens of the quality that was served, line by line', async () => {
    await drawn({ size: '256x256', quality: 'hd' });
    const { answer, cost } = await charged(() => paint({ size: '256x256' }));
    expect(answer.status).toBe(200);
    expect(cost).toBe(nanoOf('0.036084000'));
    expect(await generation(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      cost_exact: '0.036084000',
      measure: 'reported',
      cost_estimated: false,
      images: { count: 1, price_key: '256x256/high' },
      usage_buckets: { input: 12, cache_read: 8, image_input: 0, image_output: 900, output: 0 },
      cost_details: {
        lines: [
          { kind: 'tokens', bucket: 'input', count: 12, why: 'quality: high' },
          { kind: 'tokens', bucket: 'cache_read', count: 8, rate_per_1m: '1.50' },
          { kind: 'tokens', bucket: 'image_output', count: 900, cost: '0.036000000000' },
        ],
        assumed: [],
        unpriced: [],
        waived: '0.000000000',
      },
    });
    expect(await breaches(gateway)).toEqual([]);
  });

  test('flags a quality without a price on the receipt, and charges what was requested', async () => {
    await drawn({ quality: 'ultra' });
    const { answer, cost } = await charged(() => paint({ size: '256x256', quality: 'low' }));
    expect(cost).toBe(nanoOf('0.027070000'));
    expect(await generation(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      cost_details: { unpriced: ['quality: ultra'] },
    });
    expect(await breaches(gateway)).toEqual([]);
  });

  test.each([
    ['no usage', null],
    ['no tokens', { input_tokens: 0, output_tokens: 0, total_tokens: 0 }],
  ])('charges the most tokens of the images when the provider reports %s', async (_what, usage) => {
    await drawn({ usage }, 2);
    const { answer, cost } = await charged(() => paint({ size: '512x512', n: 2, quality: 'low' }));
    // The charge is for three prompt tokens, and for 300 tokens for each of the two images.
    expect(cost).toBe(nanoOf('0.018015000'));
    expect(await generation(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      measure: 'estimated',
      cost_estimated: true,
      images: { count: 2, price_key: '512x512/low' },
    });
    expect(await breaches(gateway)).toEqual([]);
  });

  test.each([
    ['size', { size: '512x512', quality: 'high' }, 'unsupported_value'],
    ['stream', { stream: true }, 'unsupported_parameter'],
    ['partial_images', { partial_images: 2 }, 'unsupported_parameter'],
    ['quality', { quality: 'max' }, 'invalid_value'],
  ])('refuses %s %j, which is not sold, before anything is sent', async (param, more, code) => {
    const asked = upstream.calls.length;
    const { answer, cost } = await charged(() => paint(more));
    expect([answer.status, answer.at('error.param'), answer.at('error.code')]).toEqual([
      400,
      param,
      code,
    ]);
    expect([cost, upstream.calls.length - asked]).toEqual([0n, 0]);
  });

  test('shows its prices, conditions and bounds in the catalogue', async () => {
    const models = await get(gateway, '/v1/models/token-image');
    expect(models.at('image_tokens')).toEqual({
      ...{ '256x256': 1000, '512x512/low': 300, '512x512/medium': 2000, '512x512/high': 7033 },
    });
    expect(models.at('channels.0')).toMatchObject({
      price: { unit: '1M tokens', input: '5', image_output: '30', output: null, per_image: null },
      price_terms: {
        rows: [
          { when: 'quality: high', conditions: { quality: ['high'], size: null } },
          { conditions: { quality: ['high'], size: ['512x512'] }, sold: false },
        ],
        offers: { size: ['256x256', '512x512'], quality: ['medium', 'low', 'high'] },
      },
      supported_parameters: [],
    });
    const text = await (await fetch(`${gateway.url}/llms.txt`)).text();
    expect(text).toContain('output tokens of an image: 256x256 1000, 512x512/low 300');
    expect(text).toContain('at most 10 at once; edits of up to 4 images');
    expect(text).toContain('quality: high: input 6.00, cache read 1.50, image input 9.00');
  });
});

test('a field that the operator passes on is held and charged like the prompt', async () => {
  const data = [{ b64_json: (await picture().png().toBuffer()).toString('base64') }];
  const usage = { input_tokens: 100_000, output_tokens: 272, total_tokens: 100_272 };
  upstream.script(() => Response.json({ created: 1, data, usage }));
  const body = { model: 'passing-image', prompt: 'a red boat', response_format: 'b64_json' };
  const { answer, cost } = await charged(() =>
    ask(gateway, IMAGES, { ...body, negative_prompt: 'no '.repeat(50_000) }),
  );
  expect(answer.status).toBe(200);
  // The charge is for 100,000 input tokens at $5 per 1M and 272 output tokens at $30.
  expect(cost).toBe(nanoOf('0.508160000'));
});

test('says that an image cannot be stored, and charges nothing for it', async () => {
  const data = [{ b64_json: (await picture().png().toBuffer()).toString('base64') }];
  upstream.script(() => Response.json({ created: 1, data }));
  const images = join(gateway.dataDir, 'images');
  renameSync(images, `${images}.away`);
  writeFileSync(images, 'not a folder');
  const body = { model: 'plain-image', prompt: 'a red boat' };
  const { answer, cost } = await charged(() => ask(gateway, IMAGES, body));
  rmSync(images);
  renameSync(`${images}.away`, images);
  expect([answer.status, answer.at('error.code'), cost]).toEqual([503, 'store_unavailable', 0n]);
  expect(String(answer.at('error.message'))).toContain('cannot store images');
});
