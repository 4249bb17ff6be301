import { describe, expect, test } from 'bun:test';
import { channel, chatModel, NO_PRICES } from '#catalogue/model.fixture.ts';
import type { Channel, Model } from '#catalogue/models.ts';
import { comparedIds, foundModels } from './model-search.ts';

const priced = (input: string | null, perImage: string | null): Channel =>
  channel('direct', {
    price: {
      ...NO_PRICES,
      ...{ currency: 'USD', unit: input === null ? 'image' : '1M tokens', input, output: input },
      per_image: perImage === null ? null : { '1024x1024': perImage },
    },
  });

const model = (id: string, more: Partial<Model> = {}): Model =>
  chatModel(id, { context_length: 1000, channels: [priced('5.00', null)], ...more });

const MODELS = [
  model('gen-large', {
    name: 'Large One',
    input_modalities: ['text', 'image'],
    release_date: '2026/02/28',
  }),
  model('other-small', { maker: 'other', channels: [priced('0.15', null)], context_length: 9000 }),
  model('img', { kind: 'image', context_length: null, channels: [priced(null, '0.040')] }),
];
const ids = (search: Parameters<typeof foundModels>[1]): readonly string[] =>
  foundModels(MODELS, search).map(({ id }) => id);

describe('the model search', () => {
  test('lists all models in catalog order without a query', () => {
    expect(ids({})).toEqual(['gen-large', 'other-small', 'img']);
  });
  test('matches every word in id, name or provider', () => {
    expect(ids({ q: 'LARGE gen' })).toEqual(['gen-large']);
    expect(ids({ q: 'large other' })).toEqual([]);
  });
  test('filters by type, provider, input and price', () => {
    expect(ids({ kind: 'image' })).toEqual(['img']);
    expect(ids({ maker: 'other' })).toEqual(['other-small']);
    expect(ids({ input: 'image' })).toEqual(['gen-large']);
    expect(ids({ max: '0.15' })).toEqual(['other-small', 'img']);
  });
  test('sorts by price, context or date', () => {
    expect(ids({ sort: 'price' })).toEqual(['img', 'other-small', 'gen-large']);
    expect(ids({ sort: 'context' })).toEqual(['other-small', 'gen-large', 'img']);
    expect(ids({ sort: 'newest' })).toEqual(['gen-large', 'other-small', 'img']);
  });
});

test('compares up to four models without duplicates', () => {
  expect(comparedIds('a,b,,a,c,d,e')).toEqual(['a', 'b', 'c', 'd']);
  expect(comparedIds(undefined)).toEqual([]);
});
