import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE, tokensOf } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { correctedCounts, responsesReport, usageFromResponses, withItem } from './usage.ts';

const report = (response: Readonly<Record<string, unknown>>, quirks = NO_QUIRKS) =>
  responsesReport(response, quirks);

describe('tokens', () => {
  test('are divided into disjoint buckets', () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: {
        cached_tokens: 40,
        cache_write_tokens: 30,
        cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 10 },
      },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 35 },
      total_tokens: 150,
    };
    expect(usageFromResponses(usage)).toEqual({
      ...NO_USAGE,
      input: 30,
      cacheRead: 40,
      cacheWrite5m: 20,
      cacheWrite1h: 10,
      output: 15,
      reasoning: 35,
    });
  });

  test('cache writes count by their lifetimes if their sum is missing', () => {
    const details = { cache_write_tokens_details: { ttl_30m_tokens: 2, ttl_12h_tokens: 3 } };
    const usage = { input_tokens: 9, input_tokens_details: details, output_tokens: 0 };
    expect(usageFromResponses(usage)).toEqual({
      ...NO_USAGE,
      input: 4,
      cacheWrite5m: 2,
      cacheWrite1h: 3,
    });
  });

  test('what only the total includes is reasoning', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 7 },
      total_tokens: 22,
    };
    expect(usageFromResponses(usage)).toEqual({ ...NO_USAGE, input: 10, output: 5, reasoning: 7 });
    expect(correctedCounts(usage)).toMatchObject({ output_tokens: 12 });
  });

  test.each([
    [null],
    [{}],
    [{ input_tokens: null }],
    [{ input_tokens: -1, output_tokens: 2 }],
    [{ input_tokens: 1.5, output_tokens: 2 }],
    [{ input_tokens: '9', output_tokens: 2 }],
    [{ input_tokens: 2_000_000_000, output_tokens: 2 }],
    [{ input_tokens: 9, output_tokens: 2, output_tokens_details: { reasoning_tokens: -1 } }],
    [{ input_tokens: 9, output_tokens: 2, total_tokens: 1e12 }],
  ])('%j: is not believed, so that usage is estimated', (usage) => {
    expect(report({ usage }).usage).toBeNull();
  });

  test('always sum to what the provider counts, however its parts overlap', () => {
    const count = fc.nat(1000);
    fc.assert(
      fc.property(
        count,
        count,
        count,
        count,
        count,
        count,
        (input, read, wrote, long, out, think) => {
          const usage = usageFromResponses({
            input_tokens: input,
            input_tokens_details: {
              cached_tokens: read,
              cache_write_tokens: wrote,
              cache_write_tokens_details: { ttl_12h_tokens: long },
            },
            output_tokens: out,
            output_tokens_details: { reasoning_tokens: think },
          });
          expect(usage).not.toBeNull();
          if (usage === null) return;
          const { cacheRead, cacheWrite5m, cacheWrite1h } = usage;
          expect(usage.input + cacheRead + cacheWrite5m + cacheWrite1h).toBe(input);
          expect(tokensOf(usage, 'output')).toBe(out);
          expect(Object.values(usage).every((tokens) => tokens >= 0)).toBe(true);
        },
      ),
      { seed: 20_261_122 },
    );
  });
});

describe('counts for clients', () => {
  const WHOLE = {
    input_tokens: 9,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 11,
  };

  test('a complete report is not changed', () => {
    expect(correctedCounts(WHOLE)).toEqual({});
  });

  test.each(Object.keys(WHOLE))('a missing or empty %s is added', (name) => {
    for (const empty of [undefined, null, name.endsWith('_details') ? {} : null]) {
      const fixed = { ...WHOLE, ...correctedCounts({ ...WHOLE, [name]: empty }) };
      for (const each of ['input_tokens', 'output_tokens', 'total_tokens'] as const)
        expect(fixed[each]).toBeNumber();
      expect(fixed.input_tokens_details.cached_tokens).toBeNumber();
      expect(fixed.output_tokens_details.reasoning_tokens).toBeNumber();
    }
  });

  test('other details are kept', () => {
    const usage = { ...WHOLE, input_tokens_details: { audio_tokens: 3 } };
    expect(correctedCounts(usage)).toEqual({
      input_tokens_details: { audio_tokens: 3, cached_tokens: 0, cache_write_tokens: 0 },
    });
  });
});

