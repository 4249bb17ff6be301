import { expect, test } from 'bun:test';
import { searchTexts, withText } from './search-texts.ts';

test('reads only known, non-empty filters from an address', () => {
  const search = { subject: ' acc_1 ', actor: 12, action: '', from: {}, other: 'x' };
  expect(searchTexts(search, ['subject', 'actor', 'action', 'from'])).toEqual({
    subject: 'acc_1',
    actor: '12',
  });
  expect(searchTexts({ subject: 'x'.repeat(201) }, ['subject'])).toEqual({});
});

test('an emptied filter is removed from the address', () => {
  expect(withText({ a: '1', b: '2' }, 'a', '')).toEqual({ b: '2' });
  expect(withText<'a' | 'b'>({ b: '2' }, 'a', ' 3 ')).toEqual({ a: '3', b: '2' });
});
