/** Sends a Messages request's bytes upstream, edited for routing, billing and quirks. */
import { memberText, replaceMembers } from '../../json/edit.ts';
import { asJsonObject, isJsonObject } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { decodeThinkingSignature, THINKING_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import type { RequestTarget, Translator } from '../translator.ts';
import { readMessagesAnswer } from './answer.ts';
import { readCallId, SIGNATURE_MARK } from './call-signature.ts';
import { openMessagesStream } from './stream-pass.ts';
import { placeSystemTurns } from './system-messages.ts';

export const messagesToMessages: Translator<'messages', 'messages'> = {
  caller: 'messages',
  upstream: 'messages',
  // Needs no `stream` argument: the body has it, and a Messages stream always reports usage.
  prepare: (body) => ({
    bodyFor: (to) => messagesBody(body, to),
    openStream: openMessagesStream,
    readAnswer: readMessagesAnswer,
  }),
};

/** Returns the body for one upstream, to create a message or to count its tokens. */
export function messagesBody(body: ScannedObject, to: RequestTarget): Uint8Array<ArrayBuffer> {
  const { model, quirks, clampedOutput, plan } = to;
  const edits = new Map<string, string | Uint8Array | null>(plan.edits);
  const name = JSON.stringify(model);
  if (memberText(body, 'model') !== name) edits.set('model', name);
  // The field `provider` is an extension of the gateway. A strict upstream would refuse it.
  for (const field of ['provider', ...quirks.drop]) {
    if (body.members.has(field)) edits.set(field, null);
  }
  if (clampedOutput !== null) edits.set('max_tokens', String(clampedOutput));
  addMessageEdits(body, to, edits);
  return edits.size === 0 ? body.bytes : replaceMembers(body, edits);
}

/**
 * If a message needs an edit, the body contains one of these texts. Only then are messages parsed,
 * since they may be long.
 */
const EDITED_MARKS = [
  '"system"',
  '"signature":""',
  '"signature": ""',
  THINKING_SIGNATURE_PREFIX,
  SIGNATURE_MARK,
] as const;

/**
 * Edits the parts of messages that the upstream would refuse: misplaced system text, and thinking
 * and long ids from other upstreams.
 */
function addMessageEdits(
  body: ScannedObject,
  { quirks: { systemAnywhere, reasoningBack }, isRepeated = false }: RequestTarget,
  edits: Map<string, string | Uint8Array | null>,
): void {
  const messages = body.members.get('messages');
  if (messages === undefined) return;
  const bytes = Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.byteLength);
  const within = bytes.subarray(messages.start, messages.end);
  if (!isRepeated && !EDITED_MARKS.some((words) => within.includes(words))) return;
  const { json, encode } = parseWithPlaceholders(body);
  const parsed = json['messages'];
  if (!Array.isArray(parsed)) return;
  // With a budget, a turn with calls must begin with its thinking.
  const hasBudget = asJsonObject(json['thinking'])?.['type'] === 'enabled';
  const isLeftOut =
    isRepeated && !hasBudget
      ? isThinking
      : (block: unknown) => isForeign(block, reasoningBack !== null);
  const own = withoutBlocks(parsed, isLeftOut);
  const plain = within.includes(SIGNATURE_MARK) ? withPlainIds(own ?? parsed) : own;
  const placed = placeSystemTurns(plain ?? parsed, systemAnywhere) ?? plain;
  if (placed !== null) edits.set('messages', encode(placed));
}

/** Removes the signatures of chat providers from the ids of tool calls. */
const withPlainIds = (messages: readonly unknown[]): readonly unknown[] =>
  messages.map((message) =>
    isJsonObject(message) && Array.isArray(message['content'])
      ? { ...message, content: message['content'].map(withPlainId) }
      : message,
  );

function withPlainId(block: unknown): unknown {
  if (!isJsonObject(block)) return block;
  const { id, tool_use_id: callId } = block;
  return {
    ...block,
    ...(typeof id === 'string' ? { id: readCallId(id).id } : {}),
    ...(typeof callId === 'string' ? { tool_use_id: readCallId(callId).id } : {}),
  };
}

/**
 * Removes blocks, and messages that had no other content. Returns null if nothing is removed.
 */
function withoutBlocks(
  messages: readonly unknown[],
  isLeftOut: (block: unknown) => boolean,
): readonly unknown[] | null {
  let changed = false;
  const kept = messages.flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const content = message['content'].filter((block: unknown) => !isLeftOut(block));
    if (content.length === message['content'].length) return [message];
    changed = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed ? kept : null;
}

const isThinking = (block: unknown): boolean =>
  isJsonObject(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking');

/**
 * Whether a chat upstream wrote this thinking. Upstreams that check signatures refuse it.
 * @param isWanted whether the upstream wants thinking back without a signature. If so, it is kept.
 */
function isForeign(block: unknown, isWanted: boolean): boolean {
  if (!isJsonObject(block) || block['type'] !== 'thinking') return false;
  const signature = block['signature'] ?? '';
  if (signature === '') return !isWanted;
  return typeof signature === 'string' && decodeThinkingSignature(signature) !== null;
}
