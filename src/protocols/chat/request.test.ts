import { describe, expect, test } from 'bun:test';
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { scanObject } from '../../json/scan.ts';
import { NO_EXTRAS } from '../inputs/request-extras.ts';
import { TOOL_MODEL } from './fields.ts';
import { readChatRequest } from './request.ts';
import { chatDocument, REASONING_EFFORTS } from './schema.ts';

const chatRequestSchema = z.toJSONSchema(chatDocument(), { io: 'input' });

type Json = Record<string, unknown>;

const body = (more: Json = {}): Json => ({
  model: 'gen-v4-pro',
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});
const said = (...messages: readonly unknown[]): Json => body({ messages });

function refusal(request: Json): string {
  try {
    readChatRequest(request);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.code} ${thrown.param} | ${thrown.message}`;
    throw thrown;
  }
  return 'accepted';
}

describe('the fields that the relay reads', () => {
  test('of the smallest request', () => {
    expect(readChatRequest(body())).toEqual({
      model: 'gen-v4-pro',
      stream: null,
      maxOutputTokens: null,
      maxOutputField: 'max_completion_tokens',
      choices: 1,
      includeUsage: false,
      thinkingTokens: 0,
      mayThinkUnseen: false,
      oneHourCache: false,
      channel: null,
      allowFallbacks: true,
      inputs: [],
      claims: [],
      extras: NO_EXTRAS,
    });
  });

  test.each([
    [{ stream: true }, { stream: true }],
    [{ stream: false }, { stream: false }],
    [{ stream: null }, { stream: false }],
    [{}, { stream: null }],
    [{ max_tokens: 5 }, { maxOutputTokens: 5, maxOutputField: 'max_tokens' }],
    [{ max_completion_tokens: 7 }, { maxOutputTokens: 7, maxOutputField: 'max_completion_tokens' }],
    [
      { max_tokens: 5, max_completion_tokens: 7 },
      { maxOutputTokens: 7, maxOutputField: 'max_completion_tokens' },
    ],
    [
      { max_tokens: 5, max_completion_tokens: null },
      { maxOutputTokens: 5, maxOutputField: 'max_tokens' },
    ],
    [{ n: 3 }, { choices: 3 }],
    [{ n: null }, { choices: 1 }],
    [{ stream_options: { include_usage: true } }, { includeUsage: true }],
    [{ stream_options: { include_usage: null } }, { includeUsage: false }],
    [{ stream_options: null }, { includeUsage: false }],
    [{ usage: { include: true } }, { includeUsage: true }],
    [{ usage: 'all' }, { includeUsage: false }],
    [{ provider: { channel: 'stable' } }, { channel: 'stable', allowFallbacks: true }],
    [{ provider: { channel: 'no such' } }, { channel: 'no such' }],
    [{ provider: { allow_fallbacks: false } }, { channel: null, allowFallbacks: false }],
    [{ provider: { channel: null, order: ['x'] } }, { channel: null }],
    [{ provider: null }, { channel: null, allowFallbacks: true }],
  ])('of %j', (more, expected) => {
    expect(readChatRequest(body(more))).toMatchObject(expected);
  });

  test('lists parts that are not text in order, with their paths', () => {
    const request = said(
      { role: 'system', content: [{ type: 'text', text: 'x' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this?', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AA', filename: 'a' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_a',
        content: [
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } },
          { type: 'a_part_of_next_year', anything: 1 },
        ],
      },
    );
    expect(readChatRequest(request).inputs).toEqual([
      {
        modality: 'image',
        param: 'messages[1].content[1]',
        source: { kind: 'inline', data: 'data:image/png;base64,AAAA' },
      },
      {
        modality: 'file',
        param: 'messages[1].content[2]',
        source: { kind: 'inline', data: 'data:application/pdf;base64,AA' },
      },
      {
        modality: 'audio',
        param: 'messages[2].content[0]',
        source: { kind: 'inline', data: 'AAAA' },
      },
      { modality: 'video', param: 'messages[2].content[1]', source: { kind: 'remote' } },
      { modality: 'unknown', param: 'messages[2].content[2]', source: { kind: 'remote' } },
    ]);
  });
});

test('an image by address at its original size may be of any size', () => {
  const asking = (url: string, detail: string) =>
    readChatRequest(
      body({
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail } }] }],
      }),
    ).inputs.map(({ modality }) => modality);
  expect(asking('https://example.com/a.png', 'original')).toEqual(['image', 'unknown']);
  expect(asking('https://example.com/a.png', 'high')).toEqual(['image']);
  expect(asking('data:image/png;base64,AAAA', 'original')).toEqual(['image']);
});

test('an address with an escaped letter in a long body may be an image of any size', () => {
  const sources = (address: string) => {
    const part = `{"type":"image_url","image_url":{"detail":"original","url":"${address}"}}`;
    const filler = 'x'.repeat(20_000);
    const text = `{"model":"m","x":"${filler}","messages":[{"role":"user","content":[${part}]}]}`;
    const { inputs } = readChatRequest(scanObject(new TextEncoder().encode(text), 64).view());
    return inputs.map(({ modality, source }) => [modality, source.kind]);
  };
  const path = 'a'.repeat(300);
  expect(sources(`h\\u0074tps://example.com/${path}`)).toEqual([
    ['image', 'inline'],
    ['unknown', 'remote'],
  ]);
  expect(sources(`data:image\\/png;base64,${path}`)).toEqual([['image', 'inline']]);
});

