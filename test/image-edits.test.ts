/**
 * Tests image edits with the official client, with forms built by hand, and with an upstream image
 * server.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import OpenAI, { toFile } from 'openai';
import sharp, { type Color, type Sharp } from 'sharp';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, nanoOf, receiptOf, wallet } from './support/history/ledger-views.ts';
import {
  CANARY_KEY,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, get, IMAGE_EDITS, read } from './support/wire.ts';

const MODEL = `
  token-image:
    kind: image
    maker: img
    sizes: [256x256]
    qualities: [low, high]
    backgrounds: [auto, transparent]
    moderations: [auto, low]
    output_formats: [png, webp]
    partial_images: 3
    response_format: b64_json
    max_input_images: 2
    input_image_tokens: 1000
    image_tokens: { 256x256/low: 300, 256x256/high: 7000 }
    default_channel: direct
    channels:
      direct:
        price: { input: "5", cache_read: "1.25", image_input: "8", image_output: "30" }
        routes: [{ upstream: pictures, model: pictures-1 }]
`;

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let client: OpenAI;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const server = `  pictures: { protocol: openai, make: openai, base_url: "http://${upstream.host}/v1", api_key: "${CANARY_KEY}", allow_private: true }\n`;
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${server}`,
      '\nmodels:\n': `\nmodels:\n${MODEL}`,
    }),
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const drawing = (width = 64, height = 48, background: Color = '#2040a0') =>
  sharp({ create: { width, height, channels: 4, background } });
const file = async (image: Sharp, name: string, type: string) =>
  await toFile(await image.toBuffer(), name, { type });
const photo = () => file(drawing().png(), 'photo.png', 'image/png');
/** Returns a mask whose left half is transparent, so that only that half is edited. */
const mask = async () => {
  const half = await drawing(32, 48, '#000').png().toBuffer();
  const masked = drawing(64, 48, { r: 0, g: 0, b: 0, alpha: 0 }).composite([
    { input: half, left: 32, top: 0 },
  ]);
  return await file(masked.png(), 'mask.png', 'image/png');
};

/** Runs `work`, which sends a request. Returns the result and the charge. */
async function charged<Answer>(work: () => Promise<Answer>) {
  const before = await wallet(gateway);
  const answer = await work();
  const after = await eventually(
    'nothing is held',
    () => wallet(gateway),
    ({ held }) => held === 0n,
  );
  return { answer, cost: before.balance - after.balance };
}

const pixelAt = async (png: Buffer, left: number, top: number) => {
  const pixel = sharp(png).extract({ left, top, width: 1, height: 1 }).removeAlpha();
  return [...(await pixel.raw().toBuffer())];
};

describe('the built-in models', () => {
  test('edit an image that the official client sends, with a mask', async () => {
    const { answer, cost } = await charged(async () =>
      client.images.edit({
        ...{ model: 'img-2-pro', prompt: 'at sunset', response_format: 'b64_json' },
        ...{ image: await photo(), mask: await mask() },
      }),
    );
    const png = Buffer.from(answer.data?.[0]?.b64_json ?? '', 'base64');
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1024, height: 1024 });
    const [edited, kept] = [await pixelAt(png, 200, 512), await pixelAt(png, 800, 512)];
    expect(kept).toEqual([0x20, 0x40, 0xa0]);
    expect(edited).not.toEqual(kept);
    expect(cost).toBe(nanoOf('0.050000000'));
  });

  test('edit several images, and answer with URLs', async () => {
    const { answer, cost } = await charged(async () =>
      client.images.edit({
        ...{ model: 'img-2', prompt: 'together', size: '256x256', n: 2, response_format: 'url' },
        image: [
          await photo(),
          await file(drawing().jpeg(), 'a.jpg', 'image/jpeg'),
          await file(drawing().webp(), 'a.webp', 'image/webp'),
        ],
      }),
    );
    expect(answer.data?.length).toBe(2);
    for (const { url = '' } of answer.data ?? []) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 256 });
    }
    expect(cost).toBe(nanoOf('0.032000000'));
  });

  test('edit an image in JSON, and say that equal requests are equal', async () => {
    const image_url = `data:image/png;base64,${(await drawing().png().toBuffer()).toString('base64')}`;
    // If a request omits `response_format`, an edit returns the image in base64.
    const body = { model: 'img-3', prompt: 'at sunset' };
    const [one, other] = [
      await ask(gateway, IMAGE_EDITS, { ...body, images: [{ image_url }] }),
      await ask(gateway, '/v1/images/edits', { ...body, image: image_url }),
    ];
    expect(one.status).toBe(200);
    expect(other.at('data.0.b64_json')).toBe(one.at('data.0.b64_json'));
  });
});

