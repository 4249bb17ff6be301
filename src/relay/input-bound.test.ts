import { describe, expect, test } from 'bun:test';
import { DEFAULT_BOUNDS, type MediaBounds } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { loadConfig } from '../config/config.ts';
import { scanObject } from '../json/scan.ts';
import { nano } from '../money/amount.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES } from '../money/price.ts';
import { png } from '../protocols/inputs/media.fixture.ts';
import { type MediaSize, requestSize } from '../protocols/inputs/request-size.ts';
import { readMessagesRequest } from '../protocols/messages/request.ts';
import { admitText } from './admission.ts';
import {
  FRAME_TOKENS,
  inputBound,
  likelyInput,
  toolBound,
  withKnownImages,
} from './input-bound.ts';
import { EXPECTED_OUTPUT_TOKENS, holdBasis, sizeHold } from './text-price.ts';

const WINDOW = 1_000_000;
const ofMedia = (size: MediaSize, bounds: Partial<MediaBounds> = {}): number => {
  const model = { bounds: { ...DEFAULT_BOUNDS, ...bounds }, contextWindow: WINDOW };
  return inputBound({ textTokens: () => 0, media: [size] }, 0, model).media;
};
const image = (width: number, height: number): MediaSize => ({ kind: 'image', width, height });
const remote = (modality: 'image' | 'file' | 'audio' | 'video' | 'unknown'): MediaSize => ({
  kind: 'unmeasured',
  modality,
});

describe('the most tokens of', () => {
  test.each([
    ['a small image, which providers scale up', image(1, 1), 8_192],
    ['a photo', image(1_024, 768), 8_192],
    ['a large image, which some providers do not scale down', image(16_000, 16_000), 327_184],
    ['a long image in tiles', image(30_000, 300), 60_888],
    ['an image of unknown size', remote('image'), 20_000],
    ['a page of a document', { kind: 'pdf', pages: 2 }, 15_568],
    ['a second of audio', { kind: 'audio', seconds: 60 }, 1_920],
    ['a document of unknown length', remote('file'), WINDOW],
    ['audio of unknown length', remote('audio'), WINDOW],
    ['video', remote('video'), WINDOW],
    ['a part of an unknown type', remote('unknown'), WINDOW],
  ] as const)('%s', (_name, size, tokens) => {
    expect(ofMedia(size)).toBe(tokens);
  });

  test('media, as a model sets it', () => {
    expect(ofMedia(image(16_000, 16_000), { image: 4_784 })).toBe(4_784);
    expect(ofMedia(remote('image'), { image: 4_784 })).toBe(4_784);
    expect(ofMedia({ kind: 'pdf', pages: 3 }, { page: 1_120 })).toBe(3_360);
    expect(ofMedia(remote('file'), { document: 50_000 })).toBe(50_000);
    expect(ofMedia({ kind: 'audio', seconds: 3 }, { audioSecond: 10 })).toBe(30);
    expect(ofMedia(remote('audio'), { audio: 6_000 })).toBe(6_000);
    expect(ofMedia(remote('video'), { video: 90_000 })).toBe(90_000);
  });
});

test('an image by address fills the context window where the card admits any size', () => {
  const size = { textTokens: () => 0, media: [remote('image'), image(100, 100)] };
  const limits = { bounds: DEFAULT_BOUNDS, contextWindow: WINDOW, isUnscaled: true };
  expect(inputBound(size, 0, limits).media).toBe(WINDOW + 8_192);
});

test('an image costs at most what the known models of its routes, or its size elsewhere, cost', () => {
  const bounds = (...models: string[]) => {
    const routes = models.map((model) => ({ model }));
    const limits = withKnownImages({ bounds: DEFAULT_BOUNDS, contextWindow: WINDOW }, routes);
    const bound = (size: MediaSize) =>
      inputBound({ textTokens: () => 0, media: [size] }, 0, limits).media;
    return [bound(image(100, 100)), bound(image(16_000, 16_000)), bound(remote('image'))];
  };
  expect(bounds('claude-sonnet-5', 'anthropic/claude-opus-5')).toEqual([4_784, 4_784, 4_784]);
  expect(bounds('openai/gpt-4o-mini')).toEqual([48_169, 48_169, 48_169]);
  expect(bounds('gpt-4o-mini', 'my-model')).toEqual([48_169, 327_184, 48_169]);
  expect(bounds('claude-sonnet-5', 'my-model')).toEqual([8_192, 327_184, 20_000]);
  const set = { bounds: { ...DEFAULT_BOUNDS, image: 70_000 }, contextWindow: WINDOW };
  const { bounds: kept } = withKnownImages(set, [{ model: 'claude-sonnet-5' }]);
  expect(kept.image).toBe(70_000);
});

test('what the provider adds because of tools counts as text', () => {
  const size = { textTokens: () => 100, media: [] };
  const limits = { bounds: DEFAULT_BOUNDS, contextWindow: WINDOW };
  expect(inputBound(size, 804, limits).text).toBe(100 + FRAME_TOKENS + 804);
});

