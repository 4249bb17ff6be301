import { expect, test } from 'bun:test';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Config } from '../config/config.ts';
import { perImage, tokenPrice } from '../config/file.fixture.ts';
import { AT_MS, receipt } from '../ledger/conformance/ledger.fixture.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import { NO_FACTS, PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson } from '../money/terms-json.ts';
import { NO_USAGE } from '../money/usage.ts';
import { operatorCost } from './operator-cost.ts';
import type { LoggedRequest } from './request-log.ts';

type Models = Config['models'];
type Channel = NonNullable<Models[string]['channels']['direct']>;

const CHAT = {
  kind: 'chat',
  maker: 'maker',
  description: null,
  tags: [],
  release_date: null,
  settlement: 'USD',
  default_channel: 'direct',
  context_window: 1_000,
  max_output: 1_000,
  timeouts: {},
  thinks_unseen: false,
  bounds: {
    image: null,
    page: null,
    document: null,
    audio_second: null,
    audio: null,
    video: null,
  },
  input: ['text'],
  output: ['text'],
} satisfies Partial<Models[string]>;
const IMAGE = {
  kind: 'image',
  maker: 'maker',
  description: null,
  tags: [],
  release_date: null,
  settlement: 'USD',
  default_channel: 'direct',
  sizes: ['1024x1024'],
  timeouts: {},
  max_images: 10,
  qualities: [],
  image_tokens: {},
  styles: [],
  backgrounds: [],
  moderations: [],
  output_formats: ['png'],
  partial_images: null,
  response_format: 'url',
  max_input_images: 0,
  input_image_tokens: null,
} satisfies Partial<Models[string]>;
const ROUTES = [{ upstream: 'there', model: 'm', weight: 1, priority: 1, drop: [] }];
const TOKEN_PRICE = { ...tokenPrice({ input: '9', output: '9' }), example: false };
const IMAGE_PRICE = { ...perImage({ '1024x1024': '9' }), example: false } as const;

type TokenCost = Extract<Channel['cost'], { input: string; output: string }>;

const chat = (cost?: TokenCost): Models => ({
  'gen-opus-4-8': {
    ...CHAT,
    channels: { direct: { price: TOKEN_PRICE, upcoming: [], cost, routes: ROUTES } },
  },
});
const images = (price: string): Models => ({
  'gen-opus-4-8': {
    ...IMAGE,
    channels: {
      direct: {
        price: IMAGE_PRICE,
        upcoming: [],
        cost: perImage({ '1024x1024': price }),
        routes: ROUTES,
      },
    },
  },
});

const request = (given: Partial<Receipt>): LoggedRequest => ({
  ...receipt('req_1', 0n, given),
  charge: nano(1n),
  loss: ZERO,
  settledAtMs: AT_MS,
  refunded: ZERO,
  priceList: null,
});

/** A catalogue whose USD/CNY rate is 7.10 unless `fx` is given. */
const soldAt = (models: Models, fx: Config['fx'] = { 'USD/CNY': '7.10' }): Catalogue =>
  loadCatalogue({ models, fx, calendars: {} }, 0);
const USAGE = {
  ...NO_USAGE,
  input: 1_000,
  cacheRead: 200,
  cacheWrite5m: 30,
  cacheWrite1h: 4,
  output: 5,
};
const LISTED: TokenCost = tokenPrice({ input: '2', output: '10' });

test('prices a token by the cost of its bucket; a cache bucket without one costs as input', () => {
  const cost = (more: Partial<TokenCost>) =>
    operatorCost(soldAt(chat({ ...LISTED, ...more })), request({ usage: USAGE }));
  // 2 USD per 1M tokens are 2,000 nano-USD per token.
  expect(cost({})).toBe(nano(1_234n * 2_000n + 5n * 10_000n));
  expect(cost({ cache_read: '0.2' })).toBe(nano(1_034n * 2_000n + 200n * 200n + 5n * 10_000n));
  // One-hour cache writes without a configured cost have the cost of five-minute cache writes.
  expect(cost({ cache_write: '3' })).toBe(nano(1_200n * 2_000n + 34n * 3_000n + 5n * 10_000n));
  expect(cost({ cache_write: '3', cache_write_1h: '4' })).toBe(
    nano(1_200n * 2_000n + 30n * 3_000n + 4n * 4_000n + 5n * 10_000n),
  );
});

test('converts to the currency of the charge at the pinned rate and rounds once', () => {
  const yuan = request({ usage: USAGE, currency: 'CNY' });
  const nanoUsd = 1_234n * 2_000n + 5n * 10_000n;
  expect(operatorCost(soldAt(chat(LISTED)), yuan)).toBe(nano((nanoUsd * 71n) / 10n));
  expect(operatorCost(soldAt(chat(LISTED), {}), yuan)).toBeNull();
});

test('prices an image by its size; returns null for a size without a cost', () => {
  const three = (priceKey: string) =>
    operatorCost(soldAt(images('0.02')), request({ images: { count: 3, priceKey } }));
  expect(three('1024x1024')).toBe(nano(60_000_000n));
  expect(three('512x512')).toBeNull();
  expect(operatorCost(soldAt(images('0.02')), request({ images: null }))).toBe(ZERO);
});

test('returns null where no cost is configured', () => {
  expect(operatorCost(soldAt(chat()), request({ usage: USAGE }))).toBeNull();
  expect(operatorCost(soldAt({}), request({ usage: USAGE }))).toBeNull();
  const other = request({ usage: USAGE, channel: 'stable' });
  expect(operatorCost(soldAt(chat(LISTED)), other)).toBeNull();
});

test('prices by the conditions that the receipt records', () => {
  const cost = tokenPrice({
    input: '2',
    output: '10',
    rows: [
      { when: { tier: 'flex' }, scale: '0.5' },
      { when: { prompt_over: 100_000 }, input: '4', output: '10' },
      { when: { tier: 'flex', prompt_over: 100_000 }, input: '-', output: '-' },
    ],
  });
  const paidFor = (given: Partial<Receipt>) =>
    operatorCost(soldAt(chat(cost)), request({ usage: { ...NO_USAGE, input: 1_000 }, ...given }));
  expect(paidFor({})).toBe(nano(1_000n * 2_000n));
  const facts = factsJson(
    { ...PLAIN_FACTS, served: { ...NO_FACTS, tier: 'flex' } },
    { assumed: [], unpriced: [] },
  );
  expect(paidFor({ facts })).toBe(nano(1_000n * 1_000n));
  expect(paidFor({ usage: { ...NO_USAGE, input: 200_000 } })).toBe(nano(200_000n * 4_000n));
});
