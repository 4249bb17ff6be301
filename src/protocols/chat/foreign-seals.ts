/**
 * Seals of ours on tool calls, which hold the signatures of a Messages upstream. To a chat upstream they mean
 * nothing, and one that signs its own calls refuses them. A conversation may change its route or its model.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { CALL_SEAL_PREFIX } from '../sealed-thinking.ts';

/** The messages without them; the same array when there are none. */
export function withoutSeals(messages: readonly unknown[]): readonly unknown[] {
  const bare = messages.map((message) => {
    const calls = asJsonObject(message)?.['tool_calls'];
    if (!isJsonObject(message) || !Array.isArray(calls) || !calls.some(isSealed)) return message;
    return { ...message, tool_calls: calls.map(withoutSeal) };
  });
  return bare.some((message, at) => message !== messages[at]) ? bare : messages;
}

const googleOf = (call: JsonObject): JsonObject =>
  asJsonObject(asJsonObject(call['extra_content'])?.['google']) ?? {};

const isSealed = (call: unknown): boolean =>
  isJsonObject(call) &&
  asString(googleOf(call)['thought_signature'])?.startsWith(CALL_SEAL_PREFIX) === true;

function withoutSeal(call: unknown): unknown {
  if (!isJsonObject(call) || !isSealed(call)) return call;
  const { extra_content: _, ...rest } = call;
  return rest;
}
