/** Handles unusable answers of upstreams: invalid JSON, reported errors, broken streams. */
import { GatewayError } from '../errors.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../json/object.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import type { ReportedError, TextAnswer } from './dialect.ts';

const decoder = new TextDecoder();

/** Returns an error for an answer that the gateway, not the upstream, found to be invalid. */
export const brokenAnswer = (message: string): ReportedError => ({
  type: null,
  code: null,
  message,
});

/** Parses an answer. @throws GatewayError `upstream_failed` when it is not a JSON object. */
export function answerObject(bytes: Uint8Array<ArrayBuffer>): JsonObject {
  let value: unknown;
  try {
    value = parseExact(decoder.decode(bytes));
  } catch (cause) {
    throw unreadableAnswer(cause);
  }
  if (!isJsonObject(value)) throw unreadableAnswer(new Error('the answer is not a JSON object'));
  return value;
}

/** Returns null instead of an error of `json/`, which would blame the caller's request. */
export function nullIfInvalid<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}

export const failedAnswer = (error: ReportedError): TextAnswer => ({
  facts: { usage: null, served: NOTHING_SERVED, outputBytes: 0, finishReason: null, error },
  write: () => {
    throw new Error('an answer that reports an error cannot be written');
  },
});

/** Returns a failed answer. `message` describes the fault that the gateway found in it. */
export const invalidAnswer = (message: string): TextAnswer => failedAnswer(brokenAnswer(message));

export const unreadableAnswer = (cause: unknown): GatewayError =>
  new GatewayError('upstream_failed', 'The provider of this channel sent an invalid answer.', {
    cause,
  });
