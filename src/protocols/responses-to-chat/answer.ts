/** Translates a non-streaming chat completion into a response. */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { answerObject, failedAnswer, invalidAnswer, unreadableAnswer } from '../broken-answer.ts';
import { reportedError } from '../chat/errors.ts';
import { firstChoice } from '../chat/model-output.ts';
import { servedFromChat, usageFromChat } from '../chat/usage.ts';
import type { TextAnswer } from '../dialect.ts';
import { responseText } from '../responses/response-object.ts';
import { NO_EVENTS } from '../responses/response-stream.ts';
import { responsesUsage } from '../responses/usage.ts';
import type { AnswerContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { type AnsweredOptions, endOf, openItemStatus, servedTier } from './answer-fields.ts';
import { writeChatPart } from './chat-part.ts';
import { OutputWriter } from './output-writer.ts';

/**
 * Reads a chat completion as a response. If a body with status 200 reports an error or has no
 * finish reason, `facts.error` is set.
 * @throws GatewayError `upstream_failed` when the body is neither a completion nor an error object.
 */
export function readChatAsResponse(
  bytes: Uint8Array<ArrayBuffer>,
  context: AnswerContext,
  options: AnsweredOptions,
): TextAnswer {
  const json = answerObject(bytes);
  const reported = reportedError(json, null);
  if (reported !== null) return failedAnswer(reported);
  const choice = firstChoice(json['choices']);
  if (choice === null) throw unreadableAnswer(new Error('the answer has no choice'));
  const finish = asString(choice['finish_reason']) ?? '';
  if (finish === '') return invalidAnswer('The upstream ended its answer without a finish reason.');
  const end = endOf(finish);
  if (end === null) return invalidAnswer(`The upstream ended with the finish reason "${finish}".`);
  const { quirks } = context;
  // The size of a non-streaming answer is limited already, so its output needs no limit.
  const rules = { ...options, requestId: context.requestId, maxUnits: Number.POSITIVE_INFINITY };
  const writer = new OutputWriter(NO_EVENTS, rules);
  const message = withNumberedCalls(asJsonObject(choice['message']) ?? {});
  const outputBytes = writeChatPart(writer, message, choice['logprobs'] ?? null, quirks);
  writer.end(openItemStatus(end));
  if (writer.fault !== null) return invalidAnswer(writer.fault);
  const usage = usageFromChat(json['usage'], quirks);
  const served = servedFromChat(json, quirks);
  return {
    facts: { usage, served, outputBytes, finishReason: finish, error: null },
    write: ({ model, cost }) => {
      const counts = responsesUsage(cost.estimated ?? usage ?? NO_USAGE);
      return responseText({ ...context, model }, options.settings, {
        end,
        output: writer.output,
        usage: usageWithCost(counts, cost),
        tier: servedTier(served.tier),
      });
    },
  };
}

/**
 * Numbers the calls of a complete message, so that none of them continues another one, whatever
 * their ids are.
 */
function withNumberedCalls(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  const numbered = calls.map((call, index) => (isJsonObject(call) ? { ...call, index } : call));
  return { ...message, tool_calls: numbered };
}
