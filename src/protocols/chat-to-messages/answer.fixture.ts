/** Translates answers, for the tests of this folder. */
import type { JsonObject } from '../../json/object.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { FIXTURE_COST, type Passed, passChunks } from '../recorded-streams.fixture.ts';
import type { AnswerContext, PreparedRequest, StreamContext } from '../translator.ts';
import { MODEL, scanned, user } from './request.fixture.ts';
import { chatToMessages } from './translator.ts';

export const ANSWER_CONTEXT: AnswerContext = {
  requestId: 'req_01JD',
  createdSeconds: 1_790_000_000,
  quirks: NO_QUIRKS,
};

export const STREAM_CONTEXT: StreamContext = {
  ...ANSWER_CONTEXT,
  model: 'gen-opus-4-8',
  includeUsage: true,
  maxEventBytes: 64 * 1024,
  estimatedInput: 10,
  response: null,
};

const prepared = (json: JsonObject): PreparedRequest =>
  chatToMessages.prepare(scanned({ model: 'm', messages: [user('Hi')], ...json }), MODEL, true);

/** The request members of a caller that uses functions instead of tools. */
export const LEGACY = { functions: [{ name: 'get_time' }] } as const;

/** Returns a non-streaming Messages answer as the caller gets it. */
export function chatAnswer(message: unknown, json: JsonObject = {}) {
  const bytes = new TextEncoder().encode(
    typeof message === 'string' ? message : JSON.stringify(message),
  );
  const { facts, write } = prepared(json).readAnswer(bytes, ANSWER_CONTEXT);
  const text = () => write({ model: STREAM_CONTEXT.model, cost: FIXTURE_COST });
  return { facts, text };
}

/** Returns a Messages stream as the caller gets it, through the stream pass. */
export function chatStream(
  chunks: readonly (Uint8Array | string)[],
  context: Partial<StreamContext> = {},
  json: JsonObject = {},
): Passed {
  return passChunks(prepared(json).openStream({ ...STREAM_CONTEXT, ...context }), chunks);
}
