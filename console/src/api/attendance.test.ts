import { expect, test } from 'bun:test';
import { attendance } from './attendance.ts';

test('a page that nobody has touched for two minutes says so', () => {
  expect(attendance()).toEqual({});
  expect(attendance(performance.now() + 121_000)).toEqual({ 'x-unattended': '1' });
});
