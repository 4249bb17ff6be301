import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import { TookTooLong } from './outcome.ts';
import {
  countTurns,
  decode,
  encode,
  LIMITS,
  readAll,
  STOPPING,
  scene,
  turn,
} from './stream-relay.fixture.ts';

describe('a relayed stream', () => {
  test('relays, settles once, and adds the cost at the end', async () => {
    const s = scene();
    s.send('hello ');
    const body = s.relay.body();
    s.send('world');
    s.send('END');
    s.closeUpstream();
    expect(await readAll(body)).toBe('hello world[done 0.100000000]');
    expect(s.ends.map((end) => end.outcome)).toEqual(['completed']);
    expect(s.inFlight.count).toBe(0);
  });

  test('lets other requests run while a flood of bytes is read', async () => {
    const s = scene();
    s.send('begin');
    const body = s.relay.body();
    for (let at = 0; at < 40; at++) s.send('x'.repeat(16 * 1024));
    s.send('END');
    const turns = countTurns();
    await readAll(body);
    expect(turns.end()).toBeGreaterThan(5);
  });

  test('reports an end without the end mark as truncation', async () => {
    const s = scene();
    s.send('half');
    const body = s.relay.body();
    s.closeUpstream();
    expect(await readAll(body)).toBe('half[error upstream_truncated]');
    expect(s.broken).toEqual(['upstream_truncated']);
    expect(s.ends.map((end) => end.outcome)).toEqual(['upstream_truncated']);
  });

  test('ends with the error event after a connection reset', async () => {
    const s = scene();
    s.send('half');
    const body = s.relay.body();
    const reader = body.getReader();
    expect(decode((await reader.read()).value ?? encode(''))).toBe('half');
    s.breakUpstream();
    expect(decode((await reader.read()).value ?? encode(''))).toBe('[error upstream_truncated]');
    expect((await reader.read()).done).toBe(true);
    expect(s.ends).toHaveLength(1);
  });

  test('relays what precedes an error event in the same chunk', async () => {
    const s = scene();
    s.send('whole ');
    const body = s.relay.body();
    await turn();
    s.send('partERR');
    expect(await readAll(body)).toBe('whole part[error upstream_failed]');
    expect(s.ends.map((end) => end.outcome)).toEqual(['upstream_error']);
    expect(s.aborts()).toBe(1);
  });

  test('a failure before the first event becomes the only event', async () => {
    const s = scene();
    s.send('ERR');
    expect(await readAll(s.relay.body())).toBe('[error upstream_failed]');
    expect(s.ends).toHaveLength(1);
    expect(s.inFlight.count).toBe(0);
  });
});

describe('a caller who disconnects', () => {
  test('aborts the upstream at once and settles what was delivered', async () => {
    const s = scene();
    s.send('some');
    const body = s.relay.body();
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    expect(s.aborts()).toBe(1);
    expect(s.ends.map((end) => [end.outcome, end.facts.outputBytes])).toEqual([['caller_left', 4]]);
    s.relay.abandon();
    expect(s.ends).toHaveLength(1);
  });
});

