import { expect, test } from 'bun:test';
import type { UsageRow } from '#api/usage.ts';
import { perTokenField } from '../../../../../src/money/usage.ts';
import { cutTo, isWithin, type UsageReport } from './usage-query.ts';

const row = (day: string): UsageRow => ({
  ...{ day, model: 'a', key_id: null, channel: null, currency: 'USD', requests: 1, incomplete: 0 },
  ...{ ...perTokenField(() => 0), images: 0, charge: '1', cost_usd: '1', loss: '0' },
});
const rows = ['2026-11-18', '2026-11-20', '2026-11-21'].map(row);
const month: UsageReport = {
  ...{ by: 'model', range: { from: '2026-10-23', to: '2026-11-21' }, isSplit: true },
  ...{ days: rows, groups: rows },
};

test('a shorter range is cut out of a report that is loaded already', () => {
  const week = { from: '2026-11-20', to: '2026-11-21' };
  expect(isWithin(week, month)).toBe(true);
  const cut = cutTo(week, month);
  expect(cut.range).toEqual(week);
  expect(cut.groups.map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-21']);
});

test('a range is not taken from a report without all of its days and groups', () => {
  expect(isWithin({ from: '2026-10-22', to: '2026-11-21' }, month)).toBe(false);
  expect(isWithin({ from: '2026-11-20', to: '2026-11-22' }, month)).toBe(false);
  expect(isWithin(month.range, { ...month, groups: [...rows], isSplit: false })).toBe(false);
  expect(isWithin(month.range, undefined)).toBe(false);
});
