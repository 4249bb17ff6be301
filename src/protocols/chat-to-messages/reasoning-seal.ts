/**
 * Signatures of thinking on a tool call, for clients that rebuild their messages and keep nothing they do
 * not know. The AI SDK is one: it sends back the whole of `reasoning_content`, and with each call the
 * `extra_content.google.thought_signature` that the call came with, whoever the maker. So that is where
 * they travel, without the text, which comes back beside them.
 */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { CALL_SEAL_PREFIX } from '../sealed-thinking.ts';
import { reasoningDetails, type Thought, thoughtOf } from './reasoning.ts';

/** What a call carries of the thinking before it; nothing when there was none. */
export function sealed(thoughts: readonly Thought[]): JsonObject {
  if (thoughts.length === 0) return {};
  const entries = reasoningDetails(thoughts).map(({ text, ...detail }) => ({
    ...detail,
    ...(typeof text === 'string' ? { length: text.length } : {}),
  }));
  const seal = CALL_SEAL_PREFIX + Buffer.from(JSON.stringify(entries)).toString('base64url');
  return { extra_content: { google: { thought_signature: seal } } };
}

/**
 * The thinking that the calls of an assistant message bring back, in order; none of it when the reasoning
 * text beside them is not all of the text that was signed.
 */
export function unsealed(message: JsonObject): readonly Thought[] {
  const { tool_calls: calls, reasoning_content: reasoning } = message;
  if (!Array.isArray(calls)) return [];
  const entries = calls.flatMap((call) => entriesOf(asJsonObject(call)));
  const text = asString(reasoning) ?? '';
  let at = 0;
  const thoughts = entries.flatMap((entry) => {
    const { length } = entry;
    if (typeof length !== 'number') return thoughtOf(entry);
    const own = text.slice(at, at + length);
    at += length;
    return thoughtOf({ ...entry, text: own });
  });
  return at === text.length ? thoughts : [];
}

function entriesOf(call: JsonObject | null): readonly JsonObject[] {
  const google = asJsonObject(asJsonObject(call?.['extra_content'])?.['google']);
  const seal = asString(google?.['thought_signature']) ?? '';
  if (!seal.startsWith(CALL_SEAL_PREFIX)) return [];
  try {
    const text = Buffer.from(seal.slice(CALL_SEAL_PREFIX.length), 'base64url').toString();
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
  } catch {
    // A seal that was cut is worth as much as none: the turn goes on without its thinking.
    return [];
  }
}
