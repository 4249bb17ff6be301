import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  assistant,
  chatBody,
  chatText,
  prepared,
  refusalOf,
  scanned,
  target,
  toolResult,
  toolUse,
  user,
} from './request.fixture.ts';
import { messagesToChat } from './translator.ts';

const tool = (name: string, more: object = {}) => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...more,
});

test('a whole request is exact', () => {
  const request = {
    system: 'Be brief.',
    max_tokens: 100,
    temperature: 0.5,
    stop_sequences: ['END'],
    tools: [tool('get_time', { description: 'Clock' })],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    output_config: { effort: 'xhigh' },
    metadata: { user_id: 'u1' },
  };
  expect(chatText(request, target(), true)).toBe(
    '{"model":"up-v4","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}],' +
      '"max_completion_tokens":100,"tools":[{"type":"function","function":{"name":"get_time",' +
      '"description":"Clock","parameters":{"type":"object","properties":{}}}}],"tool_choice":"required",' +
      '"parallel_tool_calls":false,"reasoning_effort":"xhigh","temperature":0.5,"stop":["END"],"user":"u1",' +
      '"stream":true,"stream_options":{"include_usage":true}}',
  );
});

describe('for each server', () => {
  test('the output limit has its name and is at most what the hold covers', () => {
    expect(chatBody({}, target({ maxTokensField: 'max_tokens' }))).toMatchObject({
      max_tokens: 100,
    });
    expect(chatBody({}, { ...target(), clampedOutput: 40 })).toMatchObject({
      max_completion_tokens: 40,
    });
  });

  test('omits what it refuses', () => {
    const request = { temperature: 0.5, top_p: 0.9, output_config: { effort: 'low' } };
    const body = chatBody(request, target({ drop: ['temperature'], reasoningEffort: false }));
    expect(Object.keys(body)).toEqual(['model', 'messages', 'max_completion_tokens', 'top_p']);
    expect(chatText({}, target({ streamOptions: false }), true)).toEndWith(',"stream":true}');
  });

  test('uses the effort of the last system message with one', () => {
    const effort = (level: string) => ({ role: 'system', output_config: { effort: level } });
    const messages = [user('a'), effort('high'), assistant('b'), user('c'), effort('low')];
    const body = chatBody({ messages, output_config: { effort: 'max' } });
    expect(body).toMatchObject({ reasoning_effort: 'low', messages: [{}, {}, {}] });
  });

  test('writes system text as `system`, whether or not it accepts `developer`', () => {
    for (const developerRole of [true, false]) {
      expect(chatBody({ system: 'a' }, target({ developerRole }))['messages']).toMatchObject([
        { role: 'system' },
        {},
      ]);
    }
  });

  test('prepares a request once for all of them', () => {
    const request = prepared({ system: 'a' });
    const bodies = ['one', 'other'].map((model) =>
      JSON.parse(new TextDecoder().decode(request.bodyFor({ ...target(), model }))),
    );
    expect(bodies[1]).toEqual({ ...bodies[0], model: 'other' });
  });
});

describe('thinking', () => {
  test.each([
    [{}, undefined],
    [{ thinking: { type: 'adaptive' } }, undefined],
    [{ thinking: { type: 'disabled' } }, undefined],
    [{ thinking: { type: 'between_tools' } }, undefined],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 8192 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
    [
      { thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'max' } },
      'max',
    ],
    [{ output_config: { effort: null } }, undefined],
  ])('%j becomes an effort of %p', (request, effort) => {
    expect(chatBody({ max_tokens: 64_000, ...request })['reasoning_effort']).toBe(effort);
  });

  test("is switched off by the server's own switch unless the caller asks for it", () => {
    const thinkingOff = { thinking: { type: 'disabled' } };
    const body = (json: object) => chatBody({ ...json }, target({ thinkingOff }));
    for (const off of [null, undefined, { type: 'disabled' }, { type: 'between_tools' }]) {
      expect(body({ thinking: off })).toMatchObject(thinkingOff);
      const withEffort = body({ thinking: off, output_config: { effort: 'low' } });
      expect(withEffort).toMatchObject(thinkingOff);
      expect(withEffort).not.toHaveProperty('reasoning_effort');
    }
    expect(body({ thinking: { type: 'adaptive' } })).not.toHaveProperty('thinking');
    expect(chatBody({ thinking: null })).not.toHaveProperty('thinking');
  });

  test('that a server cannot switch off gets the effort that the caller set', () => {
    const asked = { thinking: null, output_config: { effort: 'low' } };
    expect(chatBody(asked)['reasoning_effort']).toBe('low');
  });
});

