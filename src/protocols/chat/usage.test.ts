import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { UpstreamMake } from '../../config/upstream-schema.ts';
import type { JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, USAGE_BUCKETS } from '../../money/usage.ts';
import { quirksOf } from '../../upstreams/known-servers.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST, passChunks } from '../recorded-streams.fixture.ts';
import { readChatAnswer } from './answer.ts';
import { chunksOf } from './recorded-chat.fixture.ts';
import { openChatStream } from './stream-pass.ts';
import { correctedCounts, servedFromChat, usageFromChat } from './usage.ts';

const counts = (prompt: unknown, completion: unknown, details: object = {}): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  prompt_tokens_details: details,
});

describe('token counts of the protocol become disjoint', () => {
  test("reads cache writes under LiteLLM's name", () => {
    const usage = counts(100, 50, { cached_tokens: 30, cache_creation_tokens: 20 });
    expect(usageFromChat(usage)).toMatchObject({ input: 50, cacheRead: 30, cacheWrite5m: 20 });
  });

  test('cached and cache-written tokens are part of the prompt, reasoning of the completion', () => {
    const usage = {
      ...counts(100, 50, { cached_tokens: 30, cache_write_tokens: 20, audio_tokens: 0 }),
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    expect(usageFromChat(usage)).toEqual({
      ...NO_USAGE,
      input: 50,
      cacheRead: 30,
      cacheWrite5m: 20,
      output: 10,
      reasoning: 40,
    });
  });

  test('audio and images are part of the uncached prompt and of the completion', () => {
    const usage = {
      ...counts(100, 50, { cached_tokens: 30, audio_tokens: 40, image_tokens: 20 }),
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 15, image_tokens: 25 },
    };
    expect(usageFromChat(usage)).toEqual({
      ...NO_USAGE,
      input: 10,
      cacheRead: 30,
      audioInput: 40,
      imageInput: 20,
      output: 5,
      reasoning: 5,
      audioOutput: 15,
      imageOutput: 25,
    });
  });

  test('parts that exceed their total are cut, those of the cache last', () => {
    const usage = {
      ...counts(100, 50, { cached_tokens: 70, audio_tokens: 40, image_tokens: 20 }),
      completion_tokens_details: { reasoning_tokens: 45, audio_tokens: 15, image_tokens: 25 },
    };
    expect(usageFromChat(usage)).toEqual({
      ...NO_USAGE,
      cacheRead: 70,
      audioInput: 30,
      reasoning: 45,
      audioOutput: 5,
    });
  });

  test.each([
    ['nulls count as 0', counts(7, null, { cached_tokens: null }), { input: 7, output: 0 }],
    ['an explicit 0 is a count', counts(0, 0), { input: 0, output: 0 }],
    ['details may be null', { prompt_tokens: 7, prompt_tokens_details: null }, { input: 7 }],
    [
      'hits beside the totals, where some makers put them',
      { prompt_tokens: 7, completion_tokens: 1, prompt_cache_hit_tokens: 5 },
      { input: 2, cacheRead: 5 },
    ],
    [
      'the protocol’s own place wins over others',
      { ...counts(7, 1, { cached_tokens: 0 }), cached_tokens: 5 },
      { input: 7, cacheRead: 0 },
    ],
  ])('%s', (_what, usage, expected) => {
    expect(usageFromChat(usage)).toMatchObject(expected);
  });

  test.each([
    [null],
    [undefined],
    ['17'],
    [[]],
    [{}],
    [counts(null, null)],
    [counts(-1, 5)],
    [counts(1.5, 5)],
    [counts('7', 5)],
    [counts(7, 1e12)],
    [counts(7, Number.NaN)],
    [counts(7, 5, { cached_tokens: -2 })],
    [counts(7, 5, { cache_write_tokens: 0.5 })],
    [counts(7, 5, { audio_tokens: -1 })],
    [counts(7, 5, { image_tokens: '5' })],
    [{ ...counts(7, 5), total_tokens: 12.5 }],
    [{ ...counts(7, 5), completion_tokens_details: { reasoning_tokens: -1 } }],
    [{ ...counts(7, 5), completion_tokens_details: { audio_tokens: 1e12 } }],
    [{ ...counts(7, 5), completion_tokens_details: { image_tokens: true } }],
  ])('ignores a report with %p as a whole', (usage) => {
    expect(usageFromChat(usage)).toBeNull();
  });

  test("reads a server's own paths, in their order", () => {
    const usage = { ...counts(9, 1, { cached_tokens: 3 }), cache: { hits: 5 } };
    const read = (...cachedTokens: string[]) =>
      usageFromChat(usage, { ...NO_QUIRKS, cachedTokens })?.cacheRead;
    expect(read('cache.hits', 'prompt_tokens_details.cached_tokens')).toBe(5);
    expect(read('cache.misses', 'prompt_tokens.none', 'prompt_tokens_details.cached_tokens')).toBe(
      3,
    );
    expect(read()).toBe(0);
  });

  test('adds reasoning that a server excludes from the completion', () => {
    const usage = { ...counts(9, 5), completion_tokens_details: { reasoning_tokens: 40 } };
    const outside = { ...NO_QUIRKS, reasoningOutside: true };
    expect(usageFromChat(usage)).toMatchObject({ output: 0, reasoning: 5 });
    expect(usageFromChat(usage, outside)).toMatchObject({ output: 5, reasoning: 40 });
    expect(usageFromChat(counts(9, 5), outside)).toMatchObject({ output: 5, reasoning: 0 });
  });

  test('adds what only the total counts as reasoning', () => {
    const usage = { ...counts(9, 5), total_tokens: 54 };
    expect(usageFromChat(usage)).toMatchObject({ input: 9, output: 5, reasoning: 40 });
    const counted = { ...usage, completion_tokens_details: { reasoning_tokens: 42 } };
    expect(usageFromChat(counted)).toMatchObject({ output: 3, reasoning: 42 });
    // The total is ignored if a count is missing, or if the total is below the sum of both counts.
    expect(usageFromChat({ ...counts(null, 5), total_tokens: 54 })).toMatchObject({ reasoning: 0 });
    expect(usageFromChat({ ...counts(9, null), total_tokens: 54 })).toMatchObject({ reasoning: 0 });
    expect(usageFromChat({ ...counts(9, 5), total_tokens: 3 })).toMatchObject({ reasoning: 0 });
  });

  test('buckets are disjoint and sum to the totals, whatever the parts are', () => {
    const parts = fc.record({
      cached_tokens: fc.nat(1000),
      cache_write_tokens: fc.nat(1000),
      audio_tokens: fc.nat(1000),
      image_tokens: fc.nat(1000),
      reasoning_tokens: fc.nat(1000),
    });
    const anyUsage = fc.record({
      prompt_tokens: fc.nat(1000),
      completion_tokens: fc.nat(1000),
      total_tokens: fc.option(fc.nat(3000)),
      prompt_tokens_details: fc.option(parts),
      completion_tokens_details: fc.option(parts),
    });
    fc.assert(
      fc.property(anyUsage, fc.boolean(), (json, reasoningOutside) => {
        const usage = usageFromChat(json, { ...NO_QUIRKS, reasoningOutside });
        if (usage === null) throw new Error('not believed');
        const { prompt_tokens, completion_tokens, total_tokens } = json;
        const excess = Math.max(0, (total_tokens ?? 0) - prompt_tokens - completion_tokens);
        const said = json.completion_tokens_details?.reasoning_tokens ?? 0;
        const outside = reasoningOutside ? Math.max(said, excess) : excess;
        expect(promptTokens(usage)).toBe(prompt_tokens);
        expect(tokensOf(usage, 'output')).toBe(completion_tokens + outside);
        expect(usage.reasoning).toBe(
          Math.max(outside, Math.min(said, completion_tokens + outside)),
        );
        expect(usage.cacheRead).toBe(
          Math.min(json.prompt_tokens_details?.cached_tokens ?? 0, prompt_tokens),
        );
        expect(Math.min(...USAGE_BUCKETS.map((bucket) => usage[bucket]))).toBeGreaterThanOrEqual(0);
      }),
      { seed: 20_261_122 },
    );
  });
});

