import { expect, test } from 'bun:test';
import { parseExact } from '../json/exact-numbers.ts';
import type { JsonObject } from '../json/object.ts';
import { reportedName, reportedUsd, toolUsesIn } from './usage-object.ts';

test.each([
  [0.00123, 0, '0.00123'],
  [1.2345e-7, 0, '0.00000012345'],
  ['0.00123000', 0, '0.00123'],
  [0, 0, '0'],
  [2, 0, '2'],
  // Ticks of 10^-10 USD.
  [318_319_000, 10, '0.0318319'],
  [1, 10, '0.0000000001'],
  // Cents.
  [12.5, 2, '0.125'],
  // More than twelve places are rounded, half to even.
  [0.0000000000125, 0, '0.000000000012'],
  [0.0000000000135, 0, '0.000000000014'],
])('reads a reported price of %p in 10^-%p USD as %p', (value, decimals, usd) => {
  expect(reportedUsd({ price: { total: value } }, { path: 'price.total', decimals })).toBe(usd);
});

test('reads a price with more digits than a number has', () => {
  const usage = parseExact('{"cost":0.12345678901234567890}') as JsonObject;
  expect(reportedUsd(usage, { path: 'cost', decimals: 0 })).toBe('0.123456789012');
});

test.each([-0.1, Number.NaN, '-1', '1,5', '', true, null, {}, 1e9, '9'.repeat(30)])(
  'ignores a reported price of %p',
  (cost) => {
    expect(reportedUsd({ cost }, { path: 'cost', decimals: 0 })).toBeNull();
  },
);

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
