/**
 * Messages to an upstream that speaks them too: the caller's own bytes, betas and unknown fields with
 * them, with no more changed than routing, billing and the server's quirks ask for.
 */
import { memberText, replaceMembers } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { isJsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { Quirks } from '../quirks.ts';
import { decodeThinkingSignature, THINKING_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import type { RequestTarget, Translator } from '../translator.ts';
import { readMessagesAnswer, writeMessagesAnswer } from './answer.ts';
import { openMessagesStream } from './stream-pass.ts';
import { placeSystemTurns } from './system-messages.ts';

export const messagesToMessages: Translator = {
  caller: 'messages',
  upstream: 'messages',
  // A Messages stream was asked for by name and always tells its usage.
  prepare: (body) => ({
    bodyFor: (to) => messagesBody(body, to),
    openStream: openMessagesStream,
    readAnswer: (bytes) => {
      const answer = readMessagesAnswer(bytes);
      return { facts: answer.facts, write: (finish) => writeMessagesAnswer(answer, finish) };
    },
  }),
};

/** The body for one upstream, of a message to create or of one to count. */
export function messagesBody(
  body: ScannedObject,
  { model, quirks, clampedOutput }: RequestTarget,
): Uint8Array<ArrayBuffer> {
  const edits = new Map<string, string | null>();
  const name = JSON.stringify(model);
  if (memberText(body, 'model') !== name) edits.set('model', name);
  // Our own extension; a strict upstream would refuse it.
  for (const field of ['provider', ...quirks.drop]) {
    if (body.members.has(field)) edits.set(field, null);
  }
  if (clampedOutput !== null) edits.set('max_tokens', String(clampedOutput));
  addMessageEdits(body, quirks, edits);
  return edits.size === 0 ? body.bytes : replaceMembers(body, edits);
}

/** What these words stand in is parsed, and it may be long; most conversations have none of them. */
const EDITED_MARKS = [
  '"system"',
  '"signature":""',
  '"signature": ""',
  THINKING_SIGNATURE_PREFIX,
] as const;

/** Messages that the upstream would refuse as they are: system turns out of place, thinking not its own. */
function addMessageEdits(
  body: ScannedObject,
  { systemAnywhere, reasoningBack }: Quirks,
  edits: Map<string, string | null>,
): void {
  const messages = body.members.get('messages');
  if (messages === undefined) return;
  const bytes = Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.byteLength);
  const within = bytes.subarray(messages.start, messages.end);
  if (!EDITED_MARKS.some((words) => within.includes(words))) return;
  const parsed = parseExact(within.toString());
  if (!Array.isArray(parsed)) return;
  const own = withoutForeignThinking(parsed, reasoningBack !== null);
  const placed = placeSystemTurns(own ?? parsed, systemAnywhere) ?? own;
  if (placed !== null) edits.set('messages', JSON.stringify(placed));
}

/**
 * The messages without thinking of the other dialect, and without those that held nothing else. Such thinking
 * has no signature, or one of ours, and an upstream that checks signatures refuses it.
 *
 * @param isWanted whether the upstream wants thinking back and signs none itself: then only that stays away
 *   which is hidden in a seal of ours.
 * @returns null when there is none.
 */
function withoutForeignThinking(
  messages: readonly unknown[],
  isWanted: boolean,
): readonly unknown[] | null {
  let changed = false;
  const kept = messages.flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const content = message['content'].filter((block: unknown) => !isForeign(block, isWanted));
    if (content.length === message['content'].length) return [message];
    changed = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed ? kept : null;
}

function isForeign(block: unknown, isWanted: boolean): boolean {
  if (!isJsonObject(block) || block['type'] !== 'thinking') return false;
  const signature = block['signature'] ?? '';
  if (signature === '') return !isWanted;
  return typeof signature === 'string' && decodeThinkingSignature(signature) !== null;
}
