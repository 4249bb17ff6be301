/**
 * Reads a non-streaming chat completion, and writes it for the caller with the cost added to
 * `usage`.
 */
import { memberText, replacedText } from '../../json/edit.ts';
import {
  asJsonObject,
  asString,
  changedList,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { failedAnswer, invalidAnswer, nullIfInvalid } from '../broken-answer.ts';
import { type CostFields, derivedId, type TextAnswer } from '../dialect.ts';
import type { Quirks } from '../quirks.ts';
import type { AnswerContext } from '../translator.ts';
import { addCostMembers, appendedCost, usageWithCost } from '../usage-object.ts';
import { isFailedFinish, isForeignTier, normalizedFinish, outputBytesOf } from './answer-fields.ts';
import { reportedError } from './errors.ts';
import { withTextContent } from './model-output.ts';
import {
  correctedCounts,
  estimatedCounts,
  NO_COUNTS,
  servedFromChat,
  usageFromChat,
} from './usage.ts';

/**
 * Maximum nesting depth of a completion. The model's output is in strings, whose content does not
 * count.
 */
const MAX_ANSWER_DEPTH = 64;

/**
 * Reads an answer. `write` keeps the bytes of the upstream, except for the model's name, the cost
 * in `usage`, and choices that must be repaired for clients. Never throws: if a body with status
 * 200 is invalid or reports an error, `facts.error` is set.
 */
export function readChatAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { requestId, quirks }: Pick<AnswerContext, 'requestId' | 'quirks'>,
): TextAnswer {
  const body = nullIfInvalid(() => scanObject(bytes, MAX_ANSWER_DEPTH));
  const json = body === null ? null : nullIfInvalid(() => body.parse());
  if (body === null || json === null) return invalidAnswer('The answer is not a JSON object.');
  const error = reportedError(json, null);
  if (error !== null) return failedAnswer(error);
  const { choices } = json;
  if (!Array.isArray(choices)) return invalidAnswer('The answer is not a chat completion.');
  if (choices.length === 0) return invalidAnswer('The chat completion has no choices.');
  let outputBytes = 0;
  for (const choice of choices) {
    const reason = reasonOf(choice);
    if (reason !== null && isFailedFinish(reason))
      return invalidAnswer(`The upstream ended with the finish reason "${reason}".`);
    outputBytes += outputBytesOf(asJsonObject(asJsonObject(choice)?.['message']) ?? NO_MEMBERS);
  }
  const repaired = repairedChoices(choices, requestId);
  const usage = usageFromChat(json['usage'], quirks);
  const counts = correctedCounts(asJsonObject(json['usage']) ?? NO_MEMBERS, usage);
  return {
    facts: {
      usage,
      served: servedFromChat(json, quirks),
      outputBytes,
      finishReason: reasonOf(repaired[0]),
      error: null,
    },
    write: ({ model, cost }) => {
      const edits = new Map<string, string | null>();
      edits.set('model', JSON.stringify(model));
      edits.set('usage', pricedUsage(body, json['usage'], counts, { cost, quirks }));
      if (repaired !== choices) edits.set('choices', JSON.stringify(repaired));
      if (isForeignTier(json['service_tier'])) edits.set('service_tier', null);
      return replacedText(body, edits);
    },
  };
}

const NO_MEMBERS: JsonObject = {};

const reasonOf = (choice: unknown): string | null =>
  asString(asJsonObject(choice)?.['finish_reason']);

type Pricing = { readonly cost: CostFields; readonly quirks: Pick<Quirks, 'reportedCost'> };

/**
 * Returns the text of the usage object with corrected counts, and with the cost as its last
 * members.
 */
function pricedUsage(
  body: ScannedObject,
  parsed: unknown,
  repaired: JsonObject,
  { cost, quirks: { reportedCost } }: Pricing,
): string {
  if (cost.estimated !== null) return usageWithCost(estimatedCounts(cost.estimated), cost);
  const text = memberText(body, 'usage') ?? '';
  if (isJsonObject(parsed) && repaired === NO_COUNTS) {
    const priced = appendedCost(parsed, text, cost, reportedCost);
    if (priced !== null) return priced;
  }
  const span = body.members.get('usage');
  const usage =
    span === undefined
      ? null
      : nullIfInvalid(() =>
          scanObject(body.bytes.subarray(span.start, span.end), MAX_ANSWER_DEPTH),
        );
  if (usage === null) return usageWithCost(repaired, cost);
  const edits = new Map<string, string | null>();
  for (const name in repaired) edits.set(name, JSON.stringify(repaired[name]));
  addCostMembers(edits, cost, reportedCost);
  return replacedText(usage, edits);
}

/**
 * Repairs the roles, calls and finish reasons of choices. Returns the same array if nothing must be
 * repaired.
 */
function repairedChoices(choices: readonly unknown[], requestId: string): readonly unknown[] {
  let minted = 0;
  const mintId = (): string => `${derivedId('call_', requestId)}_${minted++}`;
  return changedList(choices, (choice) =>
    isJsonObject(choice) ? repairedChoice(choice, mintId) : choice,
  );
}

function repairedChoice(choice: JsonObject, mintId: () => string): JsonObject {
  const given = asJsonObject(choice['message']);
  if (given === null) return choice;
  const message = repairedCalls(repairedRole(withTextContent(given)), mintId);
  const finish = choice['finish_reason'];
  const hasCalls = Array.isArray(message['tool_calls']);
  const reason = typeof finish === 'string' ? normalizedFinish(finish, hasCalls) : finish;
  const isSame = reason === finish && message === given;
  return isSame ? choice : { ...choice, message, finish_reason: reason };
}

/** Adds a missing role, which typed clients require. */
function repairedRole(message: JsonObject): JsonObject {
  const { role, ...rest } = message;
  return asString(role) ? message : { role: 'assistant', ...rest };
}

/**
 * Repairs the ids and types of calls. Removes an empty list of calls, because some clients treat it
 * as if there were calls.
 */
function repairedCalls(message: JsonObject, mintId: () => string): JsonObject {
  const { tool_calls: calls, ...rest } = message;
  if (!Array.isArray(calls)) return message;
  if (calls.length === 0) return rest;
  const whole = changedList(calls, (call) =>
    isJsonObject(call) ? repairedCall(call, mintId) : call,
  );
  return whole === calls ? message : { ...message, tool_calls: whole };
}

function repairedCall(call: JsonObject, mintId: () => string): JsonObject {
  const id = asString(call['id']) ?? '';
  const type = asString(call['type']) ?? '';
  if (id !== '' && type !== '') return call;
  const kind = isJsonObject(call['custom']) ? 'custom' : 'function';
  const { id: _d, type: _t, ...rest } = call;
  return { id: id === '' ? mintId() : id, type: type === '' ? kind : type, ...rest };
}
