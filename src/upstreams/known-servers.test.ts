import { expect, test } from 'bun:test';
import { MAKES } from '../config/upstream-schema.ts';
import { NO_QUIRKS, readsOn } from '../protocols/quirks.ts';
import { KNOWN_SERVERS, quirksOf, withRouteDrop } from './known-servers.ts';

test('every make has a row, with sources and date if it lists quirks', () => {
  for (const make of MAKES) {
    const { quirks, sources, checked } = KNOWN_SERVERS[make];
    const isPlain = Object.keys(quirks).length === 0;
    expect({ make, isSourced: sources.length > 0, isDated: checked !== null }).toEqual({
      make,
      isSourced: !isPlain,
      isDated: !isPlain,
    });
    for (const source of sources) expect(new URL(source).protocol).toBe('https:');
  }
});

test('an unknown server gets the output limit under the name that all servers know', () => {
  expect(quirksOf('generic', {})).toEqual({ ...NO_QUIRKS, maxTokensField: 'max_tokens' });
  const recent = { max_tokens_field: 'max_completion_tokens' } as const;
  expect(quirksOf('generic', recent).maxTokensField).toBe('max_completion_tokens');
});

test("the caller's name of the output limit is kept only for servers that know both names", () => {
  const both = MAKES.filter((make) => quirksOf(make, {}).maxTokensField === null);
  expect(both).toEqual(['anthropic', 'vllm', 'sglang', 'modelgate']);
});

test('the quirks of the major makes', () => {
  expect(quirksOf('openai', {})).toMatchObject({
    drop: ['top_k'],
    maxTokensField: 'max_completion_tokens',
    developerRole: true,
    responses: true,
    imageResponseFormat: false,
  });
  expect(quirksOf('deepseek', {})).toMatchObject({
    maxTokensField: 'max_tokens',
    developerRole: false,
    reasoningBack: 'reasoning_content',
    reasoningRequired: true,
  });
  expect(quirksOf('deepseek', {}).cachedTokens[0]).toBe('prompt_cache_hit_tokens');
  expect(quirksOf('vllm', {}).reasoningFields).toEqual(['reasoning', 'reasoning_content']);
  expect(quirksOf('xai', {}).reasoningOutside).toBe(true);
});

test('hosted servers get no reasoning but their own, others what the caller sends', () => {
  const strict = MAKES.filter((make) => quirksOf(make, {}).onlyReasoningBack);
  expect(strict).toEqual(['openai', 'deepseek', 'moonshot', 'xai', 'gemini']);
});

test('thinking is switched off where one switch suits all models of the server', () => {
  const switches = MAKES.flatMap((make) => {
    const { thinkingOff } = quirksOf(make, {});
    return thinkingOff === null ? [] : [[make, thinkingOff]];
  });
  const chat_template_kwargs = { enable_thinking: false, thinking: false };
  expect(Object.fromEntries(switches)).toEqual({
    deepseek: { thinking: { type: 'disabled' } },
    vllm: { chat_template_kwargs },
    sglang: { chat_template_kwargs },
    ollama: { reasoning_effort: 'none' },
    'llama.cpp': { chat_template_kwargs },
  });
});

test('the Responses API of a server is used only where Codex is known to work with it', () => {
  expect(MAKES.filter((make) => quirksOf(make, {}).responses)).toEqual(['openai']);
  expect(quirksOf('openai', { responses: false }).responses).toBe(false);
});

test('an answer is aborted only where that is known to end the bill', () => {
  const rules = MAKES.map((make) => [make, quirksOf(make, {}).onDisconnect] as const);
  expect(Object.fromEntries(rules)).toEqual({
    generic: 'read_on',
    openai: 'abort_streams',
    anthropic: 'abort_streams',
    deepseek: 'abort_streams',
    vllm: 'abort',
    sglang: 'abort',
    ollama: 'abort',
    'llama.cpp': 'abort',
    litellm: 'read_on',
    openrouter: 'read_on',
    moonshot: 'read_on',
    xai: 'abort_streams',
    gemini: 'read_on',
    bedrock: 'read_on',
    modelgate: 'read_on',
  });
});

test.each([
  ['abort', false, false],
  ['abort_streams', false, true],
  ['read_on', true, true],
] as const)('%s reads on a stream: %p, another answer: %p', (onDisconnect, stream, whole) => {
  const quirks = { ...NO_QUIRKS, onDisconnect };
  expect([readsOn(quirks, 'stream'), readsOn(quirks, 'whole')]).toEqual([stream, whole]);
});

test("the operator's settings override the row, false and null included", () => {
  const said = {
    drop: ['temperature'],
    tier_header: 'x-tier',
    on_disconnect: 'abort',
    auto_cache: false,
    system_anywhere: true,
    max_tokens_field: 'max_completion_tokens',
    stream_options: false,
    developer_role: true,
    cached_tokens: ['usage.hits'],
    reasoning_outside: true,
    reasoning_fields: ['thoughts'],
    reasoning_back: null,
    only_reasoning_back: false,
    reasoning_required: false,
    reasoning_effort: false,
    thinking_off: { reasoning: { enabled: false } },
    responses: true,
    image_response_format: false,
    tool_uses: { web_search: ['searches'] },
    reported_cost: { path: 'price.total', decimals: 2 },
  } as const;
  expect(quirksOf('deepseek', said)).toEqual({
    drop: ['temperature'],
    tierHeader: 'x-tier',
    onDisconnect: 'abort',
    autoCache: false,
    systemAnywhere: true,
    maxTokensField: 'max_completion_tokens',
    streamOptions: false,
    developerRole: true,
    cachedTokens: ['usage.hits'],
    reasoningOutside: true,
    reasoningFields: ['thoughts'],
    reasoningBack: null,
    onlyReasoningBack: false,
    reasoningRequired: false,
    reasoningEffort: false,
    thinkingOff: { reasoning: { enabled: false } },
    responses: true,
    imageResponseFormat: false,
    toolUses: { web_search: ['searches'] },
    reportedCost: { path: 'price.total', decimals: 2 },
  });
  expect(quirksOf('deepseek', { thinking_off: null }).thinkingOff).toBeNull();
  expect(quirksOf('xai', { reported_cost: null }).reportedCost).toBeNull();
  expect(quirksOf('gemini', {}).tierHeader).toBe('x-gemini-service-tier');
  expect(quirksOf('gemini', { tier_header: null }).tierHeader).toBeNull();
});

test('adds the fields that a model refuses to those of its server', () => {
  const server = quirksOf('generic', { drop: ['seed'] });
  expect(withRouteDrop(server, ['temperature', 'seed']).drop).toEqual(['seed', 'temperature']);
  expect(withRouteDrop(server, [])).toBe(server);
});