describe('tools of the provider', () => {
  const search = { type: 'web_search_call', action: { type: 'search' } };
  const page = { type: 'web_search_call', action: { type: 'open_page' } };
  const output = [search, page, { type: 'web_search_call' }, { type: 'file_search_call' }, null];

  test('are counted by the items, without opened pages', () => {
    expect(report({ output }).served.uses).toEqual({ web_search: 2, file_search: 1 });
  });

  test('are charged by the fee of each', () => {
    const types = ['web_search_call', 'file_search_call', 'code_interpreter_call', 'x_search_call'];
    const uses = { web_search: 1, file_search: 1, code_execution: 1, x_search: 1 };
    expect(report({ output: types.map((type) => ({ type })) }).served.uses).toEqual(uses);
  });

  test('of a stream are charged by its finished items if its last event repeats fewer', () => {
    const items = [search, page, search, { type: 'file_search_call' }, { type: 'message' }];
    const streamed = items.reduce(withItem, NOTHING_SERVED);
    expect(streamed.uses).toEqual({ web_search: 2, file_search: 1 });
    const last = (...output: object[]) =>
      responsesReport({ output }, NO_QUIRKS, streamed).served.uses;
    expect(last()).toEqual({ web_search: 2, file_search: 1 });
    expect(last(search, search, search)).toEqual({ web_search: 3, file_search: 1 });
  });

  test("the provider's count of searches comes first", () => {
    const tool_usage = { web_search: { num_requests: 5 } };
    expect(report({ output, tool_usage }).served.uses).toEqual({ web_search: 5, file_search: 1 });
    const none = { web_search: { num_requests: 0 } };
    expect(report({ output, tool_usage: none }).served.uses).toEqual({ file_search: 1 });
  });

  test('the count where this make of server reports it comes before both', () => {
    const quirks = { ...NO_QUIRKS, toolUses: { web_search: ['server_tools.searches'] } };
    const usage = { server_tools: { searches: 3 } };
    expect(report({ output: [search], usage }, quirks).served.uses).toEqual({ web_search: 3 });
  });

  test('drawn images are the work of another model, beside the counts of the answer', () => {
    const tool_usage = {
      image_gen: {
        input_tokens: 30,
        input_tokens_details: { image_tokens: 20, text_tokens: 10 },
        output_tokens: 400,
        output_tokens_details: { image_tokens: 400, text_tokens: 0 },
        total_tokens: 430,
      },
    };
    const images = { ...NO_USAGE, input: 10, imageInput: 20, imageOutput: 400 };
    const { usage, served } = report({ usage: { input_tokens: 5, output_tokens: 2 }, tool_usage });
    expect(usage).toEqual({ ...images, input: 15, output: 2 });
    expect(served.rounds).toEqual([{ model: 'image_generation', usage: images }]);
  });

  test('no drawn images are no work', () => {
    const nothing = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    const usage = { input_tokens: 5, output_tokens: 2 };
    expect(report({ usage, tool_usage: { image_gen: nothing } }).served.rounds).toEqual([]);
    expect(report({ usage, tool_usage: { image_gen: {} } }).usage).not.toBeNull();
  });

  test('an implausible count of drawn images makes the whole usage implausible', () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    for (const image_gen of [{ total_tokens: 9 }, { input_tokens: 0.5, total_tokens: 4 }])
      expect(report({ usage, tool_usage: { image_gen } }).usage).toBeNull();
  });

  test('work of other agents is reported as the work of another model', () => {
    const input_tokens_details = { cached_tokens: 4, orchestration_input_tokens: 7 };
    const usage = { input_tokens: 9, input_tokens_details, output_tokens: 2 };
    expect(report({ usage }).served.rounds).toEqual([{ model: 'orchestration', usage: NO_USAGE }]);
    for (const none of [0, null]) {
      const details = { ...input_tokens_details, orchestration_input_tokens: none };
      expect(report({ usage: { ...usage, input_tokens_details: details } }).served.rounds).toEqual(
        [],
      );
    }
  });
});

describe('what else is reported', () => {
  test("the provider's own price", () => {
    const quirks = { ...NO_QUIRKS, reportedCost: { path: 'cost', decimals: 0 } };
    const usage = { input_tokens: 1, output_tokens: 1, cost: 0.5 };
    expect(report({ usage }, quirks).served.reportedCostPico).toBe(500_000_000_000n);
  });

  test('later reports replace earlier ones, except for a tier that is unknown', () => {
    const earlier = { ...NOTHING_SERVED, tier: 'flex', model: 'm', responseId: 'resp_1' };
    const { served } = responsesReport({ service_tier: 'auto' }, NO_QUIRKS, earlier);
    expect(served).toEqual(earlier);
  });
});
