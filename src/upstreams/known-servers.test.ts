import { expect, test } from 'bun:test';
import { MAKES } from '../config/upstream-schema.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
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

test('an unknown server has no quirks', () => {
  expect(quirksOf('generic', {})).toEqual(NO_QUIRKS);
});

test('the quirks of the major makes', () => {
  expect(quirksOf('openai', {})).toMatchObject({
    maxTokensField: 'max_completion_tokens',
    developerRole: true,
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

test("the operator's settings override the row, false and null included", () => {
  const said = {
    drop: ['temperature'],
    system_anywhere: true,
    max_tokens_field: 'max_completion_tokens',
    stream_options: false,
    developer_role: true,
    cached_tokens: ['usage.hits'],
    reasoning_outside: true,
    reasoning_fields: ['thoughts'],
    reasoning_back: null,
    reasoning_required: false,
    reasoning_effort: false,
    image_response_format: false,
    tool_uses: { web_search: ['searches'] },
    reported_cost: { path: 'price.total', decimals: 2 },
  } as const;
  expect(quirksOf('deepseek', said)).toEqual({
    drop: ['temperature'],
    systemAnywhere: true,
    maxTokensField: 'max_completion_tokens',
    streamOptions: false,
    developerRole: true,
    cachedTokens: ['usage.hits'],
    reasoningOutside: true,
    reasoningFields: ['thoughts'],
    reasoningBack: null,
    reasoningRequired: false,
    reasoningEffort: false,
    imageResponseFormat: false,
    toolUses: { web_search: ['searches'] },
    reportedCost: { path: 'price.total', decimals: 2 },
  });
  expect(quirksOf('xai', { reported_cost: null }).reportedCost).toBeNull();
});

test('adds the fields that a model refuses to those of its server', () => {
  const server = quirksOf('generic', { drop: ['seed'] });
  expect(withRouteDrop(server, ['temperature', 'seed']).drop).toEqual(['seed', 'temperature']);
  expect(withRouteDrop(server, [])).toBe(server);
});
