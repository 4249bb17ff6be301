import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseExact } from '../json/exact-numbers.ts';
import type { JsonObject } from '../json/object.ts';
import { formatDecimal } from '../money/amount.ts';
import { FIXTURE_COST } from './recorded-streams.fixture.ts';
import {
  reportedName,
  reportedPico,
  toolUsesIn,
  usageWithCost,
  withoutCost,
} from './usage-object.ts';

test.each([
  [0.00123, 0, 1_230_000_000n],
  [1.2345e-7, 0, 123_450n],
  [0, 0, 0n],
  [2, 0, 2_000_000_000_000n],
  // The server reports ticks of 10^-10 USD.
  [318_319_000, 10, 31_831_900_000n],
  [1, 10, 100n],
  // The server reports cents.
  [12.5, 2, 125_000_000_000n],
  [999.999999999999, 0, 999_999_999_999_999n],
  // Values with more than twelve decimal places are rounded.
  [0.0000000000124, 0, 12n],
])('reads a reported price of %p in 10^-%p USD as %p pico-USD', (value, decimals, pico) => {
  expect(reportedPico({ price: { total: value } }, { path: 'price.total', decimals })).toBe(pico);
});

test('reads a price with more digits than a number has', () => {
  const usage = parseExact('{"cost":0.12345678901234567890}') as JsonObject;
  expect(reportedPico(usage, { path: 'cost', decimals: 0 })).toBe(123_456_789_012n);
});

test.each([-0.1, Number.NaN, Number.POSITIVE_INFINITY, '1.5', true, null, {}, 1001])(
  'ignores a reported price of %p',
  (cost) => {
    expect(reportedPico({ cost }, { path: 'cost', decimals: 0 })).toBeNull();
  },
);

test.each([
  [null, { estimated_cost: 9 }],
  ['estimated_cost', { estimated_cost: 9 }],
  ['cost', { cost: 9, estimated_cost: 9 }],
  ['price.total', { price: { total: 9, input: 8 }, cost: 9 }],
])("removes the operator's cost, reported at %p", (path, costs) => {
  const reported = path === null ? null : { path, decimals: 0 };
  const counts = { prompt_tokens: 1, more: { total: 2 } };
  expect(withoutCost({ ...counts, ...costs }, reported)).toEqual(counts);
  const written = JSON.parse(usageWithCost({ ...counts, ...costs }, FIXTURE_COST, reported));
  expect(written).toMatchObject({ ...counts, cost: 0.0001234 });
  expect(written).not.toContainAnyKeys(['estimated_cost', 'price']);
});

test('keeps a member with counts, even if the cost is in it', () => {
  const usage = { prompt_tokens_details: { cached_tokens: 1, cost: 9 } };
  const reported = { path: 'prompt_tokens_details.cost', decimals: 0 };
  expect(withoutCost(usage, reported)).toBe(usage);
});

test('adds tool uses, and ignores counts that no provider reaches', () => {
  const usage = { calls: { web: 2, news: 3, files: 1001, code: 0, maps: -1 } };
  const paths = {
    web_search: ['calls.web', 'calls.news', 'calls.none'],
    file_search: ['calls.files'],
    code_execution: ['calls.code'],
    maps: ['calls.maps'],
  };
  expect(toolUsesIn(usage, paths)).toEqual({ web_search: 5 });
  expect(toolUsesIn(usage, { web_search: ['calls.web', 'calls.files'] })).toEqual({});
});

test('keeps names that fit on a receipt', () => {
  expect(reportedName('x'.repeat(256))).toHaveLength(256);
  for (const value of ['x'.repeat(257), '', null, 7, undefined])
    expect(reportedName(value)).toBeNull();
});

test('a reported price of up to twelve places is exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (pico) => {
      const usage = JSON.parse(`{"cost":${formatDecimal(pico, 12)}}`);
      expect(reportedPico(usage, { path: 'cost', decimals: 0 })).toBe(pico);
    }),
    { seed: 20_261_122 },
  );
});
