import { describe, expect, test } from 'bun:test';
import { exactOf, wholeNumber } from '../exact.ts';
import { oneApiPrices } from './one-api-prices.ts';
import type { OneApi } from './one-api-tables.ts';

const TERMS = { quotaPerUnit: wholeNumber(500_000n), publicRatio: wholeNumber(1n) };
const sourceWith = (options: Readonly<Record<string, string>>, isNewApi = false): OneApi => ({
  ...{ users: [], tokens: [], channels: [], redemptions: [], tables: new Map() },
  options: new Map(Object.entries(options)),
  isNewApi,
});

describe('prices of one-api', () => {
  test('a ratio of 1 is 2 USD per 1M tokens, and groups and quota per USD change it', () => {
    const source = sourceWith({ ModelRatio: '{"m":0.0357,"gpt-4o":1}' });
    const plain = oneApiPrices(source, null, TERMS);
    expect(plain('m')).toMatchObject({ price: { input: '0.0714', output: '0.0714' } });
    expect(plain('gpt-4o')).toMatchObject({ price: { input: '2', output: '8', cache_read: '2' } });
    const publicRatio = exactOf('1.5') ?? wholeNumber(1n);
    const other = oneApiPrices(source, null, {
      quotaPerUnit: wholeNumber(7_000_000n),
      publicRatio,
    });
    // The exact price has infinitely many decimal places, so it is rounded up.
    expect(other('gpt-4o')).toMatchObject({ price: { input: '0.214286' }, isRounded: true });
  });

  test('come from the saved options before those of the database', () => {
    const source = sourceWith({ ModelRatio: '{"m":1}', CompletionRatio: '{"m":3}' });
    const saved = JSON.stringify({ data: [{ key: 'ModelRatio', value: '{"m":2,"n":0}' }] });
    const priceOf = oneApiPrices(source, saved, TERMS);
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
    expect(oneApiPrices(source, null, TERMS)(model)).toMatchObject({ price: { output: times } });
  });
});

describe('prices of new-api', () => {
  const entry = { model_name: 'm', quota_type: 0, model_ratio: 1, completion_ratio: 2 };
  const priced = (more: object) =>
    oneApiPrices(
      sourceWith({}, true),
      JSON.stringify({ data: [{ ...entry, ...more }] }),
      TERMS,
    )('m');

  test('are those of its price list, whatever its database says', () => {
    expect(priced({})).toMatchObject({ price: { input: '2', output: '4', cache_read: '2' } });
    expect(priced({ supported_endpoint_types: ['embeddings'] })).toMatchObject({ isText: false });
    expect(priced({ quota_type: 1 })).toEqual({ reason: expect.stringContaining('per request') });
    expect(priced({ billing_mode: 'tiered_expr' })).toEqual({
      reason: expect.stringContaining('an expression'),
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
