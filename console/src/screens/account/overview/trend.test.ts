import { expect, test } from 'bun:test';
import { changeOf, failureRates, spendByDay, topOf } from './trend.ts';

test('a change is relative to the period before', () => {
  expect(changeOf('0.3', '0.2')).toBe(0.5);
  expect(changeOf('0.5', '9.1')).toBe(-0.945);
});

test('without earlier spend there is no change', () => {
  expect(changeOf('1', '0')).toBeNull();
});

test('each day has its spend and its fraction of failed requests', () => {
  const days = ['2026-11-19', '2026-11-20', '2026-11-21'];
  const charges = [
    { day: '2026-11-21', charge: '0.3' },
    { day: '2026-11-20', charge: '0.2' },
    { day: '2026-11-14', charge: '0.1' },
  ];
  expect(spendByDay(charges, days)).toEqual([0n, 200_000_000_000n, 300_000_000_000n]);
  const rows = [
    { day: '2026-11-21', requests: 3, incomplete: 1 },
    { day: '2026-11-21', requests: 1, incomplete: 0 },
    { day: '2026-11-20', requests: 5, incomplete: 0 },
  ];
  expect(failureRates(rows, days)).toEqual([0, 0, 0.25]);
});

test('the groups with the highest spend come first, exact to the last digit', () => {
  const rows = [
    { model: 'a', cost_usd: '0.000000001' },
    { model: 'b', cost_usd: '2' },
    { model: 'a', cost_usd: '1' },
    { model: 'c', cost_usd: '0' },
    { model: 'd', cost_usd: '0.5' },
  ];
  expect(topOf(rows, ({ model }) => model, 2)).toEqual([
    { group: 'b', amount: 2_000_000_000_000n },
    { group: 'a', amount: 1_000_000_001_000n },
  ]);
  expect(topOf([], ({ model }: { model: string; cost_usd: string }) => model, 2)).toEqual([]);
});
