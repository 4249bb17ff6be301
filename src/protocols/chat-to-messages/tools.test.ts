import { describe, expect, test } from 'bun:test';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { assistant, call, messagesBody, refusalOf, result, user } from './request.fixture.ts';

const HI = [user('Hi')];
const named = (name: string, rest: object = {}) => ({
  type: 'function',
  function: { name, ...rest },
});
const tools = [named('f'), named('g')];
const NO_INPUT_SCHEMA = { type: 'object', properties: {} };
const offered = (json: object): JsonObject => {
  const { tools: given, tool_choice } = messagesBody({ messages: HI, tools, ...json });
  return { tools: (given as { name: string }[] | undefined)?.map(({ name }) => name), tool_choice };
};

describe('tools', () => {
  test('gives a function without parameters an empty schema', () => {
    expect(messagesBody({ messages: HI, tools: [named('f')] })['tools']).toEqual([
      { name: 'f', input_schema: NO_INPUT_SCHEMA },
    ]);
  });

  test('keeps a schema, and adds type object', () => {
    const parameters = { properties: { tz: { type: 'string' } }, required: ['tz'] };
    const given = [named('f', { description: 'F', parameters, strict: false })];
    expect(messagesBody({ messages: HI, tools: given })['tools']).toEqual([
      { name: 'f', description: 'F', input_schema: { type: 'object', ...parameters } },
    ]);
  });

  test('that are strict have a schema that upstreams can enforce', () => {
    const parameters = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } };
    const [loose, strict] = messagesBody({
      messages: HI,
      tools: [named('f', { parameters }), named('g', { parameters, strict: true })],
    })['tools'] as readonly JsonObject[];
    expect(loose).toEqual({ name: 'f', input_schema: parameters });
    expect(strict).toEqual({
      name: 'g',
      input_schema: {
        type: 'object',
        properties: { n: { type: 'integer', description: 'minimum: 1' } },
        additionalProperties: false,
      },
      strict: true,
    });
  });

  test('are not strict if upstreams cannot enforce their schema', () => {
    const parameters = {
      type: 'object',
      properties: { next: { $ref: '#' } },
      required: [],
      additionalProperties: false,
    };
    const fit = { type: 'object', properties: {}, additionalProperties: false };
    const given = [
      named('f', { parameters, strict: true }),
      named('g', { parameters: fit, strict: true }),
    ];
    expect(messagesBody({ messages: HI, tools: given })['tools']).toEqual([
      { name: 'f', input_schema: parameters },
      { name: 'g', input_schema: fit, strict: true },
    ]);
  });

  test.each([
    [20, { a: { type: 'string' } }, ['a'], true],
    [21, { a: { type: 'string' } }, ['a'], false],
    [12, { a: { type: 'string' }, b: { type: 'string' } }, [], true],
    [13, { a: { type: 'string' }, b: { type: 'string' } }, [], false],
    [16, { a: { type: ['string', 'null'] } }, ['a'], true],
    [17, { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, ['a'], false],
  ])(
    'are not strict above the limits of upstreams: %i of %j',
    (count, properties, required, is) => {
      const parameters = { type: 'object', properties, required, additionalProperties: false };
      const given = Array.from({ length: count }, (_, at) =>
        named(`f${at}`, { parameters, strict: true }),
      );
      const { tools: sent } = messagesBody({ messages: HI, tools: given });
      expect(sent).toEqual(
        given.map(({ function: { name } }) => ({
          ...{ name, input_schema: parameters },
          ...(is ? { strict: true } : {}),
        })),
      );
    },
  );

  test('are not strict if they exceed the limits together with the output format', () => {
    const properties = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }]));
    const schema = (count: number) => ({
      ...{ type: 'object', properties: properties(count), additionalProperties: false },
    });
    const isStrict = (ofFormat: number): boolean => {
      const { tools, output_config } = messagesBody({
        messages: HI,
        tools: [named('f', { parameters: schema(20), strict: true })],
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'n', schema: schema(ofFormat) },
        },
      });
      expect(output_config).toEqual({ format: { type: 'json_schema', schema: schema(ofFormat) } });
      return asJsonObject(asArray(tools)[0])?.['strict'] === true;
    };
    expect([isStrict(4), isStrict(5)]).toEqual([true, false]);
  });

  test('treats an empty list as none', () => {
    expect(offered({ tools: [] })).toEqual({});
    expect(offered({ tools: [], tool_choice: 'auto' })).toEqual({});
  });

  test('rejects custom tools with their path', () => {
    expect(
      refusalOf({ messages: HI, tools: [named('f'), { type: 'custom', custom: { name: 'c' } }] }),
    ).toBe(
      'unsupported_value at tools[1].type: tools[1].type: tools of type "custom" are not supported by this ' +
        'model; use type "function" with parameters, such as one string for free text.',
    );
  });

  test('keeps tools of earlier turns defined but not callable', () => {
    const messages = [
      user('x'),
      assistant({ tool_calls: [call('a', 'h', '{}')] }),
      result('a', '1'),
    ];
    const { tools: given, tool_choice } = messagesBody({ messages });
    expect(given).toEqual([{ name: 'h', input_schema: NO_INPUT_SCHEMA }]);
    expect(tool_choice).toEqual({ type: 'none' });
  });
});

