import { expect, test } from 'bun:test';
import { scanObject } from '../../json/scan.ts';
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import { callParts } from './answer.ts';
import { readGemini } from './request.ts';

const scanned = (text: string) => scanObject(new TextEncoder().encode(text), 100);
const chatOf = (request: object, stream = false) => {
  const body = scanned(JSON.stringify(request));
  return JSON.parse(new TextDecoder().decode(readGemini(body, 'm', stream).bytes));
};
const said = (...parts: readonly object[]) => ({ role: 'user', parts });
const named = (name: string) => ({ type: 'function', function: { name } });
const allowed = (mode: string, ...names: readonly string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: names.map(named) },
});
const hi = { contents: [said({ text: 'Hi' })] };

test('a turn of text becomes a message', () => {
  expect(chatOf(hi)).toEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: false,
  });
  expect(chatOf(hi, true)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test('a value where a list is expected is a list of one, as in the examples of Google', () => {
  const declared = { name: 'f' };
  const { messages, tools, tool_choice } = chatOf({
    system_instruction: { parts: { text: 'You are a cat.' } },
    contents: { parts: { text: 'Hi' } },
    tools: { function_declarations: declared },
    tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: 'f' } },
  });
  expect(messages).toEqual([
    { role: 'system', content: 'You are a cat.' },
    { role: 'user', content: 'Hi' },
  ]);
  expect(tools).toMatchObject([{ function: declared }]);
  expect(tool_choice).toEqual({ type: 'function', function: declared });
});

test.each([
  ['AUTO', [], undefined],
  ['NONE', [], 'none'],
  ['ANY', [], 'required'],
  ['ANY', ['f'], named('f')],
  ['ANY', ['f', 'g'], allowed('required', 'f', 'g')],
  ['AUTO', ['f'], allowed('auto', 'f')],
])('the mode %s with the names %j is a choice of chat', (mode, allowedFunctionNames, choice) => {
  const tools = [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }];
  const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames } };
  expect(chatOf({ ...hi, tools, toolConfig }).tool_choice).toEqual(choice);
});

test('a name with a dot, as Gemini CLI makes for MCP tools, becomes one that chat servers accept', () => {
  const name = 'mcp_my.server_tool';
  const chat = chatOf({
    contents: [said({ text: 'Go' }), { role: 'model', parts: [{ functionCall: { name } }] }].concat(
      said({ functionResponse: { name, response: { output: 'ok' } } }),
    ),
    tools: [{ functionDeclarations: [{ name }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [name] } },
  });
  const made = chat.tools[0].function.name;
  expect(made).toMatch(/^mcp_my_server_tool_[0-9a-f]{12}$/);
  expect(chat.tool_choice.function.name).toBe(made);
  expect(chat.messages[1].tool_calls[0].function.name).toBe(made);
});

test('options have their names in chat, in either spelling', () => {
  const generationConfig = {
    ...{ temperature: 0.5, topP: 0.9, topK: 40, maxOutputTokens: 9, stopSequences: ['x'] },
    ...{ candidateCount: 2, seed: 7, presencePenalty: 1, frequencyPenalty: 2 },
  };
  const options = {
    ...{ temperature: 0.5, top_p: 0.9, top_k: 40, max_completion_tokens: 9, stop: ['x'] },
    ...{ n: 2, seed: 7, presence_penalty: 1, frequency_penalty: 2 },
  };
  expect(chatOf({ ...hi, generationConfig })).toMatchObject(options);
  const snake = { max_output_tokens: 9, top_p: 0.9 };
  expect(chatOf({ ...hi, generation_config: snake })).toMatchObject({
    ...{ max_completion_tokens: 9, top_p: 0.9 },
  });
});

test.each([
  [{ thinkingLevel: 'LOW' }, 'low'],
  [{ thinkingBudget: 0 }, 'none'],
  [{ thinkingBudget: 1_024 }, 'low'],
  [{ thinkingBudget: 8_000 }, 'medium'],
  [{ thinkingBudget: 24_576 }, 'high'],
  [{ thinkingBudget: -1 }, undefined],
  [{ includeThoughts: true, thinkingBudget: 0 }, 'none'],
  [{ includeThoughts: false }, undefined],
])('thinking by %j is an effort', (thinkingConfig, effort) => {
  expect(chatOf({ ...hi, generationConfig: { thinkingConfig } }).reasoning_effort).toBe(effort);
});

test.each([{ thinkingBudget: -1 }, { includeThoughts: true }])(
  'thinking by %j is a switch, which models that cannot think need not know',
  (thinkingConfig) => {
    const chat = chatOf({ ...hi, generationConfig: { thinkingConfig } });
    expect(chat).toMatchObject({ reasoning: { enabled: true } });
    expect(chat).not.toHaveProperty('reasoning_effort');
  },
);

test('calls and results are paired, by id or by the order of a name', () => {
  const call = (name: string, args: object, more = {}) => ({
    functionCall: { name, args },
    ...more,
  });
  const result = (name: string, response: object) => ({ functionResponse: { name, response } });
  const { messages } = chatOf({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      said({ text: 'Go' }),
      {
        role: 'model',
        parts: [
          { text: 'Thinking.', thought: true },
          { text: 'I look.' },
          call('f', { at: 1 }, { thoughtSignature: 'seal' }),
          call('f', { at: 2 }),
          { functionCall: { id: 'own', name: 'g' } },
        ],
      },
      said(
        { functionResponse: { id: 'own', name: 'g', response: { output: 'Third' } } },
        result('f', { n: 1 }),
        result('f', { n: 2 }),
        { text: 'Well?' },
      ),
    ],
  });
  const made = (id: string, name: string, json: string, more = {}) => ({
    ...{ id, type: 'function', function: { name, arguments: json } },
    ...more,
  });
  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Thinking.',
      tool_calls: [
        made('call_1', 'f', '{"at":1}', {
          extra_content: { google: { thought_signature: 'seal' } },
        }),
        made('call_2', 'f', '{"at":2}'),
        made('own', 'g', '{}'),
      ],
    },
    { role: 'tool', tool_call_id: 'own', content: 'Third' },
    { role: 'tool', tool_call_id: 'call_1', content: '{"n":1}' },
    { role: 'tool', tool_call_id: 'call_2', content: '{"n":2}' },
    { role: 'user', content: 'Well?' },
  ]);
});