describe('an image server', () => {
  const answer = async (more: object = {}) => {
    const b64_json = (await drawing(256, 256).webp().toBuffer()).toString('base64');
    const usage = {
      ...{ input_tokens: 800, output_tokens: 250, total_tokens: 1050 },
      input_tokens_details: { text_tokens: 20, image_tokens: 780 },
    };
    return { created: 1, data: [{ b64_json }], usage, ...more };
  };
  const plain = async () => {
    const body = await answer();
    upstream.script(() => Response.json(body));
  };

  test('gets the form with its own model name, and no field that was not asked for', async () => {
    await plain();
    const [image, one] = [await photo(), await mask()];
    const sent = await client.images.edit({
      ...{ model: 'token-image', prompt: 'at sunset', image, mask: one, quality: 'low' },
      ...{ background: 'transparent', output_format: 'webp', output_compression: 70 },
      ...{ user: 'me' },
    });
    expect(sent.usage?.input_tokens_details?.image_tokens).toBe(780);
    expect([sent.output_format, sent.background]).toEqual(['webp', 'transparent']);
    const call = upstream.calls.at(-1);
    expect(call?.path).toBe('/v1/images/edits');
    expect(call?.headers.get('authorization')).toBe(`Bearer ${CANARY_KEY}`);
    expect(call?.headers.get('transfer-encoding')).toBeNull();
    const form = call?.body;
    if (!(form instanceof FormData)) throw new Error('the upstream got no form');
    const { user, ...fields } = Object.fromEntries(
      [...form].filter(([, value]) => typeof value === 'string'),
    );
    expect(fields).toEqual({
      ...{ model: 'pictures-1', prompt: 'at sunset', n: '1', size: '256x256', quality: 'low' },
      ...{ background: 'transparent', moderation: 'auto', output_format: 'webp' },
      output_compression: '70',
    });
    expect(user).toMatch(/^[0-9a-f]{32}$/);
    const files = [form.get('image'), form.get('mask')].map((each) =>
      each instanceof File ? each : new File([], 'none'),
    );
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['image-1.png', 'image/png'],
      ['mask.png', 'image/png'],
    ]);
    expect(await files[0]?.bytes()).toEqual(new Uint8Array(await image.arrayBuffer()));
  });

  test('is charged by its tokens, those of the images at their own price', async () => {
    await plain();
    const { answer: sent, cost } = await charged(async () =>
      client.images
        .edit({ model: 'token-image', prompt: 'x', image: await photo(), quality: 'low' })
        .withResponse(),
    );
    // The charge is for 20 text tokens at $5 per 1M, 780 tokens of images at $8 and 250 output
    // tokens at $30.
    expect(cost).toBe(nanoOf('0.013840000'));
    expect(sent.response.headers.get('x-cost')).toBe('0.013840000 USD');
    const id = sent.response.headers.get('x-request-id') ?? '';
    expect((await receiptOf(gateway, id)).at('data')).toMatchObject({
      cost_exact: '0.013840000',
      measure: 'reported',
      usage_buckets: { input: 20, image_input: 780, image_output: 250 },
    });
    expect(await breaches(gateway)).toEqual([]);
  });

  test('that counts nothing is charged by what the images may cost', async () => {
    const body = await answer({ usage: null });
    upstream.script(() => Response.json(body));
    const { cost } = await charged(async () =>
      client.images.edit({
        ...{ model: 'token-image', prompt: 'x', quality: 'low' },
        image: [await photo(), await photo()],
      }),
    );
    // The charge is for one prompt token at $5 per 1M, six patches of each of the two images at $8,
    // and 300 output tokens at $30.
    expect(cost).toBe(nanoOf('0.009101000'));
    expect(await breaches(gateway)).toEqual([]);
  });

  test('delivers the format of the file under its name and type', async () => {
    await plain();
    const { data } = await client.images.edit({
      ...{ model: 'token-image', prompt: 'x', image: await photo() },
      ...{ output_format: 'webp', response_format: 'url' },
    });
    const url = data?.[0]?.url ?? '';
    expect(new URL(url).pathname).toMatch(/\.webp$/);
    const stored = await fetch(url);
    expect(stored.headers.get('content-type')).toBe('image/webp');
    const bytes = Buffer.from(await stored.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256 });
  });
});

