import { expect, test } from 'bun:test';
import { readDetail } from './differences.ts';

test('a change is listed by differing fields with their paths', () => {
  const detail = {
    account_id: 'acc_1',
    before: { name: 'ci', spend: { day: '5', week: null }, models: ['a', 'b'] },
    after: { name: 'ci', spend: { day: '7', week: null }, models: null },
  };
  expect(readDetail(detail)).toEqual({
    differences: [
      { field: 'spend.day', before: '5', after: '7' },
      { field: 'models', before: 'a, b', after: null },
    ],
    facts: [{ field: 'account_id', value: 'acc_1' }],
  });
});

test("a member's limits have the paths of the limits of keys", () => {
  const detail = { account_id: 'acc_1', before: { month: null }, after: { month: '10' } };
  expect(readDetail(detail).differences).toEqual([
    { field: 'spend.month', before: null, after: '10' },
  ]);
});

test('a creation lists only the fields that were set', () => {
  const { differences } = readDetail({ after: { name: 'ci', expires_at: null, allow: false } });
  expect(differences).toEqual([
    { field: 'name', before: null, after: 'ci' },
    { field: 'allow', before: null, after: 'false' },
  ]);
});

test('masked keys and corrupt entries are displayed as they are', () => {
  expect(readDetail({ before: 'sk-mg-a', after: 'sk-mg-b' }).facts).toEqual([
    { field: 'before', value: 'sk-mg-a' },
    { field: 'after', value: 'sk-mg-b' },
  ]);
  expect(readDetail('{"broken').facts).toEqual([{ field: 'detail', value: '{"broken' }]);
});

test('an amount is shown with its currency, without needless zeros', () => {
  const { facts } = readDetail({ amount: '-4.500000000', currency: 'USD', source: 'top_up' });
  expect(facts).toEqual([
    { field: 'amount', value: '−$4.50' },
    { field: 'source', value: 'top_up' },
  ]);
  expect(readDetail({ rate: '7.10000000' }).facts).toEqual([{ field: 'rate', value: '7.10' }]);
});
