/**
 * Translates Messages requests to chat, and chat answers to Messages, for the tests of this folder.
 */
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { JsonScan, type ScannedObject } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { FIXTURE_COST, type Passed, passChunks } from '../recorded-streams.fixture.ts';
import { NO_PLAN } from '../request-fields.ts';
import type { PreparedRequest, RequestTarget, StreamContext } from '../translator.ts';
import { messagesToChat } from './translator.ts';

const MODEL = { maxOutput: 128_000 } as const;
const DEFAULTS = {
  model: 'gen-v4-pro',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  thinking: { type: 'adaptive' },
} as const;
const encoder = new TextEncoder();

export const scanned = (json: unknown): ScannedObject => {
  const bytes = encoder.encode(typeof json === 'string' ? json : JSON.stringify(json));
  return new JsonScan({ maxDepth: 1_000 }).finish(bytes, bytes.byteLength);
};

export const target = (quirks: Partial<Quirks> = {}): RequestTarget => ({
  model: 'up-v4',
  quirks: { ...NO_QUIRKS, ...quirks },
  clampedOutput: null,
  plan: NO_PLAN,
});

export const user = (content: unknown): JsonObject => ({ role: 'user', content });
export const assistant = (content: unknown): JsonObject => ({ role: 'assistant', content });
export const system = (content: unknown): JsonObject => ({ role: 'system', content });
export const toolUse = (id: string, name = 'f', input: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const toolResult = (id: string, content: unknown, more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
});
export const text = (words: string): JsonObject => ({ type: 'text', text: words });

export const prepared = (json: JsonObject, stream = false): PreparedRequest =>
  messagesToChat.prepare(scanned({ ...DEFAULTS, ...json }), MODEL, stream);

/** Translates a Messages request. Returns the exact body that a chat upstream gets. */
export const chatText = (json: JsonObject, to: RequestTarget = target(), stream = false): string =>
  new TextDecoder().decode(prepared(json, stream).bodyFor(to));

export const chatBody = (json: JsonObject, to: RequestTarget = target()): JsonObject =>
  JSON.parse(chatText(json, to));

/** Translates a conversation of Messages turns. Returns the chat messages. */
export const chatMessages = (
  messages: readonly JsonObject[],
  quirks: Partial<Quirks> = {},
): unknown => chatBody({ messages }, target(quirks))['messages'];

/** Returns the error for a rejected request, as `code at param: message`. */
export function refusalOf(json: JsonObject): string {
  try {
    prepared(json);
  } catch (thrown) {
    if (thrown instanceof GatewayError)
      return `${thrown.code} at ${thrown.param}: ${thrown.message}`;
    throw thrown;
  }
  throw new Error('the request was not refused');
}

export const context = (quirks: Partial<Quirks> = {}): StreamContext => ({
  requestId: 'req_01X',
  createdSeconds: 1_790_000_000,
  quirks: { ...NO_QUIRKS, ...quirks },
  model: 'gen-v4-pro',
  includeUsage: true,
  maxEventBytes: 64 * 1024,
  estimatedInput: 7,
  response: null,
});

/** Translates the chunks of a chat stream to a Messages stream. */
export const passStream = (
  chunks: readonly (Uint8Array | string)[],
  request: JsonObject = {},
  quirks: Partial<Quirks> = {},
): Passed => passChunks(prepared(request, true).openStream(context(quirks)), chunks);

/** Returns a chat stream with these deltas, then this finish reason and the end mark. */
export const chatStream = (deltas: readonly JsonObject[], finish: string | null = 'stop'): string =>
  [
    ...deltas.map((delta) => chatEvent({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chatEvent({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    'data: [DONE]\n\n',
  ].join('');

export const chatEvent = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;

/** Returns the parsed JSON of each event in a Messages stream. */
export const eventsOf = (stream: string): readonly JsonObject[] =>
  stream
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 'data: '.length)));

/** Translates a non-streaming chat answer to a Messages answer. */
export function answerFor(
  answer: unknown,
  request: JsonObject = {},
  quirks: Partial<Quirks> = {},
): JsonObject {
  const bytes = encoder.encode(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const read = prepared(request).readAnswer(bytes, context(quirks));
  const written = read.write({ model: 'gen-v4-pro', cost: FIXTURE_COST });
  return JSON.parse(written);
}

/** Returns a non-streaming chat answer with this message and this finish reason. */
export const chatAnswer = (message: JsonObject, finish = 'stop', more: JsonObject = {}) => ({
  id: 'chatcmpl-9',
  object: 'chat.completion',
  created: 1,
  model: 'vendor',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 },
  ...more,
});
