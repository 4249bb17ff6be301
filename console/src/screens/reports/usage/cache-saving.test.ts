import { expect, test } from 'bun:test';
import type { UsageRow } from '#api/usage.ts';
import { channel, chatModel, NO_PRICES } from '#catalogue/model.fixture.ts';
import { formatExact } from '#money/amount.ts';
import { perTokenField } from '../../../../../src/money/usage.ts';
import { cacheSaving } from './cache-saving.ts';

const row = (more: Partial<UsageRow>): UsageRow => ({
  ...{ day: null, key_id: null, currency: 'USD', requests: 1, incomplete: 0, images: 0 },
  ...{ ...perTokenField(() => 0), charge: '0', cost_usd: '0', loss: '0' },
  ...{ model: 'a', channel: 'direct', ...more },
});
/** Prices per 1M tokens: input $5, cache read $0.50, cache write $6.25, one-hour write $10. */
const MODELS = [chatModel('a')];
const saved = (...rows: UsageRow[]) =>
  [...cacheSaving(rows, MODELS)].map(([currency, sum]) => [currency, formatExact(sum)]);

test('cache reads save the difference from plain input, minus the extra cost of cache writes', () => {
  expect(saved(row({ cache_read_tokens: 1_000_000 }))).toEqual([['USD', '4.50']]);
  expect(saved(row({ cache_write_5m_tokens: 1_000_000 }))).toEqual([['USD', '-1.25']]);
  expect(
    saved(row({ cache_read_tokens: 2_000_000 }), row({ cache_write_1h_tokens: 1_000_000 })),
  ).toEqual([['USD', '4.00']]);
});

test('models that are not sold now, and models without a token price, do not count', () => {
  expect(saved(row({ model: 'gone', cache_read_tokens: 9 }), row({ channel: null }))).toEqual([]);
  const price = { ...channel('direct').price, ...NO_PRICES };
  const images = [chatModel('a', { channels: [channel('direct', { price })] })];
  expect([...cacheSaving([row({ cache_read_tokens: 9 })], images)]).toEqual([]);
});
