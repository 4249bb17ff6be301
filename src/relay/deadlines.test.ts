import { expect, test } from 'bun:test';
import { manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import { deadlinesFor } from './in-flight.ts';
import { orTimeout } from './upstream-answer.ts';

const limits = {
  firstByteTimeoutMs: 1,
  idleTimeoutMs: 2,
  totalTimeoutMs: 3,
  keepAliveMs: 4,
  stallTimeoutMs: 5,
  firstEventHoldMs: 6,
  maxAnswerBytes: 7,
  maxEventBytes: 8,
  readOnMs: 2_000,
};

test('a model without deadlines uses those of the gateway', () => {
  const none = { connectMs: 9, firstByteMs: null, idleMs: null, totalMs: null };
  expect(deadlinesFor(limits, none)).toEqual(limits);
});

test('each deadline of a model overrides the gateway’s', () => {
  const own = { connectMs: null, firstByteMs: 10, idleMs: 20, totalMs: 30 };
  expect(deadlinesFor(limits, own)).toEqual({
    ...limits,
    firstByteTimeoutMs: 10,
    idleTimeoutMs: 20,
    totalTimeoutMs: 30,
  });
  expect(deadlinesFor(limits, { ...own, idleMs: null }).idleTimeoutMs).toBe(2);
});

test('orTimeout returns a value in time, else reports the timeout', async () => {
  const clock = manualClock();
  expect(await orTimeout(clock, Promise.resolve(7), 1000)).toBe(7);
  const waiting = orTimeout(clock, new Promise<number>(() => undefined), 1000);
  clock.advance(1000);
  expect(await waiting).toBe('timeout');
});

test('orTimeout rejects when the promise rejects in time', async () => {
  const failing = Promise.reject(new GatewayError('upstream_failed', 'no'));
  const result = await orTimeout(manualClock(), failing, 1000).catch((thrown: unknown) => thrown);
  expect(result).toBeInstanceOf(GatewayError);
});
