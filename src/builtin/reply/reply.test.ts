import { describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import type { JsonObject } from '../body-fields.ts';
import { asList, at, builtinCaller } from '../builtin-caller.fixture.ts';

const { json } = builtinCaller();

const say = async (messages: readonly JsonObject[], more: JsonObject = {}): Promise<string> => {
  const answer = await json('chat', { model: 'gen-v4-pro', messages, ...more });
  return String(at(answer, 'choices.0.message.content'));
};
const user = (content: unknown): JsonObject => ({ role: 'user', content });

const tool = (name: string, properties: JsonObject = {}, description = ''): JsonObject => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  },
});
const city = { city: { type: 'string' } };

/** Sends a request with tools. Returns each tool call of the answer as its name and arguments. */
const calls = async (text: string, tools: readonly JsonObject[], more: JsonObject = {}) => {
  const answer = await json('chat', { model: 'm', messages: [user(text)], tools, ...more });
  const message = at(answer, 'choices.0.message');
  const made = at(message, 'tool_calls');
  if (made === undefined) return [];
  return asList(made).map(
    (call) => `${at(call, 'function.name')} ${at(call, 'function.arguments')}`,
  );
};

describe('words', () => {
  test('quotes the request, its instructions and the message number', async () => {
    const text = await say([
      { role: 'system', content: 'You are a careful librarian.' },
      user('Hi'),
      { role: 'assistant', content: 'Hello.' },
      user('Which books about whales do you have?'),
    ]);
    expect(text).toContain('Which books about whales do you have?');
    expect(text).toContain('You are a careful librarian.');
    expect(text).toContain('message number 2');
  });

  test('answers Chinese in Chinese', async () => {
    const text = await say([{ role: 'system', content: '简短回答' }, user('你好，请介绍一下自己')]);
    expect(text).toContain('“你好，请介绍一下自己”');
    expect(text).not.toMatch(/\b(?:the|you|is)\b/);
  });

  test('repeats words that are dictated', async () => {
    expect(await say([user('Reply with exactly: pong')])).toBe('pong');
  });

  test('ignores system reminders of the client', async () => {
    const note = '<system-reminder>use the secret tool</system-reminder>';
    const text = await say([user(`${note}Good morning${note}`)]);
    expect(text).toContain('“Good morning”');
    expect(text).not.toContain('secret');
  });

  test('describes images and files by type and size, and remote ones by URL', async () => {
    const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#08f' } })
      .png()
      .toBuffer();
    const text = await say([
      user([
        { type: 'text', text: 'Look' },
        {
          type: 'image_url',
          image_url: { url: `data:image/png;base64,${png.toString('base64')}` },
        },
        { type: 'image_url', image_url: { url: 'https://example.com/cat.jpg' } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${btoa('%PDF-1.7')}` },
        },
      ]),
    ]);
    expect(text).toContain(`an image (image/png, 64×48, ${png.length} bytes)`);
    expect(text).toContain('https://example.com/cat.jpg, not fetched');
    expect(text).toContain('a file (a.pdf, application/pdf, 8 bytes)');
  });
});

describe('tools', () => {
  const weather = tool('get_weather', city, '获取指定城市的天气');
  const time = tool('getTime', { tz: { type: 'string' } });

  test('calls a tool that the request names, by its name or all its words', async () => {
    expect(await calls('use get_weather for Oslo', [weather])).toEqual([
      'get_weather {"city":"Oslo"}',
    ]);
    expect(await calls('How is the weather in New York?', [weather])).toEqual([
      'get_weather {"city":"New York"}',
    ]);
    expect(await calls('北京今天天气怎么样？', [weather])).toEqual(['get_weather {"city":"北京"}']);
    expect(await calls('Good morning', [weather])).toEqual([]);
    expect(await calls('write a poem', [tool('write')])).toEqual([]);
    expect(await calls('call the write tool', [tool('write')])).toEqual(['write {}']);
  });

  test('obeys tool_choice', async () => {
    expect(await calls('use get_weather for Oslo', [weather], { tool_choice: 'none' })).toEqual([]);
    expect((await calls('Hello', [weather, time], { tool_choice: 'required' })).length).toBe(1);
    const named = { type: 'function', function: { name: 'getTime' } };
    expect(await calls('Hello', [weather, time], { tool_choice: named })).toEqual([
      'getTime {"tz":"UTC"}',
    ]);
    const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named] } };
    expect(await calls('use get_weather', [weather, time], { tool_choice: allowed })).toEqual([]);
  });

  test('calls several named tools at once, each with its part of the request', async () => {
    const text = 'the weather in Oslo and getTime for Asia/Tokyo';
    const both = ['get_weather {"city":"Oslo"}', 'getTime {"tz":"Asia/Tokyo"}'];
    expect(await calls(text, [time, weather])).toEqual(both);
    expect(await calls(text, [time, weather], { parallel_tool_calls: false })).toEqual(
      both.slice(0, 1),
    );
  });

  test('uses a tool result in the answer, and the loop ends', async () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
    };
    const messages = [
      user('weather in Oslo'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '{"sky":"clear","celsius":-3}' },
    ];
    expect(await say(messages, { tools: [weather] })).toContain(
      'get_weather answered: sky clear, celsius -3.',
    );
  });

  test('calls the second named tool after the first result without parallel calls', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
    const messages = [
      user('weather in Oslo, then getTime'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'snow' },
    ];
    const more = { tools: [weather, time], parallel_tool_calls: false };
    const answer = await json('chat', { model: 'm', messages, ...more });
    expect(at(answer, 'choices.0.message.tool_calls.0.function.name')).toBe('getTime');
  });

  test('reports a failed call', async () => {
    const messages = [
      user('weather in Oslo'),
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't1', name: 'get_weather', input: {} }],
      },
      user([{ type: 'tool_result', tool_use_id: 't1', content: 'no such city', is_error: true }]),
    ];
    const answer = await json('messages', { model: 'm', max_tokens: 200, messages });
    expect(at(answer, 'content.0.text')).toContain('get_weather reported an error: no such city.');
  });
});

describe('structured answers', () => {
  test('json_schema satisfies the schema with values of the request', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'person', strict: true, schema },
    };
    const text = await say([user('My friend is Anna Smith and she is 34.')], { response_format });
    expect(JSON.parse(text)).toEqual({ name: 'Anna Smith', age: 34 });
  });

  test('json_object has the keys that the request names or shows, else an answer', async () => {
    const response_format = { type: 'json_object' };
    const named = await say([user('JSON with keys "title" and count, please')], {
      response_format,
    });
    expect(Object.keys(JSON.parse(named))).toEqual(['title', 'count']);
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
    const instructions = `JSON schema:\n${JSON.stringify(schema)}\nAnswer with JSON that matches it.`;
    const shown = [{ role: 'system', content: instructions }, user('Anna is 34')];
    expect(JSON.parse(await say(shown, { response_format }))).toEqual({ age: 34 });
    const free = await say([user('Hello in JSON')], { response_format });
    expect(JSON.parse(free)).toEqual({ answer: expect.stringContaining('Hello in JSON') });
  });
});
