import { describe, expect, spyOn, test } from 'bun:test';
import { asArray, type JsonObject } from '../../json/object.ts';
import {
  asChat,
  asMessages,
  call,
  chatBody,
  chatMessages,
  messagesBody,
  output,
  refused,
  user,
} from './request.fixture.ts';
import { ToolNames } from './tool-names.ts';

const SCHEMA = { type: 'object', properties: { x: { type: 'string' } } };
const fn = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'function',
  name,
  parameters: SCHEMA,
  ...more,
});
const namespace = (name: string, ...tools: JsonObject[]): JsonObject => ({
  type: 'namespace',
  name,
  description: `Tools of ${name}.`,
  tools,
});
const SEARCH = { type: 'web_search', external_web_access: false };
const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

/** Returns the tools and the choice that a chat server gets. */
function sent(json: JsonObject): JsonObject {
  const { model: _, messages: _m, ...rest } = chatBody({ input: 'Hi', ...json });
  return rest;
}
const functions = (json: JsonObject): readonly unknown[] =>
  asArray(sent(json)['tools']).map((tool) => (tool as JsonObject)['function']);
const names = (json: JsonObject): readonly unknown[] =>
  functions(json).map((each) => (each as JsonObject)['name']);

describe('tools', () => {
  test('that are functions keep their schema, and are strict only if the caller says so', () => {
    const tools = [
      fn('a', { description: 'Adds.', strict: true }),
      fn('b', { strict: null }),
      { type: 'function', name: 'c', parameters: null },
    ];
    expect(functions({ tools })).toEqual([
      { name: 'a', description: 'Adds.', parameters: SCHEMA, strict: true },
      { name: 'b', parameters: SCHEMA },
      { name: 'c', parameters: { type: 'object', properties: {} } },
    ]);
  });

  test('that are custom become functions with one string, and the grammar in words', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
    const tools = [
      { type: 'custom', name: 'apply_patch', description: 'Edits files.', format },
      { type: 'custom', name: 'exec', format: { type: 'text' } },
    ];
    expect(functions({ tools })).toEqual([
      {
        name: 'apply_patch',
        description: 'Edits files.\n\nThe input is free text, not JSON.\n```lark\nstart: "x"\n```',
        parameters: FREE_TEXT,
      },
      { name: 'exec', description: 'The input is free text, not JSON.', parameters: FREE_TEXT },
    ]);
  });

  test('in namespaces have both names and both descriptions', () => {
    const tools = [namespace('mcp__demo', fn('add', { description: 'Adds.' }), fn('sub'))];
    expect(functions({ tools })).toEqual([
      {
        name: 'mcp__demo__add',
        description: 'Tools of mcp__demo.\n\nAdds.',
        parameters: SCHEMA,
      },
      { name: 'mcp__demo__sub', description: 'Tools of mcp__demo.', parameters: SCHEMA },
    ]);
  });

  test('come from items as well, and the last definition of a tool counts', () => {
    const added = (...tools: JsonObject[]): JsonObject => ({
      type: 'additional_tools',
      role: 'developer',
      tools,
    });
    const exec = { type: 'custom', name: 'exec' };
    expect(names({ input: [added(namespace('functions', exec)), user('Hi')] })).toEqual([
      'functions__exec',
    ]);
    const twice = {
      input: [added(fn('a')), user('Hi'), added(fn('b'), fn('a', { strict: true }))],
    };
    expect(names(twice)).toEqual(['a', 'b']);
    expect(functions(twice)[0]).toMatchObject({ strict: true });
  });

  test('that a tool search found can be called', () => {
    const input = [
      user('Hi'),
      {
        type: 'tool_search_call',
        call_id: 's1',
        execution: 'client',
        arguments: { query: 'add', id: 1 },
      },
      {
        type: 'tool_search_output',
        call_id: 's1',
        execution: 'client',
        tools: [namespace('mcp__demo', fn('add'))],
      },
      call('c1', 'add', '{"x":"1"}', { namespace: 'mcp__demo' }),
      output('c1'),
    ];
    const tools = [{ type: 'tool_search', execution: 'client', parameters: SCHEMA }];
    expect(names({ tools, input })).toEqual(['tool_search', 'mcp__demo__add']);
    const calls = chatMessages(input).map((message) => {
      const { tool_calls: made, content } = message as JsonObject;
      return (asArray(made)[0] as JsonObject | undefined)?.['function'] ?? content;
    });
    expect(calls).toEqual([
      'Hi',
      { name: 'tool_search', arguments: '{"query":"add","id":1}' },
      'These tools are available: mcp__demo__add.',
      { name: 'mcp__demo__add', arguments: '{"x":"1"}' },
      'done',
    ]);
    const { names: restored } = asChat({ tools, input });
    expect(restored.callerTool('mcp__demo__add')).toMatchObject({
      name: 'add',
      namespace: 'mcp__demo',
    });
  });

  test('that a search at the provider found need no search', () => {
    const server = { execution: 'server', call_id: null };
    const input = [
      user('Hi'),
      { type: 'tool_search_call', arguments: {}, ...server },
      { type: 'tool_search_output', tools: [fn('add')], ...server },
      user('Add.'),
    ];
    expect(names({ tools: [{ type: 'tool_search' }], input })).toEqual(['add']);
    expect(chatMessages(input)).toHaveLength(2);
  });

  test('reach Messages as they reach chat', () => {
    const tools = [
      fn('a', { strict: true }),
      namespace('n', { type: 'custom', name: 'b' }),
      SEARCH,
    ];
    expect(messagesBody({ input: 'Hi', tools, parallel_tool_calls: false })).toMatchObject({
      tools: [
        { name: 'a', input_schema: SCHEMA, strict: true },
        {
          name: 'n__b',
          description: 'Tools of n.\n\nThe input is free text, not JSON.',
          input_schema: FREE_TEXT,
        },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
  });

  test('web search is left out beside others, and refused alone', () => {
    expect(names({ tools: [fn('a'), SEARCH, { type: 'web_search_preview' }] })).toEqual(['a']);
    expect(names({ tools: [fn('a'), SEARCH], tool_choice: 'required' })).toEqual(['a']);
    expect(refused({ input: 'Hi', tools: [SEARCH] })).toBe(
      'unsupported_parameter at tools[0].type',
    );
    expect(refused({ input: 'Hi', tools: [fn('a'), SEARCH], tool_choice: SEARCH })).toBe(
      'unsupported_value at tool_choice.type',
    );
  });

  test('without a name, and namespaces in namespaces, are refused with their path', () => {
    const at = (tools: JsonObject[]): string => refused({ input: 'Hi', tools });
    expect(at([namespace('', fn('a'))])).toBe('missing_required_parameter at tools[0].name');
    expect(at([{ name: 'a' }])).toBe('missing_required_parameter at tools[0].type');
    expect(at([fn('')])).toBe('missing_required_parameter at tools[0].name');
    expect(at([fn('a'), namespace('n', { type: 'custom' })])).toBe(
      'missing_required_parameter at tools[1].tools[0].name',
    );
    expect(at([namespace('n', namespace('m', fn('a')))])).toBe(
      'unsupported_parameter at tools[0].tools[0].type',
    );
    expect(at([namespace('n', { type: 'mcp', server_label: 'x' })])).toBe(
      'unsupported_parameter at tools[0].tools[0].type',
    );
    const input = [{ type: 'additional_tools', tools: [{ type: 'file_search' }] }, user('Hi')];
    expect(refused({ input })).toBe('unsupported_parameter at input[0].tools[0].type');
  });
});

describe('custom calls', () => {
  test('of the history have their text as the only argument', () => {
    const input = '*** Begin Patch\n"x" é\n*** End Patch';
    const made = { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input };
    const result = { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' };
    const messages = chatMessages([user('Hi'), made, result]);
    expect(messages[1]).toMatchObject({
      tool_calls: [{ function: { name: 'apply_patch', arguments: JSON.stringify({ input }) } }],
    });
    expect(messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: 'ok' });
    expect(messagesBody({ input: [user('Hi'), made, result] })['messages']).toMatchObject([
      {},
      { content: [{ type: 'tool_use', name: 'apply_patch', input: { input } }] },
      {},
    ]);
  });

  test('carry a long data URL in their text', () => {
    const input = `data:image/png;base64,${'QUJD'.repeat(10_000)}`;
    const made = { type: 'custom_tool_call', call_id: 'c1', name: 'draw', input };
    const result = { type: 'custom_tool_call_output', call_id: 'c1', output: input };
    expect(chatMessages([user('Hi'), made, result])).toMatchObject([
      {},
      { tool_calls: [{ function: { arguments: JSON.stringify({ input }) } }] },
      { content: input },
    ]);
  });
});

describe('the tool choice', () => {
  const tools = [fn('a'), { type: 'custom', name: 'b' }, namespace('n', fn('c'), fn('a'))];
  const choice = (given: unknown): unknown => sent({ tools, tool_choice: given })['tool_choice'];
  const named = (name: string) => ({ type: 'function', function: { name } });

  test('names the function of a tool', () => {
    expect(choice('auto')).toBeUndefined();
    expect(choice('none')).toBe('none');
    expect(choice('required')).toBe('required');
    expect(choice({ type: 'function', name: 'a' })).toEqual(named('a'));
    expect(choice({ type: 'custom', name: 'b' })).toEqual(named('b'));
    expect(choice({ type: 'function', name: 'c' })).toEqual(named('n__c'));
    expect(choice({ type: 'function', name: 'a', namespace: 'n' })).toEqual(named('n__a'));
    const forced = { input: 'Hi', tools, tool_choice: { type: 'custom', name: 'b' } };
    expect(messagesBody(forced)['tool_choice']).toEqual({ type: 'tool', name: 'b' });
  });

  test('may be a word in an object, as Cursor writes it', () => {
    expect(choice({ type: 'auto' })).toBeUndefined();
    expect(choice({ type: 'tool' })).toBe('required');
  });

  test('of allowed tools leaves out the others', () => {
    const allowed = (mode: string) => ({
      type: 'allowed_tools',
      mode,
      tools: [
        { type: 'function', name: 'a' },
        { type: 'custom', name: 'b' },
      ],
    });
    expect(names({ tools, tool_choice: allowed('auto') })).toEqual(['a', 'b']);
    expect(choice(allowed('auto'))).toBeUndefined();
    expect(choice(allowed('required'))).toBe('required');
    expect(messagesBody({ input: 'Hi', tools, tool_choice: allowed('required') })).toMatchObject({
      tools: [{ name: 'a' }, { name: 'b' }],
      tool_choice: { type: 'any' },
    });
  });

  test('of the same allowed tool many times looks it up once', () => {
    const offered = spyOn(ToolNames.prototype, 'offered');
    const many = Array.from({ length: 9 }, (_, at) => namespace(`n${at}`, fn('f')));
    const allowed = Array.from({ length: 500 }, () => ({ type: 'function', name: 'f' }));
    const choice = { type: 'allowed_tools', mode: 'auto', tools: allowed };
    expect(names({ tools: [...many, fn('g')], tool_choice: choice })).toHaveLength(9);
    expect(offered).toHaveBeenCalledTimes(1);
    offered.mockRestore();
  });

  test('without tools is left out, unless it requires one', () => {
    expect(sent({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).toEqual({});
    expect(sent({ tool_choice: 'none' })).toEqual({});
    expect(refused({ input: 'Hi', tool_choice: 'required' })).toBe('invalid_value at tool_choice');
  });

  test('of a tool that is not offered is refused with its path', () => {
    const at = (given: unknown): string => refused({ input: 'Hi', tools, tool_choice: given });
    expect(at({ type: 'function', name: 'b' })).toBe('invalid_value at tool_choice.name');
    expect(at({ type: 'custom' })).toBe('invalid_value at tool_choice.name');
    expect(at({ type: 'mcp', server_label: 'x' })).toBe('unsupported_value at tool_choice.type');
    const one = (tool: JsonObject) => ({ type: 'allowed_tools', mode: 'auto', tools: [tool] });
    expect(at(one({ type: 'function', name: 'x' }))).toBe(
      'invalid_value at tool_choice.tools[0].name',
    );
    expect(at(one({ type: 'mcp', server_label: 'x' }))).toBe(
      'unsupported_value at tool_choice.tools[0].type',
    );
  });

  test('lists the same names for both protocols', () => {
    const request = { input: 'Hi', tools };
    for (const { names: known } of [asChat(request), asMessages(request)])
      expect(known.callerTool('n__c')).toEqual({ kind: 'function', name: 'c', namespace: 'n' });
  });
});
