import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { GatewayError } from '../../errors.ts';
import type { Caller } from '../account.ts';
import { DEFAULT_SCOPES, scopeBits } from '../scopes.ts';
import { Limiter, MAX_COUNTED, type Permit } from './limiter.ts';
import { type Limits, NO_LIMITS } from './limits.ts';

const caller = (key: Partial<Limits>, account: Partial<Limits> = {}, keyId = 'key_1'): Caller => ({
  accountId: 'acc_1',
  keyId,
  keyName: 'ci',
  allowExchange: true,
  priceList: null,
  limits: { key: { ...NO_LIMITS, ...key }, account: { ...NO_LIMITS, ...account } },
  scopes: scopeBits(DEFAULT_SCOPES),
});
type Step = {
  readonly waitMs: number;
  readonly tokens: number;
  readonly used: number | null;
};
const ASK = { model: 'm', channel: 'direct', tokens: 0 };

/** Admits a request with a limiter that shares no limits, so `admit` returns no promise. */
function admitted(limiter: Limiter, who: Caller, tokens = 0): Permit {
  const permit = limiter.admit(who, { ...ASK, tokens });
  if (permit instanceof Promise) throw new Error('it waits for other nodes');
  return permit;
}

/** Returns the error with which the request is refused; null if it is admitted. */
function refusal(limiter: Limiter, who: Caller, tokens = 0): GatewayError | null {
  try {
    admitted(limiter, who, tokens).end(tokens);
    return null;
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
}

test('admits exactly what an exact fraction count admits', () => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 40_000 }),
    tokens: fc.integer({ min: 0, max: 30 }),
    used: fc.option(fc.integer({ min: 0, max: 60 })),
  });
  const limit = fc.integer({ min: 1, max: 40 });
  const run = (requests: number, tokens: number, steps: readonly Step[]): void => {
    const clock = manualClock();
    const limiter = new Limiter({ clock });
    const who = caller({ requestsPerMinute: requests, tokensPerMinute: tokens });
    // These variables hold what remains of each limit, in units of 1/60,000 of a request or token.
    // Every millisecond adds as many units as the limit allows requests or tokens per minute.
    let requestsLeft = BigInt(requests) * 60_000n;
    let tokensLeft = BigInt(tokens) * 60_000n;
    const refilled = (left: bigint, perMinute: number, ms: number): bigint => {
      const full = BigInt(perMinute) * 60_000n;
      const now = left + BigInt(perMinute) * BigInt(ms);
      return now > full ? full : now;
    };
    for (const { waitMs, tokens: asked, used } of steps) {
      clock.advance(waitMs);
      requestsLeft = refilled(requestsLeft, requests, waitMs);
      tokensLeft = refilled(tokensLeft, tokens, waitMs);
      const need = BigInt(asked) * 60_000n;
      const fits = requestsLeft >= 60_000n && (asked === 0 || tokensLeft >= need);
      let permit: Permit | null = null;
      try {
        permit = admitted(limiter, who, asked);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(GatewayError);
      }
      expect(permit !== null).toBe(fits);
      if (permit === null) continue;
      permit.end(used);
      requestsLeft -= 60_000n;
      tokensLeft = refilled(tokensLeft - BigInt(used ?? 0) * 60_000n, tokens, 0);
    }
  };
  fc.assert(fc.property(limit, limit, fc.array(step, { maxLength: 40 }), run), { seed: 20261121 });
});

test('counts tokens above the estimate from the end of the request', () => {
  const clock = manualClock();
  const limiter = new Limiter({ clock });
  const who = caller({ tokensPerMinute: 60 });
  const permit = admitted(limiter, who, 60);
  clock.advance(120_000);
  permit.end(90);
  expect(refusal(limiter, who, 31)).not.toBeNull();
  clock.advance(1_000);
  expect(refusal(limiter, who, 31)).toBeNull();
});

test('runs five of 200 concurrent requests, and one more for each that ends', () => {
  const limiter = new Limiter({ clock: manualClock() });
  const who = caller({}, { concurrency: 5 });
  const attempt = (): Permit[] => {
    try {
      return [admitted(limiter, who)];
    } catch {
      return [];
    }
  };
  const running = Array.from({ length: 200 }, attempt).flat();
  expect(running.length).toBe(5);
  running[0]?.end(null);
  running[0]?.end(null);
  expect(Array.from({ length: 10 }, attempt).flat().length).toBe(1);
});

