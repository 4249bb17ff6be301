/** Tests that image answers share one memory budget, and that none of them is lost. */
import { expect, test } from 'bun:test';
import sharp from 'sharp';
import { shippedConfig, startGateway } from './support/gateways/gateway-process.ts';
import { forgetPeak, peakMib, residentMib } from './support/gateways/process-memory.ts';
import { IMAGES } from './support/wire.ts';

const MIB = 1024 * 1024;
const ANSWER_BYTES = 20 * MIB;
const ANSWERS = 12;
/** The maximum growth of memory, in MiB. Without a budget, it is about 550. */
const MAX_MIB = 350;

const create = { width: 64, height: 64, channels: 3, background: '#204080' } as const;
const png = await sharp({ create }).png().toBuffer();
const padded = Buffer.concat([png, Buffer.alloc((ANSWER_BYTES * 3) / 4 - png.byteLength)]);
const ANSWER = JSON.stringify({ data: [{ b64_json: padded.toString('base64') }] });

const settings = (host: string) => ({
  '# limits: ': 'limits: { image_bytes: 16MiB }\n# limits: ',
  '\nupstreams:\n': `\nupstreams:\n  pictures: { protocol: openai, make: openai, base_url: "http://${host}/v1", api_key: none, allow_private: true }\n`,
  '\nmodels:\n': `
models:
  large-image:
    kind: image
    maker: img
    sizes: [64x64]
    default_channel: direct
    channels:
      direct:
        price: { per_image: { 64x64: "0.010" } }
        routes: [{ upstream: pictures, model: pictures-1 }]
`,
});

test(`takes less memory than ${ANSWERS} answers at once, and delivers all of them`, async () => {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  using upstream = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 0 },
    fetch: async () => {
      asked += 1;
      // The first request is answered alone, and all others at once.
      if (asked > ANSWERS) all.resolve();
      if (asked > 1) await all.promise;
      return new Response(ANSWER);
    },
  });
  await using gateway = await startGateway({
    config: shippedConfig(settings(`127.0.0.1:${upstream.port}`)),
  });
  const body = JSON.stringify({ model: 'large-image', prompt: 'a', response_format: 'b64_json' });
  const draw = async (): Promise<boolean> => {
    const answer = await fetch(`${gateway.url}${IMAGES}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body,
    });
    let size = 0;
    for await (const piece of answer.body ?? []) size += piece.byteLength;
    return answer.status === 200 && size > ANSWER_BYTES;
  };
  // The first answer is not measured, because it also loads the code for images into memory.
  expect(await draw()).toBe(true);
  const before = residentMib(gateway.pid);
  forgetPeak(gateway.pid);
  const drawn = await Promise.all(Array.from({ length: ANSWERS }, draw));
  expect(drawn).toEqual(Array.from({ length: ANSWERS }, () => true));
  expect(peakMib(gateway.pid) - before).toBeLessThan(MAX_MIB);
});
