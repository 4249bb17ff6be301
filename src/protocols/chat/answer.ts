/** A non-streaming chat completion: read for its usage, sent on with the cost added. */
import { GatewayError } from '../../errors.ts';
import { replaceMembers } from '../../json/edit.ts';
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { brokenAnswer } from '../broken-answer.ts';
import { type AnswerFacts, type CostFields, derivedId, type ReportedError } from '../dialect.ts';
import type { AnswerContext } from '../translator.ts';
import { costMembers, usageWithCost } from '../usage-object.ts';
import { isFailedFinish, normalizedFinish, outputBytesOf } from './answer-fields.ts';
import { reportedError } from './errors.ts';
import { correctedCounts, usageFromChat } from './usage.ts';

/** A completion is flat: what the model writes is in strings. Deeper JSON is something else. */
const MAX_ANSWER_DEPTH = 64;

export type ChatAnswer = {
  readonly facts: AnswerFacts;
  /** The answer's bytes; null when they are not a JSON object. */
  readonly body: ScannedObject | null;
  /** The choices as clients accept them; null when nothing had to be repaired. */
  readonly repairedChoices: readonly unknown[] | null;
  /** Members of `usage` that clients need corrected or added. */
  readonly correctedCounts: JsonObject;
};

/** Never throws: an error in a 200 body, or an invalid body, is in `facts.error`. */
export function readChatAnswer(
  bytes: Uint8Array<ArrayBuffer>,
  { requestId, quirks }: Pick<AnswerContext, 'requestId' | 'quirks'>,
): ChatAnswer {
  const body = scanned(bytes);
  const json = body === null ? null : parsed(body);
  if (body === null || json === null) return failed(body, 'The answer is not a JSON object.');
  const error = reportedError(json, null);
  if (error !== null) return failed(body, error);
  const { choices } = json;
  if (!Array.isArray(choices)) return failed(body, 'The answer is not a chat completion.');
  const failure = choices.map(reasonOf).find((reason) => reason !== null && isFailedFinish(reason));
  if (failure !== undefined) return failed(body, `The upstream stopped with "${failure}".`);
  const repaired = repairedChoices(choices, requestId);
  const usage = usageFromChat(json['usage'], quirks);
  const messages = choices.map((choice) => asJsonObject(asJsonObject(choice)?.['message']) ?? {});
  return {
    body,
    repairedChoices: repaired === choices ? null : repaired,
    correctedCounts: correctedCounts(asJsonObject(json['usage']) ?? {}, usage, quirks),
    facts: {
      usage,
      outputBytes: messages.reduce((sum, message) => sum + outputBytesOf(message), 0),
      finishReason: reasonOf(repaired[0]),
      error: null,
    },
  };
}

const reasonOf = (choice: unknown): string | null =>
  asString(asJsonObject(choice)?.['finish_reason']);

/**
 * The same bytes with the caller's name of the model and the cost in `usage`.
 * @throws Error when the answer is not a JSON object, which its facts report.
 */
export function writeChatAnswer(
  { body, repairedChoices: choices, correctedCounts: counts }: ChatAnswer,
  finish: { readonly model: string; readonly cost: CostFields },
): Uint8Array<ArrayBuffer> {
  if (body === null) throw new Error('an answer that is not a JSON object cannot be written');
  const edits = new Map([
    ['model', JSON.stringify(finish.model)],
    ['usage', pricedUsage(body, counts, finish.cost)],
    ...(choices === null ? [] : [['choices', JSON.stringify(choices)] as const]),
  ]);
  return replaceMembers(body, edits);
}

/** The usage object with corrected counts and the cost as its last members. */
function pricedUsage(body: ScannedObject, repaired: JsonObject, cost: CostFields): string {
  const span = body.members.get('usage');
  const usage = span === undefined ? null : scanned(body.bytes.slice(span.start, span.end));
  if (usage === null) return usageWithCost(repaired, cost);
  const counts = Object.entries(repaired).map(([name, n]) => [name, JSON.stringify(n)] as const);
  const edits = new Map<string, string | null>([...counts, ...costMembers(cost)]);
  return new TextDecoder().decode(replaceMembers(usage, edits));
}

function scanned(bytes: Uint8Array<ArrayBuffer>): ScannedObject | null {
  try {
    return scanObject(bytes, MAX_ANSWER_DEPTH);
  } catch (thrown) {
    // HTML from a proxy, half an answer, or null. Reported in the facts, since it is not the
    // caller's fault.
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}

function parsed(body: ScannedObject): JsonObject | null {
  try {
    return body.parse();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return null;
    throw thrown;
  }
}

const failed = (body: ScannedObject | null, error: ReportedError | string): ChatAnswer => ({
  body,
  repairedChoices: null,
  correctedCounts: {},
  facts: {
    usage: null,
    outputBytes: 0,
    finishReason: null,
    error: typeof error === 'string' ? brokenAnswer(error) : error,
  },
});

/**
 * Repairs tool calls for clients. Each call gets an id and a type. An answer with calls gets the
 * matching finish reason. An empty list of calls is removed, because some clients take it for
 * calls.
 * @param requestId derives ids for calls without one.
 * @returns the same array when there is nothing to repair.
 */
export function repairedChoices(
  choices: readonly unknown[],
  requestId: string,
): readonly unknown[] {
  let minted = 0;
  const mintId = (): string => `${derivedId('call_', requestId)}_${minted++}`;
  const repaired = choices.map((choice) =>
    isJsonObject(choice) ? repairedChoice(choice, mintId) : choice,
  );
  return repaired.some((choice, at) => choice !== choices[at]) ? repaired : choices;
}

function repairedChoice(choice: JsonObject, mintId: () => string): JsonObject {
  const message = asJsonObject(choice['message']);
  const calls = message?.['tool_calls'];
  if (message === null || !Array.isArray(calls)) return choice;
  if (calls.length === 0) {
    const { tool_calls: _, ...rest } = message;
    return { ...choice, message: rest };
  }
  const whole = calls.map((call) => (isJsonObject(call) ? repairedCall(call, mintId) : call));
  const given = choice['finish_reason'];
  const reason = typeof given === 'string' ? normalizedFinish(given, true) : given;
  const isSame = reason === given && whole.every((call, at) => call === calls[at]);
  return isSame
    ? choice
    : { ...choice, message: { ...message, tool_calls: whole }, finish_reason: reason };
}

function repairedCall(call: JsonObject, mintId: () => string): JsonObject {
  const id = asString(call['id']) ?? '';
  const type = asString(call['type']) ?? '';
  if (id !== '' && type !== '') return call;
  const kind = isJsonObject(call['custom']) ? 'custom' : 'function';
  const { id: _d, type: _t, ...rest } = call;
  return { id: id === '' ? mintId() : id, type: type === '' ? kind : type, ...rest };
}
