import { expect, test } from 'bun:test';
import { Limiter } from '../accounts/limits/limiter.ts';
import { manualClock } from '../clock.fixture.ts';
import { JsonScan } from '../json/scan.ts';
import { nano } from '../money/amount.ts';
import { type CountRules, countTokens } from './count-tokens.ts';
import { NOTHING_LEFT, openWorld, type WorldOptions } from './sale-world.fixture.ts';
import { CALLER, CATALOGUE, scheduledUpstream } from './scheduled-upstreams.fixture.ts';

const LIMITS: WorldOptions['limits'] = {
  keepAliveMs: 1_000,
  idleTimeoutMs: 3_000,
  stallTimeoutMs: 6_000,
  totalTimeoutMs: 10_000,
  firstByteTimeoutMs: 4_000,
  firstEventHoldMs: 1_500,
  maxAnswerBytes: 10_000,
  maxEventBytes: 10_000,
  readOnMs: 2_000,
};

const wallet = (currency: 'USD' | 'CNY', balance: bigint) => ({
  ...{ currency, balance: nano(balance), held: nano(0n), floor: nano(0n) },
});
const rulesWith = (...wallets: Awaited<ReturnType<CountRules['wallets']>>): CountRules => ({
  limiter: new Limiter({ clock: manualClock(), requestLimit: 'count_tokens_per_minute' }),
  perMinute: 2,
  wallets: async () => wallets,
});

/** Counts tokens at an upstream that sends one word every `gapMs`. */
async function counted(
  gapMs: number,
  events: WorldOptions['events'],
  rules = rulesWith(wallet('USD', 1n)),
) {
  const options = { catalogue: CATALOGUE, limits: LIMITS, balance: 0n, ledgerMs: 0, events };
  const world = openWorld(options, (clock, sent) => {
    const gapsMs = Array.from({ length: 100 }, () => gapMs);
    const behaviour = { kind: 'answer', afterMs: 0, gapsMs, end: 'silence' } as const;
    const upstream = scheduledUpstream('costly-1', behaviour, clock, sent);
    const send = (request: Parameters<typeof upstream.send>[0]) =>
      upstream.send({ ...request, stream: true });
    return [{ ...upstream, formats: new Set(['count_tokens' as const]), send }];
  });
  const bytes = new TextEncoder().encode(
    '{"model":"gen","messages":[{"role":"user","content":"Hi"}]}',
  );
  const scan = new JsonScan({ maxDepth: 64 });
  scan.advance(bytes, bytes.byteLength);
  const body = scan.finish(bytes, bytes.byteLength);
  const ask = () =>
    countTokens(world.shop, rules, {
      requestId: 'req_1',
      caller: CALLER,
      signal: world.caller.signal,
      request: { model: 'gen', channel: null, allowFallbacks: true, claims: [] },
      body,
      inputs: [],
      headers: {},
      affinity: () => null,
    });
  const got = await world.drive(ask, async (response, take) => take(await response.text()));
  expect(world.left()).toEqual(NOTHING_LEFT);
  return { got, elapsedMs: world.shop.clock.monotonicMs() };
}

test('estimates the count when the upstream takes too long', async () => {
  const { got, elapsedMs } = await counted(1_000, []);
  expect(got.response?.headers.get('x-estimated')).toBe('true');
  expect(elapsedMs).toBeLessThan(LIMITS.totalTimeoutMs + 2_000);
});

test('a count ends when its key is revoked or its caller disconnects', async () => {
  for (const [what, code] of [
    ['revoke', 'invalid_api_key'],
    ['leave', 'caller_left'],
  ] as const) {
    const { got, elapsedMs } = await counted(1_000, [{ atMs: 1_500, what }]);
    expect(got.error?.code).toBe(code);
    expect(elapsedMs).toBeLessThan(2_000);
  }
});

test('needs a wallet that is not empty, and that may pay for the model', async () => {
  for (const [wallets, code] of [
    [[wallet('USD', 0n), wallet('CNY', 5n)], 'insufficient_balance'],
    [[{ ...wallet('USD', -5n), floor: nano(-5n) }], 'insufficient_balance'],
    [[wallet('USD', 1n)], undefined],
    [[{ ...wallet('USD', -4n), floor: nano(-5n) }], undefined],
  ] as const) {
    const { got } = await counted(0, [], rulesWith(...wallets));
    expect(got.error?.code).toBe(code);
  }
});

test('has a limit per key of its own, whatever the limits of the key', async () => {
  const rules = rulesWith(wallet('USD', 1n));
  const codes = [];
  for (let each = 0; each < 3; each++) codes.push((await counted(0, [], rules)).got.error?.code);
  expect(codes).toEqual([undefined, undefined, 'rate_limit_exceeded']);
  const { got } = await counted(0, [], rules);
  expect(got.error?.message).toContain('count_tokens_per_minute');
  expect(got.error?.retryAfterSeconds).toBeGreaterThan(0);
});