const corrected = (usage: JsonObject, reasoningOutside = false): JsonObject => {
  const quirks = { ...NO_QUIRKS, reasoningOutside };
  return correctedCounts(usage, usageFromChat(usage, quirks));
};

test('adds the counts that clients require', () => {
  expect(corrected({ prompt_tokens: 3, completion_tokens: 2 })).toEqual({ total_tokens: 5 });
  expect(corrected({ prompt_tokens: 3, total_tokens: 3 })).toEqual({ completion_tokens: 0 });
  expect(corrected({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 })).toEqual({});
  expect(corrected({})).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
});

test('includes separately counted reasoning in the completion, as charged', () => {
  const usage = {
    prompt_tokens: 3,
    completion_tokens: 2,
    total_tokens: 15,
    completion_tokens_details: { reasoning_tokens: 10 },
  };
  const expected = { prompt_tokens: 3, completion_tokens: 12, total_tokens: 15 };
  expect(corrected(usage, true)).toEqual(expected);
  expect(corrected(usage)).toEqual(expected);
  expect(corrected({ ...usage, total_tokens: 5 })).toEqual({});
  // If a count is implausible, no count is corrected.
  expect(corrected({ ...usage, total_tokens: -1 })).toEqual({});
  const quirks = { ...NO_QUIRKS, reasoningOutside: true };
  const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }];
  const bytes = new TextEncoder().encode(JSON.stringify({ model: 'm', choices, usage }));
  const answer = readChatAnswer(bytes, { requestId: 'req_01X', quirks });
  const written = answer.write({ model: 'm', cost: FIXTURE_COST });
  expect(JSON.parse(written).usage).toMatchObject(expected);
  const head = { object: 'chat.completion.chunk', id: 'c', created: 1, model: 'm' };
  const choice = { index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' };
  const { closing } = passChunks(
    openChatStream({
      requestId: 'req_01X',
      createdSeconds: 1_790_000_000,
      model: 'm',
      includeUsage: true,
      maxEventBytes: 10_000,
      quirks,
    }),
    [`data: ${JSON.stringify({ ...head, choices: [choice], usage })}\n\ndata: [DONE]\n\n`],
  );
  expect(chunksOf(closing)[0]).toMatchObject({ usage: expected });
});

