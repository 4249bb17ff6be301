/**
 * Tests that the official Messages client returns Gemini's signatures of tool calls, and that only
 * chat providers get them.
 */
import { describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import type { JsonObject } from '../../json/object.ts';
import {
  answerFor,
  chatAnswer,
  chatMessages,
  chatStream,
  passStream,
  scanned,
  target,
} from '../messages-to-chat/request.fixture.ts';
import { readCallId, signedCallId } from './call-signature.ts';
import { messagesToMessages } from './translator.ts';

const SIGNATURE = 'CiQB+/8=';
const CALLS = [
  {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: '{"n":1}' },
    extra_content: { google: { thought_signature: SIGNATURE } },
  },
  { index: 1, id: 'call_2', type: 'function', function: { name: 'f', arguments: '{}' } },
];
const ASKED = { role: 'user', content: 'Hi' } as const;

/** Returns the conversation that the client sends after it ran the tools of an answer. */
async function conversation(body: string, stream: boolean) {
  const type = stream ? 'text/event-stream' : 'application/json';
  const { messages } = new Anthropic({
    apiKey: 'none',
    fetch: async () => new Response(body, { headers: { 'content-type': type } }),
  });
  const request = { model: 'm', max_tokens: 100, messages: [ASKED] };
  const answer = stream
    ? await messages.stream(request).finalMessage()
    : await messages.create(request);
  const results = answer.content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ type: 'tool_result', tool_use_id: block.id, content: 'ok' }]
      : [],
  );
  const turns = [ASKED, { role: 'assistant', content: answer.content }];
  const all: unknown = JSON.parse(JSON.stringify([...turns, { role: 'user', content: results }]));
  return all as readonly JsonObject[];
}

const whole = () => JSON.stringify(answerFor(chatAnswer({ tool_calls: CALLS }, 'tool_calls')));
const streamed = () => passStream([chatStream([{ tool_calls: CALLS }], 'tool_calls')]).text;

describe.each([
  ['a whole answer', false, whole],
  ['a stream', true, streamed],
])('the calls of %s', (_what, stream, body) => {
  test('return to a chat provider with its signatures', async () => {
    const sent = CALLS.map(({ index: _, ...call }) => call);
    const results = CALLS.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
    expect(chatMessages(await conversation(body(), stream))).toEqual([
      ASKED,
      { role: 'assistant', content: null, tool_calls: sent },
      ...results,
    ]);
  });

  test('are sent to a Messages provider under their own ids', async () => {
    const messages = await conversation(body(), stream);
    const request = scanned({ model: 'm', max_tokens: 100, messages });
    const prepared = messagesToMessages.prepare(request, { maxOutput: 100 }, false);
    const sent: unknown = JSON.parse(new TextDecoder().decode(prepared.bodyFor(target())));
    expect(sent).toMatchObject({
      messages: [
        ASKED,
        {
          content: [
            { id: 'call_1', input: { n: 1 } },
            { id: 'call_2', input: {} },
          ],
        },
        { content: [{ tool_use_id: 'call_1' }, { tool_use_id: 'call_2' }] },
      ],
    });
  });
});

describe('an id', () => {
  test('has only characters that the protocol allows', () => {
    const signed = signedCallId('call_1', SIGNATURE);
    expect(signed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readCallId(signed)).toEqual({ id: 'call_1', signature: SIGNATURE });
  });

  test('of another kind is unchanged, and an empty signature is dropped', () => {
    expect(readCallId('toolu_1')).toEqual({ id: 'toolu_1', signature: null });
    expect(readCallId('call_1_modelgate-1_')).toEqual({ id: 'call_1', signature: null });
  });

  test('has no signature that is longer than any provider makes', () => {
    expect(signedCallId('call_1', 'x'.repeat(64 * 1024 + 1))).toBe('call_1');
  });
});
