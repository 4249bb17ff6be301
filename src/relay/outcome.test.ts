import { expect, test } from 'bun:test';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { picoRate } from '../money/price.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import { NO_USAGE, perBucket, type Usage } from '../money/usage.ts';
import type { AnswerFacts } from '../protocols/dialect.ts';
import {
  attemptResultOf,
  type BillableUsage,
  believed,
  billableUsage,
  NOTHING_USED,
  type Progress,
  TookTooLong,
} from './outcome.ts';
import { FLAT } from './purchase.fixture.ts';
import type { HoldBasis } from './text-price.ts';

const LIMITS = { contextWindow: 1_000, maxOutput: 100 };
const RATE = picoRate(1n);
const BASIS: HoldBasis = {
  input: { text: 201, media: 0, atMost: 1_000 },
  likelyInput: 100,
  ...FLAT,
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

/** The progress of an incomplete answer whose output can all be counted. */
const SEEN: Progress = { isWhole: false, generatedTokens: null };

const charged = (
  outcome: RequestOutcome,
  facts: AnswerFacts,
  progress: Progress = SEEN,
): BillableUsage => billableUsage(outcome, believed(facts, BASIS, LIMITS), progress, BASIS);

const reported = (usage: Usage): BillableUsage => ({
  usage,
  estimated: false,
  measure: 'reported',
});
const estimated = (usage: Usage): BillableUsage => ({
  usage,
  estimated: true,
  measure: 'estimated',
});

test("uses the upstream's count, also when it is zero", () => {
  const usage = { ...NO_USAGE, input: 7, output: 3 };
  expect(charged('completed', facts(usage, 4_000))).toEqual(reported(usage));
  expect(charged('completed', facts({}, 4_000))).toEqual(reported(NO_USAGE));
});

test('uses the final count of an answer that failed, unless nothing of it was seen', () => {
  const usage = { ...NO_USAGE, input: 7, output: 3 };
  const whole: Progress = { isWhole: true, generatedTokens: null };
  expect(charged('upstream_error', facts(usage, 4_000), whole)).toEqual(reported(usage));
  expect(charged('upstream_error', facts(usage), whole)).toBe(NOTHING_USED);
  expect(charged('upstream_error', facts(null, 40), whole).estimated).toBe(true);
});

test('estimates only the output of a whole answer whose count covers only the input', () => {
  const counted = facts({ input: 7, cacheRead: 5, output: 1 }, 40);
  expect(charged('completed', { ...counted, outputUncounted: true })).toEqual(
    estimated({ ...NO_USAGE, input: 7, cacheRead: 5, output: 10 }),
  );
});

test('estimates input and output without a count, and marks it', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  expect(charged('completed', facts(null, 40))).toEqual(estimated(usage));
  expect(charged('upstream_truncated', facts(null, 40))).toEqual(estimated(usage));
});

test('a failure before any output is free, even with a count', () => {
  for (const outcome of [
    'upstream_error',
    'upstream_timeout',
    'gateway_error',
    'shutdown',
  ] as const)
    expect(charged(outcome, facts({ input: 7 }))).toEqual(NOTHING_USED);
});

test('a caller who disconnects, or whose key is revoked, pays for the input', () => {
  const usage = { ...NO_USAGE, input: 100 };
  for (const outcome of ['caller_left', 'revoked'] as const)
    expect(charged(outcome, facts(null))).toEqual(estimated(usage));
});

test('with a count from before the end, output is counted by what was relayed', () => {
  expect(charged('caller_left', facts({ input: 7, output: 1 }, 40))).toEqual(
    estimated({ ...NO_USAGE, input: 7, output: 10 }),
  );
});

test('with a count from before the end, reasoning counts toward what was relayed', () => {
  const usage = { ...NO_USAGE, input: 7, output: 1, reasoning: 4 };
  expect(charged('caller_left', facts(usage, 40)).usage).toEqual({ ...usage, output: 6 });
  expect(charged('caller_left', facts(usage, 16)).usage).toEqual(usage);
});

test('a caller who left pays for a whole answer what the upstream counted', () => {
  const usage = { ...NO_USAGE, input: 7, output: 90 };
  const whole: Progress = { isWhole: true, generatedTokens: () => 50 };
  for (const outcome of ['caller_left', 'revoked'] as const)
    expect(charged(outcome, facts(usage, 40), whole)).toEqual({
      usage,
      estimated: false,
      measure: 'read_on',
    });
});

test('hidden output of an aborted answer is estimated by time, up to the cap on output', () => {
  const hidden = (tokens: number): Progress => ({ isWhole: false, generatedTokens: () => tokens });
  const byTime = (output: number) => ({
    usage: { ...NO_USAGE, input: 7, output },
    estimated: true,
    measure: 'estimated_by_time' as const,
  });
  for (const outcome of ['caller_left', 'revoked'] as const) {
    expect(charged(outcome, facts({ input: 7 }, 40), hidden(60))).toEqual(byTime(60));
    expect(charged(outcome, facts({ input: 7, output: 3 }, 40), hidden(60))).toEqual(byTime(60));
    expect(charged(outcome, facts({ input: 7 }, 40), hidden(1_000_000))).toEqual(byTime(100));
    expect(charged(outcome, facts(null), hidden(60)).usage.output).toBe(60);
  }
  const twoChoices = { ...BASIS, choices: 2 };
  const { usage } = billableUsage('caller_left', facts(null), hidden(60), twoChoices);
  expect(usage.output).toBe(120);
});

test('an estimate by time never lowers the output that was seen', () => {
  const short: Progress = { isWhole: false, generatedTokens: () => 2 };
  expect(charged('caller_left', facts({ input: 7 }, 40), short)).toEqual(
    estimated({ ...NO_USAGE, input: 7, output: 10 }),
  );
});

test('a failure of the upstream or the gateway is not charged by time', () => {
  const hidden: Progress = { isWhole: false, generatedTokens: () => 60 };
  for (const outcome of ['upstream_truncated', 'upstream_timeout', 'shutdown', 'length'] as const) {
    expect(charged(outcome, facts({ input: 7 }, 40), hidden).usage.output).toBe(10);
    expect(charged(outcome, facts({ input: 7 }), hidden)).toEqual(NOTHING_USED);
  }
});

test('ignores a count beyond any plausible number of rounds', () => {
  const usage = { ...NO_USAGE, input: 100, output: 10 };
  const absurd = [{ input: 16_001 }, { cacheRead: 16_001 }, { output: 1_601 }];
  for (const count of absurd)
    expect(charged('completed', facts(count, 40))).toEqual(estimated(usage));
  const most = { ...NO_USAGE, input: 16_000, output: 1_600 };
  expect(charged('completed', facts(most, 40))).toEqual(reported(most));
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
  // The route is not blamed: a caller who reads slowly can make any answer take too long.
  expect(attemptResultOf('upstream_timeout', new TookTooLong())).toEqual({ kind: 'unknown' });
});

test('the rounds of an implausible count are not charged', () => {
  const round = { model: 'advisor', usage: { ...NO_USAGE, input: 16_001 } };
  const given = facts({ input: 16_001 });
  const served = { ...given.served, tier: 'flex', rounds: [round] };
  expect(believed({ ...given, served }, BASIS, LIMITS)).toEqual({
    ...facts(null),
    served: { ...served, rounds: [] },
  });
  const plausible = { ...facts({ input: 16_000 }), served };
  expect(believed(plausible, BASIS, LIMITS)).toBe(plausible);
});
