/**
 * Tests a Messages upstream that refuses the thinking of an earlier answer, because another account
 * or another beginning of the conversation belongs to it. The request is sent again without it.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { receiptOf } from './support/history/ledger-views.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, CHAT, MESSAGES } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const REFUSAL =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
const hasThinking = (body: unknown): boolean =>
  /"(?:redacted_)?thinking","/.test(JSON.stringify(Object(body).messages));

/** Scripts an upstream that refuses thinking. Returns the bodies that it gets. */
function refuseThinking(): unknown[] {
  const bodies: unknown[] = [];
  upstream.script(({ body }) => {
    bodies.push(body);
    return hasThinking(body)
      ? Response.json(
          { type: 'error', error: { type: 'invalid_request_error', message: REFUSAL } },
          { status: 400 },
        )
      : Response.json({
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
          ...{ content: [{ type: 'text', text: 'Fine.' }], stop_reason: 'end_turn' },
          ...{ stop_sequence: null, usage: { input_tokens: 20, output_tokens: 3 } },
        });
  });
  return bodies;
}

const MODEL = { model: 'scripted-messages', max_tokens: 500 };
const asked = { role: 'user', content: 'Look.' };
const used = { type: 'tool_use', id: 'call_1', name: 'look', input: {} };
const seen = [{ type: 'tool_result', tool_use_id: 'call_1', content: 'a boat' }];
const thinking = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' };

const OF_MESSAGES = {
  ...{ ...MODEL, thinking: { type: 'adaptive' } },
  tools: [{ name: 'look', input_schema: { type: 'object' } }],
  messages: [
    asked,
    { role: 'assistant', content: [thinking, { type: 'redacted_thinking', data: 'eA==' }, used] },
    { role: 'user', content: seen },
  ],
};
const OF_CHAT = {
  ...{ ...MODEL, reasoning_effort: 'high' },
  tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  messages: [
    asked,
    {
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'c2ln', format: null }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a boat' },
  ],
};

test.each([
  [CHAT, OF_CHAT],
  [MESSAGES, OF_MESSAGES],
] as const)('%s is sent again without it, once, and charged once', async (path, request) => {
  const bodies = refuseThinking();
  const got = await ask(gateway, path, request);
  expect([got.status, bodies.length]).toEqual([200, 2]);
  expect(bodies.map(hasThinking)).toEqual([true, false]);
  expect(bodies[1]).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'look' }] },
      { role: 'user', content: [{ type: 'tool_result' }] },
    ],
  });
  const receipt = await receiptOf(gateway, got.headers.get('x-request-id') ?? '');
  expect(receipt.at('data')).toMatchObject({ tokens_prompt: 20, tokens_completion: 3 });
});

test('with a budget, a turn with calls needs its thinking, so the refusal reaches the caller', async () => {
  const bodies = refuseThinking();
  const budget = { type: 'enabled', budget_tokens: 1_024 };
  const got = await ask(gateway, MESSAGES, { ...OF_MESSAGES, max_tokens: 2_000, thinking: budget });
  expect([got.status, got.at('error.message')]).toEqual([400, REFUSAL]);
  expect(bodies.map(hasThinking)).toEqual([true, true]);
});
