import { describe, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { nano, ZERO } from '../money/amount.ts';
import type { AnswerFacts, Dialect, StreamPass } from '../protocols/dialect.ts';
import { InFlight, type RelayLimits } from './in-flight.ts';
import { NOTHING_DELIVERED, TookTooLong } from './outcome.ts';
import { SO_FAR } from './purchase.fixture.ts';
import type { Settled } from './purchase.ts';
import { StreamRelay } from './stream-relay.ts';
import { openStream } from './upstream-answer.ts';

const LIMITS: RelayLimits = {
  keepAliveMs: 15_000,
  idleTimeoutMs: 60_000,
  stallTimeoutMs: 120_000,
  totalTimeoutMs: 600_000,
  firstByteTimeoutMs: 60_000,
  firstEventHoldMs: 5_000,
  maxAnswerBytes: 0,
  maxEventBytes: 1_000,
};
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const dialect: Dialect = {
  name: 'chat',
  errorBody: (error) => error.code,
  errorEvent: (error) => encode(`[error ${error.code}]`),
  keepAlive: (started) => encode(started ? '[ping]' : '[wait]'),
};

/** Passes all but `END`, and reads `ERR` as an error event. */
class PlainPass implements StreamPass {
  started = false;
  ended = false;
  facts: AnswerFacts = NOTHING_DELIVERED;

  push(chunk: Uint8Array): Uint8Array {
    const text = decode(chunk);
    if (text.includes('ERR'))
      this.facts = { ...this.facts, error: { type: null, code: null, message: 'broke' } };
    if (text.includes('END')) this.ended = true;
    const out = encode(text.replace('END', '').replace('ERR', ''));
    this.facts = { ...this.facts, outputBytes: this.facts.outputBytes + out.byteLength };
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  finish(cost: { exact: string }): Uint8Array {
    return encode(`[done ${cost.exact}]`);
  }
}

const SETTLED: Settled = {
  receipt: {
    ...SO_FAR,
    requestId: 'req_1',
    accountId: 'acc_1',
    keyId: 'key_1',
    fxRateId: null,
    currency: 'USD',
  },
  charge: nano(100_000_000n),
  loss: ZERO,
  available: ZERO,
  cost: { usd: '0.1', exact: '0.100000000', currency: 'USD' },
};

type StreamEnd = {
  readonly outcome: RequestOutcome;
  readonly error: GatewayError | null;
  readonly facts: AnswerFacts;
};

type Scene = {
  relay: StreamRelay;
  clock: ManualClock;
  inFlight: InFlight;
  ends: StreamEnd[];
  /** Codes of the failures that went out as events. */
  broken: string[];
  aborts: () => number;
  send: (text: string) => void;
  closeUpstream: () => void;
  breakUpstream: () => void;
};

const BROKE = new GatewayError('insufficient_balance', 'Used up.');
const STOPPING = new GatewayError('shutting_down', 'Restarting.');

/** @param admittedMs how long before the stream its request was admitted. */
function scene(affordableBytes = Number.POSITIVE_INFINITY, admittedMs = 0): Scene {
  const clock = manualClock();
  const inFlight = new InFlight(clock, (thrown) => {
    throw thrown;
  });
  const ends: StreamEnd[] = [];
  const broken: string[] = [];
  let aborted = 0;
  let upstream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const upstreamBody = new ReadableStream<Uint8Array>({
    start(controller) {
      upstream = controller;
    },
  });
  const opening = openStream(
    new Response(upstreamBody, { headers: { 'content-type': 'text/event-stream' } }),
    new PlainPass(),
    {
      clock,
      maxAnswerBytes: 0,
      firstByteTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
      context: { hidden: [], model: null },
    },
    () => undefined,
  );
  opening.catch(() => undefined);
  const relay = new StreamRelay({
    scope: {
      clock,
      requestId: 'req_1',
      caller: { keyId: 'key_1', accountId: 'acc_1' },
      limits: LIMITS,
      get elapsedMs() {
        return admittedMs + clock.monotonicMs();
      },
      // Like fetch: pending reads fail at once.
      abortUpstream: () => {
        aborted += 1;
        upstream?.error(new Error('aborted'));
      },
    },
    inFlight,
    dialect,
    opening,
    onBrokenStream: (_requestId, error) => broken.push(error.code),
    sale: {
      allow: ({ pass }) =>
        pass.facts.outputBytes < affordableBytes ? null : Promise.resolve(BROKE),
      // Like the store: later, after other tasks.
      settle: async (outcome, error, opened) => {
        ends.push({ outcome, error, facts: opened?.pass.facts ?? NOTHING_DELIVERED });
        await new Promise((resolve) => setImmediate(resolve));
        return SETTLED;
      },
    },
  });
  return {
    relay,
    clock,
    inFlight,
    ends,
    broken,
    aborts: () => aborted,
    send: (text) => upstream?.enqueue(encode(text)),
    closeUpstream: () => upstream?.close(),
    breakUpstream: () => upstream?.error(new Error('reset')),
  };
}

/** Lets everything that is ready run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const readAll = async (body: ReadableStream<Uint8Array>): Promise<string> =>
  await new Response(body).text();

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
    // Its connection is closed: the next read fails.
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