test('a tool that the provider runs may name no model', () => {
  const tool = { type: 'openrouter:web_search', model: 'dear' };
  const { claims } = readChatRequest(body({ tools: [tool] }));
  expect(claims).toContainEqual({ param: 'tools[0].model', rule: TOOL_MODEL, value: 'dear' });
});

test('images of earlier answers are inputs', () => {
  const url = 'https://example.com/a.png';
  const images = [{ type: 'image_url', image_url: { url } }];
  const { inputs } = readChatRequest(said({ role: 'assistant', content: 'x', images }));
  expect(inputs).toEqual([
    { modality: 'image', param: 'messages[0].images[0]', source: { kind: 'remote' } },
  ]);
});

describe('rule 15: accepts unknown fields everywhere', () => {
  test.each([
    ['at the top', body({ extra_body: { a: [1] }, reasoning: { effort: 'x' }, top_k: 4 })],
    ['in a message', said({ role: 'assistant', content: 'x', reasoning_content: 'y', z: 1 })],
    ['in a part', said({ role: 'user', content: [{ type: 'text', text: 'x', y: {} }] })],
    [
      'in a tool call',
      said({
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{' }, extra_content: {} },
        ],
      }),
    ],
    ['a tool of another kind', body({ tools: [{ type: 'web_search', x: 1 }] })],
    ['a tool choice of another kind', body({ tool_choice: { type: 'web_search' } })],
  ])('%s', (_where, request) => {
    expect(refusal(request)).toBe('accepted');
  });

  test('every known field may be null, except the two required ones', () => {
    const { properties } = chatRequestSchema as { properties: Json };
    const names = Object.keys(properties).filter((name) => !['model', 'messages'].includes(name));
    expect(names.length).toBeGreaterThan(30);
    for (const name of names)
      expect([name, refusal(body({ [name]: null }))]).toEqual([name, 'accepted']);
  });
});

