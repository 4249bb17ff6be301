/** Converts chat answers to Gemini's format. */
import { parseExact, plainNumber } from '../../json/exact-numbers.ts';
import {
  asArray,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { argumentsText, readModelOutput } from '../chat/model-output.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { argumentsObject } from '../tool-arguments.ts';
import { toGoogleSignature } from './call-signature.ts';
import type { GeminiRequest } from './request.ts';

/** The part of a request by which its answer is converted. */
export type Asked = Pick<GeminiRequest, 'showsThoughts' | 'functionNames'>;

/** Maps chat's finish reasons to Google's. */
const FINISH_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'STOP'],
  ['tool_calls', 'STOP'],
  ['function_call', 'STOP'],
  ['length', 'MAX_TOKENS'],
  ['content_filter', 'SAFETY'],
]);

export const finishReason = (reason: unknown): string => FINISH_REASONS.get(reason) ?? 'OTHER';

/**
 * Converts a non-streaming chat answer.
 * @param text the chat answer as JSON.
 * @param model the model's name for the caller.
 * @param asked the translated request.
 */
export function geminiAnswer(text: string, model: string, asked: Asked): string {
  const answer = asJsonObject(parseExact(text)) ?? {};
  const candidates = asArray(answer['choices'])
    .filter(isJsonObject)
    .map((choice, at) => {
      const message = asJsonObject(choice['message']) ?? {};
      const parts = [
        ...textParts(message, asked.showsThoughts),
        ...callParts(
          asArray(message['tool_calls']).filter(isJsonObject),
          asked,
          thinkingIn(message),
        ),
      ];
      const reason = finishReason(choice['finish_reason']);
      return { ...candidate(at, parts, reason), ...tokenChances(choice, true) };
    });
  return JSON.stringify(chunk(candidates, model, answer, usageMetadata(answer['usage'])));
}

export const candidate = (index: number, parts: readonly JsonObject[], reason: string | null) => ({
  content: { role: 'model', parts },
  ...(reason === null ? {} : { finishReason: reason }),
  index,
});

export const chunk = (
  candidates: readonly JsonObject[],
  model: string,
  { id }: JsonObject,
  usage: JsonObject | null,
): JsonObject => ({
  candidates,
  ...(usage === null ? {} : { usageMetadata: usage }),
  modelVersion: model,
  responseId: asString(id) ?? '',
});

/** Returns the texts of a chat message or delta as parts, with the thinking if it is wanted. */
export function textParts(part: JsonObject, showsThoughts: boolean): readonly JsonObject[] {
  const { reasoning, text, refusal } = readModelOutput(part, NO_QUIRKS.reasoningFields);
  return [
    ...(showsThoughts && reasoning !== '' ? [{ text: reasoning, thought: true }] : []),
    ...[text, refusal].filter((each) => each !== '').map((each) => ({ text: each })),
  ];
}

/**
 * Converts the log probabilities of a choice or of a part of it; empty without them.
 * @param isWhole whether the average, which belongs to a whole answer, is added.
 */
export function tokenChances(choice: JsonObject, isWhole: boolean): JsonObject {
  const tokens = asArray(asJsonObject(choice['logprobs'])?.['content']).filter(isJsonObject);
  if (tokens.length === 0) return {};
  const chance = ({ token, logprob }: JsonObject) => ({ token, logProbability: logprob });
  const sum = tokens.reduce((total, { logprob }) => total + Number(plainNumber(logprob)), 0);
  return {
    ...(isWhole ? { avgLogprobs: sum / tokens.length } : {}),
    logprobsResult: {
      chosenCandidates: tokens.map(chance),
      topCandidates: tokens.map(({ top_logprobs: top }) => ({
        candidates: asArray(top).filter(isJsonObject).map(chance),
      })),
    },
  };
}

/** Returns the thinking in a chat message or delta. */
export const thinkingIn = (part: JsonObject): string =>
  readModelOutput(part, NO_QUIRKS.reasoningFields).reasoning;

/**
 * Converts complete tool calls of chat to parts with a function call.
 * @param thinking the thinking of the answer, which the first call gets in its signature.
 */
export const callParts = (
  calls: readonly JsonObject[],
  asked: Asked,
  thinking: string,
): readonly JsonObject[] =>
  calls.map((call, index) => callPart(call, asked, index === 0 ? thinking : ''));

function callPart(call: JsonObject, { functionNames }: Asked, thinking: string): JsonObject {
  const { name, arguments: json } = asJsonObject(call['function']) ?? {};
  const args = argumentsObject(argumentsText(json));
  const google = asJsonObject(asJsonObject(call['extra_content'])?.['google']);
  const given = asString(google?.['thought_signature']);
  const signature = toGoogleSignature({ signature: given, thinking });
  return {
    functionCall: { id: call['id'], name: functionNames.get(asString(name) ?? '') ?? name, args },
    ...(signature === null ? {} : { thoughtSignature: signature }),
  };
}

/**
 * Converts chat usage to Google's usage, and copies the members with the cost. In Google's usage,
 * the output does not include thinking.
 */
export function usageMetadata(value: unknown): JsonObject | null {
  const usage = asJsonObject(value);
  if (usage === null) return null;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const cached = asJsonObject(usage['prompt_tokens_details'])?.['cached_tokens'];
  const thoughts = asJsonObject(usage['completion_tokens_details'])?.['reasoning_tokens'];
  // More thinking than output is charged as thinking up to the output, so no more is shown.
  const thought = typeof thoughts === 'number' ? Math.min(thoughts, Number(completion)) : 0;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: Number(completion) - thought,
    totalTokenCount: total,
    ...(typeof cached === 'number' && cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(thought > 0 ? { thoughtsTokenCount: thought } : {}),
    ...costMembers(usage),
  };
}

/** Returns the members of usage that contain the cost. */
export const costMembers = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([name]) => name.startsWith('cost')));
