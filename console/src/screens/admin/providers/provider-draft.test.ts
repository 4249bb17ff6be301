import { expect, test } from 'bun:test';
import {
  enteredPrice,
  type ProviderFields,
  patchOf,
  problemsOf,
  soldModel,
  timesFactor,
} from './provider-draft.ts';

const FIELDS: ProviderFields = {
  ...{ make: 'generic', protocol: 'openai', name: 'acme', api_key: 'sk-secret' },
  ...{ base_url: ' https://models.example/v1 ', allow_private: false },
};
const LISTED = {
  ...{ id: 'maker/one', name: null, context_window: 8_000, max_output: 1_000 },
  ...{ reads_images: true, cost: { input: '1', output: '2', source: null } },
};
const SOLD = { ...soldModel('maker/one', LISTED), priceIn: '1.5', priceOut: '3' };

test('cost × factor is exact, and rounded half up to six decimals', () => {
  expect(timesFactor('0.1', '3')).toBe('0.30');
  expect(timesFactor('2.5', '1.3')).toBe('3.25');
  expect(timesFactor('0.000005', '0.1')).toBe('0.000001');
  expect(timesFactor('0.000004', '0.1')).toBe('0.00');
  expect([timesFactor('', '1.3'), timesFactor('1', '-1'), timesFactor('1', 'x')]).toEqual([
    ...[null, null, null],
  ]);
});

test('a price has at most six decimals', () => {
  expect(enteredPrice('1,000.50')).toBe('1000.50');
  expect([enteredPrice('0.0000001'), enteredPrice('1,5'), enteredPrice('')]).toEqual([
    ...[null, null, null],
  ]);
});

test('the source of a suggested cost is recorded only while the cost is unchanged', () => {
  const source = 'models.dev, 2026-07-02';
  const listed = { ...LISTED, cost: { input: '1', output: '2', source } };
  const sold = { ...soldModel('maker/one', listed), priceIn: '1.5', priceOut: '3' };
  const costOf = (changed: object) =>
    Object(patchOf(FIELDS, 'k', [{ ...sold, ...changed }], {}).models).one.channels.direct.cost;
  expect(costOf({})).toEqual({ input: '1', output: '2', source });
  expect(costOf({ costIn: '1.1' })).toEqual({ input: '1.1', output: '2' });
});

test('a new model has all required settings, and a reference to the key instead of the key', () => {
  const patch = patchOf(FIELDS, 'acme.api_key', [SOLD], {});
  expect(patch).toEqual({
    upstreams: {
      acme: {
        ...{ protocol: 'openai', make: 'generic', base_url: 'https://models.example/v1' },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings refer to it.
        api_key: '${secret:acme.api_key}',
      },
    },
    models: {
      one: {
        ...{ kind: 'chat', maker: 'maker', context_window: 8_000, max_output: 1_000 },
        ...{ input: ['text', 'image'], default_channel: 'direct' },
        channels: {
          direct: {
            price: { input: '1.5', output: '3' },
            cost: { input: '1', output: '2' },
            routes: [{ upstream: 'acme', model: 'maker/one' }],
          },
        },
      },
    },
  });
  expect(JSON.stringify(patch)).not.toContain('sk-secret');
});

test('an existing channel keeps its price and its routes, and gets one more route', () => {
  const routes = [{ upstream: 'old', model: 'x', weight: 3 }];
  const models = { one: { kind: 'chat', channels: { direct: { price: {}, routes } } } };
  expect(patchOf(FIELDS, null, [SOLD], models).models).toEqual({
    one: {
      channels: { direct: { routes: [...routes, { upstream: 'acme', model: 'maker/one' }] } },
    },
  });
});

test('a model without a price, listed twice or of another kind is refused', () => {
  const problems = (...sold: readonly (typeof SOLD)[]) =>
    problemsOf(sold, sold.length - 1, { image: { kind: 'image' } });
  expect(problems(SOLD)).toEqual({});
  expect(problems({ ...SOLD, priceOut: '' })).toEqual({ priceOut: 'price' });
  expect(problems({ ...SOLD, costOut: '' })).toEqual({ costOut: 'cost' });
  expect(problems({ ...SOLD, context: '' })).toEqual({ context: 'context' });
  expect(problems(SOLD, { ...SOLD, there: 'other' })).toEqual({ here: 'twice' });
  expect(problems({ ...SOLD, here: 'image' })).toEqual({ here: 'kind' });
  expect(problems({ ...SOLD, here: 'two words' })).toEqual({ here: 'name' });
});

const modelOf = (sold: object) =>
  Object(patchOf(FIELDS, null, [{ ...SOLD, ...sold }], {}).models).one;
const problemsIn = (sold: object) => problemsOf([{ ...SOLD, ...sold }], 0, {});

test('the kind of a model is guessed by its name', () => {
  const names = ['text-embedding-3-small', 'openai/gpt-image-1', 'maker/painter', 'gpt-5'];
  expect(names.map((name) => soldModel(name, undefined).kind)).toEqual([
    ...(['embedding', 'image', 'chat', 'chat'] as const),
  ]);
});

test('an embedding model has dimensions and an input price, and no output', () => {
  const sold = { kind: 'embedding', dimensions: '1536', priceOut: '', costOut: '' };
  expect(problemsIn(sold)).toEqual({});
  expect(problemsIn({ ...sold, dimensions: '' })).toEqual({ dimensions: 'dimensions' });
  expect(modelOf(sold)).toEqual({
    ...{ kind: 'embedding', maker: 'maker', context_window: 8_000, dimensions: 1536 },
    default_channel: 'direct',
    channels: {
      direct: {
        price: { input: '1.5' },
        cost: { input: '1' },
        routes: [{ upstream: 'acme', model: 'maker/one' }],
      },
    },
  });
});

test('an image model has a price for each size, or prices by the token', () => {
  const [small, large] = ['512x512', '1024x1024'];
  const amounts = (price: string, tokens = '') => ({ cost: '', price, tokens });
  const sold = { kind: 'image', sizes: [small, large], context: '', maxOutput: '' };
  expect(problemsIn({ ...sold, bySize: { [small]: amounts('0.01') } })).toEqual({
    bySize: 'price',
  });
  expect(problemsIn({ ...sold, sizes: ['large'] })).toMatchObject({ sizes: 'sizes' });
  const bySize = { [small]: amounts('0.01'), [large]: amounts('0.04') };
  expect(problemsIn({ ...sold, bySize })).toEqual({});
  expect(modelOf({ ...sold, bySize })).toMatchObject({
    sizes: [small, large],
    channels: { direct: { price: { per_image: { [small]: '0.01', [large]: '0.04' } } } },
  });
  const byToken = { ...sold, isByToken: true };
  expect(problemsIn(byToken)).toEqual({ bySize: 'tokens' });
  const counted = { [small]: amounts('', '300'), [large]: amounts('', '4000') };
  expect(problemsIn({ ...byToken, bySize: counted })).toEqual({});
  expect(modelOf({ ...byToken, bySize: counted })).toMatchObject({
    image_tokens: { [small]: 300, [large]: 4000 },
    channels: { direct: { price: { input: '1.5', image_output: '3' } } },
  });
});