describe('how a chat answer was served', () => {
  const served = (make: UpstreamMake, json: JsonObject) =>
    servedFromChat({ id: 'gen-1', model: 'up', ...json }, quirksOf(make, {}));
  const known = { ...NOTHING_SERVED, model: 'up', responseId: 'gen-1' };

  test.each([
    ['beside usage, as OpenAI and OpenRouter do', { service_tier: 'priority' }],
    ['in usage, as Mistral does', { usage: { service_tier: 'priority' } }],
    [
      'in usage, as Google does',
      { usage: { extra_properties: { google: { traffic_type: 'priority' } } } },
    ],
    ['twice', { service_tier: 'priority', usage: { service_tier: 'default' } }],
  ])('reads the tier %s', (_where, json) => {
    expect(served('generic', json)).toEqual({ ...known, tier: 'priority' });
  });

  test("reads OpenRouter's price and searches", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: 30,
      cost: 0.007,
      cost_details: { upstream_inference_cost: 0 },
      server_tool_use_details: { web_search_requests: 1, tool_calls_executed: 2 },
    };
    const reported = { ...known, uses: { web_search: 1 }, reportedCostPico: 7_000_000_000n };
    expect(served('openrouter', { usage })).toEqual(reported);
    // The quirks of `generic` do not say which field of `usage` contains the price, so the price is
    // ignored.
    expect(served('generic', { usage })).toEqual(known);
  });

  test("reads xAI's ticks and tools", () => {
    const usage = {
      cost_in_usd_ticks: 318_319_000,
      server_side_tool_usage_details: {
        web_search_calls: 0,
        x_search_calls: 3,
        code_interpreter_calls: 1,
        file_search_calls: 2,
        document_search_calls: 4,
        mcp_calls: 5,
      },
    };
    expect(served('xai', { usage })).toEqual({
      ...known,
      uses: { x_search: 3, code_execution: 1, file_search: 6 },
      reportedCostPico: 31_831_900_000n,
    });
  });

  test('chunks update what earlier ones reported', () => {
    const quirks = quirksOf('openrouter', {});
    const first = servedFromChat({ id: 'a', model: '', service_tier: 'auto' }, quirks);
    expect(first).toEqual({ ...NOTHING_SERVED, tier: 'auto', responseId: 'a' });
    expect(servedFromChat({ id: 'a', service_tier: null }, quirks, first)).toBe(first);
    const usage = { cost: 1, server_tool_use_details: { web_search_requests: 2 } };
    const second = servedFromChat({ model: 'm', service_tier: 'flex', usage }, quirks, first);
    const all = {
      tier: 'flex',
      model: 'm',
      uses: { web_search: 2 },
      reportedCostPico: 1_000_000_000_000n,
    };
    expect(second).toEqual({ ...first, ...all });
    expect(servedFromChat({ usage: {} }, quirks, second)).toEqual(second);
  });
});
