import { describe, expect, test } from 'bun:test';
import { MAKES, type UpstreamMake } from '../config/upstream-schema.ts';
import { GatewayError } from '../errors.ts';
import { scanObject } from '../json/scan.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES } from '../money/price.ts';
import { type FieldPlan, planFields } from '../protocols/request-fields.ts';
import { fieldsOf, KNOWN_FIELDS } from './known-fields.ts';

const TERMS = flatTerms(NO_RATES);

function planned(make: UpstreamMake, members: object, terms = TERMS): FieldPlan {
  const { lists, pass, imageDetail } = fieldsOf(make, []);
  const list = make === 'anthropic' ? lists.messages : lists.chat;
  return planFields({
    body: scanObject(new TextEncoder().encode(JSON.stringify(members)), 64),
    claims: [],
    list,
    written: list.written,
    pass,
    imageDetail,
    isTranslated: false,
    card: { model: 'm', terms },
    accountId: 'acct_1',
  });
}

function fate(make: UpstreamMake, members: object): string {
  try {
    const { ignored } = planned(make, members);
    return ignored.length === 0 ? 'sent' : 'ignored';
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `refused at ${thrown.param}`;
    throw thrown;
  }
}

test('every make has a row, with sources and date if it lists fields', () => {
  for (const make of MAKES) {
    const { sources, checked, ...fields } = KNOWN_FIELDS[make];
    const isPlain = Object.keys(fields).length === 0;
    expect({ make, isSourced: sources.length > 0, isDated: checked !== null }).toEqual({
      make,
      isSourced: !isPlain,
      isDated: !isPlain,
    });
    for (const source of sources) expect(new URL(source).protocol).toBe('https:');
  }
});

describe('fields of a make', () => {
  test.each([
    ['vllm', { structured_outputs: {}, min_tokens: 5 }],
    ['sglang', { regex: 'a+' }],
    ['llama.cpp', { grammar: 'root ::= "a"' }],
    ['openrouter', { top_a: 1, usage: { include: true } }],
    ['openrouter', { stop_server_tools_when: [{ type: 'step_count_is', step_count: 3 }] }],
    ['openai', { prompt_cache_retention: '24h' }],
    ['deepseek', { thinking: { type: 'disabled' } }],
  ] as const)('are sent to it and not to others: %s', (make, members) => {
    expect(fate(make, members)).toBe('sent');
    if (make !== 'deepseek') expect(fate('ollama', members)).toBe('ignored');
  });

  test('switches of thinking are not sent to servers that refuse them', () => {
    for (const switches of [{ reasoning: { effort: 'low' } }, { thinking: { type: 'enabled' } }]) {
      expect(fate('openrouter', switches)).toBe('sent');
      for (const make of ['openai', 'gemini'] as const)
        expect(fate(make, switches)).toBe('ignored');
    }
  });

  test.each([
    ['vllm', 'kv_transfer_params', { remote_host: '10.0.0.1' }],
    ['vllm', 'chat_template', '{{ x }}'],
    ['vllm', 'lora_request', {}],
    ['vllm', 'best_of', 20],
    ['sglang', 'lora_path', 'x'],
    ['sglang', 'custom_logit_processor', 'x'],
    ['llama.cpp', 'n_predict', -1],
    ['llama.cpp', 'id_slot', 1],
    ['litellm', 'fallbacks', ['dear']],
    ['litellm', 'mock_testing_fallbacks', true],
    ['litellm', 'api_base', 'https://x'],
    ['litellm', 'user_config', {}],
    ['openrouter', 'models', ['dear']],
    ['openrouter', 'route', 'fallback'],
    ['openrouter', 'preset', 'x'],
    ['openrouter', 'plugins', [{ id: 'web' }]],
    ['openrouter', 'web_search_options', {}],
    ['openrouter', 'service_tier', 'priority'],
    ['xai', 'search_parameters', { mode: 'on' }],
    ['xai', 'deferred', true],
  ] as const)(
    'are refused where they reach others or have no price: %s %s',
    (make, name, value) => {
      expect(fate(make, { [name]: value })).toBe(`refused at ${name}`);
      expect(fate(make, { [name]: null })).toBe('sent');
    },
  );

  test("OpenRouter's other searches are refused with the one that can be limited", () => {
    for (const field of [{ plugins: [{ id: 'web' }] }, { web_search_options: {} }])
      expect(() => planned('openrouter', field)).toThrow('"openrouter:web_search"');
  });

  test('a template takes the switches of thinking alone', () => {
    const template = (kwargs: object) => fate('vllm', { chat_template_kwargs: kwargs });
    expect(template({ enable_thinking: false })).toBe('sent');
    expect(template({ enable_thinking: false, chat_template: 'x' })).toBe(
      'refused at chat_template_kwargs.chat_template',
    );
  });

  test.each([
    ['vllm', 'chat_template_kwargs', { messages: 'x'.repeat(5_000) }],
    ['vllm', 'chat_template_kwargs', { enable_thinking: 'x'.repeat(5_000) }],
    ['vllm', 'chat_template_kwargs', [['messages', 'x']]],
    ['sglang', 'chat_template_kwargs', 'x'.repeat(5_000)],
    ['openai', 'prompt_cache_options', { mode: 'explicit', prewarm: 'x'.repeat(5_000) }],
  ] as const)(
    'an object whose members cannot be checked is refused: %s %s',
    (make, name, value) => {
      expect(fate(make, { [name]: value })).toBe(`refused at ${name}`);
    },
  );
});

describe('what the gateway writes', () => {
  test('for OpenAI: the tier, storage and the size of images', () => {
    const { edits, imageDetail } = planned('openai', {});
    expect(Object.fromEntries(edits)).toEqual({ service_tier: '"default"', store: 'false' });
    expect(imageDetail).toBe('high');
    const admits = { ...TERMS.admits, imageDetail: ['auto'] };
    expect(planned('openai', {}, { ...TERMS, admits }).imageDetail).toBeNull();
    expect(planned('generic', {})).toEqual(
      expect.objectContaining({ edits: new Map(), imageDetail: null }),
    );
  });

  test('for OpenAI, with Responses: the tier', () => {
    const { written } = fieldsOf('openai', []).lists.responses;
    expect(written.filter(({ name }) => name === 'service_tier')).toEqual([
      { name: 'service_tier', text: '"default"', condition: 'tier' },
    ]);
  });

  test('for Anthropic: the tier, and the place where the card prices places', () => {
    const written = (terms: typeof TERMS, members: object = {}) =>
      Object.fromEntries(planned('anthropic', members, terms).edits);
    const tier = { service_tier: '"standard_only"' };
    expect(written(TERMS)).toEqual(tier);
    const us = {
      when: { geo: ['us'] },
      applies: 'tokens',
      numerator: 11n,
      denominator: 10n,
    } as const;
    const admits = { ...TERMS.admits, geo: ['us'] };
    const priced = { ...TERMS, multiples: [us], admits };
    expect(written(priced)).toEqual({ ...tier, inference_geo: '"global"' });
    expect(written(priced, { inference_geo: 'us' })).toEqual(tier);
    expect(planned('anthropic', { inference_geo: 'us' }, priced).requested).toMatchObject({
      geo: 'us',
    });
  });
});
