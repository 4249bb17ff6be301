/**
 * Tests that the official libraries can read the scripted turns directly from the upstream. If a
 * library then cannot read a turn through the gateway, the gateway is at fault.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { answerTurn, type Turn, turnEvents } from './support/upstreams/scripted-turns.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { at } from './support/wire.ts';

const TURN: Turn = {
  parts: [
    { thinking: 'I will look at both.', seal: 'sealed-1' },
    { text: 'One moment.' },
    { call: 'get_weather', id: 'call_1', input: { city: 'Paris' } },
    { call: 'get_time', id: 'call_2', input: { city: 'Paris' } },
  ],
  usage: { input: 120, cached: 20, output: 40, reasoning: 12 },
};
const CALLS = [
  ['get_weather', { city: 'Paris' }],
  ['get_time', { city: 'Paris' }],
];
const messages = [{ role: 'user' as const, content: 'Hello' }];

let upstream: ScriptedUpstream;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.script((call) => answerTurn(call, TURN));
  openai = new OpenAI({ baseURL: `http://${upstream.host}/v1`, apiKey: 'any' });
  anthropic = new Anthropic({ baseURL: `http://${upstream.host}`, apiKey: 'any' });
});
afterAll(() => upstream.stop());

test.each(['chat', 'messages', 'responses'] as const)(
  'a %s stream obeys its grammar',
  (dialect) => {
    expect(readEnding(dialect, turnEvents(dialect, TURN).join(''))).toEqual({ end: 'success' });
  },
);

describe('a stream equals the non-streaming answer', () => {
  test('chat', async () => {
    const body = { model: 'm', messages };
    const plain = await openai.chat.completions.create(body);
    const streamed = await openai.chat.completions.stream(body).finalChatCompletion();
    for (const { choices, usage } of [plain, streamed]) {
      const message = choices[0]?.message;
      expect([message?.content, choices[0]?.finish_reason]).toEqual(['One moment.', 'tool_calls']);
      const calls = message?.tool_calls ?? [];
      expect(calls.map((call) => at(call, 'function.name'))).toEqual(CALLS.map(([name]) => name));
      expect([usage?.prompt_tokens, usage?.completion_tokens]).toEqual([120, 40]);
    }
  });

  test('Messages', async () => {
    const body = { model: 'm', max_tokens: 100, messages };
    const plain = await anthropic.messages.create(body);
    const streamed = await anthropic.messages.stream(body).finalMessage();
    for (const { content, stop_reason, usage } of [plain, streamed]) {
      expect(content[0]).toMatchObject({
        thinking: 'I will look at both.',
        signature: 'sealed-1',
      });
      expect(content[1]).toMatchObject({ type: 'text', text: 'One moment.' });
      const calls = content.flatMap((each) =>
        each.type === 'tool_use' ? [[each.name, each.input]] : [],
      );
      expect([calls, stop_reason]).toEqual([CALLS, 'tool_use']);
      const { input_tokens, cache_read_input_tokens, output_tokens } = usage;
      expect([input_tokens, cache_read_input_tokens, output_tokens]).toEqual([100, 20, 40]);
    }
  });

  test('Responses', async () => {
    const body = { model: 'm', input: 'Hello' };
    const plain = await openai.responses.create(body);
    const streamed = await openai.responses.stream(body).finalResponse();
    for (const { output, usage, status } of [plain, streamed]) {
      expect(output.map(({ type }) => type)).toEqual([
        'reasoning',
        'message',
        'function_call',
        'function_call',
      ]);
      expect(output[0]).toMatchObject({ encrypted_content: 'sealed-1' });
      const calls = output.flatMap((each) =>
        each.type === 'function_call' ? [[each.name, JSON.parse(each.arguments)]] : [],
      );
      expect([calls, status]).toEqual([CALLS, 'completed']);
      expect([usage?.input_tokens, usage?.output_tokens]).toEqual([120, 40]);
    }
    expect(streamed.output_text).toBe('One moment.');
  });
});
