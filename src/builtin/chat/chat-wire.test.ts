import { describe, expect, test } from 'bun:test';
import { asList, asObject, at, builtinCaller, joinChat } from '../builtin-caller.fixture.ts';

const { json, send, events } = builtinCaller();
const user = (content: unknown) => ({ role: 'user', content });
const body = { model: 'gen-v4-pro', messages: [user('Hello')] };

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const clock = { type: 'function', function: { name: 'get_time' } };

describe('chat, non-streaming', () => {
  test('has every key that the official types require', async () => {
    expect(await json('chat', body)).toEqual({
      id: expect.stringMatching(/^chatcmpl-[A-Za-z0-9]{29}$/),
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'gen-v4-pro',
      service_tier: 'default',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringContaining('Hello'), refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    });
  });

  test('sends tool calls without text, with JSON arguments and their finish reason', async () => {
    const answer = await json('chat', {
      ...body,
      messages: [user('weather in Oslo')],
      tools: [weather],
    });
    expect(at(answer, 'choices.0')).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          {
            id: expect.stringMatching(/^call_\w{24}$/),
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
          },
        ],
      },
    });
  });

  test('a tool without parameters is called with {}', async () => {
    const answer = await json('chat', {
      ...body,
      messages: [user('call get_time')],
      tools: [clock],
    });
    expect(at(answer, 'choices.0.message.tool_calls.0.function.arguments')).toBe('{}');
  });

  test('custom tools get free text', async () => {
    const answer = await json('chat', {
      ...body,
      messages: [user('say "hey"')],
      tools: [{ type: 'custom', custom: { name: 'shout' } }],
      tool_choice: { type: 'custom', custom: { name: 'shout' } },
    });
    expect(at(answer, 'choices.0.message.tool_calls.0')).toMatchObject({
      type: 'custom',
      custom: { name: 'shout', input: 'hey' },
    });
  });

  test('128 choices all differ', async () => {
    const answer = await json('chat', { ...body, n: 128 });
    const texts = asList(answer['choices']).map((choice) => at(choice, 'message.content'));
    expect(new Set(texts).size).toBe(128);
  });

  test('sends reasoning that grows with the effort', async () => {
    const tokens: unknown[] = [];
    for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']) {
      const answer = await json('chat', { ...body, reasoning_effort: effort });
      const reasoning = at(answer, 'choices.0.message.reasoning_content');
      expect(typeof reasoning).toBe(effort === 'none' ? 'undefined' : 'string');
      tokens.push(at(answer, 'usage.completion_tokens_details.reasoning_tokens'));
    }
    expect(tokens).toEqual([...new Set(tokens)].sort((one, other) => Number(one) - Number(other)));
  });

  test.each([
    [{ reasoning: { enabled: true } }, true],
    [{ reasoning: { effort: 'low' } }, true],
    [{ reasoning: { max_tokens: 2_000 } }, true],
    [{ thinking: { type: 'enabled' } }, true],
    [{ thinking: { type: 'disabled' } }, false],
    [{ reasoning: { enabled: true }, reasoning_effort: 'none' }, false],
  ])('reads the switch of reasoning in %j', async (given, thinks) => {
    const answer = await json('chat', { ...body, ...given });
    const reasoning = at(answer, 'choices.0.message.reasoning_content');
    expect(reasoning !== undefined).toBe(thinks);
  });

  test('log probabilities list the tokens of the text', async () => {
    const answer = await json('chat', { ...body, logprobs: true, top_logprobs: 2 });
    const content = asList(at(answer, 'choices.0.logprobs.content'));
    expect(content.map((entry) => entry['token']).join('')).toBe(
      String(at(answer, 'choices.0.message.content')),
    );
    expect(content[0]).toMatchObject({ logprob: 0, bytes: expect.any(Array) });
  });

  test('reports the service tier', async () => {
    const tier = async (service_tier: string) =>
      (await json('chat', { ...body, service_tier }))['service_tier'];
    expect([await tier('auto'), await tier('fast'), await tier('flex')]).toEqual([
      'default',
      'priority',
      'flex',
    ]);
  });
});

