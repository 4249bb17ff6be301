import { describe, expect, test } from 'bun:test';
import { showAccount } from '#api/shown-account.ts';
import { NO_PRICES } from '#catalogue/model.fixture.ts';
import { channel, chatModel } from '#screens/playground/playground.fixture.ts';
import { generateImages } from './generate.ts';
import {
  bodyOf,
  firstForm,
  fitted,
  type ImageForm,
  priceOf,
  proportionOf,
  requestOf,
} from './image-form.ts';
import { ImageStore } from './image-store.ts';

const priced = (listed: Record<string, string>) =>
  channel('direct', {
    price: {
      ...NO_PRICES,
      ...{ currency: 'USD', unit: 'image', per_image: listed },
    },
    supported_parameters: [],
  });
const LARGE = ['1024x1024', '1792x1024'];
const PLAIN = chatModel('img-2', {
  ...{ kind: 'image', sizes: ['256x256', ...LARGE], max_images: 10, qualities: [], styles: [] },
  channels: [priced({ '256x256': '0.016', '1024x1024': '0.020', '1792x1024': '0.030' })],
});
const FINE = chatModel('img-3', {
  ...{ kind: 'image', sizes: LARGE, max_images: 1 },
  ...{ qualities: ['standard', 'hd'], styles: ['vivid', 'natural'] },
  channels: [priced({ '1024x1024': '0.040', '1024x1024/hd': '0.080', '1792x1024': '0.080' })],
});
const form = (more: Partial<ImageForm> = {}): ImageForm => ({
  ...firstForm(PLAIN),
  prompt: 'a lighthouse',
  ...more,
});

describe('an image request', () => {
  test('has only values that the model supports, even if others were chosen for another model', () => {
    const small = fitted(form({ size: '256x256', count: 7, channel: 'direct' }), FINE);
    expect(small).toMatchObject({
      ...{ model: 'img-3', size: '1024x1024', count: 1, quality: 'standard', style: 'vivid' },
      ...{ channel: 'direct', prompt: 'a lighthouse' },
    });
    const back = fitted({ ...small, quality: 'hd' }, PLAIN);
    expect([back.quality, back.style]).toEqual([null, null]);
  });

  test('is sent with supported parameters only', () => {
    expect(bodyOf(requestOf(form()))).toEqual({
      ...{ model: 'img-2', prompt: 'a lighthouse', size: '1024x1024', n: 1 },
      response_format: 'url',
    });
    const fine = fitted(form({ channel: 'direct', format: 'b64_json', style: 'natural' }), FINE);
    expect(bodyOf(requestOf(fine))).toMatchObject({
      ...{ quality: 'standard', style: 'natural', response_format: 'b64_json' },
      provider: { channel: 'direct' },
    });
  });

  test('has a price in advance', () => {
    expect(priceOf(form({ size: '256x256', count: 3 }), PLAIN)?.total).toEqual({
      ...{ amount: '0.048', currency: 'USD' },
    });
    const fine = fitted(form({ quality: 'hd' }), FINE);
    expect(priceOf(fine, FINE)?.each.amount).toBe('0.080');
    expect(priceOf({ ...fine, size: '1792x1024' }, FINE)?.each.amount).toBe('0.080');
    const cny = { ...FINE, settlement: 'CNY', settlement_rate: { id: 'fx', rate: '7.1' } } as const;
    expect(priceOf(fine, cny)?.total).toEqual({ amount: '0.568', currency: 'CNY' });
    expect(priceOf({ ...fine, size: '9x9' }, FINE)).toBeNull();
  });

  test('that is priced by token has its highest possible price in advance', () => {
    const price = { input: '5', image_output: '30', per_image: null };
    const model = chatModel('token-image', {
      ...{ kind: 'image', sizes: ['1024x1024'], max_images: 4, qualities: ['low', 'high'] },
      ...{ styles: [], image_tokens: { '1024x1024/low': 200, '1024x1024/high': 7_033 } },
      channels: [
        channel('direct', {
          price: { ...NO_PRICES, currency: 'USD', unit: '1M tokens', ...price },
        }),
      ],
    });
    // The estimate assumes at most 30 prompt tokens: 12 for the 12 bytes of the prompt, and 18 for
    // the message frame.
    expect(priceOf(form({ count: 2, quality: 'low' }), model)).toEqual({
      each: { amount: '0.006', currency: 'USD' },
      total: { amount: '0.01215', currency: 'USD' },
      isMost: true,
    });
    expect(priceOf(form({ quality: 'max' }), model)).toBeNull();
  });

  test('has a preview with its proportions', () => {
    expect(proportionOf('1792x1024')).toEqual({ width: 1, height: 1024 / 1792 });
    expect([proportionOf('auto'), proportionOf('0x0')]).toEqual(
      Array(2).fill({ width: 1, height: 1 }),
    );
  });
});

