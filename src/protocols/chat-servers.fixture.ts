/**
 * Chat completion streams as real servers send them, including their violations of the protocol,
 * and the output that every client must read from each stream.
 */
import type { JsonObject } from '../json/object.ts';

export type ServerStream = {
  readonly name: string;
  readonly bytes: string;
  readonly content: string;
  readonly reasoning: string;
  /** The names and arguments of the tool calls, in order. */
  readonly calls: readonly (readonly [name: string, input: JsonObject])[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** The prompt and completion tokens that the server reported; null if it reported none. */
  readonly counted: readonly [prompt: number, completion: number] | null;
};

const DONE = 'data: [DONE]\n\n';
const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;

/** Returns one chunk for each choice. All chunks also have the members of `head`. */
const chunks = (head: JsonObject, ...choices: readonly JsonObject[]): string =>
  choices
    .map((choice) => event({ ...head, choices: [{ index: 0, finish_reason: null, ...choice }] }))
    .join('');
const HEAD = { id: 'c-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm' };
const delta = (members: JsonObject, more: JsonObject = {}): JsonObject => ({
  delta: members,
  ...more,
});
const call = (members: JsonObject): JsonObject => delta({ tool_calls: [members] });
const TEXT_ONLY = { reasoning: '', calls: [], finishReason: 'stop' } as const;
const TWO_CALLS = {
  content: '',
  reasoning: '',
  calls: [
    ['get_time', { tz: 'UTC' }],
    ['get_weather', { city: 'Oslo' }],
  ],
  finishReason: 'tool_calls',
} as const;

export const SERVER_STREAMS: readonly ServerStream[] = [
  {
    ...TEXT_ONLY,
    name: 'Azure: a first chunk about the prompt, and annotations without a delta',
    bytes:
      event({
        choices: [],
        created: 0,
        id: '',
        model: '',
        object: '',
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      }) +
      chunks(
        HEAD,
        delta({ role: 'assistant', content: '', refusal: null }, { logprobs: null }),
        delta({ content: 'Hi' }, { logprobs: null }),
        { content_filter_results: {}, content_filter_offsets: { check_offset: 1 } },
        delta({}, { finish_reason: 'stop', logprobs: null }),
        { delta: null, content_filter_offsets: { check_offset: 2 } },
      ) +
      event({ ...HEAD, choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } }) +
      DONE,
    content: 'Hi',
    counted: [9, 1],
  },
  {
    name: 'DeepSeek: reasoning, then words, then calls, keep-alives between them',
    bytes:
      ': keep-alive\n\n' +
      chunks(
        HEAD,
        delta({ role: 'assistant', content: null, reasoning_content: '' }),
        delta({ content: null, reasoning_content: 'Hm' }),
        delta({ content: 'Wait.', reasoning_content: null }),
      ) +
      ': keep-alive\n\n' +
      chunks(
        HEAD,
        call({
          index: 0,
          id: 'call_0_a',
          type: 'function',
          function: { name: 'get_time', arguments: '' },
        }),
        call({ index: 0, function: { arguments: '{"tz":' } }),
        call({ index: 0, function: { arguments: '"UTC"}' } }),
      ) +
      event({
        ...HEAD,
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'tool_calls' }],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 8,
          total_tokens: 28,
          prompt_cache_hit_tokens: 0,
          prompt_cache_miss_tokens: 20,
        },
      }) +
      DONE,
    content: 'Wait.',
    reasoning: 'Hm',
    calls: [['get_time', { tz: 'UTC' }]],
    finishReason: 'tool_calls',
    counted: [20, 8],
  },
  {
    ...TWO_CALLS,
    name: 'vLLM: usage in every chunk, calls with empty names behind their first, a new id each time',
    bytes:
      [
        delta({ role: 'assistant', content: null }),
        call({ index: 0, id: 'call-1', type: 'function', function: { name: 'get_time' } }),
        call({
          index: 0,
          id: 'call-x',
          type: 'function',
          function: { name: '', arguments: '{"tz"' },
        }),
        call({
          index: 0,
          id: 'call-y',
          type: 'function',
          function: { name: null, arguments: ':"UTC"}' },
        }),
        call({
          index: 1,
          id: 'call-2',
          type: 'function',
          function: { name: 'get_weather', arguments: '' },
        }),
        call({ index: 1, id: 'call-z', function: { arguments: '{"city":"Oslo"}' } }),
        delta({ content: '' }, { finish_reason: 'tool_calls', stop_reason: null }),
      ]
        .map((choice, at) =>
          event({
            ...HEAD,
            choices: [{ index: 0, logprobs: null, finish_reason: null, ...choice }],
            usage: { prompt_tokens: 30, completion_tokens: at, total_tokens: 30 + at },
          }),
        )
        .join('') +
      event({ ...HEAD, choices: [], usage: { prompt_tokens: 30, completion_tokens: 9 } }) +
      DONE,
    counted: [30, 9],
  },
  {
    ...TWO_CALLS,
    name: 'Ollama: whole calls, all of index 0, and "stop" at the end',
    bytes:
      chunks(
        HEAD,
        delta({
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: 'call_a',
              index: 0,
              type: 'function',
              function: { name: 'get_time', arguments: '{"tz":"UTC"}' },
            },
          ],
        }),
        delta({
          role: 'assistant',
          content: '',
          tool_calls: [
            {
              id: 'call_b',
              index: 0,
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
            },
          ],
        }),
        delta({ role: 'assistant', content: '' }, { finish_reason: 'stop' }),
      ) + DONE,
    counted: null,
  },
  {
    ...TWO_CALLS,
    name: 'Gemini: calls in one chunk, without index, id or type',
    bytes:
      event({
        ...HEAD,
        choices: [
          {
            delta: {
              role: 'assistant',
              tool_calls: [
                { id: '', function: { name: 'get_time', arguments: '{"tz":"UTC"}' } },
                { id: '', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
              ],
            },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
      }) + DONE,
    counted: [4, 6],
  },
  {
    ...TWO_CALLS,
    name: 'calls counted from 1, as gateways do that count the text before them',
    bytes:
      chunks(
        HEAD,
        delta({ role: 'assistant', content: '' }),
        call({
          index: 1,
          id: 'a',
          type: 'function',
          function: { name: 'get_time', arguments: '' },
        }),
        call({ index: 1, function: { arguments: '{"tz":"UTC"}' } }),
        call({
          index: 3,
          id: 'b',
          type: 'function',
          function: { name: 'get_weather', arguments: '' },
        }),
        call({ index: 3, function: { arguments: '{"city":"Oslo"}' } }),
        delta({}, { finish_reason: 'tool_calls' }),
      ) + DONE,
    counted: null,
  },
  {
    ...TEXT_ONLY,
    name: 'OpenRouter: comments, repeated roles, reasoning under two names',
    bytes:
      ': OPENROUTER PROCESSING\n\n' +
      chunks(
        HEAD,
        delta(
          {
            role: 'assistant',
            content: '',
            reasoning: 'Hm',
            reasoning_content: 'Hm',
            reasoning_details: [
              { type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 },
            ],
          },
          { native_finish_reason: null, logprobs: null },
        ),
        delta({ role: 'assistant', content: 'Hi' }, { native_finish_reason: null }),
        delta(
          { role: 'assistant', content: '' },
          { finish_reason: 'stop', native_finish_reason: 'STOP' },
        ),
      ) +
      event({
        ...HEAD,
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
        usage: {
          prompt_tokens: 7,
          completion_tokens: 3,
          total_tokens: 10,
          cost: 0.1,
          cost_details: {},
        },
      }) +
      DONE,
    content: 'Hi',
    reasoning: 'Hm',
    counted: [7, 3],
  },
  {
    ...TEXT_ONLY,
    name: 'llama.cpp: CRLF, and its timings beside the usage',
    bytes: (
      chunks(
        HEAD,
        delta({ role: 'assistant', content: null }),
        delta({ content: 'Hi' }),
        delta({}, { finish_reason: 'length' }),
      ) +
      event({
        ...HEAD,
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
        timings: { n: 1 },
      }) +
      DONE
    ).replaceAll('\n', '\r\n'),
    content: 'Hi',
    finishReason: 'length',
    counted: [5, 1],
  },
  {
    ...TEXT_ONLY,
    name: 'gateways over Gemini: "stop" beside every word, another reason beside the last',
    bytes:
      chunks(
        HEAD,
        delta({ role: 'assistant', reasoning_content: 'Hm' }, { finish_reason: 'stop' }),
        delta({ content: 'Hi' }, { finish_reason: 'stop' }),
        delta({ content: ' you' }, { finish_reason: 'stop' }),
        delta({ content: ' and' }, { finish_reason: 'length' }),
      ) + DONE,
    content: 'Hi you and',
    reasoning: 'Hm',
    finishReason: 'length',
    counted: null,
  },
];
