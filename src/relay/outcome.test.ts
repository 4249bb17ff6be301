import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { picoRate } from '../money/price.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import { NO_USAGE, perBucket, type Usage } from '../money/usage.ts';
import type { AnswerFacts } from '../protocols/dialect.ts';
import { attemptResultOf, type BillableUsage, billableUsage, TookTooLong } from './outcome.ts';
import type { HoldBasis } from './text-price.ts';

const LIMITS = { contextWindow: 1_000, maxOutput: 100 };
const RATE = picoRate(1n);
const BASIS: HoldBasis = {
  // A hundred tokens of four bytes each, by the estimate.
  textBytes: 400,
  mediaParts: 0,
  outputCap: 100,
  choices: 1,
  thinkingTokens: 0,
  oneHourCache: false,
  rates: perBucket(() => RATE),
  rate: null,
};

const facts = (usage: Partial<Usage> | null, outputBytes = 0): AnswerFacts => ({
  usage: usage === null ? null : { ...NO_USAGE, ...usage },
  served: NOTHING_SERVED,
  outputBytes,
  finishReason: null,
  error: null,
});

const charged = (outcome: RequestOutcome, facts: AnswerFacts): BillableUsage =>
  billableUsage(outcome, facts, BASIS, LIMITS);

test("uses the upstream's count, also when it is zero", () => {
  const usage = { ...NO_USAGE, input: 7, output: 3 };
  expect(charged('completed', facts(usage, 4_000))).toEqual({ usage, estimated: false });
  expect(charged('completed', facts({}, 4_000))).toEqual({ usage: NO_USAGE, estimated: false });
});

test('estimates input and output without a count, and marks it', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  expect(charged('completed', facts(null, 40))).toEqual({ usage, estimated: true });
  expect(charged('upstream_truncated', facts(null, 40))).toEqual({ usage, estimated: true });
});

test('a failure before any output is free, even with a count', () => {
  for (const outcome of [
    'upstream_error',
    'upstream_timeout',
    'gateway_error',
    'shutdown',
  ] as const)
    expect(charged(outcome, facts({ input: 7 }))).toEqual({ usage: NO_USAGE, estimated: false });
});

test('a caller who disconnects, or whose key is revoked, pays for the input', () => {
  const usage = { ...NO_USAGE, input: 100 };
  for (const outcome of ['caller_left', 'revoked'] as const)
    expect(charged(outcome, facts(null))).toEqual({ usage, estimated: true });
});

test('with a count from before the end, output is counted by what was relayed', () => {
  expect(charged('caller_left', facts({ input: 7, output: 1 }, 40))).toEqual({
    usage: { ...NO_USAGE, input: 7, output: 10 },
    estimated: true,
  });
});

test('ignores a count beyond any plausible number of rounds', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  const absurd = [{ input: 16_001 }, { cacheRead: 16_001 }, { output: 1_601 }];
  for (const count of absurd)
    expect(charged('completed', facts(count, 40))).toEqual({ usage, estimated: true });
  const most = { ...NO_USAGE, input: 16_000, output: 1_600 };
  expect(charged('completed', facts(most, 40))).toEqual({ usage: most, estimated: false });
});

test('failures of an upstream count against its route', () => {
  const cause = new Error('reset by peer');
  const cut = new GatewayError('upstream_truncated', 'Cut.', { cause });
  expect(attemptResultOf('upstream_truncated', cut)).toEqual({
    kind: 'failure',
    code: 'upstream_truncated',
    cause: 'reset by peer',
  });
  expect(attemptResultOf('completed', null)).toEqual({ kind: 'success' });
});

test('failures of the caller or the gateway do not count against the route', () => {
  for (const outcome of ['caller_left', 'length', 'revoked', 'shutdown', 'gateway_error'] as const)
    expect(attemptResultOf(outcome, null)).toEqual({ kind: 'unknown' });
  const refused = new GatewayError('content_policy_violation', 'No.');
  expect(attemptResultOf('upstream_error', refused)).toEqual({ kind: 'unknown' });
  // A caller who reads slowly can make any answer take too long.
  expect(attemptResultOf('upstream_timeout', new TookTooLong())).toEqual({ kind: 'unknown' });
});
