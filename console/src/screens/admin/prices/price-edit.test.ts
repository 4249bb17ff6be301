import { expect, test } from 'bun:test';
import type { JsonObject } from '#api/json.ts';
import { parseAmount } from '#money/amount.ts';
import {
  changedPrice,
  costAt,
  isFactor,
  isPrice,
  itemsOf,
  type Models,
  multiplied,
  patchOf,
  placesOf,
  priceAt,
  product,
  withdrawing,
} from './price-edit.ts';

const PRICE = {
  ...{ input: '5.00', output: '25.00', cache_read: '-' },
  ...{ example: true, source: 'https://provider.example', review: '2026-12-01' },
  rows: [
    { when: { tier: 'priority' }, input: '10.00', output: '50.00' },
    { when: {}, scale: '2' },
  ],
  fees: { web_search: '0.010000001' },
};
const COST = {
  ...{ input: '2.00', output: '8.123457' },
  rows: [{ when: { tier: 'flex' }, input: '1', output: '1' }],
};
const models: Models = new Map([
  ['gen-4.1', { channels: { direct: { price: PRICE, cost: COST }, stable: { price: COST } } }],
  ['pictures', { channels: { direct: { price: { per_image: { '1x1': '0.04' } } } } }],
]);
const DIRECT = { model: 'gen-4.1', channel: 'direct' } as const;

test('every price of a channel is found, rows and fees included', () => {
  expect(itemsOf(PRICE).map(({ path, decimals }) => [path.join('.'), decimals])).toEqual([
    ['input', 6],
    ['output', 6],
    ['cache_read', 6],
    ['rows.0.input', 6],
    ['rows.0.output', 6],
    ['fees.web_search', 9],
  ]);
  expect(placesOf(models).map(({ model, channel }) => `${model}/${channel}`)).toEqual([
    'gen-4.1/direct',
    'gen-4.1/stable',
    'pictures/direct',
  ]);
});

test('a patch has only the changes, with whole lists, and removes the notes about the old price', () => {
  const edits = [
    { path: ['input'], value: '6' },
    { path: ['output'], value: null },
    { path: ['rows', '0', 'output'], value: '60' },
  ];
  expect(patchOf(models, [{ ...DIRECT, edits }])).toEqual({
    models: {
      'gen-4.1': {
        channels: {
          direct: {
            price: {
              ...{ input: '6', output: null, example: null, source: null, review: null },
              rows: [
                { when: { tier: 'priority' }, input: '10.00', output: '60' },
                { when: {}, scale: '2' },
              ],
            },
          },
        },
      },
    },
  });
  expect(patchOf(models, [{ ...DIRECT, edits: [] }])).toEqual({ models: {} });
});

test('the cost times a factor is the new price, and prices without a cost stay', () => {
  const by = { base: 'cost', factor: '1.3', decimals: 2 } as const;
  const { edits, rounded, withoutCost } = multiplied(models, [DIRECT], by);
  expect(edits[0]?.edits).toEqual([
    { path: ['input'], value: '2.60' },
    // 8.123457 × 1.3 = 10.5604941, rounded to two decimal places.
    { path: ['output'], value: '10.56' },
  ]);
  // Three prices have no cost: the fee, and both prices in the row with conditions. The row's
  // prices have none, because the row of costs has different conditions.
  expect([rounded, withoutCost]).toEqual([1, 3]);
  expect(costAt(PRICE, COST, ['rows', '0', 'input'])).toBeNull();
});

test('multiplied prices have no edits for unchanged prices and for tokens that are not sold', () => {
  const by = { base: 'price', factor: '1', decimals: null } as const;
  expect(multiplied(models, placesOf(models), by)).toEqual({
    ...{ edits: [], rounded: 0, withoutCost: 0 },
  });
  const twice = multiplied(models, [DIRECT], { ...by, factor: '2' }).edits[0]?.edits ?? [];
  expect(twice.map(({ value }) => value)).toEqual([
    ...['10.00', '50.00', '20.00', '100.00', '0.020000002'],
  ]);
});

