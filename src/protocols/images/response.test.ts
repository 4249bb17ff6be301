import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { UpstreamMake } from '../../config/upstream-schema.ts';
import { GatewayError } from '../../errors.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, USAGE_BUCKETS } from '../../money/usage.ts';
import { quirksOf } from '../../upstreams/known-servers.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { encodeImagesResponse, readImagesAnswer } from './response.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the images answer for callers', () => {
  test('with URLs and revised prompts: exact bytes', () => {
    const images = [
      { url: 'https://host/files/abc.png', revisedPrompt: 'A red cube on sand' },
      { url: 'https://host/files/def.png' },
    ];
    expect(encodeImagesResponse({ createdSeconds: 1_790_000_000, images, facts: null })).toBe(
      '{"created":1790000000,"data":[{"url":"https://host/files/abc.png",' +
        '"revised_prompt":"A red cube on sand"},{"url":"https://host/files/def.png"}]}',
    );
  });

  test('in base64: exact bytes', () => {
    const images = [{ b64Json: 'iVBORw0=' }];
    expect(encodeImagesResponse({ createdSeconds: 1, images, facts: null })).toBe(
      '{"created":1,"data":[{"b64_json":"iVBORw0="}]}',
    );
  });
});

test('the answer of a model priced by the token states what was charged', () => {
  const usage = {
    ...NO_USAGE,
    input: 12,
    cacheRead: 8,
    imageInput: 30,
    output: 5,
    imageOutput: 900,
  };
  const form = { size: '64x64', output_format: 'webp' as const, quality: 'high' };
  const cost = { usd: '0.0012', exact: '0.001200000', currency: 'USD', estimated: null };
  const facts = { form, usage, cost };
  const text = encodeImagesResponse({ createdSeconds: 1, images: [{ b64Json: 'AA==' }], facts });
  expect(JSON.parse(text)).toEqual({
    ...{ created: 1, data: [{ b64_json: 'AA==' }], ...form },
    usage: {
      ...{ input_tokens: 50, output_tokens: 905, total_tokens: 955 },
      input_tokens_details: { text_tokens: 12, image_tokens: 30, cached_tokens: 8 },
      output_tokens_details: { text_tokens: 5, image_tokens: 900 },
      ...{ cost: 0.0012, cost_exact: '0.001200000', cost_currency: 'USD' },
    },
  });
});

test('the answer omits parameters that are auto, which typed clients refuse', () => {
  const form = {
    size: '64x64',
    output_format: 'png' as const,
    quality: 'auto',
    background: 'auto',
  };
  const cost = { usd: '0.0012', exact: '0.001200000', currency: 'USD', estimated: null };
  const facts = { form, usage: NO_USAGE, cost };
  const text = encodeImagesResponse({ createdSeconds: 1, images: [{ b64Json: 'AA==' }], facts });
  expect(Object.keys(JSON.parse(text))).toEqual([
    ...['created', 'data', 'size', 'output_format', 'usage'],
  ]);
});

describe('the images answer of an upstream', () => {
  test('returns image bytes in order and ignores the rest', () => {
    const body =
      '{"created":1,"data":[{"b64_json":"AQID","url":null,"revised_prompt":"better"},' +
      '{"b64_json":"BAUG"}],"usage":{"input_tokens":"many"},"background":"opaque","size":7}';
    expect(readImagesAnswer(bytesOf(body), NO_QUIRKS)).toEqual({
      kind: 'images',
      images: [
        { content: { bytes: new Uint8Array([1, 2, 3]) }, revisedPrompt: 'better' },
        { content: { bytes: new Uint8Array([4, 5, 6]) }, revisedPrompt: null },
      ],
      usage: null,
      served: NOTHING_SERVED,
    });
  });

  test.each([
    ['plain', '{"b64_json":"+/+/"}'],
    ['of a data URL', '{"b64_json":"data:image/webp;base64,+/+/"}'],
    ['where the address would be', '{"url":"data:image/png;base64,+/+/"}'],
    ['in the alphabet of addresses', '{"b64_json":"-_-_"}'],
    ['broken into lines', '{"b64_json":"+/\\n+/\\n"}'],
  ])('reads base64 %s', (_form, item) => {
    expect(readImagesAnswer(bytesOf(`{"data":[${item}]}`), NO_QUIRKS)).toEqual({
      kind: 'images',
      images: [{ content: { bytes: new Uint8Array([0xfb, 0xff, 0xbf]) }, revisedPrompt: null }],
      usage: null,
      served: NOTHING_SERVED,
    });
  });

  test('returns a URL as it is: only the upstream decides whether it is fetched', () => {
    const url = 'https://store.example/x.png';
    expect(readImagesAnswer(bytesOf(JSON.stringify({ data: [{ url }] })), NO_QUIRKS)).toMatchObject(
      {
        kind: 'images',
        images: [{ content: { url }, revisedPrompt: null }],
      },
    );
  });

  test('reports an error in a 200', () => {
    const body =
      '{"error":{"message":"no","type":"server_error","code":42,"param":null},"data":[]}';
    expect(readImagesAnswer(bytesOf(body), NO_QUIRKS)).toEqual({
      kind: 'error',
      error: { message: 'no', type: 'server_error', code: null },
    });
    expect(readImagesAnswer(bytesOf('{"error":"overloaded"}'), NO_QUIRKS)).toEqual({
      kind: 'error',
      error: { message: 'overloaded', type: null, code: null },
    });
    expect(readImagesAnswer(bytesOf('{"error":{}}'), NO_QUIRKS).kind).toBe('error');
  });

  test('ignores error: null', () => {
    const answer = readImagesAnswer(
      bytesOf('{"error":null,"data":[{"b64_json":"AQID"}]}'),
      NO_QUIRKS,
    );
    expect(answer.kind).toBe('images');
  });

  test('anything else is a failed upstream, never an empty success', () => {
    for (const body of [
      '',
      '<html>',
      'null',
      '[]',
      '{}',
      '{"data":{}}',
      '{"data":[]}',
      '{"data":[{}]}',
      '{"data":[{"b64_json":"***"}]}',
      '{"data":[{"b64_json":7}]}',
    ]) {
      const read = () => readImagesAnswer(bytesOf(body), NO_QUIRKS);
      expect(read).toThrow(GatewayError);
      expect(read).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
    }
  });
});