describe('what clients really send', () => {
  test.each([
    ['a developer', said({ role: 'developer', content: 'x' }, { role: 'user', content: 'y' })],
    ['only tool calls', said({ role: 'assistant', content: null, tool_calls: [] })],
    [
      'no content beside tool calls',
      said({
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      }),
    ],
    ['an empty answer replayed', said({ role: 'assistant', content: null })],
    ['an audio answer replayed', said({ role: 'assistant', audio: { id: 'a' } })],
    ['a refusal replayed', said({ role: 'assistant', content: null, refusal: 'no' })],
    ['an old function', said({ role: 'function', name: 'f', content: null })],
    ['a 64-bit seed', body({ seed: 2 ** 60 })],
    ['one stop', body({ stop: 'x' })],
    ['four stops', body({ stop: ['a', 'b', 'c', 'd'] })],
    [
      'allowed tools',
      body({
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{}] } },
      }),
    ],
    ['a named tool', body({ tool_choice: { type: 'function', function: { name: 'f' } } })],
    ['a tool without parameters', body({ tools: [{ type: 'function', function: { name: 'f' } }] })],
    [
      'a custom tool',
      body({ tools: [{ type: 'custom', custom: { name: 'f', format: { type: 'text' } } }] }),
    ],
    [
      'a schema',
      body({
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: {}, strict: null },
        },
      }),
    ],
    ['text alone', body({ modalities: ['text'] })],
    ...REASONING_EFFORTS.map(
      (reasoning_effort) =>
        [`effort ${reasoning_effort}`, body({ reasoning_effort })] as [string, Json],
    ),
  ])('%s', (_what, request) => {
    expect(refusal(request)).toBe('accepted');
  });
});

const MISSING = 'missing_required_parameter';
const INVALID = 'invalid_value';

