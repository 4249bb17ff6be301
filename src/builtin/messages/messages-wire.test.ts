import { describe, expect, test } from 'bun:test';
import { asList, asObject, at, builtinCaller, joinMessages } from '../builtin-caller.fixture.ts';

const { json, send, events } = builtinCaller();
const user = (content: unknown) => ({ role: 'user', content });
const body = { model: 'gen-opus-4-8', max_tokens: 1000, messages: [user('Hello')] };
const thinking = { ...body, thinking: { type: 'adaptive' } };
const weather = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ping = { name: 'ping', input_schema: { type: 'object', properties: {} } };
const types = (answer: unknown) => asList(at(answer, 'content')).map((block) => block['type']);

describe('messages, non-streaming', () => {
  test('has every key that the official types require', async () => {
    expect(await json('messages', body)).toEqual({
      id: expect.stringMatching(/^msg_01[A-Za-z0-9]{22}$/),
      type: 'message',
      role: 'assistant',
      model: 'gen-opus-4-8',
      container: null,
      diagnostics: null,
      content: [{ type: 'text', text: expect.stringContaining('Hello') }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 5,
        output_tokens: expect.any(Number),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: null,
        speed: 'standard',
      },
    });
  });

  test('sends thinking first, signed, and counts it as output', async () => {
    const answer = await json('messages', thinking);
    expect(types(answer)).toEqual(['thinking', 'text']);
    expect(at(answer, 'content.0')).toMatchObject({
      thinking: expect.any(String),
      signature: expect.any(String),
    });
    const plain = await json('messages', body);
    const tokens = Number(at(answer, 'usage.output_tokens_details.thinking_tokens'));
    expect(tokens).toBeGreaterThan(0);
    expect(Number(at(plain, 'usage.output_tokens_details.thinking_tokens'))).toBe(0);
    expect(Number(at(answer, 'usage.output_tokens'))).toBeGreaterThan(tokens);
  });

  test('accepts context edits without applying them; count_tokens reports the size', async () => {
    const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }];
    const answer = await json('messages', { ...body, context_management: { edits } });
    expect(answer['context_management']).toEqual({ applied_edits: [] });
    const { max_tokens: _, ...counted } = body;
    expect(await json('count_tokens', { ...counted, context_management: { edits } })).toEqual({
      input_tokens: 5,
      context_management: { original_input_tokens: 5 },
    });
  });

  test('thinking grows with the effort; omitted hides the text, not the count', async () => {
    const tokensAt = async (effort: string | null, display?: string) => {
      const answer = await json('messages', {
        ...thinking,
        thinking: { type: 'adaptive', display },
        output_config: { effort },
      });
      return Number(at(answer, 'usage.output_tokens_details.thinking_tokens'));
    };
    const levels: number[] = [];
    for (const level of ['low', 'medium', 'high', 'xhigh', 'max'])
      levels.push(await tokensAt(level));
    expect(levels).toEqual([...new Set(levels)].sort((one, other) => one - other));
    expect(await tokensAt(null)).toBe(levels[2] ?? 0);
    expect(await tokensAt('low', 'omitted')).toBe(levels[0] ?? 0);
    const hidden = await json('messages', {
      ...thinking,
      thinking: { type: 'adaptive', display: 'omitted' },
    });
    expect(at(hidden, 'content.0')).toMatchObject({
      thinking: '',
      signature: expect.stringMatching(/.{50}/),
    });
  });

  test('honors the thinking budget', async () => {
    const output_config = { effort: 'max' };
    const enabled = { type: 'enabled', budget_tokens: 1024 };
    const answer = await json('messages', {
      ...body,
      max_tokens: 2000,
      thinking: enabled,
      output_config,
    });
    expect(Number(at(answer, 'usage.output_tokens_details.thinking_tokens'))).toBeWithin(1, 1025);
  });

  test('announces a tool call, but not a forced one', async () => {
    const messages = [user('weather in Oslo')];
    const chosen = await json('messages', { ...body, messages, tools: [weather] });
    expect(types(chosen)).toEqual(['text', 'tool_use']);
    const tool_choice = { type: 'any' };
    const demanded = await json('messages', {
      ...body,
      messages: [user('Hello')],
      tools: [weather],
      tool_choice,
    });
    expect(demanded).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_\w{24}$/),
          name: 'get_weather',
          input: { city: expect.any(String) },
          caller: { type: 'direct' },
        },
      ],
    });
  });

  test("does not read Claude Code's billing header as an instruction", async () => {
    const header = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.332.be0;' };
    const answer = await json('messages', { ...body, system: [header] });
    expect(answer['content']).toEqual((await json('messages', body))['content']);
  });

  test('accepts system messages at any position', async () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      user('Hello'),
      { role: 'system', content: 'Be brief.' },
    ];
    const answer = await json('messages', { ...body, system: 'Be wise.', messages });
    expect(at(answer, 'content.0.text')).toContain('Be wise. Be kind. Be brief.');
  });

  test('continues a prefill without repeating it', async () => {
    const schema = { type: 'object', properties: { a: { const: 1 } }, required: ['a'] };
    const output_config = { format: { type: 'json_schema', schema } };
    const messages = [user('Hello'), { role: 'assistant', content: '{"a"' }];
    const rest = await json('messages', { ...body, messages, output_config });
    expect(at(rest, 'content.0.text')).toBe(':1}');
    const sentence = [user('Hello'), { role: 'assistant', content: 'Well,' }];
    const more = await json('messages', { ...body, messages: sentence });
    expect(at(more, 'content.0.text')).toStartWith(' ');
  });

  test('names the stop sequence and does not return it', async () => {
    const said = [user('say exactly "one two three"')];
    const answer = await json('messages', {
      ...body,
      messages: said,
      stop_sequences: ['three', ' two'],
    });
    expect(answer).toMatchObject({
      content: [{ text: 'one' }],
      stop_reason: 'stop_sequence',
      stop_sequence: ' two',
    });
  });
});

