import { expect, test } from 'bun:test';
import { initialsOf } from './app-header.tsx';

test('initials of Western and Chinese names', () => {
  expect(
    ['Ada Lovelace', 'ada', '  Grace  Brewster Hopper ', '林徽因', '😀 Smile', ''].map(initialsOf),
  ).toEqual(['AL', 'A', 'GH', '林', '😀S', '']);
});
