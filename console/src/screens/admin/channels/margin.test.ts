import { expect, test } from 'bun:test';
import { NO_PRICES } from '#catalogue/model.fixture.ts';
import { type ChannelOffer, leastMargin, marginLines } from './margin.ts';

type Price = ChannelOffer['price'];
const tokens = (change: Partial<Price>): Price => ({
  ...NO_PRICES,
  currency: 'USD',
  unit: '1M tokens',
  input: '5.00',
  output: '25.00',
  per_image: null,
  ...change,
});

test('every priced line is compared exactly with its cost', () => {
  const cost = tokens({ input: '4.00', output: '26.00' });
  expect(marginLines({ price: tokens({ cache_read: '0.50' }), cost })).toEqual([
    { name: 'input', price: '5.00', cost: '4.00', margin: '1.00', basisPoints: 2000 },
    { name: 'output', price: '25.00', cost: '26.00', margin: '-1.00', basisPoints: -400 },
    { name: 'cache_read', price: '0.50', cost: '4.00', margin: '-3.50', basisPoints: -70000 },
  ]);
});

test('images are compared by size', () => {
  const price = tokens({ input: null, output: null, per_image: { '1x1': '0.04', '2x2': '0' } });
  const cost = tokens({ input: null, output: null, per_image: { '1x1': '0.03' } });
  expect(marginLines({ price, cost })).toEqual([
    { name: '1x1', price: '0.04', cost: '0.03', margin: '0.01', basisPoints: 2500 },
    { name: '2x2', price: '0', cost: null, margin: null, basisPoints: null },
  ]);
});

test('the lowest margin is shown, and no margin without a cost', () => {
  const price = tokens({});
  expect(
    leastMargin(marginLines({ price, cost: tokens({ input: '1', output: '24' }) }))?.name,
  ).toBe('output');
  expect(leastMargin(marginLines({ price, cost: null }))).toBeNull();
});