describe('a broken edit is refused by name, and nothing is sent or charged', () => {
  const post = async (body: BodyInit, type: string | null = null, path = IMAGE_EDITS) =>
    await read(
      await fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          ...(type === null ? {} : { 'content-type': type }),
        },
        body,
      }),
    );
  const form = async (more: Readonly<Record<string, string>> = {}, images = 1) => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ model: 'token-image', prompt: 'x', ...more }))
      data.append(name, value);
    for (let image = 0; image < images; image++) data.append('image[]', await photo());
    return data;
  };
  const bytesOf = async (data: FormData) => {
    const request = new Request('http://x', { method: 'POST', body: data });
    const type = request.headers.get('content-type') ?? '';
    return { type, bytes: await request.bytes() };
  };

  test.each([
    ['without an image', () => form({}, 0), 'missing_required_parameter', 'image'],
    ['without a prompt', () => form({ prompt: '' }), 'invalid_value', 'prompt'],
    ['with too many images', () => form({}, 3), 'invalid_value', 'image'],
    ['of a chat model', () => form({ model: 'gen-v4-pro' }), 'wrong_endpoint', 'model'],
    ['of an unknown model', () => form({ model: 'none' }), 'model_not_found', 'model'],
    [
      'with partial images alone',
      () => form({ partial_images: '1' }),
      'invalid_value',
      'partial_images',
    ],
    [
      'in an unknown format',
      () => form({ output_format: 'gif' }),
      'invalid_value',
      'output_format',
    ],
  ])('%s', async (_what, made, code, param) => {
    const asked = upstream.calls.length;
    const { answer, cost } = await charged(async () => await post(await made()));
    expect([answer.at('error.code'), answer.at('error.param')]).toEqual([code, param]);
    expect(answer.status).toBe(code === 'model_not_found' ? 404 : 400);
    expect([cost, upstream.calls.length - asked]).toEqual([0n, 0]);
  });

  test('broken off, without a boundary, too large, or of another type', async () => {
    const { type, bytes } = await bytesOf(await form());
    const asked = upstream.calls.length;
    const answers = [
      await post(bytes.slice(0, -20), type),
      await post(bytes, 'multipart/form-data'),
      await post(new Uint8Array(33 * 1024 * 1024), type),
      await post(bytes, 'application/octet-stream'),
    ];
    expect(answers.map(({ status, at }) => [status, at('error.code'), at('error.param')])).toEqual([
      [400, 'invalid_value', 'body'],
      [400, 'invalid_value', 'body'],
      [413, 'request_too_large', null],
      [415, 'unsupported_media_type', null],
    ]);
    expect(answers[2]?.text).toContain('33554432');
    expect(upstream.calls.length).toBe(asked);
  });

  test('that repeats an Idempotency-Key is answered once, whatever its boundary', async () => {
    const body = JSON.stringify({
      created: 1,
      data: [{ b64_json: (await drawing(256, 256).png().toBuffer()).toString('base64') }],
    });
    upstream.script(() => new Response(body));
    const asked = upstream.calls.length;
    const key = crypto.randomUUID();
    const send = async (prompt: string) =>
      await fetch(`${gateway.url}${IMAGE_EDITS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'idempotency-key': key },
        body: await form({ prompt, response_format: 'b64_json' }),
      });
    const [one, other, changed] = [await send('x'), await send('x'), await send('y')];
    expect(await other.text()).toBe(await one.text());
    expect(other.headers.get('idempotency-replayed')).toBe('true');
    expect([one.status, changed.status]).toEqual([200, 422]);
    expect(upstream.calls.length - asked).toBe(1);
  });
});

test('a model may answer in base64 unless a URL is asked for', async () => {
  const data = [{ b64_json: (await drawing(256, 256).png().toBuffer()).toString('base64') }];
  upstream.script(() => Response.json({ created: 1, data }));
  const drawn = { model: 'token-image', prompt: 'x' };
  const [usual, asked] = [
    await client.images.generate(drawn),
    await client.images.generate({ ...drawn, response_format: 'url' }),
  ];
  expect(Object.keys(usual.data?.[0] ?? {})).toEqual(['b64_json']);
  expect(Object.keys(asked.data?.[0] ?? {})).toEqual(['url']);
});

test('the catalogue says what each model edits and streams', async () => {
  const model = await get(gateway, '/v1/models/token-image');
  expect(JSON.parse(model.text)).toMatchObject({
    ...{ max_input_images: 2, max_partial_images: 3, output_formats: ['png', 'webp'] },
    ...{ backgrounds: ['auto', 'transparent'], moderations: ['auto', 'low'] },
  });
  expect((await get(gateway, '/v1/models/img-3')).at('max_partial_images')).toBeNull();
});
