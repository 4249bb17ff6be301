import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import { readBody } from './body.ts';
import { type BodyShare, RequestBytes } from './request-bytes.ts';

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
 * Runs the steps on the real budget and on a model, which holds the share that each request should
 * have.
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

test('times out a body that is declared but not sent', async () => {
  const clock = manualClock();
  const share = new RequestBytes(1e9, clock).open();
  const bytes = 32 * 1024 * 1024;
  expect(await share.inTime(Promise.resolve('all of it'), bytes)).toBe('all of it');
  const never = share.inTime(new Promise(() => undefined), bytes);
  const failed = never.catch((thrown: unknown) => thrown);
  // The time limit is half a minute, plus the time for the body at 64 KB per second.
  clock.advance(30_000 + bytes / 64 - 1);
  expect(await Promise.race([failed, 'still waiting'])).toBe('still waiting');
  clock.advance(1);
  expect(await failed).toMatchObject({ code: 'caller_left' });
});
