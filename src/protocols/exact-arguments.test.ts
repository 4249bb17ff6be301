import { describe, expect, test } from 'bun:test';
import { chatAnswer, chatStream } from './chat-to-messages/answer.fixture.ts';
import { call, messagesText, result } from './chat-to-messages/request.fixture.ts';
import {
  context,
  prepared,
  scanned,
  target,
  text,
  user,
} from './messages-to-chat/request.fixture.ts';
import { messagesToChat } from './messages-to-chat/translator.ts';
import { NO_QUIRKS } from './quirks.ts';
import { FIXTURE_COST } from './recorded-streams.fixture.ts';

/** Tool arguments with numbers that JavaScript cannot represent exactly. Only `fine` is exact. */
const ARGUMENTS =
  '{"id":12345678901234567890,"huge":1e400,"fine":0.1,"list":[-9007199254740993],"half":"\\ud800","__proto__":1}';
/** The arguments as a JSON string. */
const QUOTED = JSON.stringify(ARGUMENTS);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const encode = (json: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(json);
const FINISH = { model: 'm', cost: FIXTURE_COST };

describe("every digit of a tool's arguments is kept", () => {
  test.each(['', 'x'.repeat(20_000)])('of a Messages conversation to a chat upstream', (image) => {
    const source = { type: 'base64', media_type: 'image/png', data: image };
    const first = user([text('Hi'), { type: 'image', source }]);
    const body = scanned(
      `{"model":"m","max_tokens":9,"messages":[${JSON.stringify(first)},{"role":"assistant","content":[{"type":` +
        `"tool_use","id":"a","name":"f","input":${ARGUMENTS}}]},{"role":"user","content":[{"type":"tool_result",` +
        `"tool_use_id":"a","content":"ok"}]}]}`,
    );
    const request = messagesToChat.prepare(body, { maxOutput: 1_000 }, false);
    expect(decode(request.bodyFor(target()))).toContain(`"arguments":${QUOTED}`);
  });

  test('of a chat conversation to a Messages upstream', () => {
    const messages = [
      user('Hi'),
      { role: 'assistant', content: null, tool_calls: [call('a', 'f', ARGUMENTS)] },
      result('a', 'ok'),
    ];
    expect(messagesText({ messages })).toContain(`"input":${ARGUMENTS}`);
  });

  test('of a chat answer to a Messages caller', () => {
    const answer = encode(
      `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":${QUOTED}}}]},` +
        `"finish_reason":"tool_calls"}]}`,
    );
    const { write } = prepared({}).readAnswer(answer, context(NO_QUIRKS));
    expect(write(FINISH)).toContain(`"input":${ARGUMENTS}`);
  });

  test('of a Messages answer to a chat caller', () => {
    const answer = `{"content":[{"type":"tool_use","id":"a","name":"f","input":${ARGUMENTS}}],"stop_reason":"tool_use"}`;
    expect(chatAnswer(answer).text()).toContain(`"arguments":${QUOTED}`);
  });

  test('of a Messages stream that sends them at once', () => {
    const event = (type: string, members: string): string =>
      `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`;
    const { text: out } = chatStream([
      event('message_start', '"message":{"usage":{"input_tokens":1}}'),
      event(
        'content_block_start',
        `"index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":${ARGUMENTS}}`,
      ),
      event('content_block_stop', '"index":0'),
    ]);
    expect(out).toContain(`"arguments":${QUOTED}`);
  });
});

test('an option with more digits than a number holds is still read as a number', () => {
  const messages = [user('Hi')];
  const body = `{"model":"m","max_tokens":9,"temperature":0.50000000000000001234,"messages":${JSON.stringify(messages)}}`;
  const request = messagesToChat.prepare(scanned(body), { maxOutput: 1_000 }, false);
  expect(decode(request.bodyFor(target()))).toContain('"temperature":0.5');
});
