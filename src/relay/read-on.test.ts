/**
 * Tests streams whose caller has disconnected. The gateway reads them to their end for the usage,
 * or aborts them.
 */
import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { CallScope, MAX_READ_ON } from './in-flight.ts';
import { decode, encode, LIMITS, readAll, STOPPING, scene, turn } from './stream-relay.fixture.ts';

/**
 * Opens a stream that the gateway reads to its end if the caller disconnects, and reads its first
 * chunk.
 */
async function readOnScene(affordableBytes?: number) {
  const s = scene(affordableBytes);
  s.scope.readsOn = true;
  s.send('some');
  const reader = s.relay.body().getReader();
  await reader.read();
  return { ...s, reader, outcomes: () => s.ends.map((end) => end.outcome) };
}

describe('a caller who disconnects from a server that bills the whole answer', () => {
  test.each(['before', 'during'] as const)(
    'leaves an answer that is read to its end (%s a read)',
    async (when) => {
      const { relay, reader, leave, send, aborts, ends, broken, inFlight } = await readOnScene();
      const pending = when === 'during' ? reader.read() : null;
      await turn();
      leave();
      if (pending === null) await reader.cancel();
      else expect((await pending).done).toBe(true);
      expect([ends.length, aborts(), inFlight.count]).toEqual([0, 0, 1]);
      send(' more');
      await turn();
      send(' and the lastEND');
      await turn();
      await turn();
      expect(ends.map(({ outcome, error }) => [outcome, error])).toEqual([['caller_left', null]]);
      expect(ends[0]?.facts.outputBytes).toBe('some more and the last'.length);
      relay.abandon();
      expect([ends.length, broken.length, inFlight.count]).toEqual([1, 0, 0]);
    },
  );

  test('is charged by the rules of its provider when that fails', async () => {
    const { leave, send, outcomes, broken, inFlight } = await readOnScene();
    leave();
    send('ERR');
    await turn();
    await turn();
    expect([outcomes(), broken, inFlight.count]).toEqual([['upstream_error'], [], 0]);
  });

  test('has the answer aborted after the time to read on', async () => {
    const { leave, send, clock, outcomes, aborts } = await readOnScene();
    leave();
    for (let second = 0; second < LIMITS.readOnMs; second += 30_000) {
      send('more');
      await turn();
      clock.advance(30_000);
      expect(aborts()).toBe(0);
    }
    clock.advance(1_000);
    await turn();
    expect([outcomes(), aborts()]).toEqual([['caller_left'], 1]);
  });

  test('has the answer aborted when the money runs out', async () => {
    const { leave, send, outcomes, aborts, inFlight } = await readOnScene(10);
    leave();
    send('more than the ten bytes');
    await turn();
    await turn();
    expect([outcomes(), aborts(), inFlight.count]).toEqual([['caller_left'], 1, 0]);
  });

  test('has the answer aborted when the gateway stops', async () => {
    const { relay, leave, outcomes, aborts } = await readOnScene();
    leave();
    relay.terminate(STOPPING);
    await turn();
    expect([outcomes(), aborts()]).toEqual([['caller_left'], 1]);
  });

  test('has the answer aborted when too many have been read on since', async () => {
    const { inFlight, scope, leave, outcomes, aborts } = await readOnScene();
    const { clock, requestId, caller, limits } = scope;
    const { signal } = new AbortController();
    const options = { clock, inFlight, requestId, caller, signal, limits };
    leave();
    for (let others = 1; others < MAX_READ_ON; others++)
      inFlight.startReadOn(new CallScope(options));
    await turn();
    expect([outcomes(), aborts()]).toEqual([[], 0]);
    inFlight.startReadOn(new CallScope(options));
    await turn();
    await turn();
    expect([outcomes(), aborts()]).toEqual([['caller_left'], 1]);
  });

  test('before the status line still leaves an answer that is read on', async () => {
    const s = scene();
    s.scope.readsOn = true;
    s.leave();
    expect(await readAll(s.relay.body())).toBe('');
    s.send('some');
    await turn();
    s.send('moreEND');
    for (let turns = 0; turns < 4; turns++) await turn();
    expect(s.ends.map(({ outcome, facts }) => [outcome, facts.outputBytes])).toEqual([
      ['caller_left', 8],
    ]);
  });
});

test('a finished answer is read on for its usage, whatever server it is from', async () => {
  const s = scene();
  const reader = s.relay.body().getReader();
  s.send('all of itSTOP');
  await reader.read();
  await turn();
  s.leave();
  expect(s.aborts()).toBe(0);
  s.send('END');
  await turn();
  await turn();
  expect(s.ends.map((end) => end.outcome)).toEqual(['caller_left']);
  expect(s.aborts()).toBe(0);
});

test('a revoked key ends its stream at once, and the answer is read on', async () => {
  const { relay, reader, send, ends, aborts, broken, inFlight } = await readOnScene();
  relay.terminate(new GatewayError('invalid_api_key', 'Revoked.'));
  expect(decode((await reader.read()).value ?? encode(''))).toBe('[error invalid_api_key]');
  expect((await reader.read()).done).toBe(true);
  expect([ends.length, aborts(), broken]).toEqual([0, 0, ['invalid_api_key']]);
  send('restEND');
  await turn();
  await turn();
  expect(ends.map((end) => end.outcome)).toEqual(['revoked']);
  expect(inFlight.count).toBe(0);
});
