import { expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { assistant, call, messagesBody, result, target, user } from './request.fixture.ts';

const HI = [user('Hi')];

function thinking(model: string, json: JsonObject = {}): JsonObject {
  const request = { messages: HI, reasoning_effort: 'high', ...json };
  const body = messagesBody(request, { ...target(), model });
  return { thinking: body['thinking'], output_config: body['output_config'] };
}

test.each([
  'claude-3-7-sonnet-20250219',
  'claude-opus-4-20250514',
  'claude-sonnet-4@20250514',
  'claude-opus-4-1',
  'claude-haiku-4-5-20251001',
  'claude-haiku-4-5',
  'anthropic/claude-sonnet-4.5',
  'us.anthropic.claude-opus-4-5-20251101-v1:0',
])('%s thinks with a budget, and gets no effort', (model) => {
  expect(thinking(model)).toEqual({ thinking: { type: 'enabled', budget_tokens: 24_576 } });
});

test.each([
  ...['claude-opus-4-6', 'anthropic.claude-sonnet-4-6-v1:0', 'claude-opus-4.8', 'claude-opus-4-10'],
  ...['claude-opus-5', 'claude-haiku-5-5', 'claude-sonnet-45', 'kimi-k2'],
])('%s thinks adaptively', (model) => {
  expect(thinking(model)).toMatchObject({
    thinking: { type: 'adaptive' },
    output_config: { effort: 'high' },
  });
});

const MODEL = 'claude-haiku-4-5';
const budgetOf = (json: JsonObject): unknown =>
  (thinking(MODEL, json)['thinking'] as JsonObject | undefined)?.['budget_tokens'];

test('the budget follows the effort, and leaves output for the answer', () => {
  expect(budgetOf({ reasoning_effort: 'low' })).toBe(1_024);
  expect(budgetOf({ reasoning_effort: 'medium' })).toBe(8_192);
  expect(budgetOf({ reasoning_effort: 'max' })).toBe(24_576);
  expect(budgetOf({ reasoning_effort: 'high', max_tokens: 2_000 })).toBe(1_600);
  expect(budgetOf({ reasoning_effort: 'low', max_tokens: 1_200 })).toBeUndefined();
  expect(budgetOf({ reasoning_effort: 'none' })).toBeUndefined();
});

test('an effort that the model does not know becomes the next lower one', () => {
  const effortOf = (model: string, reasoning_effort: string) =>
    thinking(model, { reasoning_effort })['output_config'];
  expect(effortOf('claude-opus-4-6', 'xhigh')).toEqual({ effort: 'high' });
  expect(effortOf('claude-sonnet-4-6', 'max')).toEqual({ effort: 'max' });
  expect(effortOf('claude-opus-4-7', 'xhigh')).toEqual({ effort: 'xhigh' });
});

const OFF = { thinking: { type: 'disabled' } };
test.each([
  ...['claude-opus-5', 'claude-sonnet-5-20260514', 'eu.anthropic.claude-sonnet-5-v1:0'].map(
    (model) => [model, OFF] as const,
  ),
  ['claude-haiku-5-5', OFF],
  ['anthropic/claude-haiku-5.5', OFF],
  ['claude-sonnet-5-5', { thinking: { type: 'between_tools' } }],
  ['claude-opus-5-5', { output_config: { effort: 'low' } }],
  ['claude-fable-5-1', { output_config: { effort: 'low' } }],
  ...['claude-opus-4-8', 'claude-haiku-4-5', 'kimi-k2'].map((model) => [model, {}] as const),
])('%s without thinking gets %j', (model, members) => {
  expect(thinking(model, { reasoning_effort: 'none' })).toEqual(members);
});

test('a forced call switches off the thinking of a model that thinks by default', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
  const forced = { tools, tool_choice: 'required' };
  expect(thinking('claude-opus-5', { ...forced, reasoning_effort: 'max' })).toEqual({
    ...OFF,
    output_config: { effort: 'high' },
  });
  expect(thinking('claude-sonnet-5-5', { ...forced, reasoning_effort: 'xhigh' })).toEqual({
    thinking: { type: 'between_tools' },
    output_config: { effort: 'high' },
  });
  expect(thinking('claude-opus-5', { ...forced, reasoning_effort: null })).toEqual(OFF);
  expect(thinking('claude-opus-4-8', { ...forced, reasoning_effort: null })).toEqual({});
});

test('keeps the output format', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
  expect(thinking(MODEL, { response_format })['output_config']).toEqual({
    format: { type: 'json_schema', schema },
  });
});

test('a turn with calls and without its thinking is continued without thinking', () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }];
  const details = [{ type: 'reasoning.text', text: 'Hm', signature: 's', format: null }];
  const turns = (members: JsonObject) => [
    ...HI,
    assistant({ content: null, tool_calls: [call('c', 'f', '{}')], ...members }),
    result('c', 'ok'),
  ];
  expect(budgetOf({ tools, messages: turns({}) })).toBeUndefined();
  expect(budgetOf({ tools, messages: turns({ reasoning_details: details }) })).toBe(24_576);
});
