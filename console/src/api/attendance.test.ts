import { expect, test } from 'bun:test';
import { attendance } from './attendance.ts';

test('a page untouched for two minutes counts as unattended', () => {
  globalThis.dispatchEvent(new Event('keydown'));
  expect(attendance()).toEqual({});
  expect(attendance(performance.now() + 121_000)).toEqual({ 'x-unattended': '1' });
});
