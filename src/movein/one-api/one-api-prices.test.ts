import { describe, expect, test } from 'bun:test';
import { exactOf, wholeNumber } from '../exact.ts';
import { oneApiGroups } from './one-api-groups.ts';
import { oneApiModels } from './one-api-models.ts';
import { type OneApiPrice, type OneApiPrices, oneApiPrices } from './one-api-prices.ts';
import type { OneApi } from './one-api-tables.ts';

const TERMS = { quotaPerUnit: wholeNumber(500_000n), publicRatio: wholeNumber(1n) };
const sourceWith = (options: Readonly<Record<string, string>>, isNewApi = false): OneApi => ({
  ...{ users: [], tokens: [], channels: [], redemptions: [], tables: new Map() },
  options: new Map(Object.entries(options)),
  isNewApi,
});

/** Prices models on routes that request them by their own names. */
const ofPlain =
  (priceOf: OneApiPrices) =>
  (model: string): OneApiPrice =>
    priceOf(model, { model, kind: 1n });

describe('prices of one-api', () => {
  test('a ratio of 1 is 2 USD per 1M tokens, and groups and quota per USD change it', () => {
    const source = sourceWith({ ModelRatio: '{"m":0.0357,"gpt-4o":1}' });
    const plain = ofPlain(oneApiPrices(source, null, TERMS));
    expect(plain('m')).toMatchObject({ price: { input: '0.0714', output: '0.0714' } });
    expect(plain('gpt-4o')).toMatchObject({ price: { input: '2', output: '8', cache_read: '2' } });
    const publicRatio = exactOf('1.5') ?? wholeNumber(1n);
    const quotaPerUnit = wholeNumber(7_000_000n);
    const other = ofPlain(oneApiPrices(source, null, { quotaPerUnit, publicRatio }));
    // The exact price has infinitely many decimal places, so it is rounded up.
    expect(other('gpt-4o')).toMatchObject({ price: { input: '0.214286' }, isRounded: true });
  });

  test('come from the saved options before those of the database', () => {
    const source = sourceWith({ ModelRatio: '{"m":1}', CompletionRatio: '{"m":3}' });
    const saved = JSON.stringify({ data: [{ key: 'ModelRatio', value: '{"m":2,"n":0}' }] });
    const priceOf = ofPlain(oneApiPrices(source, saved, TERMS));
    expect(priceOf('m')).toMatchObject({ price: { input: '4', output: '12' } });
    expect(priceOf('n')).toEqual({ reason: expect.stringContaining('is zero') });
    expect(priceOf('x')).toEqual({ reason: expect.stringContaining('not in the source') });
  });

  test.each([
    ['gpt-3.5-turbo', '3'],
    ['gpt-3.5-turbo-1106', '2'],
    ['gpt-3.5-turbo-16k', '1.333334'],
    ['gpt-4-0125-preview', '3'],
    ['gpt-4', '2'],
    ['o1-mini', '4'],
    ['claude-3-opus', '5'],
    ['claude-2', '3'],
    ['qwen-max', '1'],
  ])('without a completion ratio, the output of %s costs %s times as much', (model, times) => {
    const source = sourceWith({ ModelRatio: JSON.stringify({ [model]: 0.5 }) });
    const priceOf = ofPlain(oneApiPrices(source, null, TERMS));
    expect(priceOf(model)).toMatchObject({ price: { output: times } });
  });

  test('are those of the model that a channel requests, on a channel of its kind', () => {
    const ratios = { ModelRatio: '{"gpt-4":15,"gpt-4o":1.25,"gpt-4o(3)":2}' };
    const priceOf = oneApiPrices(sourceWith(ratios), null, TERMS);
    const inputOf = (model: string, kind: bigint) => priceOf('gpt-4', { model, kind });
    expect(inputOf('gpt-4o', 1n)).toMatchObject({ price: { input: '2.5', output: '10' } });
    expect(inputOf('gpt-4o', 3n)).toMatchObject({ price: { input: '4', output: '16' } });
    expect(inputOf('my-gpt', 1n)).toMatchObject({ price: { input: '30', output: '60' } });
    expect(inputOf('text-embedding-3-small', 1n)).toMatchObject({ isText: false });
    const route = { upstream: 'a', weight: 1, priority: 0n, protocol: 'openai' } as const;
    const routes = [
      { ...route, model: 'gpt-4o', kind: 1n },
      { ...route, model: 'gpt-4', kind: 1n },
    ];
    const { models, left } = oneApiModels(new Map([['gpt-4', routes]]), priceOf);
    expect(Object(models['gpt-4'])['channels'].direct.price).toMatchObject({ input: '30' });
    expect(left[0]?.reason).toBe('Its channels have different prices. The highest is charged.');
  });
});

