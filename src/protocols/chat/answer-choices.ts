/** The choices of an answer in one piece, with what no client can do without. */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { finishOf } from './finish.ts';

/**
 * Each tool call has an id and a type, an answer with calls says so as its reason, and one without calls has
 * no list of them, which some clients take for calls.
 *
 * @param requestId that ids are made of for calls which come without one.
 * @returns the same array when there is nothing to mend.
 */
export function mendedChoices(choices: readonly unknown[], requestId: string): readonly unknown[] {
  let minted = 0;
  const mintId = (): string => `call_${requestId.replace(/^req_/, '')}_${minted++}`;
  const mended = choices.map((choice) =>
    isJsonObject(choice) ? mendedChoice(choice, mintId) : choice,
  );
  return mended.some((choice, at) => choice !== choices[at]) ? mended : choices;
}

function mendedChoice(choice: JsonObject, mintId: () => string): JsonObject {
  const message = asJsonObject(choice['message']);
  const calls = message?.['tool_calls'];
  if (message === null || !Array.isArray(calls)) return choice;
  if (calls.length === 0) {
    const { tool_calls: _, ...rest } = message;
    return { ...choice, message: rest };
  }
  const whole = calls.map((call) => (isJsonObject(call) ? mendedCall(call, mintId) : call));
  const given = choice['finish_reason'];
  const reason = typeof given === 'string' ? finishOf(given, true) : given;
  const isSame = reason === given && whole.every((call, at) => call === calls[at]);
  return isSame
    ? choice
    : { ...choice, message: { ...message, tool_calls: whole }, finish_reason: reason };
}

function mendedCall(call: JsonObject, mintId: () => string): JsonObject {
  const id = asString(call['id']) ?? '';
  const type = asString(call['type']) ?? '';
  if (id !== '' && type !== '') return call;
  const kind = isJsonObject(call['custom']) ? 'custom' : 'function';
  const { id: _d, type: _t, ...rest } = call;
  return { id: id === '' ? mintId() : id, type: type === '' ? kind : type, ...rest };
}
