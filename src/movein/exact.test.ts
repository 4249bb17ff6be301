import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  amountOf,
  decimalText,
  dividedBy,
  exactNumbers,
  exactOf,
  roundedDown,
  wholeNumber,
} from './exact.ts';

describe('exact numbers', () => {
  test('are read as they are written', () => {
    expect(exactOf('1.25')).toEqual({ over: 125n, under: 100n });
    expect(exactOf('5e-7')).toEqual({ over: 5n, under: 10_000_000n });
    expect(exactOf('-2.5E+3')).toEqual({ over: -2500n, under: 1n });
    for (const text of ['', 'NaN', '1e999', '1,5', '0x10', '.5', `${'1'.repeat(41)}`])
      expect(exactOf(text)).toBeNull();
    const numbers = exactNumbers('{"a":0.1,"b":"2","c":null,"d":1e-7}', 'ModelRatio');
    expect([...numbers.keys()]).toEqual(['a', 'b', 'd']);
    expect(() => exactNumbers('{"a":', 'ModelRatio')).toThrow('`ModelRatio` of the source is not');
  });

  test('keep every unit of quota: what is rounded off is less than a billionth of a USD', () => {
    const quotas = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(quotas, fc.bigInt({ min: 1n, max: 10n ** 9n }), (quota, perUnit) => {
        const usd = dividedBy(wholeNumber(quota), wholeNumber(perUnit));
        const { amount, isExact } = amountOf(usd);
        const rest = quota * 10n ** 9n - amount * perUnit;
        expect(rest >= 0n && rest < perUnit).toBe(true);
        expect(isExact).toBe(rest === 0n);
      }),
    );
    // One USD is 500,000 units of quota at one-api by default, so the quotient is an exact decimal.
    expect(amountOf(dividedBy(wholeNumber(1n), wholeNumber(500_000n)))).toEqual({
      ...{ amount: amountOf({ over: 2n, under: 1_000_000n }).amount, isExact: true },
    });
  });

  test('are written without surplus zeros', () => {
    expect(roundedDown({ over: 2n, under: 3n }, 6)).toEqual({ value: 666_666n, isExact: false });
    expect([250n, 1_000_000n, 0n].map((value) => decimalText(value, 6))).toEqual([
      ...['0.00025', '1', '0'],
    ]);
  });
});