describe('chat, streamed', () => {
  test('sends a role chunk, text, one finish chunk and [DONE]; usage only on request', async () => {
    const sent = await events('chat', body);
    expect(sent.at(-1)).toEqual({ name: null, data: '[DONE]' });
    const chunks = sent.slice(0, -1).map(({ data }) => asObject(JSON.parse(data)));
    expect(chunks[0]).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'gen-v4-pro',
      service_tier: 'default',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: '', refusal: null },
          logprobs: null,
          finish_reason: null,
        },
      ],
    });
    expect(new Set(chunks.map((chunk) => chunk['id'])).size).toBe(1);
    const finishes = chunks.flatMap((chunk) => at(chunk, 'choices.0.finish_reason') ?? []);
    expect(finishes).toEqual(['stop']);
    expect(at(chunks.at(-1), 'choices.0.delta')).toEqual({});
  });

  test('with include_usage: null on ordinary chunks, then one chunk without choices', async () => {
    const sent = await events('chat', { ...body, stream_options: { include_usage: true } });
    const chunks = sent.slice(0, -1).map(({ data }) => asObject(JSON.parse(data)));
    expect(chunks.slice(0, -1).every((chunk) => chunk['usage'] === null)).toBe(true);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5 } });
  });

  test('sends id, type and name once; later fragments have index and arguments', async () => {
    const messages = [user('weather in Oslo, then get_time')];
    const sent = await events('chat', { ...body, messages, tools: [weather, clock] });
    const fragments = sent
      .slice(0, -1)
      .map(({ data }) => asObject(at(JSON.parse(data), 'choices.0.delta')))
      .flatMap((delta) => asList(delta['tool_calls'] ?? []));
    const heads = fragments.filter((fragment) => fragment['id'] !== undefined);
    expect(heads.map((head) => [head['index'], at(head, 'function')])).toEqual([
      [0, { name: 'get_weather', arguments: '' }],
      [1, { name: 'get_time', arguments: '' }],
    ]);
    const rest = fragments.filter((fragment) => fragment['id'] === undefined);
    for (const fragment of rest) {
      expect(Object.keys(fragment)).toEqual(['index', 'function']);
      expect(Object.keys(asObject(fragment['function']))).toEqual(['arguments']);
    }
  });

  test('several choices share a stream, each with its role and finish', async () => {
    const joined = joinChat(await events('chat', { ...body, n: 3 }));
    expect(
      asList(joined['choices']).map((choice) => [choice['index'], choice['finish_reason']]),
    ).toEqual([
      [0, 'stop'],
      [1, 'stop'],
      [2, 'stop'],
    ]);
  });
});

describe('chat, refused', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const refused: readonly (readonly [string, Record<string, unknown>, string | null])[] = [
    ['no messages', { messages: [] }, 'messages'],
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    ['content of the wrong type', { messages: [user(5)] }, 'messages[0].content'],
    [
      'an unknown content type',
      { messages: [user([{ type: 'smell' }])] },
      'messages[0].content[0].type',
    ],
    [
      'an image that is not a URL',
      { messages: [user([{ type: 'image_url', image_url: { url: 'x' } }])] },
      'messages[0].content[0].image_url.url',
    ],
    [
      'an unanswered call',
      { messages: [{ role: 'assistant', tool_calls: [call] }, user('hi')] },
      'messages[1]',
    ],
    [
      'a call left open at the end',
      { messages: [{ role: 'assistant', tool_calls: [call] }] },
      'messages',
    ],
    [
      'a result without a call',
      { messages: [{ role: 'tool', tool_call_id: 'c9', content: 'x' }] },
      'messages[0]',
    ],
    [
      'a bad tool name',
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      'tools[0].function.name',
    ],
    [
      'parameters of an unknown type',
      { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'thing' } } }] },
      'tools[0].function.parameters.type',
    ],
    [
      'a reference that does not exist',
      {
        tools: [
          {
            type: 'function',
            function: {
              name: 'a',
              parameters: { type: 'object', properties: { b: { $ref: '#/$defs/c' } } },
            },
          },
        ],
      },
      'tools[0].function.parameters.properties.b.$ref',
    ],
    ['deprecated functions', { functions: [weather.function] }, 'functions'],
    [
      'a regex grammar',
      {
        tools: [
          {
            type: 'custom',
            custom: {
              name: 'code',
              format: { type: 'grammar', grammar: { syntax: 'regex', definition: '^[A-Z]{3}$' } },
            },
          },
        ],
      },
      'tools[0].custom.format.grammar.syntax',
    ],
    [
      'a choice of an unknown tool',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice.function.name',
    ],
    ['a choice without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['too many stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    ['n above its range', { n: 129 }, 'n'],
    ['max_tokens of zero', { max_tokens: 0 }, 'max_tokens'],
    ['a temperature above its range', { temperature: 3 }, 'temperature'],
    ['an unknown effort', { reasoning_effort: 'extreme' }, 'reasoning_effort'],
    [
      'a format without its schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      'response_format.json_schema.schema',
    ],
    ['audio', { modalities: ['text', 'audio'] }, 'modalities'],
    [
      'stream options without a stream',
      { stream_options: { include_usage: true } },
      'stream_options',
    ],
  ];
  test.each(refused)('%s', async (_, change, param) => {
    const response = await send('chat', { ...body, ...change });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toStartWith('application/json');
    const error = {
      message: expect.any(String),
      type: 'invalid_request_error',
      param,
      code: expect.any(String),
    };
    expect(await response.json()).toEqual({ error });
  });

  test('a body that is not a JSON object', async () => {
    for (const text of ['', '{', '[]', '"x"']) {
      expect((await send('chat', text)).status).toBe(400);
    }
  });

  test('a prompt longer than the context window', async () => {
    const response = await send('chat', { ...body, messages: [user('!a'.repeat(500_001))] });
    expect(await response.json()).toMatchObject({
      error: { code: 'context_length_exceeded', param: 'messages' },
    });
  });

  test('accepts unknown fields', async () => {
    expect((await send('chat', { ...body, provider: { channel: 'direct' }, zzz: 1 })).status).toBe(
      200,
    );
  });
});