describe('the response format', () => {
  const closed = (more: object = {}) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
    ...more,
  });
  const format = (schema: object) => ({ type: 'json_schema', schema });

  test.each([
    ['is held to where all is closed and required', closed(), true],
    ['is a wish where something is optional', closed({ required: [] }), false],
    ['is a wish where something is open', closed({ additionalProperties: undefined }), false],
    [
      'is a wish where something within is open',
      closed({ properties: { a: { anyOf: [closed({ required: [] })] } } }),
      false,
    ],
    [
      'is a wish where something within has any names',
      closed({ properties: { a: { type: 'object', additionalProperties: { type: 'string' } } } }),
      false,
    ],
  ])('%s', (_what, schema, strict) => {
    const expected = { type: 'json_schema', json_schema: { name: 'answer', schema, strict } };
    const said = JSON.parse(JSON.stringify(expected));
    expect(chatBody({ output_config: { format: format(schema) } })['response_format']).toEqual(
      said,
    );
    expect(chatBody({ output_format: format(schema) })['response_format']).toEqual(said);
  });

  test('rejects an unknown kind', () => {
    expect(refusalOf({ output_config: { format: { type: 'regex' } } })).toStartWith(
      'unsupported_value at output_config.format: ',
    );
  });
});

describe('options', () => {
  test('accepts four stop sequences and rejects a fifth', () => {
    const five = ['a', 'b', 'c', 'd', 'e'];
    expect(chatBody({ stop_sequences: [...five.slice(0, 4), ''] })['stop']).toEqual(
      five.slice(0, 4),
    );
    expect(refusalOf({ stop_sequences: five })).toBe(
      'unsupported_value at stop_sequences[4]: stop_sequences[4]: this model takes at most 4 stop ' +
        'sequences, got 5; remove some.',
    );
  });

  test('rejects max_tokens 0', () => {
    expect(refusalOf({ max_tokens: 0 })).toStartWith('unsupported_value at max_tokens: ');
  });

  test('shortens a user id to 64 stable characters', () => {
    const long = JSON.stringify({ device_id: 'x'.repeat(100), account: 'é' });
    const hash = createHash('sha256').update(long).digest('hex');
    expect(chatBody({ metadata: { user_id: long } })['user']).toBe(hash);
    expect(chatBody({ metadata: { user_id: 'u'.repeat(64) } })['user']).toBe('u'.repeat(64));
    expect(chatBody({ metadata: { user_id: null } })['user']).toBeUndefined();
  });

  test('drops a container without skills, and rejects one with skills', () => {
    expect(chatText({ container: { id: 'c' } })).toBe(chatText({}));
    expect(
      refusalOf({ container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } }),
    ).toStartWith('unsupported_parameter at container.skills: ');
  });
});

