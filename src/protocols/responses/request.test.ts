import { describe, expect, test } from 'bun:test';
import type OpenAI from 'openai';
import * as z from 'zod';
import { GatewayError } from '../../errors.ts';
import { scanObject } from '../../json/scan.ts';
import { NO_EXTRAS } from '../inputs/request-extras.ts';
import { type ResponsesRequest, readResponsesRequest } from './request.ts';
import { responsesDocument } from './schema.ts';

const read = (more: object) => readResponsesRequest({ model: 'gen-x', input: 'Hi', ...more });
const withItems = (...input: unknown[]) => read({ input });
const user = (...content: unknown[]) => withItems({ role: 'user', content });

function refusal(work: () => unknown): readonly [code: string, param: string | null] {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return [thrown.code, thrown.param];
    throw thrown;
  }
  throw new Error('expected a refusal');
}

test('the smallest request has every default', () => {
  const expected: ResponsesRequest = {
    ...{ model: 'gen-x', stream: false, maxOutputTokens: null, choices: 1, includeUsage: true },
    ...{ maxOutputField: 'max_output_tokens', promptField: 'input', thinkingTokens: 0 },
    ...{ mayThinkUnseen: false, oneHourCache: false, channel: null, allowFallbacks: true },
    ...{ inputs: [], claims: [], extras: NO_EXTRAS },
  };
  expect(read({})).toEqual(expected);
  const { properties } = z.toJSONSchema(responsesDocument(), { io: 'input' });
  const names = Object.keys(properties ?? {}).filter((name) => !['model', 'input'].includes(name));
  expect(names.length).toBeGreaterThan(25);
  expect(read(Object.fromEntries(names.map((name) => [name, null])))).toEqual(expected);
});

test('the request of Codex is accepted as it is', () => {
  const text = (type: string, text: string) => [{ type, text }];
  const { claims, inputs, stream, mayThinkUnseen, extras } = read({
    stream: true,
    input: [
      { type: 'message', id: 'msg_1', role: 'developer', content: text('input_text', 'Rules') },
      { type: 'message', id: 'msg_2', role: 'user', content: text('input_text', 'Go') },
      { type: 'reasoning', id: 'rs_1', summary: [], content: null, encrypted_content: null },
      {
        ...{ type: 'message', status: 'completed', id: 'msg_a', role: 'assistant' },
        ...{ content: text('output_text', 'I look'), phase: 'commentary' },
      },
      { type: 'function_call', id: 'fc_a', name: 'exec', arguments: '', call_id: 'call_a' },
      { type: 'function_call_output', id: 'fco_1', call_id: 'call_a', output: 'done' },
      { type: 'custom_tool_call', id: 'ctc_1', name: 'patch', input: '***', call_id: 'call_b' },
      { type: 'custom_tool_call_output', call_id: 'call_b', output: text('input_text', 'ok') },
    ],
    tools: [
      { type: 'function', name: 'exec', strict: false, parameters: { type: 'object' } },
      { type: 'namespace', name: 'mcp__a', tools: [{ type: 'function', name: 'add.it' }] },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark' } },
      { type: 'web_search', external_web_access: false },
    ],
    ...{ tool_choice: 'auto', parallel_tool_calls: true, reasoning: { summary: 'auto' } },
    ...{ store: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 'thread' },
    client_metadata: { installation: 'x' },
  } satisfies Record<string, unknown>);
  expect({ stream, mayThinkUnseen, inputs }).toEqual({
    ...{ stream: true, mayThinkUnseen: false, inputs: [] },
  });
  expect(claims).toMatchObject([{ param: 'tools[3].type', isOptional: true }]);
  expect(extras.serverTools).toMatchObject([{ unit: 'web_search', isOptional: true }]);
  expect(extras.addedTokens).toBeGreaterThan(0);
});

test('the types of the official client are accepted', () => {
  const body: OpenAI.Responses.ResponseCreateParams = {
    ...{ model: 'gen-x', max_output_tokens: 9, temperature: 1, top_p: 1, truncation: 'auto' },
    input: [
      { role: 'system', content: 'Be brief.' },
      { type: 'configuration_update', reasoning: { effort: 'high' } } as never,
      { role: 'user', content: [{ type: 'input_image', image_url: null, detail: 'auto' }] },
    ],
    reasoning: { effort: 'none' },
    text: { format: { type: 'json_schema', name: 'n', schema: {} }, verbosity: 'low' },
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
  };
  expect(read(body)).toMatchObject({ maxOutputTokens: 9, mayThinkUnseen: true });
});

