import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensIn, tokensOf, USAGE_BUCKETS } from '../../money/usage.ts';
import { chatStream } from '../chat-to-messages/answer.fixture.ts';
import { eventText, passThrough } from './recorded-messages.fixture.ts';
import { billedUsage, estimatedCounts, mergeUsage, messagesReport, NO_REPORT } from './usage.ts';

const usageOf = (usage: unknown) => messagesReport({}, usage).usage;
const none = { ...NO_USAGE, input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };

describe('buckets', () => {
  test('keep the three disjoint input counters', () => {
    const usage = {
      input_tokens: 300,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 600,
      output_tokens: 50,
    };
    expect(usageOf(usage)).toEqual({
      ...NO_USAGE,
      input: 300,
      cacheRead: 600,
      cacheWrite5m: 100,
      cacheWrite1h: 0,
      output: 50,
    });
  });

  test('split cache writes by lifetime', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 };
    const split = { ...none, cacheWrite5m: 40, cacheWrite1h: 60 };
    const usage = { output_tokens: 0, cache_creation };
    expect(usageOf({ ...usage, cache_creation_input_tokens: 100 })).toEqual(split);
    expect(usageOf(usage)).toEqual(split);
  });

  test('follow the total where split and total disagree', () => {
    const usage = (total: number) => ({
      cache_creation_input_tokens: total,
      cache_creation: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 60 },
    });
    expect(usageOf(usage(150))).toEqual({ ...none, cacheWrite5m: 90, cacheWrite1h: 60 });
    expect(usageOf(usage(50))).toEqual({ ...none, cacheWrite5m: 0, cacheWrite1h: 50 });
    expect(usageOf(usage(0))).toEqual(none);
  });

  test('separate thinking, which is part of the output', () => {
    const usage = (thinking_tokens: unknown) =>
      usageOf({ output_tokens: 31, output_tokens_details: { thinking_tokens } });
    expect(usage(29)).toEqual({ ...NO_USAGE, output: 2, reasoning: 29 });
    expect(usage(40)).toEqual({ ...NO_USAGE, output: 0, reasoning: 31 });
    expect(usage(-1)).toBeNull();
  });

  test('treat null as 0, and an explicit 0 as a count', () => {
    expect(usageOf({ input_tokens: null, output_tokens: 0 })).toEqual(none);
    expect(usageOf({ input_tokens: 7, cache_creation: null })).toEqual({
      ...none,
      input: 7,
    });
  });
});

test('an estimate has every count, since clients keep each one of message_start that it lacks', () => {
  expect(estimatedCounts({ ...NO_USAGE, input: 3, output: 4 })).toEqual({
    input_tokens: 3,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 4,
  });
});

