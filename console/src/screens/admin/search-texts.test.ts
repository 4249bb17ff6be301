import { expect, test } from 'bun:test';
import { searchTexts, withText } from './search-texts.ts';

test('only the filters that an address may have are read, and only where they say something', () => {
  const search = { subject: ' acc_1 ', actor: 12, action: '', from: {}, other: 'x' };
  expect(searchTexts(search, ['subject', 'actor', 'action', 'from'])).toEqual({
    subject: 'acc_1',
    actor: '12',
  });
  expect(searchTexts({ subject: 'x'.repeat(201) }, ['subject'])).toEqual({});
});

test('a filter that is emptied leaves the address', () => {
  expect(withText({ a: '1', b: '2' }, 'a', '')).toEqual({ b: '2' });
  expect(withText<'a' | 'b'>({ b: '2' }, 'a', ' 3 ')).toEqual({ a: '3', b: '2' });
});
