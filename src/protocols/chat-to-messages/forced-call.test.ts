import { expect, test } from 'bun:test';
import { assistant, call, messagesBody, result, target, user } from './request.fixture.ts';

const tools = ['look', 'find'].map((name) => ({ type: 'function', function: { name } }));
const bodyFor = (model: string, tool_choice: unknown, messages = [user('Hi')]) =>
  messagesBody({ messages, tools, tool_choice }, { ...target(), model });
const LOOK = { type: 'function', function: { name: 'look' } };
const HI = { type: 'text', text: 'Hi' };
const demand = (tool: string) => ({
  type: 'text',
  text: `Call ${tool} now. Do not answer with text.`,
});

test.each([
  ...['claude-opus-5-5', 'claude-sonnet-5-5-20260928', 'us.anthropic.claude-opus-5-5-v1:0'],
  ...['anthropic/claude-sonnet-5.5', 'claude-fable-5-1'],
])('%s is asked in words to call a tool, because it refuses to be forced', (model) => {
  expect(bodyFor(model, 'required')).toMatchObject({
    tool_choice: { type: 'auto' },
    messages: [{ role: 'user', content: [HI, demand('one of the tools')] }],
  });
  expect(bodyFor(model, LOOK)).toMatchObject({
    tool_choice: { type: 'auto' },
    messages: [{ role: 'user', content: [HI, demand('the tool "look"')] }],
  });
});

test.each(['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5', 'claude-opus-4-8', 'kimi-k2'])(
  '%s is forced',
  (model) => {
    expect(bodyFor(model, LOOK)).toMatchObject({
      tool_choice: { type: 'tool', name: 'look' },
      messages: [{ role: 'user', content: [HI] }],
    });
  },
);

test('the words follow results of tools, and the choice of one call stays', () => {
  const messages = [
    user('Hi'),
    assistant({ tool_calls: [call('1', 'look', '{}')] }),
    result('1', 'a boat'),
  ];
  const request = { messages, tools, tool_choice: 'required', parallel_tool_calls: false };
  const body = messagesBody(request, { ...target(), model: 'claude-opus-5-5' });
  expect(body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true });
  expect(body['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'user', content: [{ type: 'tool_result' }, demand('one of the tools')] },
  ]);
});

test('without a user turn at the end, the words are a turn of their own', () => {
  const messages = [user('Hi'), assistant({ content: 'Hm' })];
  expect(bodyFor('claude-opus-5-5', 'required', messages)['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant' },
    { role: 'user', content: [demand('one of the tools')] },
  ]);
});

test('without a forced call, nothing changes', () => {
  expect(bodyFor('claude-opus-5-5', 'none')).toMatchObject({
    tool_choice: { type: 'none' },
    messages: [{ role: 'user', content: [HI] }],
  });
});