describe('refused', () => {
  test.each([
    [{ input: undefined }, 'missing_required_parameter', 'input'],
    [{ input: [] }, 'invalid_value', 'input'],
    [{ input: 5 }, 'invalid_value', 'input'],
    [{ model: '' }, 'invalid_value', 'model'],
    [{ instructions: 5 }, 'invalid_value', 'instructions'],
    [{ max_output_tokens: 0 }, 'invalid_value', 'max_output_tokens'],
    [{ provider: 'direct' }, 'invalid_value', 'provider'],
    [{ provider: { channel: 5 } }, 'invalid_value', 'provider.channel'],
    [{ reasoning: { effort: 'ultra' } }, 'invalid_value', 'reasoning.effort'],
    [{ tools: {} }, 'invalid_value', 'tools'],
    [{ tools: [5] }, 'invalid_value', 'tools[0]'],
    [{ tools: [{ name: 'f' }] }, 'missing_required_parameter', 'tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'missing_required_parameter', 'tools[0].name'],
    [{ tools: [{ type: 'function', Name: 'f' }] }, 'unsupported_parameter', 'tools[0].Name'],
    [{ tool_choice: 'any' }, 'invalid_value', 'tool_choice'],
    [{ tool_choice: { type: 'function' } }, 'missing_required_parameter', 'tool_choice.name'],
    [{ metadata: { a: 1 } }, 'invalid_value', 'metadata.a'],
    [
      { text: { format: { type: 'json_schema' } } },
      'missing_required_parameter',
      'text.format.name',
    ],
    [{ previous_response_id: 'resp_1' }, 'previous_response_not_found', 'previous_response_id'],
  ] as const)('%j: %s at %s', (body, code, param) => {
    expect(refusal(() => read(body))).toEqual([code, param]);
  });

  test.each([
    [5, 'invalid_value', 'input[0]'],
    [{ content: 'Hi' }, 'missing_required_parameter', 'input[0].role'],
    [{ role: 'tool', content: 'Hi' }, 'invalid_value', 'input[0].role'],
    [{ role: 'user' }, 'missing_required_parameter', 'input[0].content'],
    [{ role: 'user', content: null }, 'invalid_value', 'input[0].content'],
    [{ role: 'user', content: ['Hi'] }, 'invalid_value', 'input[0].content[0]'],
    [
      { role: 'user', content: [{ type: 'input_text' }] },
      'missing_required_parameter',
      'input[0].content[0].text',
    ],
    [
      { type: 'function_call', name: 'f', call_id: 'c', arguments: {} },
      'invalid_value',
      'input[0].arguments',
    ],
    [
      { type: 'function_call_output', output: '' },
      'missing_required_parameter',
      'input[0].call_id',
    ],
    [
      { type: 'function_call_output', call_id: 'c' },
      'missing_required_parameter',
      'input[0].output',
    ],
    [{ type: 'additional_tools' }, 'missing_required_parameter', 'input[0].tools'],
    [
      { type: 'additional_tools', tools: [{ type: 'custom' }] },
      'missing_required_parameter',
      'input[0].tools[0].name',
    ],
    [{ type: 5 }, 'invalid_value', 'input[0].type'],
    [
      { type: 'computer_call_output', call_id: 'c', output: [{ image_url: 'https://x.test' }] },
      'invalid_value',
      'input[0].output',
    ],
    [{ type: 'item_reference', id: 'rs_1' }, 'not_found', 'input[0]'],
    [{ type: null, id: 'rs_1' }, 'not_found', 'input[0]'],
    [{ id: 'msg_1' }, 'not_found', 'input[0]'],
  ] as const)('the item %j: %s at %s', (item, code, param) => {
    expect(refusal(() => withItems(item))).toEqual([code, param]);
  });

  test('a namespace within a namespace', () => {
    const inner = { type: 'namespace', name: 'b', tools: [] };
    const tools = [{ type: 'namespace', name: 'a', tools: [inner] }];
    expect(refusal(() => read({ tools }))).toEqual(['invalid_value', 'tools[0].tools[0].type']);
  });
});

describe('what costs besides text', () => {
  test('media in messages and in the outputs of tools', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
    const { inputs } = withItems(
      { role: 'user', content: [image, { type: 'input_file', file_url: 'https://x.test/a.pdf' }] },
      { type: 'function_call_output', call_id: 'c', output: [image] },
      { type: 'custom_tool_call_output', call_id: 'c', output: [image] },
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } }],
      },
      { type: 'computer_call_output', call_id: 'c', output: { image_url: 'https://x.test/a.png' } },
    );
    expect(inputs.map(({ modality, param, source }) => [modality, param, source.kind])).toEqual([
      ['image', 'input[0].content[0]', 'inline'],
      ['file', 'input[0].content[1]', 'remote'],
      ['image', 'input[1].output[0]', 'inline'],
      ['image', 'input[2].output[0]', 'inline'],
      ['audio', 'input[3].content[0]', 'inline'],
      // The provider reads a screenshot at full size, so a remote screenshot also counts as media
      // of unknown size.
      ['image', 'input[4].output', 'remote'],
      ['unknown', 'input[4].output', 'remote'],
    ]);
  });

  test('an address with an escaped letter in a long body, as an image of any size', () => {
    const sources = (address: string) => {
      const part = `{"type":"input_image","detail":"original","image_url":"${address}"}`;
      const input = `[{"role":"user","content":[${part}]}]`;
      const text = `{"model":"m","x":"${'x'.repeat(20_000)}","input":${input}}`;
      const view = scanObject(new TextEncoder().encode(text), 64).view();
      return readResponsesRequest(view).inputs.map(({ modality, source }) => [
        modality,
        source.kind,
      ]);
    };
    const path = 'a'.repeat(300);
    expect(sources(`h\\u0074tps://example.com/${path}`)).toEqual([
      ['image', 'inline'],
      ['unknown', 'remote'],
    ]);
    expect(sources(`data:image\\/png;base64,${path}`)).toEqual([['image', 'inline']]);
  });

  test('a file with two sources, of which the larger one counts', () => {
    const twice = { type: 'input_file', file_data: 'data:text/plain;base64,QQ==' };
    for (const more of [{ file_url: 'https://x.test/a.pdf' }, { file_url: 'a' }])
      expect(user({ ...twice, ...more }).inputs).toMatchObject([{ source: { kind: 'remote' } }]);
    for (const more of [{}, { file_url: null }, { file_url: '' }])
      expect(user({ ...twice, ...more }).inputs).toMatchObject([{ source: { kind: 'inline' } }]);
  });

  test('images that code drew, by their addresses', () => {
    const outputs = [
      { type: 'logs', logs: '1' },
      { type: 'image', url: 'https://x.test/a.png' },
      { type: 'image', url: 'https://x.test/b.png' },
    ];
    const call = { type: 'code_interpreter_call', id: 'ci_1', code: '1', container_id: 'c' };
    const { inputs } = withItems({ ...call, outputs });
    expect(inputs.map(({ modality, param }) => [modality, param])).toEqual([
      ['unknown', 'input[0].outputs[1]'],
      ['unknown', 'input[0].outputs[2]'],
    ]);
    expect(withItems({ ...call, outputs: null }).inputs).toEqual([]);
  });

  test('items and parts of unknown types, which may contain any media', () => {
    const inputs = [
      ...withItems({ type: 'hologram', data: 'x' }).inputs,
      ...user({ type: 'input_hologram' }).inputs,
    ];
    expect(inputs).toMatchObject([
      { modality: 'unknown', param: 'input[0]' },
      { modality: 'unknown', param: 'input[0].content[0]' },
    ]);
  });

  test('reasoning that only the provider can read', () => {
    const item = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
    expect(withItems(item).inputs).toEqual([
      { modality: 'unknown', param: 'input[0]', source: { kind: 'sealed', data: 'gAAAA' } },
    ]);
  });

  test('tools in items count as those in the field', () => {
    const tools = [{ type: 'function', name: 'f' }];
    expect(withItems({ type: 'additional_tools', tools }).extras).toEqual(read({ tools }).extras);
    expect(withItems({ type: 'tool_search_output', tools }).extras).toEqual(read({ tools }).extras);
  });

  test('reasoning that is asked for', () => {
    expect(read({ reasoning: { effort: 'low' } }).mayThinkUnseen).toBe(true);
    expect(read({ reasoning: { effort: 'none', summary: 'auto' } }).mayThinkUnseen).toBe(false);
  });

  test('a compaction by the provider', () => {
    const context_management = [{ type: 'compaction', compact_threshold: 1_000 }];
    expect(read({ context_management }).extras.compacts).toBe(true);
    expect(
      withItems({ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }).extras.compacts,
    ).toBe(true);
  });
});