describe('prices of new-api', () => {
  const entry = { model_name: 'm', quota_type: 0, model_ratio: 1, completion_ratio: 2 };
  const priced = (more: object) =>
    ofPlain(
      oneApiPrices(sourceWith({}, true), JSON.stringify({ data: [{ ...entry, ...more }] }), TERMS),
    )('m');

  test('are those of its price list, whatever its database says', () => {
    expect(priced({})).toMatchObject({ price: { input: '2', output: '4', cache_read: '2' } });
    expect(priced({ supported_endpoint_types: ['embeddings'] })).toMatchObject({ isText: false });
    expect(priced({ quota_type: 1 })).toEqual({ reason: expect.stringContaining('per request') });
    expect(priced({ billing_mode: 'tiered_expr' })).toEqual({
      reason: expect.stringContaining('an expression'),
    });
  });

  test('include cache writes, which cost 1.25 times the input if no ratio is set', () => {
    expect(priced({})).toMatchObject({ price: { cache_write: '2.5', cache_write_1h: '4' } });
    expect(priced({ create_cache_ratio: 2.5 })).toMatchObject({
      price: { cache_write: '5', cache_write_1h: '8' },
    });
  });

  test('a file that is another answer, or none, is refused', () => {
    const read = (saved: string, isNewApi: boolean) => () =>
      oneApiPrices(sourceWith({}, isNewApi), saved, TERMS);
    expect(read('<html>', true)).toThrow('file of --prices is not JSON');
    expect(read('{"data":[{"key":"a","value":"b"}]}', true)).toThrow('/api/pricing of new-api');
    expect(read('{"data":[{"model_name":"m"}]}', false)).toThrow('/api/option/ of one-api');
  });
});

describe('names', () => {
  test('of groups become valid names of price lists, the same in every run', () => {
    const named = ['vip', 'VIP', '会员', 'none'];
    const groupsOf = (groups: readonly string[]) =>
      oneApiGroups({
        ...sourceWith({ GroupRatio: '{"vip":0.8,"VIP":0.7,"会员":0.6,"none":0.5}' }),
        users: groups.map((group) => ({ group })),
      });
    const { lists, settings, left } = groupsOf(named);
    const [first = '', ...others] = named.map((group) => lists.get(group) ?? '');
    expect([first, settings[first]]).toEqual(['vip', { factor: '0.8' }]);
    for (const name of others) expect(name).toMatch(/^(?:vip|group|none)-[0-9a-f]{8}$/);
    expect(Object.keys(settings)).toEqual([first, ...others]);
    expect(left.map(({ name }) => name)).toEqual(['VIP', '会员', 'none']);
    for (const group of named)
      expect(groupsOf([group]).lists.get(group)).toBe(lists.get(group) ?? '');
  });

  test('of models that are invalid here stay behind', () => {
    const route = { upstream: 'a', weight: 1, priority: 0n, protocol: 'openai' } as const;
    const names = ['@cf/llama', '模型', 'x'.repeat(129), 'ok'];
    const routes = names.map((model) => [model, [{ ...route, model, kind: 1n }]] as const);
    const ratios = Object.fromEntries(names.map((name) => [name, 1]));
    const priceOf = oneApiPrices(sourceWith({ ModelRatio: JSON.stringify(ratios) }), null, TERMS);
    const { models, left } = oneApiModels(new Map(routes), priceOf);
    expect(Object.keys(models)).toEqual(['ok']);
    expect(left.filter(({ what }) => what === 'model')).toHaveLength(3);
  });
});
