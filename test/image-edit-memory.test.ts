/**
 * Tests that the gateway does not copy an image edit of 20 MB in memory when it uploads the edit to
 * the upstream.
 */
import { expect, test } from 'bun:test';
import sharp from 'sharp';
import { shippedConfig, startGateway } from './support/gateways/gateway-process.ts';
import { forgetPeak, peakMib, residentMib } from './support/gateways/process-memory.ts';
import { IMAGE_EDITS } from './support/wire.ts';

const MIB = 1024 * 1024;
const LARGE_BYTES = 20 * MIB;
/**
 * The maximum growth of memory, in MiB. The body takes 20, the buffers in which it arrives take
 * another 20 (the runtime frees them later), and the rest is a margin. A copy for the upload would
 * take 20 MiB more.
 */
const MAX_MIB = 50;

const create = { width: 64, height: 64, channels: 3, background: '#204080' } as const;
const png = await sharp({ create }).png().toBuffer();
const ANSWER = JSON.stringify({ data: [{ b64_json: png.toString('base64') }] });

const model = (host: string) => ({
  '\nupstreams:\n': `\nupstreams:\n  pictures: { protocol: openai, make: openai, base_url: "http://${host}/v1", api_key: none, allow_private: true }\n`,
  '\nmodels:\n': `
models:
  large-image:
    kind: image
    maker: img
    sizes: [64x64]
    max_input_images: 2
    default_channel: direct
    channels:
      direct:
        price: { per_image: { 64x64: "0.010" } }
        routes: [{ upstream: pictures, model: pictures-1 }]
`,
});

test('the upload of an edit of 20 MB adds no copy of it', async () => {
  const sizes: number[] = [];
  using upstream = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', maxRequestBodySize: 2 * LARGE_BYTES, idleTimeout: 0 },
    fetch: async (request) => {
      let size = 0;
      for await (const piece of request.body ?? []) size += piece.byteLength;
      sizes.push(size - Number(request.headers.get('content-length')));
      return new Response(ANSWER);
    },
  });
  await using gateway = await startGateway({
    config: shippedConfig(model(`127.0.0.1:${upstream.port}`)),
  });
  /**
   * Sends an image edit of this size in bytes. Returns the growth of the gateway's memory in MiB.
   */
  const edit = async (length: number): Promise<number> => {
    const bytes = new Uint8Array(length);
    bytes.set(png);
    const form = new FormData();
    form.append('model', 'large-image');
    form.append('prompt', 'at sunset');
    form.append('image', new File([bytes], 'photo.png'));
    const before = residentMib(gateway.pid);
    forgetPeak(gateway.pid);
    const answer = await fetch(`${gateway.url}${IMAGE_EDITS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: form,
    });
    expect(answer.status).toBe(200);
    return peakMib(gateway.pid) - before;
  };
  // The first edit is not measured, because it also loads the code for edits into memory.
  await edit(MIB);
  const grown = [await edit(LARGE_BYTES), await edit(LARGE_BYTES), await edit(LARGE_BYTES)];
  expect(sizes).toEqual([0, 0, 0, 0]);
  expect(Math.max(...grown)).toBeLessThan(MAX_MIB);
});