describe('messages, streamed', () => {
  test('sends the event sequence of the protocol', async () => {
    const messages = [user('use get_weather for Oslo')];
    const sent = await events('messages', { ...thinking, messages, tools: [weather] });
    const names = sent.map(({ name, data }) => {
      const kind = at(JSON.parse(data), 'delta') ?? {};
      return name === 'content_block_delta' ? asObject(kind)['type'] : name;
    });
    const block = (...deltas: string[]) => ['content_block_start', ...deltas, 'content_block_stop'];
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
      ...block('text_delta'),
      ...block('input_json_delta'),
      'message_delta',
      'message_stop',
    ]);
  });

  test('message_start has final input counts and no content; blocks start empty', async () => {
    const messages = [user('use get_weather for Oslo')];
    const sent = await events('messages', { ...thinking, messages, tools: [weather] });
    const parsed = sent.map(({ data }) => asObject(JSON.parse(data)));
    const counted = await json('count_tokens', { model: 'm', messages, tools: [weather] });
    expect(at(parsed[0], 'message')).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { input_tokens: counted['input_tokens'], output_tokens: 0 },
    });
    const starts = parsed.filter((event) => event['type'] === 'content_block_start');
    expect(starts.map((event) => event['content_block'])).toMatchObject([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'text', text: '' },
      { type: 'tool_use', input: {} },
    ]);
  });

  test('hidden thinking only sends its signature', async () => {
    const hidden = { ...thinking, thinking: { type: 'adaptive', display: 'omitted' } };
    const sent = await events('messages', hidden);
    const deltas = sent
      .filter(({ name }) => name === 'content_block_delta')
      .map(({ data }) => asObject(JSON.parse(data)));
    const first = deltas.filter((event) => event['index'] === 0);
    expect(first.map((event) => at(event, 'delta.type'))).toEqual(['signature_delta']);
  });

  test('a tool without arguments gets {}', async () => {
    const tool_choice = { type: 'tool', name: 'ping' };
    const joined = joinMessages(await events('messages', { ...body, tools: [ping], tool_choice }));
    expect(at(joined, 'content.0')).toMatchObject({ name: 'ping', input: {} });
  });

  test('an empty answer has no blocks but all frame events', async () => {
    const sent = await events('messages', { ...body, max_tokens: 0 });
    expect(sent.map(({ name }) => name)).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
  });
});

