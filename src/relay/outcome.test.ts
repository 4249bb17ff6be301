import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { picoRate } from '../money/price.ts';
import { NO_USAGE, perBucket, type Usage } from '../money/usage.ts';
import type { AnswerFacts } from '../protocols/dialect.ts';
import { TookTooLong } from './deadlines.ts';
import type { HoldBasis } from './hold-size.ts';
import { attemptResultOf, type BillableUsage, billableUsage } from './outcome.ts';

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
  outputBytes,
  finishReason: null,
  error: null,
});

const charged = (outcome: RequestOutcome, told: AnswerFacts): BillableUsage =>
  billableUsage(outcome, told, BASIS, LIMITS);

test("the upstream's count is the truth, zero included", () => {
  const usage = { ...NO_USAGE, input: 7, output: 3 };
  expect(charged('completed', facts(usage, 4_000))).toEqual({ usage, estimated: false });
  expect(charged('completed', facts({}, 4_000))).toEqual({ usage: NO_USAGE, estimated: false });
});

test('without a count, what was sent and delivered is estimated and marked so', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  expect(charged('completed', facts(null, 40))).toEqual({ usage, estimated: true });
  expect(charged('upstream_truncated', facts(null, 40))).toEqual({ usage, estimated: true });
});

test('a failure before any output is free, whatever the upstream counted', () => {
  for (const outcome of [
    'upstream_error',
    'upstream_timeout',
    'gateway_error',
    'shutdown',
  ] as const)
    expect(charged(outcome, facts({ input: 7 }))).toEqual({ usage: NO_USAGE, estimated: false });
});

test('a caller who left pays for the input that was read, as does one whose key was revoked', () => {
  const usage = { ...NO_USAGE, input: 100 };
  for (const outcome of ['caller_left', 'revoked'] as const)
    expect(charged(outcome, facts(null))).toEqual({ usage, estimated: true });
});

test('a count from before the end covers the input; the output is what went by', () => {
  expect(charged('caller_left', facts({ input: 7, output: 1 }, 40))).toEqual({
    usage: { ...NO_USAGE, input: 7, output: 10 },
    estimated: true,
  });
});

test('a count beyond what any number of rounds could use is no count', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  const absurd = [{ input: 16_001 }, { cacheRead: 16_001 }, { output: 1_601 }];
  for (const count of absurd)
    expect(charged('completed', facts(count, 40))).toEqual({ usage, estimated: true });
  const most = { ...NO_USAGE, input: 16_000, output: 1_600 };
  expect(charged('completed', facts(most, 40))).toEqual({ usage: most, estimated: false });
});

test('what an upstream does wrong counts against its route, with the reason for the operator', () => {
  const cause = new Error('reset by peer');
  const cut = new GatewayError('upstream_truncated', 'Cut.', { cause });
  expect(attemptResultOf('upstream_truncated', cut)).toEqual({
    kind: 'failure',
    code: 'upstream_truncated',
    cause: 'reset by peer',
  });
  expect(attemptResultOf('completed', null)).toEqual({ kind: 'success' });
});

test('what callers do, and what is our own affair, says nothing of it', () => {
  for (const outcome of ['caller_left', 'length', 'revoked', 'shutdown', 'gateway_error'] as const)
    expect(attemptResultOf(outcome, null)).toEqual({ kind: 'unknown' });
  const refused = new GatewayError('content_policy_violation', 'No.');
  expect(attemptResultOf('upstream_error', refused)).toEqual({ kind: 'unknown' });
  // A caller who reads slowly can make any answer take too long.
  expect(attemptResultOf('upstream_timeout', new TookTooLong())).toEqual({ kind: 'unknown' });
});
