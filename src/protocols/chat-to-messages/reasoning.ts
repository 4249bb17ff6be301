/**
 * Thinking on its way to a chat client and back. `reasoning_content` is for reading and has no place for a
 * signature, without which an upstream does not take thinking back; so beside it stands `reasoning_details`,
 * in the form that OpenRouter made known. Clients that keep a message as it came send it back unasked.
 */
import {
  asArray,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';

/** Where in its message a thinking block stood, which chat, with one text and one list, cannot tell. */
export type Place = {
  /** UTF-16 units of `content` before it. */
  readonly text: number;
  /** Tool calls before it. */
  readonly calls: number;
};

/** A thinking block that can go back to an upstream. */
export type Thought = {
  readonly place: Place;
  readonly block:
    | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
    | { readonly type: 'redacted_thinking'; readonly data: string };
};

/** What OpenRouter calls the maker of such reasoning. */
const FORMAT = 'anthropic-claude-v1';

/** Each has an `index`, without which the Python client cannot put a list together from a stream. */
export const reasoningDetails = (thoughts: readonly Thought[]): readonly JsonObject[] =>
  thoughts.map(({ block, place }, index) => {
    const { text, calls } = place;
    const after = text === 0 && calls === 0 ? {} : { after: { content: text, tool_calls: calls } };
    return block.type === 'thinking'
      ? {
          type: 'reasoning.text',
          text: block.thinking,
          signature: block.signature,
          format: FORMAT,
          index,
          ...after,
        }
      : { type: 'reasoning.encrypted', data: block.data, format: FORMAT, index, ...after };
  });

/**
 * The thinking that an assistant message brings back as it got it, in order. Reasoning without a signature is left
 * out, and so is that of other makers: no upstream of this dialect would take it.
 */
export function thoughtsFromMessage(message: JsonObject): readonly Thought[] {
  const { reasoning_details: details, thinking_blocks: blocks } = message;
  if (Array.isArray(details)) return details.flatMap((detail) => thoughtOf(asJsonObject(detail)));
  // LiteLLM's name for them, in the upstream's own form.
  if (Array.isArray(blocks)) return blocks.flatMap((block) => fromBlock(asJsonObject(block)));
  return [];
}

const AT_THE_START: Place = { text: 0, calls: 0 };

/** One of `reasoning_details` as thinking; nothing when it cannot go back. */
export function thoughtOf(detail: JsonObject | null): readonly Thought[] {
  if (detail === null || (detail['format'] ?? FORMAT) !== FORMAT) return [];
  const after = asJsonObject(detail['after']) ?? {};
  const place = { text: count(after['content']), calls: count(after['tool_calls']) };
  if (detail['type'] === 'reasoning.text') {
    return signedThought(detail['text'] ?? '', detail['signature'], place);
  }
  return detail['type'] === 'reasoning.encrypted' ? redactedThought(detail['data'], place) : [];
}

function fromBlock(block: JsonObject | null): readonly Thought[] {
  if (block?.['type'] === 'thinking') {
    return signedThought(block['thinking'], block['signature'], AT_THE_START);
  }
  return block?.['type'] === 'redacted_thinking'
    ? redactedThought(block['data'], AT_THE_START)
    : [];
}

function signedThought(text: unknown, signature: unknown, place: Place): readonly Thought[] {
  const thinking = asString(text);
  const seal = asString(signature);
  if (thinking === null || seal === null || seal === '') return [];
  return [{ place, block: { type: 'thinking', thinking, signature: seal } }];
}

function redactedThought(given: unknown, place: Place): readonly Thought[] {
  const data = asString(given);
  return data === null || data === ''
    ? []
    : [{ place, block: { type: 'redacted_thinking', data } }];
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/**
 * What a tool call carries of the thinking before it; nothing when there was none.
 *
 * For clients that rebuild their messages and keep nothing they do not know. The AI SDK is one: it sends
 * back the whole of `reasoning_content`, and with each call the `extra_content.google.thought_signature`
 * that the call came with, whoever the maker. So that is where signatures travel, without the text, which
 * comes back beside them.
 */
export function callSignature(thoughts: readonly Thought[]): JsonObject {
  if (thoughts.length === 0) return {};
  const entries = reasoningDetails(thoughts).map(({ text, ...detail }) => ({
    ...detail,
    ...(typeof text === 'string' ? { length: text.length } : {}),
  }));
  const seal = CALL_SIGNATURE_PREFIX + Buffer.from(JSON.stringify(entries)).toString('base64url');
  return { extra_content: { google: { thought_signature: seal } } };
}

/**
 * The thinking that the calls of an assistant message bring back, in order; none of it when the reasoning
 * text beside them is not all of the text that was signed.
 */
export function thoughtsFromCalls(message: JsonObject): readonly Thought[] {
  const { tool_calls: calls, reasoning_content: reasoning } = message;
  const entries = asArray(calls).flatMap((call) => entriesOf(asJsonObject(call)));
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
  if (!seal.startsWith(CALL_SIGNATURE_PREFIX)) return [];
  try {
    const text = Buffer.from(seal.slice(CALL_SIGNATURE_PREFIX.length), 'base64url').toString();
    const entries: unknown = JSON.parse(text);
    return asArray(entries).filter(isJsonObject);
  } catch {
    // A seal that was cut is worth as much as none: the turn goes on without its thinking.
    return [];
  }
}
