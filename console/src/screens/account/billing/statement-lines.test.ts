import { expect, test } from 'bun:test';
import { parseAmount } from '#money/amount.ts';
import { statementLines } from './statement-lines.ts';

const move = (id: string, at: string, amount: string) => ({
  ...{ id, at, amount, kind: 'credit' as const, reason: null },
});
const MOVES = [
  move('late', '2026-11-20T00:00:00Z', '5.00'),
  move('early', '2026-11-02T00:00:00Z', '10.00'),
];
const CHARGES = [
  { model: 'gen-v4', requests: 1, charge: '0.10' },
  { model: 'gen-opus', requests: 2, charge: '1.000000001' },
];
const shown = (closing: string) =>
  statementLines({ opening: '1.00', closing }, MOVES, CHARGES).map(({ id }) => id);

test('a statement lists the opening balance, movements, charges and the closing balance', () => {
  expect(shown('14.899999999')).toEqual([
    ...['opening', 'early', 'late', 'model gen-opus', 'model gen-v4', 'closing'],
  ]);
});

test('the lines add up exactly, whatever was corrected', () => {
  for (const closing of ['14.899999999', '14.90', '0.00']) {
    const lines = statementLines({ opening: '1.00', closing }, MOVES, CHARGES);
    const sum = lines.slice(0, -1).reduce((total, { amount }) => total + amount, 0n);
    expect(sum).toBe(parseAmount(closing));
  }
  expect(shown('14.90')).toContain('rest');
});
