import { expect, test } from 'bun:test';
import type { ChannelOffer } from './margin.ts';
import { priceText } from './price-text.ts';

const priced = (kind: ChannelOffer['kind'], price: Partial<ChannelOffer['price']>): string =>
  priceText({
    kind,
    price: {
      ...{ currency: 'USD', input: null, output: null, cache_read: null, cache_write: null },
      ...{ cache_write_1h: null, reasoning: null, audio_input: null, audio_output: null },
      ...{
        image_input: null,
        image_output: null,
        per_image: null,
        unit: '1M tokens',
        not_sold: [],
      },
      ...price,
    },
  });

test('prices are exact, never rounded', () => {
  expect(priced('chat', { input: '6.875', output: '4.125000001' })).toBe('$6.875 / $4.125000001');
  expect(priced('embedding', { input: '0.02' })).toBe('$0.02');
});

test('the prices of image sizes are a range', () => {
  expect(priced('image', { per_image: { big: '0.08', small: '0.0415' } })).toBe('$0.0415 – $0.08');
  expect(priced('image', { per_image: { one: '0.04', two: '0.04' } })).toBe('$0.04');
});
