import { expect, test } from 'bun:test';
import { initialsOf } from './initials.ts';

test('a name is shortened to the letters people know it by', () => {
  expect(
    ['Ada Lovelace', 'ada', '  Grace  Brewster Hopper ', '林徽因', '😀 Smile', ''].map(initialsOf),
  ).toEqual(['AL', 'A', 'GH', '林', '😀S', '']);
});