describe('tools', () => {
  const choice = (tool_choice: object, tools: object[] = [tool('f')]) =>
    chatBody({ tools, tool_choice })['tool_choice'];

  test('maps the tool choice', () => {
    expect(choice({ type: 'auto' })).toBeUndefined();
    expect(choice({ type: 'any' })).toBe('required');
    expect(choice({ type: 'none' })).toBe('none');
    expect(choice({ type: 'tool', name: 'f' })).toEqual({
      type: 'function',
      function: { name: 'f' },
    });
    expect(choice({ type: 'none' }, [])).toBeUndefined();
  });

  test('rejects a choice of an unknown tool', () => {
    expect(refusalOf({ tool_choice: { type: 'any' } })).toStartWith(
      'invalid_value at tool_choice: ',
    );
    expect(refusalOf({ tools: [tool('f')], tool_choice: { type: 'tool', name: 'g' } })).toStartWith(
      'invalid_value at tool_choice.name: tool_choice.name: "g" is not one of the tools',
    );
  });

  test('shortens a name alike in tools, choice and history', () => {
    const name = `mcp__${'server.'.repeat(10)}`;
    const body = chatBody({
      tools: [tool(name)],
      tool_choice: { type: 'tool', name },
      messages: [user('a'), assistant([toolUse('t1', name)]), user([toolResult('t1', 'x')])],
    });
    const { tools, tool_choice: chosen, messages } = JSON.parse(JSON.stringify(body));
    const mapped = tools[0].function.name;
    expect(mapped).toMatch(/^mcp__server_server_[A-Za-z0-9_-]+_[0-9a-f]{12}$/);
    expect(mapped.length).toBeLessThanOrEqual(64);
    expect(chosen.function.name).toBe(mapped);
    expect(messages[1].tool_calls[0].function.name).toBe(mapped);
  });

  test('are strict only with a schema that chat accepts for strict tools', () => {
    const schema = (required: readonly string[]) => ({
      type: 'object',
      properties: { tz: { type: 'string' } },
      required,
      additionalProperties: false,
    });
    const sent = chatBody({
      tools: [
        { name: 'f', input_schema: schema(['tz']), strict: true },
        { name: 'g', input_schema: schema([]), strict: true },
      ],
    })['tools'];
    expect(sent).toEqual([
      { type: 'function', function: { name: 'f', parameters: schema(['tz']), strict: true } },
      { type: 'function', function: { name: 'g', parameters: schema([]), strict: false } },
    ]);
  });

  test('appends input examples to the description', () => {
    const given = tool('f', { description: 'Clock', input_examples: [{ tz: 'UTC' }, {}] });
    expect(chatBody({ tools: [given] })['tools']).toMatchObject([
      { function: { description: 'Clock\n\nExamples of its input:\n{"tz":"UTC"}\n{}' } },
    ]);
  });

  test.each([
    ['bash_20250124', 'bash', ['command', 'restart']],
    ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'insert_text']],
    ['text_editor_20250124', 'str_replace_editor', ['command', 'new_str']],
    ['memory_20250818', 'memory', ['command', 'old_path']],
  ])('%s, which the client runs, becomes a function', (type, name, inputs) => {
    const { tools } = JSON.parse(chatText({ tools: [{ type, name }] }));
    expect(tools[0].function.name).toBe(name);
    expect(Object.keys(tools[0].function.parameters.properties)).toEqual(
      expect.arrayContaining(inputs),
    );
  });
});

test('long data keeps its bytes, in tool arguments too', () => {
  // `JSON.stringify` does not escape slashes. So if the result contains `\/`, the bytes were not
  // rewritten.
  const data = 'iVBO\\/'.repeat(4_000);
  const said = JSON.stringify({
    model: 'gen-v4-pro',
    max_tokens: 5,
    messages: [
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '#' } }]),
      assistant([toolUse('t1', 'f', { data: '#', note: 'ä"' })]),
      user([toolResult('t1', 'x')]),
    ],
  });
  const request = scanned(said.replaceAll('#', data));
  const prepared = messagesToChat.prepare(request, { maxOutput: 1 }, false);
  const written = new TextDecoder().decode(prepared.bodyFor(target()));
  expect(written).toContain(`{"url":"data:image/png;base64,${data}"}`);
  const { messages } = JSON.parse(written);
  expect(JSON.parse(messages[1].tool_calls[0].function.arguments)).toEqual({
    data: 'iVBO/'.repeat(4_000),
    note: 'ä"',
  });
});

test('refuses a tool input that is longer than any model writes', () => {
  const asked = (size: number) => ({
    messages: [
      user('Hi'),
      assistant([toolUse('t1', 'f', { note: 'x'.repeat(size) })]),
      user([toolResult('t1', 'x')]),
    ],
  });
  expect(chatText(asked(2_000_000))).toContain('"arguments"');
  expect(() => chatText(asked(2_100_000))).toThrow('messages[1].content[0].input: is too large');
});
