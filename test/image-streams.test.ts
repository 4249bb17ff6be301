/** Tests streams of partial images, and images that take longer than a connection may be silent. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import OpenAI, { APIError, toFile } from 'openai';
import sharp from 'sharp';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { breaches, nanoOf, receiptOf, wallet } from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import {
  CANARY_KEY,
  CANARY_ORG,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, eventsOf, IMAGES, post, readUntil } from './support/wire.ts';

const MODEL = (id: string, price: string): string => `
  ${id}:
    kind: image
    maker: img
    sizes: [64x64]
    partial_images: 3
    max_input_images: 1
    image_tokens: { 64x64: 1000 }
    default_channel: direct
    channels:
      direct:
        price: ${price}
        routes: [{ upstream: pictures, model: pictures-1 }]
`;
const BY_TOKEN = '{ input: "5", image_input: "8", image_output: "30" }';
const BY_IMAGE = '{ per_image: { 64x64: "0.010" } }';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let client: OpenAI;
let png: string;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const server = `  pictures: { protocol: openai, make: openai, base_url: "http://${upstream.host}/v1", api_key: "${CANARY_KEY}", allow_private: true }\n`;
  const limits = 'limits: { keep_alive: 1s, first_event_hold: 1s, image_status_hold: 1s }';
  gateway = await startGateway({
    config: shippedConfig({
      '\nchat:\n': `\n${limits}\nchat:\n`,
      '\nupstreams:\n': `\nupstreams:\n${server}`,
      '\nmodels:\n': `\nmodels:\n${MODEL('by-token', BY_TOKEN)}${MODEL('by-image', BY_IMAGE)}`,
    }),
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key, maxRetries: 0 });
  const create = { width: 64, height: 64, channels: 3, background: '#204080' } as const;
  png = (await sharp({ create }).png().toBuffer()).toString('base64');
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const USAGE = {
  ...{ input_tokens: 20, output_tokens: 900, total_tokens: 920 },
  input_tokens_details: { text_tokens: 20, image_tokens: 0 },
};
const event = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: png, created_at: 1, size: '64x64', quality: 'auto', background: 'auto', output_format: 'png', ...more })}\n\n`;
const partial = (index: number, kind = 'image_generation') =>
  event(`${kind}.partial_image`, { partial_image_index: index });
const completed = (kind = 'image_generation') => event(`${kind}.completed`, { usage: USAGE });
const asking = (more: object = {}) => ({
  ...{ model: 'by-token', prompt: 'a red boat', stream: true, partial_images: 2, ...more },
});

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

/**
 * Waits until the gateway has noticed the caller's disconnect. The gateway then reads the rest of
 * the upstream's answer, because the answer reports the usage.
 */
const readsOn = (): Promise<string> =>
  eventually(
    'the answer is read on',
    () => metricsText(gateway),
    (text) => /^modelgate_requests_read_on 1$/m.test(text),
  );

