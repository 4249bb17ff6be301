import { describe, expect, test } from 'bun:test';
import { NO_USAGE } from '../../money/usage.ts';
import { mergeUsage, usageFromMessages } from './usage.ts';

const none = { ...NO_USAGE, input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };

describe('buckets', () => {
  test('keep the three disjoint input counters', () => {
    const usage = {
      input_tokens: 300,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 600,
      output_tokens: 50,
    };
    expect(usageFromMessages(usage)).toEqual({
      ...NO_USAGE,
      input: 300,
      cacheRead: 600,
      cacheWrite5m: 100,
      cacheWrite1h: 0,
      output: 50,
    });
  });

  test('split cache writes by lifetime', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 };
    const split = { ...none, cacheWrite5m: 40, cacheWrite1h: 60 };
    const usage = { output_tokens: 0, cache_creation };
    expect(usageFromMessages({ ...usage, cache_creation_input_tokens: 100 })).toEqual(split);
    expect(usageFromMessages(usage)).toEqual(split);
  });

  test('follow the total where split and total disagree', () => {
    const usage = (total: number) => ({
      cache_creation_input_tokens: total,
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
    });
    expect(usageFromMessages(usage(150))).toEqual({ ...none, cacheWrite5m: 90, cacheWrite1h: 60 });
    expect(usageFromMessages(usage(50))).toEqual({ ...none, cacheWrite5m: 0, cacheWrite1h: 50 });
    expect(usageFromMessages(usage(0))).toEqual(none);
  });

  test('do not add thinking, which is part of the output', () => {
    const usage = { output_tokens: 31, output_tokens_details: { thinking_tokens: 29 } };
    expect(usageFromMessages(usage)?.output).toBe(31);
  });

  test('treat null as 0, and an explicit 0 as a count', () => {
    expect(usageFromMessages({ input_tokens: null, output_tokens: 0 })).toEqual(none);
    expect(usageFromMessages({ input_tokens: 7, cache_creation: null })).toEqual({
      ...none,
      input: 7,
    });
  });
});

describe('iterations', () => {
  const round = (type: string) => ({ type, input_tokens: 1000, output_tokens: 10 });

  test('of a compaction and an advisor are added to the totals', () => {
    const iterations = [round('compaction'), round('advisor_message')];
    expect(usageFromMessages({ input_tokens: 5, output_tokens: 6, iterations })).toEqual({
      ...none,
      input: 2005,
      output: 26,
    });
  });

  test('of the message itself are already in the totals', () => {
    const iterations = [round('message'), round('fallback_message')];
    expect(usageFromMessages({ input_tokens: 5, output_tokens: 6, iterations })).toEqual({
      ...none,
      input: 5,
      output: 6,
    });
  });

  test('that are implausible invalidate the whole report', () => {
    const iterations = [{ type: 'compaction', input_tokens: -1 }];
    expect(usageFromMessages({ input_tokens: 5, iterations })).toBeNull();
  });
});

describe('no usable usage', () => {
  test.each([[undefined], [null], [[]], ['12'], [{}], [{ output_tokens: null, speed: 'fast' }]])(
    '%p is not a count',
    (usage) => {
      expect(usageFromMessages(usage)).toBeNull();
    },
  );

  test.each([[-1], [0.5], ['12'], [1e12], [Number.NaN], [true]])(
    'a count of %p is implausible in any place',
    (count) => {
      const good = { input_tokens: 1, output_tokens: 1 };
      for (const name of [
        'input_tokens',
        'output_tokens',
        'cache_creation_input_tokens',
        'cache_read_input_tokens',
      ]) {
        expect(usageFromMessages({ ...good, [name]: count })).toBeNull();
      }
      for (const name of ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens']) {
        const usage = {
          ...good,
          cache_creation_input_tokens: 5,
          cache_creation: { [name]: count },
        };
        expect(usageFromMessages(usage)).toBeNull();
      }
    },
  );
});

test('later counts that are not null replace earlier ones', () => {
  const start = { input_tokens: 12, output_tokens: 1, service_tier: 'standard' };
  const later = { input_tokens: null, output_tokens: 6, cache_read_input_tokens: 4 };
  expect(mergeUsage(start, later)).toEqual({
    input_tokens: 12,
    output_tokens: 6,
    cache_read_input_tokens: 4,
    service_tier: 'standard',
  });
  expect(mergeUsage(start, undefined)).toEqual(start);
});