test('names the limit, its owner and the retry time, sends headers, and counts nothing', () => {
  const clock = manualClock();
  const limiter = new Limiter({ clock });
  const who = caller({ requestsPerMinute: 2 }, { requestsPerMinute: 1 });
  expect(refusal(limiter, who)).toBeNull();
  const refused = refusal(limiter, who);
  expect(refused?.code).toBe('rate_limit_exceeded');
  expect(refused?.message).toContain(
    'The requests_per_minute limit of the account of this API key is reached: 1 a minute',
  );
  expect(refused?.retryAfterSeconds).toBe(60);
  expect(refused?.headers).toMatchObject({
    'x-ratelimit-limit-requests': '1',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '1m0s',
  });
  // The refused request did not count against the key, so one of the key's two requests remains.
  const alone = caller({ requestsPerMinute: 2 });
  expect([refusal(limiter, alone), refusal(limiter, alone)?.message]).toEqual([
    null,
    expect.stringContaining('limit of this API key'),
  ]);
});

test('refuses an unlisted model or channel, and names the listed ones', () => {
  const limiter = new Limiter({ clock: manualClock() });
  const byModel = refusal(limiter, caller({ models: ['a', 'b'] }));
  expect([byModel?.code, byModel?.param]).toEqual(['not_allowed', 'model']);
  expect(byModel?.message).toContain('a, b');
  expect(refusal(limiter, caller({}, { channels: ['stable'] }))?.param).toBe('channel');
  expect(refusal(limiter, caller({ models: ['m'], channels: ['direct'] }))).toBeNull();
});

test('ignores jumps of the wall clock', () => {
  const clock: ManualClock = manualClock();
  let jumpMs = 0;
  const jumping = { ...clock, nowMs: () => clock.nowMs() + jumpMs };
  const limiter = new Limiter({ clock: jumping });
  const who = caller({ requestsPerMinute: 1 });
  expect(refusal(limiter, who)).toBeNull();
  for (jumpMs of [1e9, -1e9]) expect(refusal(limiter, who)).not.toBeNull();
  clock.advance(60_000);
  expect(refusal(limiter, who)).toBeNull();
});

test('enforces a share of a limit, and admits one request under a limit of 1', () => {
  const clock = manualClock();
  const who = caller({ requestsPerMinute: 30 });
  const once = caller({ requestsPerMinute: 1 }, {}, 'key_2');
  const nodes = [0, 1, 2].map(() => {
    const limiter = new Limiter({ clock });
    limiter.setShare(3);
    return limiter;
  });
  const allOf = (each: Caller): number =>
    nodes.reduce((sum, limiter) => {
      let count = 0;
      while (count < 100 && refusal(limiter, each) === null) count += 1;
      return sum + count;
    }, 0);
  expect([allOf(who), allOf(once)]).toEqual([30, 3]);
  clock.advance(60_000);
  expect([allOf(who), allOf(once)]).toEqual([30, 0]);
  clock.advance(120_000);
  expect(allOf(once)).toBe(3);
});

test('sends headers of the tighter limit in either dialect, and none without a limit', () => {
  const clock = manualClock(Date.parse('2026-11-21T12:00:00Z'));
  const limiter = new Limiter({ clock });
  const who = caller({ tokensPerMinute: 6_000 }, { tokensPerMinute: 60_000 });
  const permit = admitted(limiter, who, 100);
  expect(permit.headers('anthropic')).toEqual({
    'anthropic-ratelimit-tokens-limit': '6000',
    'anthropic-ratelimit-tokens-remaining': '5900',
    'anthropic-ratelimit-tokens-reset': '2026-11-21T12:00:01Z',
  });
  permit.end(null);
  expect(permit.headers('openai')['x-ratelimit-remaining-tokens']).toBe('6000');
  expect(admitted(limiter, caller({})).headers('openai')).toEqual({});
});

test('bounds tracked keys, and drops idle ones', () => {
  const clock = manualClock();
  const limiter = new Limiter({ clock });
  const nth = (n: number) => caller({ requestsPerMinute: 1 }, {}, `key_${n}`);
  for (let n = 0; n < MAX_COUNTED - 1; n++) admitted(limiter, nth(n)).end(null);
  expect(refusal(limiter, nth(MAX_COUNTED))?.code).toBe('rate_limit_exceeded');
  expect(limiter.size).toBeLessThanOrEqual(MAX_COUNTED);
  clock.advance(60_001);
  expect(refusal(limiter, nth(MAX_COUNTED))).toBeNull();
  expect(limiter.size).toBe(1);
});
