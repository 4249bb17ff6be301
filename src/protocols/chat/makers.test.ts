/**
 * Checks the token counts that are read from the answers of each provider and each server software.
 */
import { expect, test } from 'bun:test';
import type { UpstreamMake } from '../../config/upstream-schema.ts';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import { quirksOf } from '../../upstreams/known-servers.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { readChatAnswer } from './answer.ts';
import { openChatStream } from './stream-pass.ts';

type Case = {
  readonly name: string;
  readonly make: UpstreamMake;
  /** The members of the answer other than `choices`, as the provider documents them. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly usage: Partial<Usage>;
  readonly served?: Partial<Served>;
};

const CASES: readonly Case[] = [
  {
    name: 'OpenAI, served by another tier than requested',
    make: 'openai',
    json: {
      service_tier: 'default',
      usage: {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 256,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 20,
        },
      },
    },
    usage: { input: 86, cacheRead: 1920, output: 44, reasoning: 256 },
    served: { tier: 'default' },
  },
  {
    name: 'OpenAI with an image and a cache write',
    make: 'openai',
    json: {
      service_tier: 'priority',
      usage: {
        prompt_tokens: 310_000,
        completion_tokens: 4000,
        total_tokens: 314_000,
        prompt_tokens_details: {
          cached_tokens: 250_000,
          cache_write_tokens: 50_000,
          image_tokens: 2500,
          text_tokens: 307_500,
        },
        completion_tokens_details: { reasoning_tokens: 3100, text_tokens: 900 },
      },
    },
    usage: {
      input: 7500,
      cacheRead: 250_000,
      cacheWrite5m: 50_000,
      imageInput: 2500,
      output: 900,
      reasoning: 3100,
    },
    served: { tier: 'priority' },
  },
  {
    name: 'OpenAI with audio in and out',
    make: 'openai',
    json: {
      usage: {
        prompt_tokens: 120,
        completion_tokens: 90,
        total_tokens: 210,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 100, text_tokens: 20 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 70, text_tokens: 20 },
      },
    },
    usage: { input: 20, audioInput: 100, output: 20, audioOutput: 70 },
  },
  {
    name: 'DeepSeek',
    make: 'deepseek',
    json: {
      usage: {
        prompt_tokens: 120_000,
        completion_tokens: 3000,
        total_tokens: 123_000,
        prompt_tokens_details: { cached_tokens: 100_000 },
        completion_tokens_details: { reasoning_tokens: 1200 },
        prompt_cache_hit_tokens: 100_000,
        prompt_cache_miss_tokens: 20_000,
      },
    },
    usage: { input: 20_000, cacheRead: 100_000, output: 1800, reasoning: 1200 },
  },
  {
    name: 'Moonshot',
    make: 'moonshot',
    json: {
      usage: {
        prompt_tokens: 19,
        completion_tokens: 21,
        total_tokens: 40,
        cached_tokens: 10,
      },
    },
    usage: { input: 9, cacheRead: 10, output: 21 },
  },
  {
    name: 'xAI, with reasoning outside of the completion',
    make: 'xai',
    json: {
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        prompt_tokens_details: {
          text_tokens: 32,
          audio_tokens: 0,
          image_tokens: 0,
          cached_tokens: 6,
        },
        completion_tokens_details: { reasoning_tokens: 94, audio_tokens: 0 },
        num_sources_used: 0,
        cost_in_usd_ticks: 1_234_500,
        server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 1 },
      },
    },
    usage: { input: 26, cacheRead: 6, output: 9, reasoning: 94 },
    served: { uses: { web_search: 2, x_search: 1 }, reportedCostPico: 123_450_000n },
  },
  {
    name: 'Gemini, with thoughts in the total only',
    make: 'generic',
    json: { usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 54 } },
    usage: { input: 9, output: 5, reasoning: 40 },
  },
  {
    name: 'Vertex AI, with the traffic type as the tier',
    make: 'generic',
    json: {
      usage: {
        prompt_tokens: 9,
        completion_tokens: 5,
        total_tokens: 14,
        extra_properties: { google: { traffic_type: 'ON_DEMAND_PRIORITY' } },
      },
    },
    usage: { input: 9, output: 5 },
    served: { tier: 'ON_DEMAND_PRIORITY' },
  },
  {
    name: 'OpenRouter, with a search',
    make: 'openrouter',
    json: {
      service_tier: 'flex',
      usage: {
        prompt_tokens: 194,
        completion_tokens: 2,
        total_tokens: 196,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, image_tokens: 0 },
        cost: 0.00095,
        is_byok: false,
        cost_details: { upstream_inference_cost: 0.00085, server_tool_cost: 0.0001 },
        server_tool_use_details: {
          web_search_requests: 1,
          tool_calls_requested: 1,
          tool_calls_executed: 1,
        },
      },
    },
    usage: { input: 194, output: 2 },
    served: { tier: 'flex', uses: { web_search: 1 }, reportedCostPico: 950_000_000n },
  },
  {
    name: 'Mistral, with the tier in usage',
    make: 'generic',
    json: {
      usage: {
        prompt_tokens: 16,
        completion_tokens: 34,
        total_tokens: 50,
        prompt_audio_seconds: null,
        service_tier: 'standard',
      },
    },
    usage: { input: 16, output: 34 },
    served: { tier: 'standard' },
  },
  {
    name: 'LiteLLM over Anthropic',
    make: 'litellm',
    json: {
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 50,
        total_tokens: 1050,
        prompt_tokens_details: { cached_tokens: 600, cache_creation_tokens: 100 },
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 600,
      },
    },
    usage: { input: 300, cacheRead: 600, cacheWrite5m: 100, output: 50 },
  },
  {
    name: 'vLLM',
    make: 'vllm',
    json: {
      usage: {
        prompt_tokens: 9,
        total_tokens: 17,
        completion_tokens: 8,
        prompt_tokens_details: null,
      },
    },
    usage: { input: 9, output: 8 },
  },
];

const HEAD = { id: 'gen-1', created: 1_790_000_000, model: 'maker-model' };

test.each(CASES.map((each) => [each.name, each] as const))(
  'reads an answer and a stream of %s',
  (_name, { make, json, usage, served }) => {
    const expected = {
      usage: { ...NO_USAGE, ...usage },
      served: { ...NOTHING_SERVED, model: 'maker-model', responseId: 'gen-1', ...served },
    };
    const quirks = quirksOf(make, {});
    const message = { role: 'assistant', content: 'Hi' };
    const choice = { index: 0, finish_reason: 'stop' };
    const answer = { ...HEAD, choices: [{ ...choice, message }], ...json };
    const bytes = new TextEncoder().encode(JSON.stringify(answer));
    expect(readChatAnswer(bytes, { requestId: 'req_1', quirks }).facts).toMatchObject(expected);

    const pass = openChatStream({
      requestId: 'req_1',
      createdSeconds: 1_790_000_000,
      model: 'gen',
      includeUsage: true,
      maxEventBytes: 64 * 1024,
      quirks,
    });
    const { usage: counts, ...members } = json;
    const chunks = [
      { ...HEAD, ...members, choices: [{ ...choice, delta: message }] },
      { ...HEAD, ...members, choices: [], usage: counts },
    ];
    for (const chunk of chunks)
      pass.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
    expect(pass.facts).toMatchObject(expected);
  },
);

test("Mistral's list of reasoning and text becomes the strings that clients join", () => {
  const thinking = [{ type: 'text', text: 'Hm' }];
  const content = [
    { type: 'thinking', thinking },
    { type: 'text', text: 'Hi' },
  ];
  const options = { requestId: 'req_1', createdSeconds: 1, quirks: NO_QUIRKS };
  const message = { role: 'assistant', content };
  const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }] };
  const cost = { usd: '0', exact: '0', currency: 'USD', estimated: null } as const;
  const answer = readChatAnswer(new TextEncoder().encode(JSON.stringify(whole)), options);
  expect(JSON.parse(answer.write({ model: 'm', cost })).choices[0].message).toEqual({
    ...{ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' },
  });
  expect(answer.facts.outputBytes).toBe(4);
  const pass = openChatStream({
    ...{ ...options, model: 'm', maxEventBytes: 4096, includeUsage: false },
  });
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
  const image = [{ type: 'image_url', image_url: { url: 'data:' } }];
  const deltas = [{ content }, { content: [{ type: 'text', text: 'Ho' }] }, { content: image }];
  const sent = pass.push(new TextEncoder().encode(deltas.map(chunk).join('')));
  const events = Buffer.from(sent).toString().trim().split('\n\n');
  expect(events.map((event) => JSON.parse(event.slice(6)).choices[0].delta)).toEqual([
    { role: 'assistant', content: 'Hi', reasoning_content: 'Hm' },
    { content: 'Ho' },
    { content: image },
  ]);
  expect(pass.facts.outputBytes).toBe(6);
});