const HEADERS = {
  'x-request-id': 'req_1',
  'x-cost': '0.040000000 USD',
  'x-image-expires': '2026-11-21T18:00:00.000Z',
};
const generated = (answer: () => Response | Promise<Response>) =>
  generateImages(
    { fetch: async () => await answer() },
    form(),
    'key',
    new AbortController().signal,
  );

test('an image request names the account that the page shows, which pays for it', async () => {
  const sent: unknown[] = [];
  const fetch = async (_: string, { headers }: RequestInit): Promise<Response> => {
    sent.push(headers);
    return Response.json({ data: [] });
  };
  showAccount('acc_1');
  await generateImages({ fetch }, form(), 'key', new AbortController().signal);
  showAccount(null);
  expect(sent).toEqual([expect.objectContaining({ 'x-account': 'acc_1' })]);
});

describe('an image response', () => {
  test('has images with cost and expiry', async () => {
    const data = [{ url: 'http://gate/images/a.png', revised_prompt: 'a tall lighthouse' }];
    const result = await generated(() => Response.json({ created: 1, data }, { headers: HEADERS }));
    expect(result).toEqual({
      phase: 'done',
      generated: {
        pictures: [{ src: 'http://gate/images/a.png', revisedPrompt: 'a tall lighthouse' }],
        requestId: 'req_1',
        channel: null,
        cost: { amount: '0.040000000', currency: 'USD' },
        expiresAt: '2026-11-21T18:00:00.000Z',
      },
    });
  });

  test('has inline images as data URLs', async () => {
    const result = await generated(() => Response.json({ data: [{ b64_json: 'iVBO' }] }));
    expect(result.phase === 'done' && result.generated.pictures[0]?.src).toBe(
      'data:image/png;base64,iVBO',
    );
    const webp = { data: [{ b64_json: 'UklG' }], output_format: 'webp' };
    const other = await generated(() => Response.json(webp));
    expect(other.phase === 'done' && other.generated.pictures[0]?.src).toBe(
      'data:image/webp;base64,UklG',
    );
  });

  test('can be a refusal, missing or invalid', async () => {
    const error = { message: 'No.', code: 'content_policy_violation', param: 'prompt' };
    const codes = [
      () => Response.json({ error }, { status: 400 }),
      () => Promise.reject(new TypeError('refused')),
      () => new Response('<html>', { status: 200 }),
      () => Response.json({ error: { message: 'No.', code: 'upstream_failed' } }),
    ].map(async (answer) => {
      const result = await generated(answer);
      return result.phase === 'failed' ? result.error.code : result.phase;
    });
    expect(await Promise.all(codes)).toEqual([
      'content_policy_violation',
      'unreachable',
      'unreachable',
      'upstream_failed',
    ]);
  });
});

describe('the gallery', () => {
  function gallery(answers: readonly (() => Response | Promise<Response>)[]) {
    const keys: (string | null)[] = [];
    let ids = 0;
    const store = new ImageStore({
      fetch: async (_, init) => {
        keys.push(new Headers(init.headers).get('idempotency-key'));
        const answer = answers[keys.length - 1];
        if (answer === undefined)
          return await new Promise<Response>((_resolve, reject) => {
            init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
          });
        return await answer();
      },
      newId: () => {
        ids += 1;
        return `id_${ids}`;
      },
      nowMs: () => 0,
      onGenerated: () => undefined,
      shelf: {
        keep: async () => null,
        load: async () => [],
        remove: async () => undefined,
        clear: async () => undefined,
      },
    });
    store.setForm(form());
    return { store, keys, phases: () => store.state().runs.map(({ result }) => result.phase) };
  }
  const arrived = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const fine = () => Response.json({ data: [] });
  const lost = () => Promise.reject(new TypeError('lost'));
  const proxied = async () => new Response('<html>', { status: 504 });
  const refused = () => Response.json({ error: { message: 'No.', code: 'x' } }, { status: 400 });

  test('is sorted newest first, and ignores an empty prompt', async () => {
    const { store, phases } = gallery([fine]);
    store.run();
    await arrived();
    store.run();
    expect(phases()).toEqual(['running', 'done']);
    store.setForm(form({ prompt: ' ' }));
    store.run();
    expect(phases()).toHaveLength(2);
    store.stop(store.state().runs[0]?.id ?? '');
    await arrived();
    expect(phases()).toEqual(['stopped', 'done']);
  });

  test('retries an uncertain request under the same idempotency key', async () => {
    const { store, keys, phases } = gallery([lost, proxied, refused, fine]);
    store.run();
    await arrived();
    const id = store.state().runs[0]?.id ?? '';
    for (let times = 0; times < 3; times += 1) {
      store.retry(id);
      await arrived();
    }
    expect(keys.slice(1, 3)).toEqual([keys[0] ?? '', keys[0] ?? '']);
    expect(keys[3]).not.toBe(keys[0] ?? '');
    expect(phases()).toEqual(['done']);
  });
});