describe('iterations', () => {
  const round = (type: string, model: string | null, output: number, input = 1000) => ({
    type,
    model,
    input_tokens: input,
    output_tokens: output,
  });
  const report = (own: number, ...iterations: readonly object[]) =>
    messagesReport({ model: 'opus' }, { input_tokens: 5, output_tokens: own, iterations });
  const tokens = (input: number, output: number) => ({ ...NO_USAGE, input, output });

  test('of a compaction and an advisor are rounds beside the totals', () => {
    const advisor = { ...round('advisor_message', 'fable', 20), cache_read_input_tokens: 7 };
    const { usage, served } = report(6, round('compaction', null, 10), advisor);
    expect(usage).toEqual({ ...tokens(2005, 36), cacheRead: 7 });
    expect(served.rounds).toEqual([
      { model: null, usage: tokens(1000, 10) },
      { model: 'fable', usage: { ...tokens(1000, 20), cacheRead: 7 } },
    ]);
  });

  test('of the message itself are already in the totals', () => {
    const { usage, served } = report(6, round('message', null, 2), round('message', 'opus', 4));
    expect(usage).toEqual(tokens(5, 6));
    expect(served.rounds).toEqual([]);
  });

  // This example is from the protocol's documentation.
  test('of an attempt that declined before any output are free', () => {
    const { usage, served } = messagesReport(
      { id: 'msg_01XFUDYJgAACzvnptvVoYEL', model: 'claude-opus-4-8' },
      {
        input_tokens: 412,
        output_tokens: 264,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        iterations: [
          round('message', 'claude-fable-5', 0, 535),
          round('fallback_message', 'claude-opus-4-8', 264, 412),
        ],
      },
    );
    expect(usage).toEqual(tokens(412, 264));
    expect(served).toEqual({
      ...NOTHING_SERVED,
      model: 'claude-opus-4-8',
      responseId: 'msg_01XFUDYJgAACzvnptvVoYEL',
    });
  });

  test('of an attempt that declined midway are billed as its model', () => {
    const { usage, served } = report(
      264,
      // The model that declines runs two rounds of a tool loop, then the other model answers.
      round('message', 'opus', 30),
      round('message', 'opus', 0),
      round('message', 'haiku', 40),
      round('fallback_message', 'haiku', 224),
    );
    const declined = [30, 0].map((output) => ({ model: 'opus', usage: tokens(1000, output) }));
    expect(served.rounds).toEqual(declined);
    expect(usage).toEqual(tokens(2005, 294));
    // Although `message_start` names the model that declined, the receipt names the one that
    // answered.
    expect(served.model).toBe('haiku');
  });

  test('of several attempts are free or billed each by itself', () => {
    const { served } = report(
      9,
      round('message', 'fable', 0),
      round('message', 'opus', 3),
      round('message', null, 0),
      round('fallback_message', 'haiku', 9),
    );
    expect(served.rounds).toEqual([{ model: 'opus', usage: tokens(1000, 3) }]);
  });

  test('that are implausible or too many invalidate the whole report', () => {
    const broken = { type: 'compaction', input_tokens: -1 };
    expect(report(6, broken)).toMatchObject({ usage: null, served: { rounds: [] } });
    const rounds = (count: number) => Array(count).fill(round('compaction', null, 1));
    expect(report(6, ...rounds(64)).usage).toEqual(tokens(64_005, 70));
    expect(report(6, ...rounds(65))).toMatchObject({ usage: null, served: { rounds: [] } });
  });
});

describe('a refusal', () => {
  const billed = (output: number, stopReason: string, bytes: number, ...iterations: object[]) =>
    billedUsage(
      messagesReport({}, { input_tokens: 412, output_tokens: output, iterations }),
      stopReason,
      bytes,
    );

  test('before any output is free', () => {
    expect(billed(0, 'refusal', 0)).toEqual(NO_USAGE);
  });

  test('after output is billed, as any other answer is', () => {
    const input = { ...NO_USAGE, input: 412 };
    expect(billed(3, 'refusal', 0)).toEqual({ ...input, output: 3 });
    expect(billed(0, 'refusal', 5)).toEqual(input);
    expect(billed(0, 'end_turn', 0)).toEqual(input);
    expect(billedUsage(NO_REPORT, 'refusal', 0)).toBeNull();
  });

  test('is free in a stream that counted only the start of its output', () => {
    const message = { id: 'msg_01', usage: { input_tokens: 412, output_tokens: 1 } };
    const start = { type: 'message_start', message };
    const end = { type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: {} };
    const events = [start, end, { type: 'message_stop' }].map(eventText).join('');
    for (const { ended, facts } of [passThrough(events), chatStream([events])]) {
      expect(ended).toBe(true);
      expect(facts.usage).toEqual(NO_USAGE);
    }
  });

  test('of all models leaves the rounds that wrote output', () => {
    const declined = { type: 'message', model: 'opus', input_tokens: 90, output_tokens: 8 };
    const last = { type: 'fallback_message', model: 'haiku', input_tokens: 412, output_tokens: 0 };
    expect(billed(0, 'refusal', 0, declined, last)).toEqual({ ...NO_USAGE, input: 90, output: 8 });
  });
});

