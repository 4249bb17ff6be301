import { expect, test } from 'bun:test';
import { RECEIPT } from '../store/columns.ts';
import { receiptParams } from './receipt-row.ts';

test('columns that an earlier version left out get their default', () => {
  const params = receiptParams(['req_1', 'acme']);
  expect(params).toHaveLength(RECEIPT.length);
  expect(params.slice(0, 2)).toEqual(['req_1', 'acme']);
  expect(params[RECEIPT.findIndex(([name]) => name === 'reasoning')]).toBe(0);
});

test('columns of a newer version are not lost, but need that version', () => {
  const values = [...RECEIPT.map(() => null), 'new'];
  expect(() => receiptParams(values)).toThrow('start that version once and stop it');
});
