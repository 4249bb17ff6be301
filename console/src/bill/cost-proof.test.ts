import { describe, expect, test } from 'bun:test';
import { formatExact } from '#money/amount.ts';
import { proofOf, releasedOf } from './cost-proof.ts';
import type { CostDetails } from './request-details.ts';

const tokens = (
  bucket: 'input' | 'cache_read' | 'output',
  count: number,
  rate: string,
  cost: string,
): CostDetails['lines'][number] => ({
  ...{ kind: 'tokens', bucket, count, rate_per_1m: rate, cost },
  why: '',
});

const COST: CostDetails = {
  ...{ card: 'card_1', card_currency: 'USD', currency: 'CNY', discounts: [], rounding: 'half' },
  ...{ assumed: [], unpriced: [], price_list: null },
  lines: [
    tokens('input', 103, '1.32', '0.000135960000'),
    tokens('cache_read', 20, '0.04', '0.000000800000'),
    tokens('output', 40, '3.96', '0.000158400000'),
  ],
  cost_unrounded: '0.000295160000',
  conversion: { id: 'fx_1', from: 'USD', to: 'CNY', rate: '7.10' },
  ...{ price: '0.002095636', charge: '0.002095636' },
  ...{ loss: '0.000000000', waived: '0.000000000', refunded: '0.000000000' },
};

describe('the check of a cost', () => {
  test('adds, converts, rounds and reaches the charge', () => {
    const proof = proofOf(COST);
    expect([formatExact(proof.sum), formatExact(proof.price)]).toEqual([
      '0.00029516',
      '0.002095636',
    ]);
    expect(proof.broken).toBeNull();
  });

  test('of images is count times price', () => {
    const lines: CostDetails['lines'] = [
      { kind: 'images', price_key: '1024x1024', count: 3, price_per_image: '0.04', cost: '0.12' },
    ];
    const proof = proofOf({
      ...{ ...COST, lines, conversion: null, currency: 'USD' },
      ...{ cost_unrounded: '0.12', price: '0.12', charge: '0.12' },
    });
    expect([proof.broken, proof.isRounded]).toEqual([null, false]);
  });

  test('of a tool is count times fee', () => {
    const fee = { unit: 'web_search', count: 3, fee: '0.010000000000', cost: '0.030000000000' };
    const proof = proofOf({
      ...{ ...COST, lines: [{ kind: 'fee', ...fee, why: '' }] as CostDetails['lines'] },
      ...{ conversion: null, currency: 'USD' },
      ...{ cost_unrounded: '0.03', price: '0.03', charge: '0.03' },
    });
    expect(proof.broken).toBeNull();
  });

  test('names the first step that differs from the ledger', () => {
    const [first, ...rest] = COST.lines;
    const wrong = { ...first, cost: '0.000135960001' } as typeof first & object;
    expect(proofOf({ ...COST, lines: [wrong, ...rest] }).broken).toBe('lines');
    expect(proofOf({ ...COST, cost_unrounded: '0.000295160001' }).broken).toBe('sum');
    expect(proofOf({ ...COST, price: '0.002095637' }).broken).toBe('price');
    expect(proofOf({ ...COST, charge: '0.002095635' }).broken).toBe('charge');
    expect(proofOf({ ...COST, charge: '0.002095635', loss: '0.000000001' }).broken).toBeNull();
  });
});

test('the rest of the hold is released', () => {
  expect(releasedOf('0.005', '0.002')).toBe(3n * 10n ** 9n);
  expect(releasedOf(null, '0.002')).toBeNull();
});
