/** Tests the models and prices of the default configuration. */
import { describe, expect, test } from 'bun:test';
import { loadConfig } from '../config/config.ts';
import { perPrice } from '../money/usage.ts';
import { type ChatModel, findModel, type ImageModel } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';

const config = loadConfig({ path: null, env: {} });
const catalogue = loadCatalogue(config, 0);
const models = [...catalogue.models.values()];

function chat(id: string): ChatModel {
  const model = findModel(catalogue, id);
  if (model.kind !== 'chat') throw new Error(`${id} is not a chat model`);
  return model;
}
function image(id: string): ImageModel {
  const model = findModel(catalogue, id);
  if (model.kind !== 'image') throw new Error(`${id} is not an image model`);
  return model;
}
const listed = (id: string, channel: 'direct' | 'stable' | 'economical') =>
  chat(id).channels.get(channel)?.card.listed;

test('all eight models are there, and an embedding model', () => {
  expect([...catalogue.models.keys()]).toEqual([
    'gen-opus-4-8',
    'gen-opus-4-7',
    'gen-sonnet-5',
    'gen-v4-pro',
    'gen-v4-flash',
    'img-2-pro',
    'img-3',
    'img-2',
    'embed-1',
  ]);
});

test.each([
  ['gen-opus-4-8', 128_000, 'USD'],
  ['gen-opus-4-7', 128_000, 'USD'],
  ['gen-sonnet-5', 128_000, 'USD'],
  ['gen-v4-pro', 384_000, 'CNY'],
  ['gen-v4-flash', 384_000, 'CNY'],
])('%s reads 1M tokens, writes %d and settles in %s', (id, maxOutput, settlement) => {
  const model = chat(id);
  expect([model.contextWindow, model.maxOutput, String(model.settlement)]).toEqual([
    1_000_000,
    maxOutput,
    settlement,
  ]);
  expect(model.output).toEqual(['text']);
});

test('gen-opus-4-8 takes text, images and files, the v4 models text alone', () => {
  expect(chat('gen-opus-4-8').input).toEqual(['text', 'image', 'file']);
  expect(chat('gen-v4-pro').input).toEqual(['text']);
  expect(chat('gen-v4-flash').input).toEqual(['text']);
});

describe('prices', () => {
  test('of the direct channel are those of the service document', () => {
    expect(listed('gen-opus-4-8', 'direct')).toEqual({
      ...perPrice(() => null),
      input: '5.00',
      output: '25.00',
      cache_read: '0.50',
      cache_write: '6.25',
      cache_write_1h: null,
    });
    expect(listed('gen-v4-pro', 'direct')).toEqual({
      ...perPrice(() => null),
      input: '1.32',
      output: '3.96',
      cache_read: '0.04',
      cache_write: null,
      cache_write_1h: null,
    });
  });

  test('that are invented are marked, and only those', () => {
    const published = models.flatMap(({ id, channels }) =>
      [...channels.values()].filter(({ card }) => !card.example).map(({ name }) => `${id} ${name}`),
    );
    expect(published).toEqual(['gen-opus-4-8 direct', 'gen-v4-pro direct']);
  });

  test('are in USD and never zero, and economical is below direct', () => {
    for (const { kind, channels } of models) {
      for (const { card } of channels.values()) {
        expect(card.currency).toBe('USD');
        const prices =
          card.unit === 'token'
            ? Object.values(kind === 'embedding' ? { input: card.rates.input } : card.rates)
            : [...card.perImage.values()];
        for (const price of prices) expect(price > 0n).toBe(true);
      }
    }
    for (const id of ['gen-opus-4-8', 'gen-sonnet-5', 'gen-v4-pro', 'gen-v4-flash']) {
      const [direct, economical] = (['direct', 'economical'] as const).map(
        (name) => chat(id).channels.get(name)?.card.rates.output ?? 0n,
      );
      expect((economical ?? 0n) < (direct ?? 0n)).toBe(true);
    }
  });
});

test('every default channel is direct, and not every channel is enabled on every model', () => {
  expect(new Set(models.map(({ defaultChannel }) => defaultChannel))).toEqual(new Set(['direct']));
  expect(
    Object.fromEntries(models.map(({ id, channels }) => [id, [...channels.keys()].join(' ')])),
  ).toEqual({
    'gen-opus-4-8': 'direct stable economical',
    'gen-opus-4-7': 'direct stable',
    'gen-sonnet-5': 'direct stable economical',
    'gen-v4-pro': 'direct economical',
    'gen-v4-flash': 'direct economical',
    'img-2-pro': 'direct economical',
    'img-3': 'direct',
    'img-2': 'direct economical',
    'embed-1': 'direct',
  });
});

test('every route leads to a built-in model', () => {
  for (const { channels } of models)
    for (const { routes } of channels.values())
      for (const { upstream } of routes)
        expect(config.upstreams[upstream]?.protocol).toBe('builtin');
});

test('image models have the sizes, counts, qualities and styles of the service document', () => {
  const large = ['1024x1024', '1792x1024', '1024x1792'];
  const plain = { maxImages: 10, qualities: [], styles: [] };
  expect(image('img-2')).toMatchObject({ sizes: ['256x256', '512x512', ...large], ...plain });
  expect(image('img-2-pro')).toMatchObject({ sizes: large, ...plain });
  expect(image('img-3')).toMatchObject({
    sizes: large,
    maxImages: 1,
    qualities: ['standard', 'hd'],
    styles: ['vivid', 'natural'],
  });
});
