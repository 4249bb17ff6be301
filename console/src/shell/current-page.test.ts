import { expect, test } from 'bun:test';
import { currentPage } from './current-page.ts';

const ITEMS = ['/', '/keys', '/playground', '/playground/images', '/admin/people'].map((to) => ({
  to,
}));
const at = (pathname: string): string | undefined => currentPage(pathname, ITEMS)?.to;

test('a page marks its own entry, with or without a trailing slash', () => {
  expect([at('/'), at(''), at('/keys'), at('/keys/')]).toEqual(['/', '/', '/keys', '/keys']);
});

test('a nested page marks its parent', () => {
  expect([at('/keys/key_1'), at('/admin/people/usr_1')]).toEqual(['/keys', '/admin/people']);
});

test('only the longest match is marked', () => {
  expect(at('/playground/images')).toBe('/playground/images');
  expect(at('/playground/other')).toBe('/playground');
});

test('a partial segment matches nothing, and nothing falls back to home', () => {
  expect([at('/keys-archive'), at('/unknown')]).toEqual([undefined, undefined]);
});
