import { expect, test } from 'bun:test';
import { Input } from './command.ts';
import { expiryOf } from './expiry.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const read = (expires: string) => expiryOf(new Input([], { expires }), NOW_MS);

test('reads days from now, dates and times', () => {
  expect(read('90d')).toBe('2027-02-19T12:00:00.000Z');
  expect(read('2028-02-29')).toBe('2028-02-29T00:00:00.000Z');
  expect(read('2027-01-31T23:00-02:00')).toBe('2027-02-01T01:00:00.000Z');
});

test.each(['soon', '2027-02-29', '2027-04-31T12:00:00Z', '2027-13-01'])('refuses %s', (expires) => {
  expect(() => read(expires)).toThrow(`--expires cannot read "${expires}"`);
});
