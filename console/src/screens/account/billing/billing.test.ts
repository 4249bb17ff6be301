import { describe, expect, test } from 'bun:test';
import { formatExact } from '#money/amount.ts';
import { amountProblem, bonusOn, offeredAmounts } from './amounts.ts';
import { ledgerAddress, ledgerFilterOf } from './billing-search.ts';
import { lastDayOf } from './months.ts';

describe('the address of the billing page', () => {
  test('filters the downloaded file like the list', () => {
    const filter = ledgerFilterOf({
      tab: 'ledger',
      payment: 'paid',
      kind: 'late',
      to: '2026-11-21',
    });
    expect(ledgerAddress(filter)).toBe('/console/api/ledger?kind=late&to=2026-11-21');
  });
});

describe('payment amounts', () => {
  const range = { min: '10.00', max: '75.000000000' };

  test('are suggested within the limits', () => {
    expect(offeredAmounts(range)).toEqual(['10', '25', '50']);
    expect(offeredAmounts({ min: '0.50', max: '100000' })).toEqual(['5', '10', '25', '50']);
  });

  test('have their own error messages', () => {
    const wrong = (text: string) => amountProblem(text, range);
    expect(['10', ' 74.99 ', '75'].map(wrong)).toEqual([null, null, null]);
    expect(amountProblem('1,000.00', { min: '5', max: '1000' })).toBeNull();
    expect(['', '1,5', '12.345', '-20', '1e2'].map(wrong)).toEqual(Array(5).fill('notAmount'));
    expect(['9.99', '75.01'].map(wrong)).toEqual(['outOfRange', 'outOfRange']);
  });
});

test('a typed amount gets the bonus of the largest step that it reaches', () => {
  const steps = [
    { from: '100.000000000', percent: '5' },
    { from: '1000.000000000', percent: '7.0001' },
  ];
  const bonus = (text: string) => formatExact(bonusOn(text, steps));
  expect(['99.99', ' 100 ', '999.99', '1000', '1000.01', '1,000', '1e3', ''].map(bonus)).toEqual([
    ...['0.00', '5.00', '49.9995', '70.001', '70.00170001', '70.001', '0.00', '0.00'],
  ]);
});

test('a month ends with its last day', () => {
  expect(['2026-11', '2026-12', '2028-02'].map(lastDayOf)).toEqual([
    '2026-11-30',
    '2026-12-31',
    '2028-02-29',
  ]);
});
