/**
 * Reads a non-streaming Responses answer, and writes it for the caller with the cost in `usage`.
 */
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { failedAnswer, invalidAnswer } from '../broken-answer.ts';
import type { TextAnswer } from '../dialect.ts';
import type { AnswerContext } from '../translator.ts';
import { type Echo, editedResponse, type ScannedResponse, scanResponse } from './answer-edits.ts';
import { finishReasonOf, reportedError } from './answer-status.ts';
import { outputBytesIn } from './output-bytes.ts';
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
  const read = readObject(bytes);
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

type Read = { readonly body: ScannedResponse; readonly json: JsonObject };

/**
 * Parses an answer. Returns null for invalid JSON, because the parser's error would blame the
 * caller's request.
 */
function readObject(bytes: Uint8Array<ArrayBuffer>): Read | null {
  try {
    const body = scanResponse(bytes);
    return { body, json: body.response.parse() };
  } catch (thrown) {
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}