describe('tools that the provider runs', () => {
  const search = (maxUses: number | null) =>
    ({ unit: 'web_search', type: 'w', param: 'tools[0]', maxUses, mayFill: false }) as const;
  const prompt = { text: 1_000, media: 0, atMost: WINDOW };
  const LIMITS = flatTerms(NO_RATES).limits;

  test('add their results to every round that follows', () => {
    const limits = { ...LIMITS, tokensPerUse: { web_search: 100 } };
    const bound = toolBound([search(3)], prompt, limits);
    expect(bound).toEqual({ uses: { web_search: 3 }, tokens: 1_100 + 1_200 + 1_300 });
  });

  test('have the limits of the card, or else ten uses of 50,000 tokens', () => {
    expect(toolBound([search(null)], prompt, { ...LIMITS, uses: { web_search: 2 } })).toEqual({
      uses: { web_search: 2 },
      tokens: 51_000 + 101_000,
    });
    expect(toolBound([search(null)], prompt, LIMITS).uses).toEqual({ web_search: 10 });
  });

  test('fill the context window with each result that nothing shortens', () => {
    const fetch = { ...search(2), unit: 'web_fetch', mayFill: true } as const;
    expect(toolBound([fetch], prompt, LIMITS).tokens).toBe(2 * WINDOW);
    const stated = { ...LIMITS, tokensPerUse: { web_fetch: 100 } };
    expect(toolBound([fetch], prompt, stated).tokens).toBe(1_100 + 1_200);
  });

  test('read no more than the context window in a round', () => {
    expect(toolBound([search(30)], prompt, LIMITS).tokens).toBeLessThan(30 * WINDOW);
    expect(toolBound([search(1)], { ...prompt, text: WINDOW }, LIMITS).tokens).toBe(WINDOW);
  });

  test('are counted in few steps, however many uses a caller asks for', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const one = toolBound([search(20)], prompt, LIMITS).tokens;
    expect(toolBound([search(1_020)], prompt, LIMITS).tokens).toBe(one + 1_000 * WINDOW);
    expect(toolBound([search(most)], prompt, LIMITS).tokens).toBeGreaterThan(most);
    const free = { ...LIMITS, tokensPerUse: { web_search: 0 } };
    expect(toolBound([search(most)], prompt, free).tokens).toBe(most * prompt.text);
  });
});

describe('the likely tokens of a prompt', () => {
  const words = (count: number): string => 'word '.repeat(count);
  const estimate = (content: unknown, more: object = {}): number => {
    const json = { model: 'm', max_tokens: 8, messages: [{ role: 'user', content }], ...more };
    const body = scanObject(Uint8Array.from(Buffer.from(JSON.stringify(json))), 64);
    return likelyInput(requestSize(body, readMessagesRequest(body.view()).inputs));
  };

  test('are one per four bytes', () => {
    expect(estimate(words(8_000)) - estimate(words(4_000))).toBe(5_000);
  });

  test('include system text and tools', () => {
    const tools = [{ name: 'f', description: words(400), input_schema: { type: 'object' } }];
    expect(estimate('Hi', { system: words(400) })).toBeGreaterThan(500);
    expect(estimate('Hi', { tools })).toBeGreaterThan(500);
  });

  test('exclude what no model reads', () => {
    const metadata = { user_id: words(400) };
    expect(estimate('Hi', { metadata, model: words(400) })).toBe(estimate('Hi'));
  });

  test('do not depend on the bytes of media', () => {
    const imageOf = (bytes: number) => {
      const data = Buffer.concat([png(2_000, 2_000), Buffer.alloc(bytes)]).toString('base64');
      return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    };
    expect(estimate([imageOf(6_000_000)])).toBe(estimate([imageOf(60_000)]));
  });

  test.each([
    ['a small image', image(100, 100), 16],
    ['a large image', image(16_000, 16_000), 1_600],
    ['a page', { kind: 'pdf', pages: 1 }, 2_000],
    ['ten seconds of audio', { kind: 'audio', seconds: 10 }, 320],
    ['media of unknown size', remote('file'), 2_000],
  ] as const)('include %s', (_name, size, tokens) => {
    expect(likelyInput({ promptBytes: 0, media: [size] })).toBe(1 + tokens);
  });
});

describe('with a balance of 1 USD, gen-sonnet-5', () => {
  const catalogue = loadCatalogue(loadConfig({ path: null, env: {} }), 0);
  const needed = (content: unknown, more: object = {}) => {
    const json = {
      ...{ model: 'gen-sonnet-5', max_tokens: 1_024, ...more },
      messages: [{ role: 'user', content: [content] }],
    };
    const body = scanObject(Uint8Array.from(Buffer.from(JSON.stringify(json))), 64);
    const request = readMessagesRequest(body.view());
    const size = requestSize(body, request.inputs);
    const offer = admitText(catalogue, request, size.textBytes, () => true);
    return sizeHold(holdBasis(request, size, offer), EXPECTED_OUTPUT_TOKENS).atLeast;
  };
  const balance = nano(1_000_000_000n);
  const source = { type: 'url', url: 'https://example.com/a' };

  test('reads a photo by its address', () => {
    expect(needed({ type: 'image', source }) < balance).toBe(true);
  });

  test('reads half a context window, but not twice for a summary', () => {
    const text = { type: 'text', text: '7'.repeat(200_000) };
    const compacting = { context_management: { edits: [{ type: 'compact_20260112' }] } };
    expect(needed(text) < balance).toBe(true);
    expect(needed(text, { context_management: { edits: [] } }) < balance).toBe(true);
    for (const more of [compacting, { compaction: { type: 'summarize' } }])
      expect(needed(text, more) > (needed(text) * 19n) / 10n).toBe(true);
  });

  test('reads no document by its address, which may be as long as the context window', () => {
    expect(needed({ type: 'document', source }) > balance).toBe(true);
  });
});
