import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readChatRequest } from './chat/request.ts';
import {
  message as chatMessage,
  isPlainMessage as isPlainChat,
  isTextPart,
  partSchemas,
} from './chat/schema.ts';
import { readMessagesRequest } from './messages/request.ts';
import { blockSchemas, isPlainBlock, isPlainMessage, message } from './messages/schema.ts';

const odd = fc.constantFrom<unknown>(undefined, null, 1, false, true, 'text', '', [], {}, [{}]);
const call = fc.record({
  id: odd,
  type: odd,
  function: fc.oneof(odd, fc.record({ name: odd, arguments: odd })),
});
const sent = fc.record({
  role: fc.constantFrom<unknown>('user', 'assistant', 'system', 'tool', 'narrator', null, 1),
  name: odd,
  tool_call_id: odd,
  tool_calls: fc.oneof(odd, fc.array(call, { maxLength: 2 })),
  output_config: odd,
});
const block = fc.record({
  type: fc.constantFrom<unknown>('text', 'tool_use', 'tool_result', 'thinking', null),
  ...{ text: odd, id: odd, name: odd, input: odd, tool_use_id: odd, is_error: odd },
  cache_control: odd,
});

test('a value that skips its schema is one that the schema accepts', () => {
  const runs = { numRuns: 3_000, seed: 20_261_122 };
  let skipped = 0;
  fc.assert(
    fc.property(sent, block, (each, part) => {
      const pairs = [
        [isPlainChat(each), chatMessage()],
        [isPlainMessage(each), message()],
        [isTextPart(part), partSchemas().get('text')],
        [isPlainBlock(part), blockSchemas().get(String(part.type))],
      ] as const;
      for (const [at, [isPlain, schema]] of pairs.entries()) {
        if (!isPlain) continue;
        skipped += 1;
        const value = at < 2 ? each : part;
        expect(schema?.safeParse(value)).toEqual({ success: true, data: value });
      }
    }),
    runs,
  );
  expect(skipped).toBeGreaterThan(300);
});

test('an object that a schema would copy may have 64 members', () => {
  const members = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  const part = (count: number) => ({ type: 'text', text: 'Hi', ...members(count - 2) });
  const asked = (count: number) => ({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user', content: [part(count)] }],
  });
  for (const read of [readChatRequest, readMessagesRequest]) {
    expect(read(asked(64)).model).toBe('m');
    expect(() => read(asked(65))).toThrow('messages[0].content[0]: must hold at most 64 members');
  }
  const tool = { type: 'function', function: { name: 'f', parameters: members(65) } };
  expect(() => readChatRequest({ ...asked(2), tools: [tool] })).toThrow(
    'tools[0].function.parameters: must hold at most 64 entries',
  );
  const own = { name: 'f', input_schema: members(65) };
  expect(() => readMessagesRequest({ ...asked(2), tools: [own] })).toThrow(
    'tools[0].input_schema: must hold at most 64 entries',
  );
});
