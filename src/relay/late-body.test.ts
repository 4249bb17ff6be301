import { expect, test } from 'bun:test';
import { manualClock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { lateBody, orLate } from './late-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

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

test('a body that comes late is read to its end', async () => {
  const { promise, resolve } = Promise.withResolvers<ReadableStream<Uint8Array>>();
  const text = new Response(lateBody(promise)).text();
  resolve(
    new ReadableStream({
      start(controller) {
        controller.enqueue(bytes('late, '));
        controller.enqueue(bytes('but whole'));
        controller.close();
      },
    }),
  );
  expect(await text).toBe('late, but whole');
});

test('a body that never comes fails with the reason', async () => {
  const reason = new GatewayError('upstream_overloaded', 'busy');
  const reader = lateBody(Promise.reject(reason)).getReader();
  const thrown = await reader.read().catch((failure: unknown) => failure);
  expect(thrown).toBe(reason);
});