describe('messages, refused', () => {
  const use = { type: 'tool_use', id: 't1', name: 'get_weather', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'snow' };
  const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['no max_tokens', { max_tokens: undefined }, 'max_tokens: '],
    ['no messages', { messages: undefined }, 'messages: '],
    ['only system messages', { messages: [{ role: 'system', content: 'x' }] }, 'messages: '],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role: '],
    [
      'text without its text',
      { messages: [user([{ type: 'text' }])] },
      'messages.0.content.0.text: ',
    ],
    [
      'an unanswered call',
      { messages: [user('a'), { role: 'assistant', content: [use] }, user('b')] },
      'messages.2: ',
    ],
    [
      'a call left open',
      { messages: [user('a'), { role: 'assistant', content: [use] }] },
      'messages.2: ',
    ],
    ['a result without a call', { messages: [user([result])] }, 'messages.0: '],
    [
      'an image of an unsupported type',
      {
        messages: [
          user([{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: '' } }]),
        ],
      },
      'messages.0.content.0.source.media_type: ',
    ],
    ['a tool without a schema', { tools: [{ name: 'a' }] }, 'tools.0.input_schema: '],
    ['two tools with one name', { tools: [weather, weather] }, 'tools.1.name: '],
    [
      'a choice of an unknown tool',
      { tools: [weather], tool_choice: { type: 'tool', name: 'x' } },
      'tool_choice.name: ',
    ],
    ['an unknown effort', { output_config: { effort: 'minimal' } }, 'output_config.effort: '],
    [
      'a budget as large as the answer',
      { thinking: { type: 'enabled', budget_tokens: 1024 } },
      'thinking.budget_tokens: ',
    ],
    [
      'a task budget that is too small',
      { output_config: { task_budget: { type: 'tokens', total: 5 } } },
      'output_config.task_budget.total: ',
    ],
    [
      'an unknown cache life',
      { cache_control: { type: 'ephemeral', ttl: '2h' } },
      'cache_control.ttl: ',
    ],
    ['a request for a summary', { compaction: { type: 'summarize' } }, 'compaction: '],
  ];
  test.each(refused)('%s', async (_, change, start) => {
    const response = await send('messages', { ...body, ...change });
    expect(response.status).toBe(400);
    const error = {
      type: 'invalid_request_error',
      message: expect.stringMatching(new RegExp(`^${start}`)),
    };
    expect(await response.json()).toEqual({
      type: 'error',
      error,
      request_id: expect.stringMatching(/^req_/),
    });
  });

  test('a prompt longer than the context window, as Anthropic words it', async () => {
    const messages = [user('!a'.repeat(500_001))];
    expect(await (await send('messages', { ...body, messages })).json()).toMatchObject({
      error: { message: 'messages: prompt is too long: 1000006 tokens > 1000000 maximum' },
    });
  });

  test.each(['web_search_20260318', 'code_execution_20260521', 'computer_toolset_20260801'])(
    'refuses a tool that it cannot use: %s',
    async (type) => {
      const response = await send('messages', { ...body, tools: [{ type, name: 'x' }] });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: { message: expect.stringContaining(`a tool of type '${type}'`) },
      });
    },
  );

  test('cannot be forced to call a tool that only searches for tools', async () => {
    const tools = [{ type: 'tool_search_tool_bm25', name: 'find' }];
    expect((await send('messages', { ...body, tools })).status).toBe(200);
    const forced = await send('messages', { ...body, tools, tool_choice: { type: 'any' } });
    expect(forced.status).toBe(400);
  });

  test('accepts budgets, betas, typed tools, metadata and unknown fields', async () => {
    const response = await send('messages', {
      ...body,
      output_config: {
        effort: null,
        task_budget: { type: 'tokens', total: 50_000, remaining: 100 },
      },
      tools: [
        { type: 'tool_search_tool_bm25', name: 'find' },
        { type: 'bash_20250124', name: 'bash' },
      ],
      metadata: { user_id: null },
      mcp_servers: [],
      zzz: true,
    });
    expect(response.status).toBe(200);
  });
});
