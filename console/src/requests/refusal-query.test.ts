import { expect, test } from 'bun:test';
import { refusalCountsQuery } from './refusal-query.ts';

test('refusals are counted on the days of the range, of which the end is no part', () => {
  const daysOf = (from: string, to: string) => refusalCountsQuery('own', { from, to }).queryKey[3];
  const days = { from: '2026-11-23', to: '2026-11-24' };
  expect(daysOf('2026-11-23', '2026-11-24')).toEqual(days);
  expect(daysOf('2026-11-23T00:00:00.000Z', '2026-11-25T00:00:00.000Z')).toEqual(days);
  expect(daysOf('2026-11-23T05:00:00.000Z', '2026-11-25T05:00:00.000Z')).toEqual({
    ...{ from: '2026-11-23', to: '2026-11-25' },
  });
});
