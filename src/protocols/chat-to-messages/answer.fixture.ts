/** Translates Messages answers to chat, for the tests of this folder. */
import type { JsonObject } from '../../json/object.ts';
import {
  ANSWER_CONTEXT,
  FIXTURE_COST,
  type Passed,
  passChunks,
  STREAM_CONTEXT,
} from '../recorded-streams.fixture.ts';
import type { PreparedRequest, StreamContext } from '../translator.ts';
import { MODEL, scanned, user } from './request.fixture.ts';
import { chatToMessages } from './translator.ts';

const prepared = (json: JsonObject): PreparedRequest =>
  chatToMessages.prepare(scanned({ model: 'm', messages: [user('Hi')], ...json }), MODEL, true);

/** The members of a request from a legacy caller, which uses functions instead of tools. */
export const LEGACY = { functions: [{ name: 'get_time' }] } as const;

/**
 * Translates a non-streaming Messages answer to a chat answer. Returns the facts of the answer, and
 * a function that writes the chat answer.
 */
export function chatAnswer(message: unknown, json: JsonObject = {}) {
  const bytes = new TextEncoder().encode(
    typeof message === 'string' ? message : JSON.stringify(message),
  );
  const { facts, write } = prepared(json).readAnswer(bytes, ANSWER_CONTEXT);
  const text = () => write({ model: STREAM_CONTEXT.model, cost: FIXTURE_COST });
  return { facts, text };
}

/** Translates the chunks of a Messages stream to a chat stream. */
export function chatStream(
  chunks: readonly (Uint8Array | string)[],
  context: Partial<StreamContext> = {},
  json: JsonObject = {},
): Passed {
  return passChunks(prepared(json).openStream({ ...STREAM_CONTEXT, ...context }), chunks);
}
