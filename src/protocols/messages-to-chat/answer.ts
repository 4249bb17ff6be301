/** Translates a non-streaming chat completion to a Messages answer. */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { answerObject, failedAnswer, invalidAnswer, unreadableAnswer } from '../broken-answer.ts';
import { reportedError } from '../chat/errors.ts';
import {
  firstChoice,
  type ModelOutput,
  outputBytesOf,
  readModelOutput,
} from '../chat/model-output.ts';
import { servedFromChat, usageFromChat } from '../chat/usage.ts';
import { derivedId, type TextAnswer } from '../dialect.ts';
import { encodeThinkingSignature } from '../thinking-signature.ts';
import { argumentsObject } from '../tool-arguments.ts';
import type { AnswerContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { messagesUsage, stopDetails, stopReason, thinkingRule } from './answer-fields.ts';
import type { AnswerOptions } from './request.ts';
import { messagesCallId } from './tool-names.ts';

/**
 * Translates a chat completion. If a body with status 200 reports an error or has no finish reason,
 * `facts.error` is set.
 * @throws GatewayError `upstream_failed` when the body is neither a completion nor an error object.
 */
export function readChatAsMessages(
  bytes: Uint8Array<ArrayBuffer>,
  context: AnswerContext,
  answerOptions: AnswerOptions,
): TextAnswer {
  const json = answerObject(bytes);
  const reported = reportedError(json, null);
  if (reported !== null) return failedAnswer(reported);
  const choice = firstChoice(json['choices']);
  if (choice === null) throw unreadableAnswer(new Error('the answer has no choice'));
  const { quirks } = context;
  const message = asJsonObject(choice['message']) ?? {};
  const output = readModelOutput(message, quirks.reasoningFields);
  const finish = asString(choice['finish_reason']) ?? '';
  if (finish === '') return invalidAnswer('The upstream ended its answer without a finish reason.');
  if (output.calls.some(({ name }) => name === null)) {
    return invalidAnswer('The upstream sent a tool call without a name.');
  }
  const isRefused = output.refusal !== '';
  const reason = stopReason(finish, { hasCalls: output.calls.length > 0, isRefused });
  if (reason === null)
    return invalidAnswer(`The upstream ended with the finish reason "${finish}".`);
  const usage = usageFromChat(json['usage'], quirks);
  const outputBytes = outputBytesOf(output);
  return {
    facts: {
      usage,
      served: servedFromChat(json, quirks),
      outputBytes,
      finishReason: reason,
      error: null,
    },
    write: ({ model, cost }) => {
      const head = JSON.stringify({
        id: derivedId('msg_', context.requestId),
        type: 'message',
        role: 'assistant',
        model,
        content: contentOf(output, context, answerOptions),
        stop_reason: reason,
        stop_sequence: null,
        stop_details: stopDetails(reason),
        container: null,
        diagnostics: null,
        ...(answerOptions.reportsEdits ? { context_management: { applied_edits: [] } } : {}),
      });
      const counts = messagesUsage(cost.estimated ?? usage);
      return `${head.slice(0, -1)},"usage":${usageWithCost(counts, cost)}}`;
    },
  };
}

function contentOf(
  output: ModelOutput,
  context: AnswerContext,
  answerOptions: AnswerOptions,
): readonly JsonObject[] {
  const text = output.text + output.refusal;
  const seen = new Set<string>();
  return [
    ...thinkingBlocks(output.reasoning, context, answerOptions),
    // Blank text is omitted, because upstreams refuse it when a client sends it back. `citations`
    // is omitted too, because the AI SDK 6 refuses `citations: null`.
    ...(text.trim() === '' ? [] : [{ type: 'text', text }]),
    ...output.calls.map((call, index) => {
      // Clients find a call by its id, so an id that is missing or repeated is replaced.
      const given = call.id === null || seen.has(call.id) ? null : call.id;
      if (given !== null) seen.add(given);
      return {
        type: 'tool_use',
        id: messagesCallId(given, context.requestId, index, call.extra),
        name: answerOptions.names.forCaller(call.name ?? ''),
        input: argumentsObject(call.arguments),
      };
    }),
  ];
}

function thinkingBlocks(
  reasoning: string,
  { quirks }: AnswerContext,
  { thinking }: AnswerOptions,
): readonly JsonObject[] {
  const rule = thinkingRule(quirks, thinking);
  if (reasoning === '' || rule === 'hidden') return [];
  return rule === 'shown'
    ? [{ type: 'thinking', thinking: reasoning, signature: '' }]
    : [{ type: 'thinking', thinking: '', signature: encodeThinkingSignature(reasoning) }];
}