test('a result with an id of its own answers the next call of its name', () => {
  const call = { functionCall: { name: 'f' } };
  const result = (id: string) => ({
    functionResponse: { id, name: 'f', response: { output: id } },
  });
  const { messages } = chatOf({
    contents: [said({ text: 'Go' }), { role: 'model', parts: [call, call] }].concat(
      said(result('f-1'), result('f-2')),
    ),
  });
  expect(messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'call_1', content: 'f-1' },
    { role: 'tool', tool_call_id: 'call_2', content: 'f-2' },
  ]);
});

test('results with an unknown name answer the calls of the latest turn in order', () => {
  const model = { role: 'model', parts: [{ functionCall: { name: 'W-f' } }] };
  const result = said({ functionResponse: { name: 'W__f' } });
  const { messages } = chatOf({ contents: [said({ text: 'Go' }), model, result, model, result] });
  expect(messages[2]).toMatchObject({ tool_call_id: 'call_1' });
  expect(messages[4]).toMatchObject({ tool_call_id: 'call_2' });
});

test('a result that Gemini CLI sends twice when it resumes a session is read once', () => {
  const result = (output: string) => ({
    functionResponse: { id: 'a', name: 'f', response: { output } },
  });
  const turns = (...results: readonly object[]) => ({
    contents: [
      said({ text: 'Go' }),
      { role: 'model', parts: [{ functionCall: { id: 'a', name: 'f' } }] },
      said(...results),
    ],
  });
  const { messages } = chatOf(turns(result('Sunny'), result('Sunny')));
  expect(messages.slice(2)).toEqual([{ role: 'tool', tool_call_id: 'a', content: 'Sunny' }]);
  expect(() => chatOf(turns(result('Sunny'), result('Wet')))).toThrow('must answer a function');
});

test('the events of a streamed answer, which the library sends as turns, become one message', () => {
  const said = (...parts: readonly object[]) => ({ role: 'model', parts });
  const { messages } = chatOf({
    contents: [
      { parts: [{ text: 'Go' }] },
      ...[said({ text: 'Hm', thought: true }), said({ text: '.', thought: true })],
      ...[said({ text: 'I lo' }), said({ text: 'ok.' }), said({ text: '' })],
      said({ functionCall: { id: 'a', name: 'f' }, thoughtSignature: 'seal' }),
      { parts: [{ functionResponse: { id: 'a', name: 'f', response: { output: 'Sunny' } } }] },
      ...[said({ text: 'Sun' }), said({ text: 'ny.' })],
    ],
  });
  expect(messages).toMatchObject([
    { role: 'user', content: 'Go' },
    { content: 'I look.', reasoning_content: 'Hm.', tool_calls: [{ id: 'a' }] },
    { role: 'tool', content: 'Sunny' },
    { role: 'assistant', content: 'Sunny.' },
  ]);
});