describe('claims', () => {
  const claimed = (more: object) =>
    read(more).claims.map(({ param, rule, isOptional = false }) => [param, rule.class, isOptional]);
  const search = { type: 'web_search' };
  const own = { type: 'function', name: 'f' };

  test.each([
    [{ tools: [search] }, false],
    [{ tools: [search, own] }, true],
    [{ tools: [search, own], tool_choice: 'required' }, true],
    [{ tools: [search, own], tool_choice: search }, false],
    [
      {
        tools: [search, own],
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [search] },
      },
      false,
    ],
    [{ tools: [search], input: [{ type: 'additional_tools', tools: [own] }] }, true],
  ])('a web search may be left out beside other tools: %j: %p', (body, isOptional) => {
    expect(claimed(body)).toEqual([['tools[0].type', 'tool', isOptional]]);
  });

  test.each([
    ['file_search', 'foreign'],
    ['mcp', 'foreign'],
    ['image_generation', 'other_model'],
    ['code_interpreter', 'unpriced'],
    ['shell', 'unpriced'],
    ['from_the_future', 'unpriced'],
    ['constructor', 'unpriced'],
  ])('the tool %s of the provider is %s', (type, rule) => {
    expect(claimed({ tools: [own, { type }] })).toEqual([['tools[1].type', rule, false]]);
  });

  test('the tools that an earlier answer listed are text', () => {
    const tools = [{ name: 'f', input_schema: {} }];
    const listed = { type: 'mcp_list_tools', id: 'l', server_label: 's', tools };
    expect(withItems(listed)).toMatchObject({ claims: [], inputs: [], extras: NO_EXTRAS });
  });

  test.each(['custom', 'tool_search', 'local_shell', 'apply_patch', 'computer'])(
    'the tool %s runs at the caller',
    (type) => {
      expect(claimed({ tools: [{ type, name: 'x' }] })).toEqual([]);
    },
  );

  test.each([
    [{ type: 'configuration_update', model: 'other' }, 'input[0].model'],
    [{ type: 'configuration_update', reasoning: { speed: 'fast' } }, 'input[0].reasoning.speed'],
    [{ type: 'configuration_update', service_tier: 'priority' }, 'input[0].service_tier'],
    [{ type: 'from_the_future', fallbacks: ['other'] }, 'input[0].fallbacks'],
    [{ type: 'from_the_future', tools: [{ type: 'mcp' }] }, 'input[0].tools[0].type'],
    [{ type: 'configuration_update', tools: [{ type: 'mcp' }] }, 'input[0].tools[0].type'],
    [{ type: 'reasoning', summary: [], tools: [{ type: 'mcp' }] }, 'input[0].tools[0].type'],
    [{ role: 'user', content: '', tools: [{ type: 'shell' }] }, 'input[0].tools[0].type'],
    [{ type: 'from_the_future', file_id: 'file_1' }, 'input[0].file_id'],
    [{ role: 'user', content: [{ type: 'x', file_id: 'file_1' }] }, 'input[0].content[0].file_id'],
    [{ role: 'user', content: [{ type: 'x', model: 'other' }] }, 'input[0].content[0].model'],
  ])('what changes the price is refused in the item %j', (item, param) => {
    const { claims } = withItems(item);
    expect(claims.map((claim) => claim.param)).toEqual([param]);
    expect(['unpriced', 'foreign']).toContain(claims[0]?.rule.class ?? '');
  });

  test('a request compacts once, by the same model', () => {
    const compaction = { type: 'compaction', compact_threshold: 1_000 };
    const claimed = (...context_management: unknown[]) =>
      read({ context_management }).claims.map(({ param, rule }) => [param, rule.class]);
    expect(claimed(compaction)).toEqual([]);
    expect(claimed(compaction, compaction)).toEqual([['context_management[1]', 'unpriced']]);
    expect(claimed({ ...compaction, model: 'other' })).toEqual([
      ['context_management[0].model', 'unpriced'],
    ]);
    expect(claimed({ type: 'summary' })).toEqual([['context_management[0].type', 'unpriced']]);
  });

  test('files of the operator, expensive modes and lifetimes', () => {
    expect(
      claimed({
        ...{ reasoning: { mode: 'pro' }, prompt_cache_options: { ttl: '12h' } },
        text: { format: { type: 'text' }, speed: 'fast' },
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_file', file_id: 'file_1' },
              { type: 'input_image', file_id: 'file_2', detail: 'original' },
              { type: 'input_text', text: '', prompt_cache_breakpoint: { ttl: '12h' } },
            ],
          },
          { type: 'configuration_update', reasoning: { mode: 'pro' } },
        ],
        tools: [{ type: 'shell', environment: { type: 'local' }, model: 'other' }, own],
      }).map(([param, rule]) => [param, rule]),
    ).toEqual([
      ['text.speed', 'unpriced'],
      ['text', 'members'],
      ['reasoning.mode', 'unpriced'],
      ['prompt_cache_options.ttl', 'unpriced'],
      ['input[0].content[0].file_id', 'foreign'],
      ['input[0].content[1].file_id', 'foreign'],
      ['input[0].content[1].detail', 'priced'],
      ['input[0].content[2].prompt_cache_breakpoint.ttl', 'unpriced'],
      ['input[1].reasoning.mode', 'unpriced'],
      ['tools[0].model', 'other_model'],
    ]);
  });
});