describe('a stream', () => {
  test('reaches the official client with partial images, the image, its usage and cost', async () => {
    upstream.script(() => eventStream([partial(0), partial(1), completed()]));
    const { answer, cost } = await charged(async () => {
      const stream = await client.images.generate({ ...asking(), stream: true });
      return await Array.fromAsync(stream);
    });
    expect(answer.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    expect(answer.map((each) => at(each, 'partial_image_index'))).toEqual([0, 1, undefined]);
    expect(answer.every((each) => at(each, 'b64_json') === png)).toBe(true);
    // The charge is for 20 input tokens at $5 per 1M and 900 output tokens at $30.
    expect(cost).toBe(nanoOf('0.027100000'));
    expect(at(answer.at(-1), 'usage')).toMatchObject({
      ...{ input_tokens: 20, output_tokens: 900, total_tokens: 920 },
      ...{ cost_exact: '0.027100000', cost_currency: 'USD' },
    });
    expect(upstream.calls.at(-1)?.body).toEqual({
      ...{ model: 'pictures-1', prompt: 'a red boat', n: 1, size: '64x64' },
      ...{ stream: true, partial_images: 2 },
    });
    expect(await breaches(gateway)).toEqual([]);
  });

  test('of an edit has its own events', async () => {
    upstream.script(() => eventStream([partial(0, 'image_edit'), completed('image_edit')]));
    const image = await toFile(Buffer.from(png, 'base64'), 'a.png', { type: 'image/png' });
    const stream = await client.images.edit({ ...asking(), stream: true, image });
    const types = (await Array.fromAsync(stream)).map(({ type }) => type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  test('of a provider that does not stream is its image, in the requested size', async () => {
    const jpeg = await sharp(Buffer.from(png, 'base64')).resize(32, 32).jpeg().toBuffer();
    const data = [{ b64_json: jpeg.toString('base64') }];
    upstream.script(() => Response.json({ created: 1, data, usage: USAGE }));
    const { answer, cost } = await charged(async () => {
      const response = await post(gateway, IMAGES, asking({ model: 'by-image' }));
      return eventsOf(await response.text());
    });
    expect(answer.map(({ name }) => name)).toEqual(['image_generation.completed']);
    const last = JSON.parse(answer[0]?.data ?? '');
    const drawn = sharp(Buffer.from(last.b64_json, 'base64'));
    expect(await drawn.metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
    expect([cost, last.usage.cost_exact]).toEqual([nanoOf('0.010000000'), '0.010000000']);
  });

  test.each([
    ['cut off', '', 'upstream_truncated'],
    [
      'ended by an error',
      `event: error\ndata: {"type":"error","error":{"message":"at ${CANARY_ORG}"}}\n\n`,
      'upstream_failed',
    ],
    [
      'that ends without an image',
      'data: {"type":"image_generation.completed"}\n\n',
      'upstream_failed',
    ],
  ])('%s after a partial image ends with an error, and is free', async (_what, ending, code) => {
    const started = Promise.withResolvers<void>();
    upstream.script(() =>
      eventStream([partial(0)], async (controller) => {
        await started.promise;
        if (ending !== '') controller.enqueue(new TextEncoder().encode(ending));
        controller.close();
      }),
    );
    const seen: unknown[] = [];
    const { answer: failure, cost } = await charged(async () => {
      try {
        for await (const each of await client.images.generate({ ...asking(), stream: true })) {
          seen.push(each.type);
          started.resolve();
        }
      } catch (thrown) {
        return thrown;
      }
      return null;
    });
    expect(seen).toEqual(['image_generation.partial_image']);
    expect(failure).toBeInstanceOf(APIError);
    expect(at(failure, 'code')).toBe(code);
    expect(String(failure)).not.toContain(CANARY_ORG);
    expect(cost).toBe(0n);
    expect(await breaches(gateway)).toEqual([]);
  });

  test('that fails at once has the status of its error', async () => {
    upstream.script(() =>
      eventStream(['data: {"error":{"message":"no","code":"moderation_blocked"}}\n\n']),
    );
    const answer = await ask(gateway, IMAGES, asking());
    expect([answer.status, answer.at('error.code')]).toEqual([400, 'content_policy_violation']);
  });

  test('whose caller leaves is read to its end and charged', async () => {
    const left = Promise.withResolvers<void>();
    upstream.script(() =>
      eventStream([partial(0)], async (controller) => {
        await left.promise;
        controller.enqueue(new TextEncoder().encode(completed()));
        controller.close();
      }),
    );
    const { answer: id, cost } = await charged(async () => {
      const response = await post(gateway, IMAGES, asking());
      const reader = await readUntil(response, (text) => text.includes('partial_image'));
      await reader.cancel();
      await readsOn();
      left.resolve();
      return response.headers.get('x-request-id') ?? '';
    });
    expect(cost).toBe(nanoOf('0.027100000'));
    const receipt = await receiptOf(gateway, id);
    expect(receipt.at('data')).toMatchObject({ outcome: 'caller_left', measure: 'read_on' });
  });

  test('is kept alive by comments while its provider is silent', async () => {
    const alive = Promise.withResolvers<void>();
    upstream.script(() =>
      eventStream([], async (controller) => {
        await alive.promise;
        controller.enqueue(new TextEncoder().encode(completed()));
        controller.close();
      }),
    );
    const response = await post(gateway, IMAGES, asking());
    const reader = await readUntil(response, (text) => text.split(': ping\n\n').length > 2);
    alive.resolve();
    expect(eventsOf(await reader.rest()).map(({ name }) => name)).toEqual([
      'image_generation.completed',
    ]);
  });
});

describe('an answer that takes longer than its status line waits', () => {
  const plain = { model: 'by-image', prompt: 'a red boat', response_format: 'b64_json' };
  /**
   * Sends the request. The provider answers only after the caller has received two keep-alive
   * spaces.
   */
  async function slowly(answer: () => Response, headers: Readonly<Record<string, string>> = {}) {
    const alive = Promise.withResolvers<void>();
    upstream.script(async () => {
      await alive.promise;
      return answer();
    });
    const response = await post(gateway, IMAGES, plain, headers);
    const reader = await readUntil(response, (text) => text.length >= 2);
    alive.resolve();
    return { response, text: await reader.rest() };
  }
  const drawn = () => Response.json({ created: 1, data: [{ b64_json: png }] });

  test.each([{}, { 'idempotency-key': 'slow-image-1' }])(
    'gets spaces and then its JSON, and is charged (%j)',
    async (headers) => {
      const { answer, cost } = await charged(() => slowly(drawn, headers));
      expect(answer.response.status).toBe(200);
      expect(answer.response.headers.get('content-type')).toBe('application/json');
      expect(answer.text).toMatch(/^ {2,}\{/);
      expect(at(JSON.parse(answer.text), 'data.0.b64_json')).toBe(png);
      expect(cost).toBe(nanoOf('0.010000000'));
      const id = answer.response.headers.get('x-request-id') ?? '';
      expect((await receiptOf(gateway, id)).at('data')).toMatchObject({
        ...{ outcome: 'completed', cost_exact: '0.010000000', streamed: false },
      });
    },
  );

  test('is what the official client reads', async () => {
    const alive = Promise.withResolvers<void>();
    upstream.script(async () => {
      await alive.promise;
      return drawn();
    });
    // The gateway sends the headers before the provider has answered.
    const patient = new OpenAI({
      ...{ baseURL: `${gateway.url}/v2`, apiKey: gateway.key, maxRetries: 0 },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        alive.resolve();
        return response;
      },
    });
    const { data } = await patient.images.generate({ ...plain, response_format: 'b64_json' });
    expect(data?.[0]?.b64_json).toBe(png);
  });

  test('and then fails ends with the error in the body of a 200, and is free', async () => {
    const { answer, cost } = await charged(() =>
      slowly(() => Response.json({ error: { message: `at ${CANARY_ORG}` } }, { status: 500 })),
    );
    expect(answer.response.status).toBe(200);
    expect(at(JSON.parse(answer.text), 'error.code')).toBe('upstream_failed');
    expect(answer.text).not.toContain(CANARY_ORG);
    expect(cost).toBe(0n);
    expect(await breaches(gateway)).toEqual([]);
  });

  test('is charged although its caller leaves meanwhile, and drawn once', async () => {
    const left = Promise.withResolvers<void>();
    const asked = upstream.calls.length;
    upstream.script(async () => {
      await left.promise;
      return drawn();
    });
    const { answer: id, cost } = await charged(async () => {
      const response = await post(gateway, IMAGES, plain);
      const reader = await readUntil(response, (text) => text.length > 0);
      await reader.cancel();
      await readsOn();
      left.resolve();
      return response.headers.get('x-request-id') ?? '';
    });
    expect(cost).toBe(nanoOf('0.010000000'));
    expect((await receiptOf(gateway, id)).at('data.outcome')).toBe('caller_left');
    expect(upstream.calls.length - asked).toBe(1);
  });

  test('is there for a repetition under its key, after its caller left', async () => {
    const left = Promise.withResolvers<void>();
    const asked = upstream.calls.length;
    upstream.script(async () => {
      await left.promise;
      return drawn();
    });
    const key = { 'idempotency-key': 'slow-image-2' };
    const { answer, cost } = await charged(async () => {
      const response = await post(gateway, IMAGES, plain, key);
      const reader = await readUntil(response, (text) => text.length > 0);
      await reader.cancel();
      left.resolve();
      return await eventually(
        'the first request has ended',
        () => ask(gateway, IMAGES, plain, key),
        ({ status }) => status !== 409,
      );
    });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(answer.at('data.0.b64_json')).toBe(png);
    expect(cost).toBe(nanoOf('0.010000000'));
    expect(upstream.calls.length - asked).toBe(1);
  });
});
