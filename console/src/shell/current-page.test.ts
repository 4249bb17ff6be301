import { expect, test } from 'bun:test';
import { currentPage } from './current-page.ts';

const ITEMS = ['/', '/keys', '/playground', '/playground/images', '/admin/people'].map((to) => ({
  to,
}));
const at = (pathname: string): string | undefined => currentPage(pathname, ITEMS)?.to;

test('a page marks its own entry, however its address ends', () => {
  expect([at('/'), at(''), at('/keys'), at('/keys/')]).toEqual(['/', '/', '/keys', '/keys']);
});

test('a page below another marks that one', () => {
  expect([at('/keys/key_1'), at('/admin/people/usr_1')]).toEqual(['/keys', '/admin/people']);
});

test('of two that fit, the nearer is marked, and it alone', () => {
  expect(at('/playground/images')).toBe('/playground/images');
  expect(at('/playground/other')).toBe('/playground');
});

test('an address that only begins with the same letters marks nothing, and nothing falls back to home', () => {
  expect([at('/keys-archive'), at('/unknown')]).toEqual([undefined, undefined]);
});