test("the gateway's signature of a call is base64 for Google's libraries, and returns from both alphabets", () => {
  const signature = `${CALL_SIGNATURE_PREFIX}?>?W10`;
  const asked = { showsThoughts: true, functionNames: new Map() };
  const call = { id: 'a', function: { name: 'f', arguments: '{}' } };
  const signed = (thought_signature: string) =>
    callParts([{ ...call, extra_content: { google: { thought_signature } } }], asked, '')[0];
  const part = signed(signature);
  const encoded = String(part?.['thoughtSignature']);
  expect(encoded).toBe(Buffer.from(signature).toString('base64'));
  expect(signed('Provider+')).toMatchObject({ thoughtSignature: 'Provider+' });
  for (const thoughtSignature of [encoded, encoded.replaceAll('/', '_'), signature])
    expect(
      chatOf({
        contents: [said({ text: 'Go' }), { role: 'model', parts: [{ ...part, thoughtSignature }] }],
      }).messages[1].tool_calls[0].extra_content.google.thought_signature,
    ).toBe(signature);
});

test('the signature of a call returns the thinking, unless the caller returns it itself', () => {
  const asked = { showsThoughts: true, functionNames: new Map() };
  const extra_content = { google: { thought_signature: `${CALL_SIGNATURE_PREFIX}W10` } };
  const calls = ['a', 'b'].map((id) => ({ id, function: { name: 'f', arguments: '{}' } }));
  const turn = (...parts: readonly object[]) =>
    chatOf({ contents: [said({ text: 'Go' }), { role: 'model', parts }] }).messages[1];
  const thinking = 'Denk: 你好 🙂.';
  const plain = callParts(calls, asked, thinking);
  expect(turn(...plain)).toMatchObject({ reasoning_content: thinking });
  expect(turn(...plain).tool_calls.map((call: object) => 'extra_content' in call)).toEqual([
    false,
    false,
  ]);
  const signed = callParts([{ ...calls[0], extra_content }], asked, thinking);
  expect(turn(...signed)).toMatchObject({
    reasoning_content: thinking,
    tool_calls: [{ id: 'a', extra_content }],
  });
  const own = { text: 'Own.', thought: true };
  expect(turn(own, ...signed)).toMatchObject({ reasoning_content: 'Own.' });
  expect(callParts(calls, asked, 'x'.repeat(70_000))[0]).not.toHaveProperty('thoughtSignature');
  const provided = [{ ...calls[0], extra_content: { google: { thought_signature: 'Own+' } } }];
  expect(callParts(provided, asked, thinking)).toMatchObject([{ thoughtSignature: 'Own+' }]);
});

test('a part of the model with only a signature, with which Google ends some streams, is dropped', () => {
  const model = (...parts: readonly object[]) => ({ role: 'model', parts });
  const { messages } = chatOf({
    contents: [
      said({ text: 'Go' }),
      model({ text: 'Sunny.' }, { thoughtSignature: 'seal' }),
      model({ thought_signature: 'seal', thought: true }),
      said({ text: 'And?' }),
    ],
  });
  expect(messages).toEqual([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Sunny.' },
    { role: 'user', content: 'And?' },
  ]);
});

test('numbers in arguments keep every digit, and large data is sent on as it is', () => {
  const data = 'A'.repeat(40_000);
  const text = `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":{"id":12345678901234567890}}}]},
    {"parts":[{"functionResponse":{"name":"f","response":{"n":1.00000000000000000001}}},{"inlineData":{"mimeType":"image/png","data":"${data}"}}]}]}`;
  const { bytes } = readGemini(scanned(text), 'm', false);
  const written = new TextDecoder().decode(bytes);
  expect(written).toContain('{\\"id\\":12345678901234567890}');
  expect(written).toContain('{\\"n\\":1.00000000000000000001}');
  expect(written).toContain(`"data:image/png;base64,${data}"`);
});

test('schemas of Google become JSON Schema', () => {
  const parameters = {
    type: 'OBJECT',
    propertyOrdering: ['type'],
    properties: {
      type: { type: 'STRING', nullable: true, minLength: '2' },
      list: { type: 'ARRAY', items: { anyOf: [{ type: 'INTEGER' }, { type: 'BOOLEAN' }] } },
    },
  };
  const { tools } = chatOf({
    ...hi,
    tools: [{ functionDeclarations: [{ name: 'f', parameters }] }],
  });
  expect(tools[0].function.parameters).toEqual({
    type: 'object',
    properties: {
      type: { type: ['string', 'null'], minLength: 2 },
      list: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] } },
    },
  });
});

test('what may be null stays so in lists of values and of alternatives, in either spelling', () => {
  const responseSchema = {
    type: 'OBJECT',
    additional_properties: { type: 'STRING' },
    properties: {
      size_name: { type: 'STRING', enum: ['S', 'L'], nullable: true },
      value: { any_of: [{ type: 'STRING' }, { type: 'ARRAY', max_items: '3' }], nullable: true },
    },
  };
  const generationConfig = { responseMimeType: 'application/json', responseSchema };
  expect(chatOf({ ...hi, generationConfig }).response_format.json_schema.schema).toEqual({
    type: 'object',
    additionalProperties: { type: 'string' },
    properties: {
      size_name: { type: ['string', 'null'], enum: ['S', 'L', null] },
      value: { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 3 }, { type: 'null' }] },
    },
  });
});
