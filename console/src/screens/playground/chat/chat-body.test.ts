import { describe, expect, test } from 'bun:test';
import { type Answer, newAnswer } from '#chat/answer.ts';
import { channel, chatModel } from '#screens/playground/playground.fixture.ts';
import { costOf } from './answer/live-cost.ts';
import { bodyOf, NO_SETTINGS, promptWeight, requestOf, type Settings } from './chat-body.ts';
import { membersFor, offeredParameters, withValue } from './settings/parameters.ts';
import type { Message, Thread } from './thread.ts';

const MODEL = chatModel('gen-a');
const ASKED = { model: 'gen-a', requestedChannel: null, promptWeight: 100, sentMs: 0 };
const answer = (more: Partial<Answer>): Answer => ({ ...newAnswer(ASKED), ...more });
const user = (text: string): Message => ({ kind: 'user', id: 'u', text, attachments: [] });
const thread = (...messages: readonly Message[]): Thread => ({
  ...{ id: 't', model: 'gen-a', channel: null, messages, spent: {}, saved: {} },
});
const settings = (more: Partial<Settings>): Settings => ({ ...NO_SETTINGS, ...more });
const TARGET = { model: MODEL, channel: null };

describe('the body of a request', () => {
  test('starts with the system prompt, and requests a stream with usage', () => {
    const request = requestOf(thread(user('Hi')), settings({ system: 'Be brief.' }), TARGET);
    expect(bodyOf(request)).toEqual({
      model: 'gen-a',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  test('has images and files before the text', () => {
    const message: Message = {
      ...{ kind: 'user', id: 'u', text: 'What is this?' },
      attachments: [
        { id: '1', kind: 'image', name: 'a.png', bytes: 3, dataUrl: 'data:image/png;base64,AA==' },
        { id: '2', kind: 'file', name: 'b.pdf', bytes: 3, dataUrl: 'data:application/pdf;base64,' },
      ],
    };
    const { messages } = requestOf(thread(message), NO_SETTINGS, TARGET);
    expect(messages[0]?.content).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'file', file: { filename: 'b.pdf', file_data: 'data:application/pdf;base64,' } },
      { type: 'text', text: 'What is this?' },
    ]);
  });

  test('leaves out missing answers and incomplete tool calls', () => {
    const calls = [{ id: 'c', type: 'function', name: 'f', input: '{"a' }] as const;
    const messages: Message[] = [
      user('One'),
      { kind: 'answer', id: 'a', answer: answer({ phase: 'failed' }) },
      { kind: 'answer', id: 'b', answer: answer({ phase: 'stopped', toolCalls: calls }) },
      { kind: 'answer', id: 'c', answer: answer({ phase: 'done', text: 'Two', reasoning: 'Hm' }) },
    ];
    expect(requestOf(thread(...messages), NO_SETTINGS, TARGET).messages).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two', reasoning_content: 'Hm' },
    ]);
  });

  test('has tools if the channel supports them', () => {
    const tools = '[{"type": "function", "function": {"name": "f"}}]';
    const set = settings({ tools, toolChoice: 'required' });
    const members = (target: Parameters<typeof requestOf>[2]) =>
      requestOf(thread(user('Hi')), set, target).parameters;
    expect(members(TARGET)).toEqual({
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'required',
    });
    const deaf = chatModel('deaf', { channels: [channel('direct', { supported_parameters: [] })] });
    expect(members({ model: deaf, channel: null })).toEqual({});
    expect(requestOf(thread(user('Hi')), settings({ tools: '[{' }), TARGET).parameters).toEqual({});
  });

  test('is estimated at a token for four letters, and more for an image', () => {
    const weigh = (message: Message) =>
      promptWeight(requestOf(thread(message), NO_SETTINGS, TARGET));
    expect(weigh(user('x'.repeat(400)))).toBeCloseTo(104);
    expect(weigh(user('你好'.repeat(50)))).toBeCloseTo(74);
    const image = { id: '1', kind: 'image', name: 'a', bytes: 1, dataUrl: 'data:,' } as const;
    expect(weigh({ kind: 'user', id: 'u', text: '', attachments: [image] })).toBeGreaterThan(1000);
  });
});

describe('parameters', () => {
  test('are offered when any channel supports them, and sent to those that do', () => {
    const quiet = chatModel('gen-q', {
      max_output_tokens: 4_000,
      channels: [channel('direct', { supported_parameters: ['max_completion_tokens', 'stop'] })],
    });
    const few = { model: quiet, channel: null };
    expect(offeredParameters([few])).toEqual(['max_completion_tokens', 'stop']);
    expect(offeredParameters([few, TARGET])).toContain('seed');
    const values = { max_completion_tokens: 9_000, seed: 7, stop: ['END'] };
    expect(membersFor(values, few)).toEqual({ max_completion_tokens: 4_000, stop: ['END'] });
    expect(membersFor({ ...values, response_format: 'json_object' }, TARGET)).toEqual({
      ...values,
      response_format: { type: 'json_object' },
    });
  });

  test("that are emptied use the model's default", () => {
    const values = withValue(withValue({}, 'seed', 0), 'stop', ['END']);
    expect(values).toEqual({ seed: 0, stop: ['END'] });
    expect(withValue(withValue(values, 'seed', null), 'stop', [])).toEqual({});
  });
});

describe('the cost of an answer', () => {
  const usage = { input: 1, cached: 0, cacheWrite: 0, output: 1, reasoning: 0 };

  test('is estimated from the price card while streaming, in the charged currency', () => {
    const coming = answer({ weight: 199.2 });
    expect(costOf(coming, MODEL)).toEqual({
      ...{ amount: '0.0055', currency: 'USD', isEstimate: true },
    });
    const cny = chatModel('gen-c', {
      settlement: 'CNY',
      settlement_rate: { id: 'fx_1', rate: '7.10' },
    });
    expect(costOf(coming, cny)).toMatchObject({ amount: '0.03905', currency: 'CNY' });
  });

  test('is the charge once reported', () => {
    const cost = { amount: '0.000123400', currency: 'USD' };
    expect(costOf(answer({ usage: { ...usage, cost } }), MODEL)).toEqual({
      ...cost,
      isEstimate: false,
    });
  });

  test('is unknown for a model that is no longer sold', () => {
    expect(costOf(answer({ weight: 5 }), undefined)).toBeNull();
  });
});
