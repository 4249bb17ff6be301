import { expect, test } from 'bun:test';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { NO_USAGE } from '../money/usage.ts';
import { openChatStream } from './chat/stream-pass.ts';
import { readChatStream } from './chat-rules.fixture.ts';
import { SERVER_STREAMS, type ServerStream } from './chat-servers.fixture.ts';
import { brokenRules } from './messages-to-chat/messages-rules.fixture.ts';
import { context, eventsOf, passStream } from './messages-to-chat/request.fixture.ts';
import { NO_QUIRKS } from './quirks.ts';
import { type Passed, passChunks } from './recorded-streams.fixture.ts';

const CASES = SERVER_STREAMS.map((stream) => [stream.name, stream] as const);
const byteByByte = (text: string): readonly Uint8Array[] =>
  [...new TextEncoder().encode(text)].map((byte) => Uint8Array.of(byte));

/** Violations of the protocol in the servers' streams that all clients tolerate. */
const HARMLESS = [
  'a choice lacks a member',
  'a chunk comes after the finish reason',
  'usage of an ordinary chunk is neither null nor absent as requested',
  'a fragment of a call has no arguments',
];

const native = (chunks: readonly (Uint8Array | string)[]): Passed =>
  passChunks(openChatStream(context(NO_QUIRKS)), chunks);

/**
 * Returns the answer that the stream helper of OpenAI's official client assembles; throws if the
 * helper cannot assemble the stream.
 */
async function readByHelper(text: string): Promise<unknown> {
  const lines = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => `${event.slice('data: '.length)}\n`);
  const body = new Blob(lines).stream();
  return await ChatCompletionStream.fromReadableStream(body).finalChatCompletion();
}

test.each(CASES)('a chat client reads the whole stream: %s', async (_, stream) => {
  const passed = native([stream.bytes]);
  expect(passed).toMatchObject({ ended: true, facts: { error: null } });
  expect(native(byteByByte(stream.bytes)).text).toBe(passed.text);
  const read = readChatStream(passed.text, { includeUsage: true });
  expect(read.faults.filter((fault) => !HARMLESS.includes(fault))).toEqual([]);
  expect(read).toMatchObject({
    content: stream.content,
    reasoning: stream.reasoning,
    finishReason: stream.finishReason,
  });
  expect(read.calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
    ...stream.calls,
  ] as never);
  expect(new Set(read.calls.map(({ id }) => id)).size).toBe(stream.calls.length);
  expect(read.calls.every(({ id }) => id !== 'undefined' && id !== '')).toBe(true);
  const message = stream.calls.map(([name]) => ({ type: 'function', function: { name } }));
  expect(await readByHelper(passed.text)).toMatchObject({
    choices: [{ message: message.length === 0 ? {} : { tool_calls: message } }],
  });
  expectCounts(stream, passed);
});

const STOP_REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

test.each(CASES)('a Messages client reads the whole stream: %s', (_, stream) => {
  const passed = passStream([stream.bytes]);
  expect(passed).toMatchObject({ ended: true, facts: { error: null } });
  expect(passStream(byteByByte(stream.bytes)).text).toBe(passed.text);
  expect(brokenRules(passed.text, true)).toEqual([]);
  const events = eventsOf(passed.text);
  const said = (kind: string): string =>
    events.map((each) => (each['delta'] as Record<string, unknown>)?.[kind] ?? '').join('');
  expect(said('text')).toBe(stream.content);
  expect(said('thinking')).toBe(stream.reasoning);
  expect(said('partial_json')).toBe(
    stream.calls.map(([, input]) => JSON.stringify(input)).join(''),
  );
  expect(said('stop_reason')).toBe(STOP_REASONS[stream.finishReason]);
  expectCounts(stream, passed);
});

function expectCounts({ counted }: ServerStream, { facts: { usage } }: Passed): void {
  if (counted === null) {
    expect(usage).toBeNull();
    return;
  }
  const [prompt, output] = counted;
  expect(usage).toEqual({ ...NO_USAGE, input: prompt, output });
}
