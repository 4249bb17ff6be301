/** Real answers of OpenAI image servers: what the gateway requests, delivers and charges. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
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
import { ask, at, IMAGES } from './support/wire.ts';

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

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${server('plain', 'generic')}${server('base64-only', 'openai')}`,
      '\nmodels:\n': `\nmodels:\n${model('plain-image', 'plain')}${model('base64-image', 'base64-only')}`,
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

/** The answer to a request and the amount it was charged. */
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

describe('an answer without a valid image is free and leaks nothing', () => {
  const moderation = { message: `rejected by ${CANARY_ORG}`, code: 'moderation_blocked' };
  test.each([
    ['a URL', answering({ url: 'http://169.254.169.254/x.png' }), 502, 'upstream_failed'],
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
