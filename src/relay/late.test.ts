import { expect, test } from 'bun:test';
import { manualClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { orLate } from './late.ts';

test('what comes in time is given, and what does not is late', async () => {
  const clock = manualClock();
  expect(await orLate(clock, Promise.resolve(7), 1000)).toBe(7);
  const waiting = orLate(clock, new Promise<number>(() => undefined), 1000);
  clock.advance(1000);
  expect(await waiting).toBe('late');
});

test('a failure in time is a failure', async () => {
  const failing = Promise.reject(new GatewayError('upstream_failed', 'no'));
  const result = await orLate(manualClock(), failing, 1000).catch((thrown: unknown) => thrown);
  expect(result).toBeInstanceOf(GatewayError);
});
