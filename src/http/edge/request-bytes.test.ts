import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '../../clock.fixture.ts';
import { type Clock, nextTurn } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { readBody } from './body.ts';
import { type BodyShare, MAX_SLOW_BODIES, RequestBytes } from './request-bytes.ts';

const KIB = 1024;

/** Returns the error that the attempt throws, or null if it succeeds. */
function refusal(attempt: () => void): GatewayError | null {
  try {
    attempt();
    return null;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

const chunked = (pieces: readonly Uint8Array[]): Request =>
  new Request('http://gateway/', {
    method: 'POST',
    body: new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    }),
  });

test('a refusal says what to do and reserves nothing', () => {
  const budget = new RequestBytes(100);
  budget.open().reserve(60);
  const late = budget.open();
  const error = refusal(() => late.reserve(41));
  expect(error).toMatchObject({ code: 'rate_limit_exceeded', status: 429, retryable: true });
  expect(error?.retryAfterSeconds).toBe(1);
  expect(error?.message).toContain('busy with large requests');
  expect(budget.inFlight).toBe(60);
  expect(refusal(() => late.reserve(40))).toBeNull();
  expect(budget.inFlight).toBe(100);
});

test('reserves a declared body before reading, and keeps it while needed', async () => {
  const budget = new RequestBytes(KIB);
  const share = budget.open();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(600));
      controller.close();
    },
  });
  const headers = { 'content-length': '600' };
  const reading = readBody(
    new Request('http://gateway/', { method: 'POST', body, headers }),
    KIB,
    share,
  );
  expect(budget.inFlight).toBe(600);
  await reading;
  expect(budget.inFlight).toBe(600);
  share.release();
  expect(budget.inFlight).toBe(0);
});

test('reserves an undeclared body as it grows, and refuses it beyond the budget', async () => {
  const budget = new RequestBytes(300 * KIB);
  const pieces = Array.from({ length: 20 }, () => new Uint8Array(10 * KIB));
  const first = budget.open();
  expect(await readBody(chunked(pieces), KIB * KIB, first)).toHaveLength(200 * KIB);
  expect(budget.inFlight).toBe(256 * KIB);
  const second = budget.open();
  const late = await readBody(chunked(pieces), KIB * KIB, second).catch((error: unknown) => error);
  expect(late).toMatchObject({ code: 'rate_limit_exceeded' });
  second.release();
  first.release();
  expect(budget.inFlight).toBe(0);
});

type Step = { readonly who: number; readonly what: 'release' | number };

test('the budget is always the sum of the shares, within its limit, and ends empty', () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.integer({ min: 0, max: 9 }),
    what: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constant('release' as const)),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 1000 }), run),
    { seed: 20261121, numRuns: 300 },
  );
});

/**
 * Runs the steps on the real budget and on a simple model of it: the bytes that each request should
 * have reserved.
 */
function run(steps: readonly Step[], limit: number): void {
  const budget = new RequestBytes(limit);
  const shares: BodyShare[] = Array.from({ length: 10 }, () => budget.open());
  const wanted = new Map<BodyShare, number>(shares.map((share) => [share, 0]));
  const over = new Set<BodyShare>();
  const sum = (): number => [...wanted.values()].reduce((total, bytes) => total + bytes, 0);
  for (const { who, what } of steps) {
    const share = shares[who];
    if (share === undefined) continue;
    const has = wanted.get(share) ?? 0;
    if (what === 'release') {
      share.release();
      over.add(share);
      wanted.set(share, 0);
    } else {
      const fits = sum() - has + Math.max(has, what) <= limit;
      const isRefused = refusal(() => share.reserve(what)) !== null;
      expect(isRefused).toBe(!fits && !over.has(share) && what > has);
      if (!isRefused && !over.has(share)) wanted.set(share, Math.max(has, what));
    }
    expect(budget.inFlight).toBe(sum());
    expect(budget.inFlight).toBeLessThanOrEqual(limit);
  }
  for (const share of shares) share.release();
  expect(budget.inFlight).toBe(0);
}

const unchanged = (thrown: unknown): unknown => thrown;

/** Starts to read a body that never arrives. Returns an object that reports the outcome so far. */
function stalled(share: BodyShare) {
  const seen: { outcome: unknown } = { outcome: 'waiting' };
  share.inTime(new Promise(() => undefined), unchanged, unchanged).catch((thrown: unknown) => {
    seen.outcome = thrown;
  });
  return seen;
}
const SECOND = 1000;

test.each([0, 1, 64 * KIB, 32 * KIB * KIB])(
  'times out a body of %d bytes that does not arrive, and closes its connection',
  async (bytes) => {
    const clock = manualClock();
    const share = new RequestBytes(1e9, clock).open();
    expect(await share.inTime(Promise.resolve('all of it'), unchanged, unchanged)).toBe(
      'all of it',
    );
    expect(share.arrived).toBe(true);
    const late = new RequestBytes(1e9, clock).open();
    late.receivedBytes = bytes;
    const seen = stalled(late);
    // The time limit is half a minute, plus the time for the bytes at 64 KB per second.
    clock.advance((30 + Math.floor(bytes / 64_000)) * SECOND);
    await nextTurn();
    expect(seen.outcome).toBe('waiting');
    clock.advance(SECOND);
    await nextTurn();
    expect(seen.outcome).toMatchObject({ code: 'caller_left', headers: { connection: 'close' } });
    expect(late.arrived).toBe(false);
  },
);

test('gives a body more time as its bytes arrive', async () => {
  const clock = manualClock();
  const share = new RequestBytes(1e9, clock).open();
  const seen = stalled(share);
  for (let second = 0; second < 100; second++) {
    share.receivedBytes += 64_000;
    clock.advance(SECOND);
  }
  await nextTurn();
  expect(seen.outcome).toBe('waiting');
  clock.advance(31 * SECOND);
  await nextTurn();
  expect(seen.outcome).toMatchObject({ code: 'caller_left' });
});

test('refuses the latest slow bodies of an address beyond the limit, and no others', async () => {
  const clock = manualClock();
  const budget = new RequestBytes(1e9, clock);
  const from = (address: string | null) => stalled(budget.open(() => address));
  const first = Array.from({ length: MAX_SLOW_BODIES }, () => from('192.0.2.1'));
  const last = from('192.0.2.1');
  const other = from('192.0.2.2');
  const unknown = from(null);
  clock.advance(2 * SECOND);
  await nextTurn();
  expect(last.outcome).toBe('waiting');
  clock.advance(SECOND);
  await nextTurn();
  expect(last.outcome).toMatchObject({
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 1,
    headers: { connection: 'close' },
  });
  for (const { outcome } of [...first, other, unknown]) expect(outcome).toBe('waiting');
});

test('stops sweeping while no body is awaited', async () => {
  let sweepers = 0;
  const clock = manualClock();
  const every: Clock['every'] = (periodMs, run) => {
    sweepers += 1;
    const timer = clock.every(periodMs, run);
    return {
      cancel: () => {
        sweepers -= 1;
        timer.cancel();
      },
    };
  };
  const share = new RequestBytes(1e9, { every }).open();
  for (let turn = 0; turn < 3; turn++) {
    await share.inTime(Promise.resolve(), unchanged, unchanged);
    expect(sweepers).toBe(1);
  }
  clock.advance(2 * SECOND);
  expect(sweepers).toBe(0);
  await share.inTime(Promise.resolve(), unchanged, unchanged);
  expect(sweepers).toBe(1);
});
