import { expect, test } from 'bun:test';
import { geminiAnswer, usageMetadata } from './answer.ts';
import { toGoogleSignature } from './call-signature.ts';
import { GeminiStream } from './stream.ts';

const encoder = new TextEncoder();
const events = [
  { id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  { id: 'c1', choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] },
  { id: 'c1', choices: [{ index: 0, delta: { content: 'Häl' } }] },
  { id: 'c1', choices: [{ index: 0, delta: { content: 'lo' } }] },
  call(0, 'a', 'f', '{"x"'),
  call(1, 'b', 'g', ''),
  call(0, undefined, undefined, ':1}'),
  { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  {
    id: 'c1',
    choices: [],
    usage: {
      ...{ prompt_tokens: 5, completion_tokens: 9, total_tokens: 14, cost_exact: '0.000000014' },
      completion_tokens_details: { reasoning_tokens: 2 },
      prompt_tokens_details: { cached_tokens: 3 },
    },
  },
];
const bytes = encoder.encode(
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
);

function call(index: number, id: string | undefined, name: string | undefined, json: string) {
  const fragment = {
    index,
    ...(id && { id }),
    function: { ...(name && { name }), arguments: json },
  };
  return { id: 'c1', choices: [{ index: 0, delta: { tool_calls: [fragment] } }] };
}

/** The names of functions that chat servers refuse, by their names in chat. */
const functionNames = new Map([['my_f_0a1b', 'my.f']]);

function written(
  pieces: readonly Uint8Array[],
  showsThoughts = true,
  isOverdue = false,
): readonly unknown[] {
  const stream = new GeminiStream('gen-x', { showsThoughts, functionNames }, 1024);
  const text = pieces
    .map((piece) => new TextDecoder().decode(stream.push(piece, isOverdue)))
    .join('');
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => JSON.parse(event.slice('data: '.length)));
}

const signed = (thinking: string) => ({
  thoughtSignature: toGoogleSignature({ signature: null, thinking }),
});
const common = { modelVersion: 'gen-x', responseId: 'c1' };
const shown = (...parts: readonly object[]) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0 }],
  ...common,
});
const END = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, ...signed('Hm.') },
          { functionCall: { id: 'b', name: 'g', args: {} } },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    ...{ promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 14 },
    ...{ cachedContentTokenCount: 3, thoughtsTokenCount: 2, cost_exact: '0.000000014' },
  },
  ...common,
};

test('texts are sent as they come, function calls whole, and the usage at the end', () => {
  const all = [
    shown({ text: 'Hm.', thought: true }),
    shown({ text: 'Häl' }),
    shown({ text: 'lo' }),
    END,
  ];
  expect(written([bytes])).toEqual(all);
  expect(written([bytes], false)).toEqual(all.slice(1));
  for (let at = 1; at < bytes.length; at += 1)
    expect(written([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(all);
});

test('output is read in every form in which servers write it', () => {
  const output = {
    reasoning: 'Hm.',
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: ' So' }] },
      { type: 'text', text: 'Hi' },
    ],
    tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }],
  };
  const parts = [
    { text: 'Hm. So', thought: true },
    { text: 'Hi' },
    { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, ...signed('Hm. So') },
  ];
  const event = { id: 'c1', choices: [{ index: 0, delta: output, finish_reason: 'tool_calls' }] };
  const end = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
  const stream = encoder.encode(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
  expect(written([stream])).toEqual([{ candidates: [end], ...common }]);
  const whole = { id: 'c1', choices: [{ message: output, finish_reason: 'tool_calls' }] };
  const answer = JSON.parse(
    geminiAnswer(JSON.stringify(whole), 'gen-x', { showsThoughts: true, functionNames }),
  );
  expect(answer.candidates).toEqual([end]);
});

test('thinking is shown only up to the output of which it is a part', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 };
  const completion_tokens_details = { reasoning_tokens: 20 };
  expect(usageMetadata({ ...usage, completion_tokens_details })).toEqual({
    ...{ promptTokenCount: 5, candidatesTokenCount: 0, totalTokenCount: 14 },
    thoughtsTokenCount: 9,
  });
});

test('log probabilities stand beside the text of which they are', () => {
  const token = (text: string, logprob: number) => ({ token: text, logprob, bytes: null });
  const logprobs = {
    content: [
      { ...token('Hi', -0.25), top_logprobs: [token('Hi', -0.25), token('Ho', -2)] },
      { ...token('!', -0.75), top_logprobs: [] },
    ],
  };
  const logprobsResult = {
    chosenCandidates: [
      { token: 'Hi', logProbability: -0.25 },
      { token: '!', logProbability: -0.75 },
    ],
    topCandidates: [
      {
        candidates: [
          { token: 'Hi', logProbability: -0.25 },
          { token: 'Ho', logProbability: -2 },
        ],
      },
      { candidates: [] },
    ],
  };
  const content = { role: 'model', parts: [{ text: 'Hi!' }] };
  const event = { id: 'c1', choices: [{ index: 0, delta: { content: 'Hi!' }, logprobs }] };
  const line = `data: ${JSON.stringify(event)}\n\n`;
  const end = { content, finishReason: 'OTHER', index: 0, logprobsResult };
  expect(written([encoder.encode(`${line}${line}data: [DONE]\n\n`)])).toEqual([
    { candidates: [{ content, index: 0, logprobsResult }], ...common },
    { candidates: [end], ...common },
  ]);
  const choice = { message: { content: 'Hi!' }, finish_reason: 'stop', logprobs };
  const answer = JSON.stringify({ id: 'c1', choices: [choice] });
  expect(
    JSON.parse(geminiAnswer(answer, 'gen-x', { showsThoughts: false, functionNames })).candidates,
  ).toEqual([{ content, finishReason: 'STOP', index: 0, avgLogprobs: -0.5, logprobsResult }]);
});

