/**
 * Reads a non-streaming Responses answer, and writes it for the caller with the cost in `usage`.
 */
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  type JsonObject,
} from '../../json/object.ts';
import { failedAnswer, invalidAnswer, nullIfInvalid } from '../broken-answer.ts';
import type { ReportedError, TextAnswer } from '../dialect.ts';
import type { AnswerContext } from '../translator.ts';
import { type Echo, editedResponse, scanResponse } from './answer-edits.ts';
import { responsesReport } from './usage.ts';

/**
 * Reads an answer. `write` keeps the provider's bytes except for the model's name, the cost in
 * `usage` and the fields in `echo`. Never throws: if a body with status 200 reports an error or a
 * failed answer, or is invalid, `facts.error` is set.
 */
export function readResponsesAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { quirks }: Pick<AnswerContext, 'quirks'>,
  echo: Echo,
): TextAnswer {
  const read = nullIfInvalid(() => {
    const body = scanResponse(bytes);
    return { body, json: body.response.parse() };
  });
  if (read === null) return invalidAnswer('The answer is not a JSON object.');
  const { body, json } = read;
  const error = reportedError(json);
  if (error !== null) return failedAnswer(error);
  const { output } = json;
  if (!Array.isArray(output)) return invalidAnswer('The answer is not a response object.');
  const finishReason = finishReasonOf(json);
  if (finishReason === null) return invalidAnswer('The answer has not ended.');
  const { usage, served } = responsesReport(json, quirks);
  return {
    facts: { usage, served, outputBytes: outputBytesIn(output), finishReason, error: null },
    write: ({ model, cost }) => editedResponse(body, json, { model, echo, quirks, cost }),
  };
}

/** Returns `completed`, or the reason why an answer is incomplete; null for any other status. */
export function finishReasonOf(response: JsonObject): string | null {
  const status = asString(response['status']);
  if (status === 'incomplete') {
    const details = asJsonObject(response['incomplete_details']);
    return asFilledString(details?.['reason']) ?? status;
  }
  // A missing status counts as completed, since some servers omit it.
  return status === null || status === 'completed' ? 'completed' : null;
}

/** The statuses of an answer that ended without a result. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled']);

/**
 * Returns the error in a response object, an error body or an `error` event; null when nothing
 * failed. The members of the error may be at the top level or within `error`.
 */
export function reportedError(json: JsonObject): ReportedError | null {
  const { error, status, type } = json;
  const fields = asJsonObject(error);
  if (fields !== null) return errorOf(fields, asString(fields['type']));
  if (typeof error === 'string' && error !== '') return errorOf({ message: error }, null);
  if (type === 'error') return errorOf(json, null);
  return FAILED.has(status) ? errorOf({}, null) : null;
}

function errorOf({ code, message }: JsonObject, type: string | null): ReportedError {
  return {
    type,
    code: typeof code === 'number' ? String(code) : asString(code),
    message: asFilledString(message) ?? 'The provider reported an error without a message.',
  };
}

/**
 * Counts the bytes of text, reasoning, refusal and tool input in an output item. Encrypted
 * reasoning does not count, because its length says little about its tokens.
 */
export function outputBytesOf(item: JsonObject): number {
  let bytes = length(item['arguments']) + length(item['input']) + length(item['code']);
  for (const name of ['content', 'summary'] as const) {
    for (const part of asArray(item[name])) {
      const { text, refusal } = asJsonObject(part) ?? {};
      bytes += length(text) + length(refusal);
    }
  }
  return bytes;
}

/** Counts the bytes of output in all items of an answer. */
export function outputBytesIn(output: unknown): number {
  let bytes = 0;
  for (const item of asArray(output)) bytes += outputBytesOf(asJsonObject(item) ?? {});
  return bytes;
}

/** Returns the text with which the model refused; empty if it did not. */
export function refusalIn(output: unknown): string {
  let text = '';
  for (const item of asArray(output)) {
    for (const part of asArray(asJsonObject(item)?.['content']))
      text += asString(asJsonObject(part)?.['refusal']) ?? '';
  }
  return text;
}

/** Counts the bytes of output in a delta. Its `obfuscation` is padding and does not count. */
export const deltaBytesIn = ({ delta }: JsonObject): number => length(delta);

const length = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);
