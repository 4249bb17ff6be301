import { expect, test } from 'bun:test';
import { ownPath } from './own-path.ts';

test('a page of the console is kept', () => {
  for (const path of ['/', '/keys', '/requests?model=gen-v4&from=2026-11-01#last']) {
    expect(ownPath(path)).toBe(path);
  }
});

test('a path that could lead to another site is replaced by the overview', () => {
  const elsewhere = [
    undefined,
    '',
    'keys',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/keys\\..\\..',
    '/\n/evil.example',
  ];
  expect(elsewhere.map(ownPath)).toEqual(elsewhere.map(() => '/'));
});