test('a stream that breaks ends with an error, and never with a finish reason', () => {
  const error = {
    message: 'It broke.',
    type: 'upstream_error',
    param: null,
    code: 'upstream_timeout',
  };
  const broken = encoder.encode(
    `data: ${JSON.stringify(events[2])}\n\ndata: ${JSON.stringify({ error })}\n\n`,
  );
  const [said, last] = written([broken]);
  expect(said).toEqual(shown({ text: 'Häl' }));
  expect(last).toMatchObject({
    error: { code: 504, status: 'DEADLINE_EXCEEDED', message: 'It broke.' },
  });
  expect(JSON.stringify(written([broken]))).not.toContain('finishReason');
});

test('a comment becomes an event without text, so that a silent stream stays open', () => {
  const [event] = written([encoder.encode(': ping\n\n')]);
  expect(event).toEqual({ ...shown({ text: '' }), responseId: '' });
});

test('hidden thinking and parts of a call become an event without text when one is overdue', () => {
  const line = (event: object): Uint8Array => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
  const hidden = events.filter((_, at) => at === 1 || at === 4).map(line);
  expect(written(hidden, false, true)).toEqual([shown({ text: '' }), shown({ text: '' })]);
  expect(written(hidden, false, false)).toEqual([]);
});

test('the last event has the last text, or an empty one, since the library drops the answer otherwise', () => {
  const stop = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const end = encoder.encode(`data: ${JSON.stringify(stop)}\n\ndata: [DONE]\n\n`);
  const saying = [2, 3].map((at) => encoder.encode(`data: ${JSON.stringify(events[at])}\n\n`));
  const last = (text: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    ...common,
  });
  expect(written([...saying, end])).toEqual([shown({ text: 'Häl' }), last('lo')]);
  expect(written([end])).toEqual([last('')]);
  const ping = encoder.encode(': ping\n\n');
  expect(written([...saying, ping, end])).toEqual([
    ...[shown({ text: 'Häl' }), shown({ text: 'lo' }), last('')],
  ]);
});

test('an error is written as an event and then, for clients that know only this, as a bare line', () => {
  const stream = new GeminiStream('gen-x', { showsThoughts: true, functionNames }, 1024);
  const error = { code: 'upstream_timeout', message: 'It broke.' };
  const sent = stream.push(encoder.encode(`data: ${JSON.stringify({ error })}\n\n`), false);
  const [event = '', line = ''] = new TextDecoder().decode(sent).split('\n\n');
  expect([event, JSON.parse(line).error.code]).toEqual([`data: ${line.trimEnd()}`, 504]);
});

test('tool calls longer than an event end the stream with an error, and nothing more is kept', () => {
  const line = (event: object): Uint8Array => encoder.encode(`data: ${JSON.stringify(event)}\n\n`);
  const long = 'x'.repeat(600);
  const pieces = [call(0, 'a', 'f', long), call(0, undefined, undefined, long)].map(line);
  const sent = written([...pieces, line({ choices: [{ index: 0, delta: { content: 'Hi' } }] })]);
  expect(sent).toEqual([{ error: expect.objectContaining({ code: 502, status: 'UNAVAILABLE' }) }]);
  const many = Array.from({ length: 20 }, (_, at) => line(call(at, 'a', 'n'.repeat(100), '')));
  expect(JSON.stringify(written(many))).toContain('tool calls of the answer are too long');
});

test('a function whose name chat servers refuse has its own name in the answer', () => {
  const call = { index: 0, id: 'a', function: { name: 'my_f_0a1b', arguments: '{}' } };
  const output = { tool_calls: [call] };
  const event = { id: 'c1', choices: [{ index: 0, delta: output, finish_reason: 'tool_calls' }] };
  const stream = encoder.encode(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
  const parts = [{ functionCall: { id: 'a', name: 'my.f', args: {} } }];
  expect(written([stream])).toMatchObject([{ candidates: [{ content: { parts } }] }]);
  const whole = JSON.stringify({ id: 'c1', choices: [{ message: output }] });
  const answer = JSON.parse(geminiAnswer(whole, 'gen-x', { showsThoughts: false, functionNames }));
  expect(answer.candidates).toMatchObject([{ content: { parts } }]);
});

test('a function whose name is not a string keeps it, as the caller pays for the answer', () => {
  const message = { tool_calls: [{ id: 'a', function: { name: { toString: 1 }, arguments: '' } }] };
  const asked = { showsThoughts: false, functionNames };
  const answer = JSON.parse(geminiAnswer(JSON.stringify({ choices: [{ message }] }), 'm', asked));
  const parts = [{ functionCall: { name: { toString: 1 }, args: {} } }];
  expect(answer.candidates).toMatchObject([{ content: { parts } }]);
});
