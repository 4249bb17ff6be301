import { expect, test } from 'bun:test';
import { type Bill, type BillRow, NO_SUMS, picoOf, type Sums } from './bill.ts';
import { CAUSE_TEXTS, CAUSES, compare } from './compare.ts';
import { groupKey, type ReceiptSums } from './receipt-sums.ts';

const DAY = 20_777;
const CENT = 10_000_000_000n;
const ONE_PERCENT = 100;
const SUMS: Sums = {
  requests: 10n,
  prompt: 1_000n,
  cache_read: 0n,
  cache_write: 0n,
  output: 500n,
  images: 0n,
  cost: 100n * CENT,
};

const row = (sums: Partial<Sums> = {}, given: Partial<BillRow> = {}): BillRow => ({
  day: DAY,
  model: 'gpt-6-2026-05-01',
  sums: { ...SUMS, ...sums },
  ...given,
});
const own = (sums: Partial<Sums> = {}, given: Partial<ReceiptSums> = {}): ReceiptSums => ({
  day: DAY,
  model: 'gpt-6',
  sums: { ...SUMS, ...sums },
  estimated: 0,
  ...given,
});
function compared(rows: readonly BillRow[], receipts: readonly ReceiptSums[]) {
  const measures = ['requests', 'prompt', 'cache_read', 'output', 'cost'] as const;
  const bill: Bill = { currency: 'USD', measures, rows };
  const groups = new Map(receipts.map((it) => [groupKey(it.day, it.model), it]));
  return compare(bill, groups, ONE_PERCENT);
}
const causes = (rows: readonly BillRow[], receipts: readonly ReceiptSums[]) =>
  compared(rows, receipts).differences.map(({ cause, isBeyond }) => [cause, isBeyond]);

test('equal sums have no difference, whatever date the model name ends with', () => {
  const { differences, compared: groups, billed } = compared([row()], [own()]);
  expect([differences, groups]).toEqual([[], 1]);
  expect(billed).toEqual({ ...SUMS, cache_write: null, images: null });
});

test('adds up the rows of one day and model', () => {
  const half = row({ requests: 5n, prompt: 500n, output: 250n, cost: 50n * CENT });
  expect(causes([half, half], [own()])).toEqual([]);
});

test('names the cause of each planted difference', () => {
  expect(causes([row()], [])).toEqual([['only_provider', true]]);
  expect(causes([], [own()])).toEqual([['only_receipts', true]]);
  const more = row({ output: 600n, requests: 12n });
  expect(causes([more], [own()])).toEqual([['other_use', true]]);
  const unread = row({ output: 600n });
  expect(causes([unread], [own({}, { estimated: 2 })])).toEqual([['estimated', true]]);
  expect(causes([unread], [own()])).toEqual([['other_use', true]]);
  expect(causes([row({ output: 400n })], [own()])).toEqual([['missing', true]]);
  expect(causes([row({ cost: 200n * CENT })], [own()])).toEqual([['card', true]]);
  expect(Object.keys(CAUSE_TEXTS)).toEqual([...CAUSES]);
});

test('requests around midnight are harmless when the days together agree', () => {
  const next = { day: DAY + 1 };
  const moved = [row({ output: 400n }), row({ output: 600n }, next)];
  expect(causes(moved, [own(), own({}, next)])).toEqual([
    ['day_boundary', false],
    ['day_boundary', false],
  ]);
  const lost = [row({ output: 400n }), row({ output: 601n }, next)];
  expect(causes(lost, [own(), own({}, next)])).toEqual([
    ['missing', true],
    ['other_use', true],
  ]);
});

test('requests around midnight do not hide a wrong cost', () => {
  const next = { day: DAY + 1 };
  const twice = { cost: 200n * CENT };
  const moved = [row({ output: 400n, ...twice }), row({ output: 600n, ...twice }, next)];
  expect(causes(moved, [own(), own({}, next)])).toEqual([
    ['card', true],
    ['card', true],
  ]);
  const cheap = { cost: 70n * CENT };
  const fee = row({ ...NO_SUMS, cost: 60n * CENT }, { model: null });
  const fees = [row({ output: 400n, ...cheap }), row({ output: 600n, ...cheap }, next), fee];
  expect(causes(fees, [own(), own({}, next)])).toEqual([
    ['apart', true],
    ['day_boundary', false],
    ['day_boundary', false],
  ]);
});

test('fees that are billed apart from models are harmless when the day agrees', () => {
  const fee = (cost: bigint) => row({ ...NO_SUMS, cost }, { model: null });
  const model = row({ cost: 70n * CENT });
  expect(causes([model, fee(30n * CENT)], [own()])).toEqual([
    ['apart', false],
    ['apart', false],
  ]);
  expect(causes([model, fee(50n * CENT)], [own()])).toEqual([
    ['apart', true],
    ['card', true],
  ]);
  const fewer = row({ output: 400n, cost: 70n * CENT });
  expect(causes([fewer, fee(30n * CENT)], [own()])).toEqual([
    ['apart', false],
    ['missing', true],
  ]);
});

test('the tolerance decides what is beyond; a difference of tokens is shown even below it', () => {
  expect(causes([row({ output: 505n })], [own()])).toEqual([['other_use', false]]);
  expect(causes([row({ output: 506n })], [own()])).toEqual([['other_use', true]]);
  expect(causes([row({ cost: 101n * CENT })], [own()])).toEqual([]);
  expect(causes([row({ cost: 102n * CENT })], [own()])).toEqual([['card', true]]);
  // A difference of up to a cent counts as rounding, even if the receipts have no cost.
  expect(causes([row({ cost: CENT })], [own({ cost: 0n })])).toEqual([]);
});

test('money is not compared without a configured cost, which is reported', () => {
  const rows = [row({ cost: 900n * CENT }), row({}, { model: 'known' })];
  const result = compared(rows, [own({ cost: null }), own({}, { model: 'known' })]);
  expect([result.differences, result.uncosted, result.receipts.cost]).toEqual([
    [],
    ['gpt-6'],
    null,
  ]);
});

test('reads decimals exactly, and rounds what is below a pico-unit', () => {
  expect(picoOf('0.1')).toBe(100_000_000_000n);
  expect(picoOf('123.78912', -2)).toBe(1_237_891_200_000n);
  expect(picoOf('1.5e-7')).toBe(150_000n);
  expect(picoOf('2E+2')).toBe(200_000_000_000_000n);
  expect(picoOf('-0.0000000000005')).toBe(-1n);
  expect(picoOf('0.0000000000004999')).toBe(0n);
  for (const text of ['', 'NaN', '1.', '.5', '1e999', '0x1', '1,5'])
    expect(picoOf(text)).toBeNull();
});