describe('reports a mistake with its path and what would be valid', () => {
  test.each([
    [{}, MISSING, 'model', 'id of a chat model'],
    [{ ...body(), model: 1 }, INVALID, 'model', 'id of a chat model'],
    [{ ...body(), model: '' }, INVALID, 'model', 'not be empty'],
    [{ model: 'm' }, MISSING, 'messages', 'array of messages'],
    [said(), INVALID, 'messages', 'at least one'],
    [body({ messages: 'x' }), INVALID, 'messages', 'array of messages'],
    [said('x'), INVALID, 'messages[0]', 'role and content'],
    [said({}), MISSING, 'messages[0].role', 'one of system, developer, user'],
    [said({ role: 'bot', content: 'x' }), INVALID, 'messages[0].role', 'system, developer, user'],
    [said({ role: 'user', content: 5 }), INVALID, 'messages[0].content', 'string or an array'],
    [said({ role: 'user' }), MISSING, 'messages[0].content', 'string or an array'],
    [said({ role: 'assistant' }), MISSING, 'messages[0].content', 'string or an array'],
    [said({ role: 'tool', content: 'x' }), MISSING, 'messages[0].tool_call_id', 'it must be'],
    [said({ role: 'user', content: ['x'] }), INVALID, 'messages[0].content[0]', 'object'],
    [said({ role: 'user', content: [{}] }), MISSING, 'messages[0].content[0].type', 'part type'],
    [
      said({ role: 'user', content: [{ type: 'text' }] }),
      MISSING,
      'messages[0].content[0].text',
      'string',
    ],
    [
      said(
        { role: 'user', content: 'x' },
        { role: 'user', content: [{ type: 'image_url', image_url: {} }] },
      ),
      MISSING,
      'messages[1].content[0].image_url.url',
      'data URL',
    ],
    [
      said({
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }],
      }),
      INVALID,
      'messages[0].tool_calls[0].function.arguments',
      'string that holds JSON',
    ],
    [body({ stream: 'yes' }), INVALID, 'stream', 'true, false or null'],
    [body({ stream_options: true }), INVALID, 'stream_options', 'object'],
    [body({ max_tokens: 0 }), INVALID, 'max_tokens', 'at least 1'],
    [body({ max_completion_tokens: 1.5 }), INVALID, 'max_completion_tokens', 'whole number'],
    [body({ n: 129 }), INVALID, 'n', '1 to 128'],
    [body({ temperature: 2.1 }), INVALID, 'temperature', '0 to 2'],
    [body({ top_p: '1' }), INVALID, 'top_p', '0 to 1'],
    [body({ seed: 0.5 }), INVALID, 'seed', 'whole number'],
    [body({ stop: ['a', 1] }), INVALID, 'stop[1]', 'string'],
    [body({ stop: 7 }), INVALID, 'stop', 'string or an array of at most 4'],
    [body({ stop: ['a', 'b', 'c', 'd', 'e'] }), INVALID, 'stop', 'at most 4'],
    [
      body({ reasoning_effort: 'ultra' }),
      INVALID,
      'reasoning_effort',
      REASONING_EFFORTS.join(', '),
    ],
    [body({ metadata: { a: 1 } }), INVALID, 'metadata.a', 'string'],
    [body({ tools: {} }), INVALID, 'tools', 'array of tools'],
    [body({ tools: [{ function: {} }] }), MISSING, 'tools[0].type', 'function'],
    [body({ tools: [{ type: 'function' }] }), MISSING, 'tools[0].function', 'object'],
    [
      body({ tools: [{ type: 'function', function: { name: 'a b' } }] }),
      INVALID,
      'tools[0].function.name',
      'letters',
    ],
    [body({ tool_choice: 'any' }), INVALID, 'tool_choice', '"required"'],
    [body({ tool_choice: { type: 'function' } }), MISSING, 'tool_choice.function', 'name'],
    [body({ response_format: { type: 'xml' } }), INVALID, 'response_format.type', 'json_schema'],
    [
      body({ response_format: { type: 'json_schema' } }),
      MISSING,
      'response_format.json_schema',
      'name and schema',
    ],
    [body({ provider: 'direct' }), INVALID, 'provider', 'channel'],
    [body({ provider: { channel: 5 } }), INVALID, 'provider.channel', 'name of a channel'],
    [body({ provider: { allow_fallbacks: 1 } }), INVALID, 'provider.allow_fallbacks', 'true'],
    [body({ modalities: ['text', 'audio'] }), 'unsupported_value', 'modalities[1]', 'audio'],
  ])('%j', (request, code, param, remedy) => {
    const message = refusal(request);
    expect(message).toStartWith(`${code} ${param} | ${param}: `);
    expect(message).toContain(remedy);
  });

  test.each<[string, number, unknown]>([
    ['functions', 128, { functions: Array(129).fill(1) }],
    ['logit_bias', 1024, { logit_bias: Object.assign({}, Array(1025).fill('x')) }],
    ['metadata', 16, { metadata: Object.assign({}, Array(17).fill(1)) }],
    ['modalities', 8, { modalities: Array(9).fill(1) }],
    ['provider', 64, { provider: Object.assign({}, Array(65).fill(1)) }],
    ['stop', 4, { stop: Array(5).fill(1) }],
    ['messages[0].tool_calls', 1024, said({ role: 'assistant', tool_calls: Array(1025).fill(1) })],
    [
      'tool_choice.allowed_tools.tools',
      1024,
      { tool_choice: { type: 'allowed_tools', allowed_tools: { tools: Array(1025).fill(1) } } },
    ],
  ])('%s with more than %d entries, before it reads them', (param, most, more) => {
    const message = refusal(body(Object(more)));
    expect(message).toBe(`${INVALID} ${param} | ${param}: must hold at most ${most} entries.`);
  });

  test('a key named __proto__ is harmless', () => {
    const request = JSON.parse(
      '{"model":"m","messages":[{"role":"user","content":"x"}],"__proto__":{"n":3}}',
    );
    expect(readChatRequest(request).choices).toBe(1);
  });
});

test('the JSON schema shows messages, parts and tools, and forbids no extra field', () => {
  const text = JSON.stringify(chatRequestSchema);
  for (const word of [
    'image_url',
    'tool_call_id',
    'allow_fallbacks',
    'reasoning_effort',
    'custom',
  ]) {
    expect(text).toContain(`"${word}"`);
  }
  expect(text).not.toContain('"additionalProperties":false');
  expect(chatRequestSchema.properties).toMatchObject({ messages: { minItems: 1 } });
});