test('a product is exact, or within half a step of the exact one', () => {
  const seed = 20_261_123;
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const decimal = (places: number): string =>
    `${next(10_000)}.${String(next(10 ** places)).padStart(places, '0')}`;
  for (let round = 0; round < 2_000; round += 1) {
    const [price, factor, decimals] = [decimal(6), decimal(1 + next(6)), 2 + next(5)];
    const { text, isExact } = product(price, factor, decimals);
    const exact = parseAmount(price) * parseAmount(factor);
    const distance = parseAmount(text) * 10n ** 12n - exact;
    const half = 10n ** BigInt(24 - decimals) / 2n;
    const facts = { seed, price, factor, decimals, text };
    expect({ ...facts, isExact: distance === 0n }).toEqual({ ...facts, isExact });
    expect({ ...facts, isNear: distance <= half && -distance < half }).toEqual({
      ...facts,
      isNear: true,
    });
    expect(isPrice(text, Math.max(2, decimals))).toBe(true);
  }
});

const from = (day: number) => `2026-12-0${day}T00:00:00Z`;
const dated = (day: number, input: string) => ({
  ...{ effective_from: from(day), input, output: '9', source: 'a page' },
});
const announced: Models = new Map([
  ['gen-4.1', { channels: { direct: { price: PRICE, upcoming: [dated(1, '6'), dated(3, '8')] } } }],
]);
const upcomingOf = (patch: JsonObject): unknown =>
  Object(patch)['models']['gen-4.1'].channels.direct.upcoming;

test('an announced price starts from the price in force at its time and keeps the other announcements', () => {
  const edits = [{ path: ['output'], value: '10' }];
  const { effective_from: _, source: _source, ...price } = dated(1, '6');
  expect(upcomingOf(patchOf(announced, [{ ...DIRECT, edits }], from(2)))).toEqual([
    dated(1, '6'),
    { effective_from: from(2), ...price, output: '10' },
    dated(3, '8'),
  ]);
  const first = upcomingOf(patchOf(announced, [{ ...DIRECT, edits }], from(1)));
  expect(first).toEqual([{ effective_from: from(1), input: '6', output: '10' }, dated(3, '8')]);
  expect(priceAt(announced, DIRECT, null)).toEqual(PRICE);
  const by = { base: 'price', factor: '2', decimals: null, from: from(2) } as const;
  expect(multiplied(announced, [DIRECT], by).edits[0]?.edits).toEqual([
    { path: ['input'], value: '12.00' },
    { path: ['output'], value: '18.00' },
  ]);
});

test('an announced price can be withdrawn, and withdrawing the last one removes the list', () => {
  const patch = withdrawing(announced, DIRECT, '2026-12-01T00:00:00.000Z');
  expect(upcomingOf(patch)).toEqual([dated(3, '8')]);
  const one: Models = new Map([
    ['gen-4.1', { channels: { direct: { price: PRICE, upcoming: [dated(3, '8')] } } }],
  ]);
  expect(upcomingOf(withdrawing(one, DIRECT, from(3)))).toBeNull();
});

test('prices and factors are plain decimals with a limited number of places', () => {
  expect(['5', '5.123456', '0'].map((text) => isPrice(text, 6))).toEqual([true, true, true]);
  expect(['', '-1', '1e3', '1,5', '5.1234567', '1.'].some((text) => isPrice(text, 6))).toBe(false);
  expect(['1.3', '0.9'].every(isFactor)).toBe(true);
  expect(['0', '0.00', 'x', '1.1234567'].some(isFactor)).toBe(false);
});

test('a changed price is found by its path, even if the name of the model has dots', () => {
  expect(changedPrice('models.gen-4.1.channels.direct.price.rows.0.input', models)).toEqual({
    ...DIRECT,
    path: ['rows', '0', 'input'],
  });
  expect(changedPrice('models.gen-4.1.name', models)).toBeNull();
});