test('reads how the message was served', () => {
  const usage = {
    input_tokens: 1,
    service_tier: 'priority',
    speed: 'fast',
    inference_geo: 'us',
    server_tool_use: {
      web_search_requests: 3,
      web_fetch_requests: 0,
      code_execution_requests: 2,
      tool_search_requests: 9,
    },
    cost: 0.0123,
  };
  const quirks = { reportedCost: { path: 'cost', decimals: 0 } };
  expect(messagesReport({ id: 'msg_01', model: 'opus' }, usage, quirks).served).toEqual({
    tier: 'priority',
    speed: 'fast',
    geo: 'us',
    size: null,
    quality: null,
    model: 'opus',
    uses: { web_search: 3, code_execution: 2 },
    rounds: [],
    reportedCostPico: 12_300_000_000n,
    responseId: 'msg_01',
  });
  expect(messagesReport({ id: 7 }, usage).served).toMatchObject({
    model: null,
    responseId: null,
    reportedCostPico: null,
  });
});

describe('no usable usage', () => {
  test.each([[undefined], [null], [[]], ['12'], [{}], [{ output_tokens: null, speed: 'fast' }]])(
    '%p is not a count',
    (usage) => {
      expect(usageOf(usage)).toBeNull();
    },
  );

  test.each([[-1], [0.5], ['12'], [1e12], [Number.NaN], [true]])(
    'a count of %p is implausible in any place',
    (count) => {
      const good = { input_tokens: 1, output_tokens: 1 };
      for (const name of [
        'input_tokens',
        'output_tokens',
        'cache_creation_input_tokens',
        'cache_read_input_tokens',
      ]) {
        expect(usageOf({ ...good, [name]: count })).toBeNull();
      }
      for (const name of ['ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens']) {
        const usage = {
          ...good,
          cache_creation_input_tokens: 5,
          cache_creation: { [name]: count },
        };
        expect(usageOf(usage)).toBeNull();
      }
    },
  );
});

test('later counts that are not null replace earlier ones', () => {
  const start = { input_tokens: 12, output_tokens: 1, service_tier: 'standard' };
  const later = { input_tokens: null, output_tokens: 6, cache_read_input_tokens: 4 };
  expect(mergeUsage(start, later)).toEqual({
    input_tokens: 12,
    output_tokens: 6,
    cache_read_input_tokens: 4,
    service_tier: 'standard',
  });
  expect(mergeUsage(start, undefined)).toEqual(start);
});

test('buckets are disjoint and sum to the totals and the rounds, whatever the parts are', () => {
  const count = fc.nat(1000);
  const counts = fc.record({
    input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: fc.option(count),
    cache_creation: fc.option(
      fc.record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
    ),
    output_tokens: count,
    output_tokens_details: fc.option(fc.record({ thinking_tokens: count })),
  });
  type Counts = typeof counts extends fc.Arbitrary<infer Value> ? Value : never;
  const promptOf = (each: Counts): number => {
    const { ephemeral_5m_input_tokens: in5m = 0, ephemeral_1h_input_tokens: in1h = 0 } =
      each.cache_creation ?? {};
    const written = each.cache_creation_input_tokens ?? in5m + in1h;
    return each.input_tokens + each.cache_read_input_tokens + written;
  };
  const sum = (all: readonly Counts[], of: (each: Counts) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  fc.assert(
    fc.property(counts, fc.array(counts, { maxLength: 5 }), (own, rounds) => {
      const iterations = rounds.map((each) => ({ type: 'compaction', ...each }));
      const { usage, served } = messagesReport({}, { ...own, iterations });
      if (usage === null) throw new Error('not believed');
      expect(promptTokens(usage)).toBe(sum([own, ...rounds], promptOf));
      expect(tokensOf(usage, 'output')).toBe(sum([own, ...rounds], (each) => each.output_tokens));
      expect(served.rounds.map((round) => tokensIn(round.usage))).toEqual(
        rounds.map((each) => promptOf(each) + each.output_tokens),
      );
      const all = [usage, ...served.rounds.map((round) => round.usage)];
      const lowest = all.flatMap((each) => USAGE_BUCKETS.map((bucket) => each[bucket]));
      expect(Math.min(...lowest)).toBeGreaterThanOrEqual(0);
    }),
    { seed: 20_261_122 },
  );
});
