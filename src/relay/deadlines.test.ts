import { expect, test } from 'bun:test';
import { deadlinesFor } from './deadlines.ts';

const limits = { firstByteTimeoutMs: 1, idleTimeoutMs: 2, totalTimeoutMs: 3, other: 'kept' };

test('a model without deadlines of its own has those of the gateway', () => {
  const none = { connectMs: 9, firstByteMs: null, idleMs: null, totalMs: null };
  expect(deadlinesFor(limits, none)).toEqual(limits);
});

test('a model’s own deadlines stand in their place, each on its own', () => {
  const own = { connectMs: null, firstByteMs: 10, idleMs: 20, totalMs: 30 };
  expect(deadlinesFor(limits, own)).toEqual({
    firstByteTimeoutMs: 10,
    idleTimeoutMs: 20,
    totalTimeoutMs: 30,
    other: 'kept',
  });
  expect(deadlinesFor(limits, { ...own, idleMs: null }).idleTimeoutMs).toBe(2);
});