describe('what an images answer used', () => {
  const used = (usage: unknown, make: UpstreamMake = 'openai') => {
    const body = JSON.stringify({ data: [{ b64_json: 'AQID' }], usage });
    const answer = readImagesAnswer(bytesOf(body), quirksOf(make, {}));
    if (answer.kind === 'error') throw new Error(answer.error.message);
    return answer;
  };

  // The counts are those of an edit by `gpt-image-2` with quality `high` and two partial images.
  test('is read in text and image tokens', () => {
    const usage = {
      input_tokens: 1620,
      input_tokens_details: { image_tokens: 1500, text_tokens: 120 },
      output_tokens: 7233,
      total_tokens: 8853,
    };
    const tokens = { input: 120, imageInput: 1500, imageOutput: 7233 };
    expect(used(usage).usage).toEqual({ ...NO_USAGE, ...tokens });
    const withText = { ...usage, output_tokens_details: { image_tokens: 7000, text_tokens: 233 } };
    const split = { ...tokens, output: 233, imageOutput: 7000 };
    expect(used(withText).usage).toEqual({ ...NO_USAGE, ...split });
    const input_tokens_details = { cached_tokens: 1600, image_tokens: 1500 };
    const cached = { ...tokens, cacheRead: 1600, imageInput: 20, input: 0 };
    expect(used({ ...usage, input_tokens_details }).usage).toEqual({ ...NO_USAGE, ...cached });
  });

  test('names the size and quality that were drawn', () => {
    const body = JSON.stringify({
      data: [{ b64_json: 'AQID' }],
      ...{ size: '1536x1024', quality: 'high', background: 'opaque' },
    });
    expect(readImagesAnswer(bytesOf(body), quirksOf('openai', {}))).toMatchObject({
      served: { ...NOTHING_SERVED, size: '1536x1024', quality: 'high' },
    });
  });

  test("has the provider's own price", () => {
    const { usage, served } = used({ cost_in_usd_ticks: 700_000_000 }, 'xai');
    expect(usage).toBeNull();
    expect(served).toEqual({ ...NOTHING_SERVED, reportedCostPico: 70_000_000_000n });
  });

  test.each([
    ...[null, 'many', {}, { input_tokens: -1 }, { output_tokens: 5, input_tokens: 1.5 }],
    { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    { input_tokens: 20 },
  ])('is unknown with %j', (usage) => {
    expect(used(usage).usage).toBeNull();
  });

  test('is in disjoint buckets that sum to the totals', () => {
    const part = fc.nat(3000);
    const anyUsage = fc.record({
      input_tokens: part,
      output_tokens: fc.nat(3000).map((count) => count + 1),
      input_tokens_details: fc.option(fc.record({ cached_tokens: part, image_tokens: part })),
      output_tokens_details: fc.option(fc.record({ text_tokens: part, image_tokens: part })),
    });
    fc.assert(
      fc.property(anyUsage, (json) => {
        const { usage } = used(json);
        if (usage === null) throw new Error('not believed');
        expect(promptTokens(usage)).toBe(json.input_tokens);
        expect(tokensOf(usage, 'output')).toBe(json.output_tokens);
        expect(Math.min(...USAGE_BUCKETS.map((bucket) => usage[bucket]))).toBeGreaterThanOrEqual(0);
      }),
      { seed: 20_261_122 },
    );
  });
});
