/** What both translations do alike with a non-streaming answer: parse it, and report a failure. */
import { GatewayError } from '../errors.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { isJsonObject, type JsonObject } from '../json/object.ts';
import { brokenAnswer, type ReportedError, type TextAnswer } from './dialect.ts';

const decoder = new TextDecoder();

/** @throws GatewayError `upstream_failed` when the bytes are not a JSON object. */
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

/** An answer that reports an error. */
export const failedAnswer = (error: ReportedError): TextAnswer => ({
  facts: { usage: null, outputBytes: 0, finishReason: null, error },
  write: () => {
    throw new Error('an answer that reports an error cannot be written');
  },
});

/** An answer in which the gateway found the error. */
export const invalidAnswer = (message: string): TextAnswer => failedAnswer(brokenAnswer(message));

export const unreadableAnswer = (cause: unknown): GatewayError =>
  new GatewayError(
    'upstream_failed',
    'The provider behind this channel sent an answer that cannot be read.',
    { cause },
  );
