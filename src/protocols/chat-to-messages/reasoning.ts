/**
 * Sends thinking to a chat client, and reads it from later requests. Upstreams accept thinking only
 * with its signature. `reasoning_content` cannot contain signatures, so the thinking is also sent
 * as OpenRouter's `reasoning_details`.
 */
import type { NestedValues } from '../../json/nested-values.ts';
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import type { Reading } from './content.ts';

/**
 * The position of a thinking block: how much text and how many calls come before it. Both are
 * needed, because chat does not keep the order of texts and calls.
 */
export type Place = {
  /** The number of UTF-16 units of `content` before the block. */
  readonly text: number;
  readonly calls: number;
};

export type Thought = {
  readonly place: Place;
  readonly block:
    | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
    | { readonly type: 'redacted_thinking'; readonly data: string };
};

/** OpenRouter's name for the format of thinking in Messages answers. */
const FORMAT = 'anthropic-claude-v1';

/**
 * Converts thinking to `reasoning_details`. The Python client needs each `index` to read a stream.
 */
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
 * Returns the thinking that a client sent back. Omits entries that no Messages upstream accepts.
 */
export function thoughtsFromMessage(message: JsonObject): readonly Thought[] {
  const { reasoning_details: details, thinking_blocks: blocks } = message;
  if (Array.isArray(details)) return details.flatMap((detail) => thoughtOf(asJsonObject(detail)));
  // LiteLLM sends thinking as `thinking_blocks`, which are blocks in the upstream's own format.
  if (Array.isArray(blocks))
    return blocks.flatMap((each) => thoughtIn(asJsonObject(each) ?? {}, AT_THE_START));
  return [];
}

const AT_THE_START: Place = { text: 0, calls: 0 };

/**
 * Converts an entry of `reasoning_details` to thinking. Returns an empty list if no Messages
 * upstream accepts the entry.
 */
function thoughtOf(detail: JsonObject | null): readonly Thought[] {
  if (detail === null || (detail['format'] ?? FORMAT) !== FORMAT) return [];
  const { type, text, signature, data } = detail;
  const after = asJsonObject(detail['after']) ?? {};
  const place = { text: count(after['content']), calls: count(after['tool_calls']) };
  if (type === 'reasoning.text') {
    return thoughtIn({ type: 'thinking', thinking: text ?? '', signature }, place);
  }
  return type === 'reasoning.encrypted'
    ? thoughtIn({ type: 'redacted_thinking', data }, place)
    : [];
}

/**
 * Converts a Messages block to thinking. Returns an empty list for another type of block, and for
 * thinking without its signature or data.
 */
export function thoughtIn(block: JsonObject, place: Place): readonly Thought[] {
  const { type, thinking } = block;
  const signature = asFilledString(block['signature']);
  if (type === 'thinking' && typeof thinking === 'string' && signature !== null) {
    return [{ place, block: { type, thinking, signature } }];
  }
  const data = asFilledString(block['data']);
  return type === 'redacted_thinking' && data !== null ? [{ place, block: { type, data } }] : [];
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/**
 * Returns members to add to a tool call. They contain the signatures of the thinking before the
 * call, for clients that drop `reasoning_details`. The AI SDK sends
 * `extra_content.google.thought_signature` back to any provider. It also sends back the thinking
 * texts in `reasoning_content`, so the members contain only the lengths of the texts.
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
 * Restores thinking from a message's `reasoning_content` and the signatures in its tool calls. If
 * the lengths in the signatures do not add up to the length of the text, the client has changed
 * something, and the result is empty.
 */
export function thoughtsFromCalls(
  message: JsonObject,
  { nested, placeholders }: Pick<Reading, 'nested' | 'placeholders'>,
): readonly Thought[] {
  const { tool_calls: calls, reasoning_content: reasoning } = message;
  const entries = asArray(calls).flatMap((call) => entriesOf(asJsonObject(call), nested));
  if (entries.length === 0) return [];
  const written = asString(reasoning) ?? '';
  if (!nested.takeLength(placeholders.sizeOf(written))) return [];
  const text = placeholders.restore(written);
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

function entriesOf(call: JsonObject | null, nested: NestedValues): readonly JsonObject[] {
  const google = asJsonObject(asJsonObject(call?.['extra_content'])?.['google']);
  const seal = asString(google?.['thought_signature']) ?? '';
  if (!seal.startsWith(CALL_SIGNATURE_PREFIX)) return [];
  try {
    const text = Buffer.from(seal.slice(CALL_SIGNATURE_PREFIX.length), 'base64url').toString();
    const entries: unknown = nested.take(text) ? JSON.parse(text) : [];
    return asArray(entries).filter(isJsonObject);
  } catch {
    // A truncated signature is ignored, and the turn is sent without its thinking.
    return [];
  }
}