describe('tool choice', () => {
  const all = ['f', 'g'];

  test('maps every value', () => {
    expect(offered({})).toEqual({ tools: all });
    expect(offered({ tool_choice: 'auto' })).toEqual({ tools: all });
    expect(offered({ tool_choice: 'none' })).toEqual({ tools: all, tool_choice: { type: 'none' } });
    expect(offered({ tool_choice: 'required' })).toEqual({
      tools: all,
      tool_choice: { type: 'any' },
    });
    expect(offered({ tool_choice: named('g') })).toEqual({
      tools: all,
      tool_choice: { type: 'tool', name: 'g' },
    });
  });

  test('offers only the allowed tools', () => {
    const allowed = (mode: string) => ({
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: [named('g')] } },
    });
    expect(offered(allowed('auto'))).toEqual({ tools: ['g'] });
    expect(offered(allowed('required'))).toEqual({ tools: ['g'], tool_choice: { type: 'any' } });
  });

  test('adds one call at a time to any choice', () => {
    const one = { disable_parallel_tool_use: true };
    const asked = (json: object) => offered({ parallel_tool_calls: false, ...json })['tool_choice'];
    expect(asked({})).toEqual({ type: 'auto', ...one });
    expect(asked({ tool_choice: 'required' })).toEqual({ type: 'any', ...one });
    expect(asked({ tool_choice: 'none' })).toEqual({ type: 'none' });
    expect(offered({ parallel_tool_calls: true })['tool_choice']).toBeUndefined();
  });

  test('rejects an unknown tool', () => {
    expect(refusalOf({ messages: HI, tools, tool_choice: named('h') })).toBe(
      'invalid_value at tool_choice: tool_choice: names "h", which is not one of the tools in the request.',
    );
    expect(refusalOf({ messages: HI, tool_choice: 'required' })).toBe(
      'invalid_value at tool_choice: tool_choice: requires a tool call, but the request has no tools; add tools.',
    );
  });

  test('rejects a choice of custom tools', () => {
    const custom = { type: 'custom', custom: { name: 'c' } };
    expect(refusalOf({ messages: HI, tools, tool_choice: custom })).toStartWith(
      'unsupported_value at tool_choice.type:',
    );
    const allowed_tools = { mode: 'auto', tools: [named('f'), custom] };
    expect(
      refusalOf({ messages: HI, tools, tool_choice: { type: 'allowed_tools', allowed_tools } }),
    ).toStartWith('unsupported_value at tool_choice.allowed_tools.tools[1]:');
  });
});

describe('legacy functions', () => {
  const functions = [{ name: 'f' }, { name: 'g' }];
  const chosen = (json: object) => offered({ tools: undefined, functions, ...json });
  const one = { disable_parallel_tool_use: true };

  test('become tools, called one at a time', () => {
    expect(chosen({})).toEqual({ tools: ['f', 'g'], tool_choice: { type: 'auto', ...one } });
    expect(chosen({ function_call: { name: 'g' } })['tool_choice']).toEqual({
      type: 'tool',
      name: 'g',
      ...one,
    });
    expect(chosen({ function_call: 'none' })['tool_choice']).toEqual({ type: 'none' });
  });

  test('are ignored beside tools', () => {
    expect(offered({ functions: [{ name: 'old' }] })).toEqual({ tools: ['f', 'g'] });
  });
});
