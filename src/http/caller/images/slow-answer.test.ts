import { describe, expect, test } from 'bun:test';
import { manualClock } from '../../../clock.fixture.ts';
import { nextTurn } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import { slowAnswer } from './slow-answer.ts';

const STATUS_HOLD_MS = 60_000;
const KEEP_ALIVE_MS = 15_000;

function open() {
  const clock = manualClock();
  const answering = Promise.withResolvers<Response>();
  const begun = Promise.withResolvers<void>();
  let left = 0;
  const answer = slowAnswer(answering.promise, begun.promise, {
    clock,
    statusHoldMs: STATUS_HOLD_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    headers: () => ({ 'x-request-id': 'req_1' }),
    failed: ({ code }) => JSON.stringify({ error: { code } }),
    left: () => {
      left += 1;
    },
  });
  return { clock, answering, begun, answer, left: () => left };
}
const failure = new GatewayError('upstream_failed', 'no');

describe('a slow answer', () => {
  test('that comes in time is returned as it is, or throws its error', async () => {
    const { answering, begun, answer, clock } = open();
    begun.resolve();
    await nextTurn();
    clock.advance(STATUS_HOLD_MS - 1);
    const response = new Response('{}', { status: 201 });
    answering.resolve(response);
    expect(await answer).toBe(response);

    const other = open();
    other.answering.reject(failure);
    await expect(other.answer).rejects.toBe(failure);
  });

  test('waits for its status as long as nothing was sent', async () => {
    const { answering, answer, clock } = open();
    await nextTurn();
    clock.advance(10 * STATUS_HOLD_MS);
    answering.reject(failure);
    await expect(answer).rejects.toBe(failure);
  });

  test('of 180 seconds passes a proxy that closes after 100 seconds of silence', async () => {
    const { answering, begun, answer, clock } = open();
    begun.resolve();
    const pieces: { readonly atMs: number; readonly text: string }[] = [];
    const reading = answer.then(async ({ status, headers, body }) => {
      expect([status, headers.get('x-request-id')]).toEqual([200, 'req_1']);
      const decoder = new TextDecoder();
      for await (const piece of body ?? [])
        pieces.push({ atMs: clock.monotonicMs() - startMs, text: decoder.decode(piece) });
    });
    const startMs = clock.monotonicMs();
    for (let second = 0; second < 180; second++) {
      await nextTurn();
      clock.advance(1_000);
      await nextTurn();
    }
    answering.resolve(new Response('{"data":[]}'));
    await reading;
    expect(pieces.map(({ atMs }) => atMs / 1000)).toEqual([
      ...[60, 75, 90, 105, 120, 135, 150, 165, 180, 180],
    ]);
    const text = pieces.map((piece) => piece.text).join('');
    expect(text).toBe(`${' '.repeat(9)}{"data":[]}`);
    expect(JSON.parse(text)).toEqual({ data: [] });
  });

  test('that fails after its status ends with an error body', async () => {
    const { answering, begun, answer, clock } = open();
    begun.resolve();
    await nextTurn();
    clock.advance(STATUS_HOLD_MS);
    const response = await answer;
    answering.reject(failure);
    expect([response.status, await response.json()]).toEqual([
      200,
      { error: { code: 'upstream_failed' } },
    ]);
  });

  test('reports a caller who disconnects, and writes nothing more', async () => {
    const { answering, begun, answer, clock, left } = open();
    begun.resolve();
    await nextTurn();
    clock.advance(STATUS_HOLD_MS);
    await (await answer).body?.cancel();
    expect(left()).toBe(1);
    clock.advance(10 * KEEP_ALIVE_MS);
    answering.resolve(new Response('{}'));
    await nextTurn();
  });
});
