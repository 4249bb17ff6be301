import { expect, test } from 'bun:test';
import { periodFormats } from './periods.ts';
import { countUnit, moneyUnit } from './units.ts';

// The imported module reads the saved language from browser storage, which tests do not have.
Object.assign(globalThis, { localStorage: { getItem: () => 'en' } });
const { formatsOf } = await import('#i18n/formats.ts');

const formats = formatsOf('en', 'UTC');
const usd = moneyUnit('USD', formats);

test('marks of money have as many digits as their step needs', () => {
  expect([0, 2, 8].map((value) => usd.axis(value, 2))).toEqual(['$0', '$2', '$8']);
  expect(usd.axis(-2, 2)).toBe('−$2');
  expect([0.25, 0.5].map((value) => usd.axis(value, 0.25))).toEqual(['$0.25', '$0.50']);
  expect(usd.axis(0.0005, 0.0005)).toBe('$0.0005');
  expect([500, 1_500].map((value) => usd.axis(value, 500))).toEqual(['$500', '$1,500']);
  expect(usd.axis(12_500, 2_500)).toBe('$12.5K');
});

test('texts and CSV cells are of the exact amount', () => {
  expect(usd.text(1_234_567_000_000_000n)).toBe('$1,234.57');
  expect(usd.csv(1_234_567_000_000_001n)).toBe('1234.567000000001');
  expect(usd.height(1_500_000_000_000n)).toBe(1.5);
  const count = countUnit(formats);
  expect([count.axis(25_000, 5_000), count.text(25_000n), count.csv(25_000n)]).toEqual([
    '25K',
    '25,000',
    '25000',
  ]);
});

test('an axis of counts has no fractions', () => {
  const { axis } = countUnit(formats);
  expect([0, 0.25, 0.5, 0.75, 1].map((value) => axis(value, 0.25))).toEqual(['0', '', '', '', '1']);
});

test('periods are alike everywhere, in the given time zone', () => {
  const day = periodFormats('en', 'day');
  expect([day.short('2026-11-02'), day.long('2026-11-02')]).toEqual(['Nov 2', 'Mon, Nov 2, 2026']);
  const at = '2026-11-02T23:00:00Z';
  expect(periodFormats('en', 'hour').short(at)).toBe('23:00');
  expect(periodFormats('en', 'hour', 'Asia/Shanghai').long(at)).toBe('Nov 3, 07:00');
  expect(periodFormats('zh-CN', 'day').short('2026-11-02')).toBe('11/2');
  expect(periodFormats('zh-CN', 'month').long('2026-11')).toBe('2026年11月');
});

test('a period that is no time stays as it is', () => {
  expect(periodFormats('en', 'day').short('someday')).toBe('someday');
});