describe('silence', () => {
  test('a caller gets keep-alives while a route is looked for', async () => {
    const s = scene();
    const reader = s.relay.body().getReader();
    const first = reader.read();
    await turn();
    s.clock.advance(16_000);
    expect(decode((await first).value ?? encode(''))).toBe('[wait]');
    const second = reader.read();
    s.send('now');
    expect(decode((await second).value ?? encode(''))).toBe('now');
  });

  test('a body whose upstream is still silent begins with a keep-alive', async () => {
    const s = scene(Number.POSITIVE_INFINITY, 0, true);
    const reader = s.relay.body().getReader();
    expect(decode((await reader.read()).value ?? encode(''))).toBe('[wait]');
    s.send('now');
    expect(decode((await reader.read()).value ?? encode(''))).toBe('now');
  });

  test('a pass that numbers its events writes keep-alives and the error by itself', async () => {
    const s = scene();
    s.send('NUM');
    const reader = s.relay.body().getReader();
    await reader.read();
    const next = reader.read();
    await turn();
    s.clock.advance(16_000);
    expect(decode((await next).value ?? encode(''))).toBe('[1 ping]');
    s.breakUpstream();
    expect(decode((await reader.read()).value ?? encode(''))).toBe('[2 upstream_truncated]');
  });

  test('a silent upstream ends the stream with a timeout', async () => {
    const s = scene();
    s.send('half');
    const reader = s.relay.body().getReader();
    await reader.read();
    const next = reader.read();
    await turn();
    s.clock.advance(14_000);
    s.clock.advance(50_000);
    let text = decode((await next).value ?? encode(''));
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += decode(part.value);
    expect(text).toEndWith('[error upstream_timeout]');
    expect(s.ends.map((end) => end.outcome)).toEqual(['upstream_timeout']);
    expect(s.aborts()).toBe(1);
  });

  test('of the upstream counts only while the caller waits for it', async () => {
    const s = scene();
    s.send('a');
    const reader = s.relay.body().getReader();
    await turn();
    // The caller reads again after more than the idle timeout.
    s.clock.advance(61_000);
    await reader.read();
    const next = reader.read();
    await turn();
    s.clock.advance(14_000);
    expect(decode((await next).value ?? encode(''))).toBe('[ping]');
    expect(s.ends).toEqual([]);
  });

  test('disconnects a caller who stops reading', async () => {
    const s = scene();
    s.send('a');
    const reader = s.relay.body().getReader();
    await turn();
    s.send('b');
    await turn();
    s.clock.advance(121_000);
    expect(s.ends.map((end) => end.outcome)).toEqual(['caller_left']);
    // The caller's connection is closed, so the next read fails.
    const thrown = await reader.read().catch((failure: unknown) => failure);
    expect(thrown).toBeInstanceOf(GatewayError);
  });
});

test('the total timeout counts from admission', async () => {
  const s = scene(Number.POSITIVE_INFINITY, LIMITS.totalTimeoutMs - 5_000);
  s.send('half');
  const reader = s.relay.body().getReader();
  await reader.read();
  const next = reader.read();
  await turn();
  s.clock.advance(6_000);
  expect(decode((await next).value ?? encode(''))).toBe('[error upstream_timeout]');
  expect(s.ends.map((end) => end.error)).toEqual([expect.any(TookTooLong)]);
});

test('a caller whose slow reading takes up the total timeout is charged as one who left', async () => {
  const s = scene(Number.POSITIVE_INFINITY, LIMITS.totalTimeoutMs - 5_000);
  s.send('half');
  const reader = s.relay.body().getReader();
  await turn();
  s.send('never read');
  await turn();
  s.clock.advance(6_000);
  await reader.read();
  expect(s.ends.map((end) => [end.outcome, end.error])).toEqual([
    ['caller_left', expect.any(TookTooLong)],
  ]);
});

test('a shutdown ends the stream with its reason', async () => {
  const s = scene();
  s.send('half');
  const body = s.relay.body();
  const reader = body.getReader();
  await reader.read();
  const next = reader.read();
  s.relay.terminate(STOPPING);
  expect(decode((await next).value ?? encode(''))).toBe('[error shutting_down]');
  expect((await reader.read()).done).toBe(true);
  expect(s.ends.map((end) => end.outcome)).toEqual(['shutdown']);
});

test('an exhausted balance ends the stream with the reason', async () => {
  const s = scene(10);
  s.send('hello ');
  const body = s.relay.body();
  s.send('world, and more');
  s.send('never read');
  expect(await readAll(body)).toBe('hello world, and more[error insufficient_balance]');
  expect(s.ends.map((end) => [end.outcome, end.error?.code])).toEqual([
    ['length', 'insufficient_balance'],
  ]);
  expect(s.aborts()).toBe(1);
});

test('keeps a checkpoint each second, also of an answer that is read on, until it has ended', async () => {
  const s = scene();
  s.clock.advance(1_000);
  s.send('half');
  const reader = s.relay.body().getReader();
  await reader.read();
  s.clock.advance(1_000);
  s.scope.readsOn = true;
  s.leave();
  s.send(' and more');
  await turn();
  s.clock.advance(1_000);
  s.send('END');
  await turn();
  await turn();
  s.clock.advance(5_000);
  expect(s.checkpoints).toEqual([4, 13]);
});

test('a caller may disconnect while a failed stream is settled', async () => {
  const { relay, send, ends, broken, inFlight } = scene();
  send('hello');
  const reader = relay.body().getReader();
  await reader.read();
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  try {
    relay.terminate(STOPPING);
    await reader.cancel();
    for (let turns = 0; turns < 5; turns++) await turn();
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  expect(rejections).toEqual([]);
  expect(ends.map((end) => end.outcome)).toEqual(['shutdown']);
  expect(broken).toEqual([]);
  expect(inFlight.count).toBe(0);
});
