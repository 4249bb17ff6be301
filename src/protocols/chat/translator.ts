/** Sends the bytes of a chat request to a chat upstream, edited for routing, billing and quirks. */
import { isGiven, memberText, replaceMembers } from '../../json/edit.ts';
import {
  asJsonObject,
  asString,
  changedList,
  isJsonObject,
  type JsonObject,
} from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';
import type { RequestTarget, Translator } from '../translator.ts';
import { readChatAnswer } from './answer.ts';
import { withImageDetail } from './content-parts.ts';
import { STREAM_OPTIONS } from './fields.ts';
import { openChatStream } from './stream-pass.ts';

export const chatToChat: Translator<'chat', 'chat'> = {
  caller: 'chat',
  upstream: 'chat',
  prepare: (body, _model, stream) => ({
    bodyFor: (to) => chatBody(body, to, stream),
    openStream: openChatStream,
    readAnswer: readChatAnswer,
  }),
};

type Edits = Map<string, string | Uint8Array | null>;

function chatBody(
  body: ScannedObject,
  to: RequestTarget,
  stream: boolean,
): Uint8Array<ArrayBuffer> {
  const edits: Edits = new Map<string, string | Uint8Array | null>(to.plan.edits);
  const model = JSON.stringify(to.model);
  if (memberText(body, 'model') !== model) edits.set('model', model);
  // The field `provider` is an extension of this gateway. A strict upstream would refuse it.
  if (body.members.has('provider')) edits.set('provider', null);
  if (stream) addStreamEdits(body, to, edits);
  addOutputLimit(body, to, edits);
  addMessageEdits(body, to, edits);
  addThinkingSwitch(body, to, edits);
  const { drop, reasoningEffort } = to.quirks;
  for (const field of drop) if (body.members.has(field)) edits.set(field, null);
  if (!reasoningEffort && body.members.has('reasoning_effort')) edits.set('reasoning_effort', null);
  return edits.size === 0 ? body.bytes : replaceMembers(body, edits);
}

/** Requests a stream, and usage in the stream. Without usage, the exact price would be unknown. */
function addStreamEdits(body: ScannedObject, { quirks }: RequestTarget, edits: Edits): void {
  if (memberText(body, 'stream') !== 'true') edits.set('stream', 'true');
  if (!quirks.streamOptions) {
    if (body.members.has('stream_options')) edits.set('stream_options', null);
    return;
  }
  const given = asJsonObject(JSON.parse(memberText(body, 'stream_options') ?? 'null')) ?? {};
  const kept = STREAM_OPTIONS.flatMap((name) => (name in given ? [[name, given[name]]] : []));
  edits.set('stream_options', JSON.stringify({ ...Object.fromEntries(kept), include_usage: true }));
}

/** Replaces `reasoning_effort: none` with the server's own fields that turn thinking off. */
function addThinkingSwitch(
  body: ScannedObject,
  { quirks: { thinkingOff } }: RequestTarget,
  edits: Edits,
): void {
  if (thinkingOff === null || !body.members.has('reasoning_effort')) return;
  if (memberText(body, 'reasoning_effort') !== '"none"') return;
  edits.set('reasoning_effort', null);
  for (const [name, value] of Object.entries(thinkingOff)) {
    const isOwn = name !== 'reasoning_effort' && body.members.has(name);
    if (!isOwn) edits.set(name, JSON.stringify(value));
  }
}

const LIMITS = ['max_completion_tokens', 'max_tokens'] as const;

/**
 * Adds a single output limit, under the name of the field that the server accepts, and no higher
 * than the hold pays for.
 */
function addOutputLimit(body: ScannedObject, to: RequestTarget, edits: Edits): void {
  // If the caller sent both `max_completion_tokens` and `max_tokens`, the newer name,
  // `max_completion_tokens`, applies.
  let asked: (typeof LIMITS)[number] | null = null;
  for (const each of LIMITS) if (asked === null && isGiven(body, each)) asked = each;
  const name = to.quirks.maxTokensField ?? asked ?? 'max_completion_tokens';
  if (to.clampedOutput === null && (asked === null || asked === name)) {
    for (const each of LIMITS) if (each !== name && body.members.has(each)) edits.set(each, null);
    return;
  }
  for (const each of LIMITS) if (body.members.has(each)) edits.set(each, null);
  const limit = to.clampedOutput === null ? memberText(body, asked ?? name) : `${to.clampedOutput}`;
  edits.set(name, limit);
}

/**
 * Edits the messages. They may be long, so they are parsed only if certain words occur in them or
 * the detail of images must be set.
 */
function addMessageEdits(body: ScannedObject, { quirks, plan }: RequestTarget, edits: Edits): void {
  const messages = searchable(body);
  const mayName = !quirks.developerRole && messages.includes('"developer"');
  const wanted = quirks.reasoningRequired && messages.includes('"tool_calls"');
  const isStrict = quirks.onlyReasoningBack && mayHaveForeign(messages, quirks.reasoningBack);
  const isPlain = !mayName && !wanted && !isStrict && plan.imageDetail === null;
  if (isPlain && !messages.includes(CALL_SIGNATURE_PREFIX)) return;
  const { json, encode } = parseWithPlaceholders(body);
  const parsed = json['messages'];
  if (!Array.isArray(parsed)) return;
  const renamed = mayName ? parsed.map(withSystemRole) : parsed;
  const own = isStrict ? withoutForeignReasoning(renamed, quirks.reasoningBack) : renamed;
  const reasoned = wanted ? withReasoning(own, quirks.reasoningBack) : own;
  const repaired = withImageDetail(withoutOwnSignatures(reasoned), plan.imageDetail);
  if (repaired !== parsed) edits.set('messages', encode(repaired));
}

/**
 * Returns the text or bytes in which to search for words of the messages. If the body is available
 * as ASCII text, this is the whole body, so a found word may be outside the messages.
 */
function searchable({ ascii, bytes, members }: ScannedObject): string | Buffer {
  if (ascii !== null) return ascii;
  const { start = 0, end = 0 } = members.get('messages') ?? {};
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

/**
 * Adds an empty reasoning field to assistant messages without it, because the server requires the
 * field.
 */
function withReasoning(messages: readonly unknown[], field: string | null): readonly unknown[] {
  if (field === null) return messages;
  return changedList(messages, (message) =>
    isJsonObject(message) && message['role'] === 'assistant' && typeof message[field] !== 'string'
      ? { ...message, [field]: '' }
      : message,
  );
}

/** All fields in which servers, or this gateway for Messages upstreams, return reasoning. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];
const REASONING_MARKS = REASONING.map((name) => ({ name, mark: `"${name}"` }));

const mayHaveForeign = (messages: string | Buffer, ownField: string | null): boolean =>
  REASONING_MARKS.some(({ name, mark }) => name !== ownField && messages.includes(mark));

/**
 * Removes the fields with reasoning that this server does not use. Messages have such fields if
 * another upstream gave an earlier answer.
 */
function withoutForeignReasoning(
  messages: readonly unknown[],
  ownField: string | null,
): readonly unknown[] {
  const foreign = REASONING.filter((name) => name !== ownField);
  return changedList(messages, (message) =>
    isJsonObject(message) && foreign.some((name) => name in message)
      ? Object.fromEntries(Object.entries(message).filter(([name]) => !foreign.includes(name)))
      : message,
  );
}

const withSystemRole = (message: unknown): unknown =>
  isJsonObject(message) && message['role'] === 'developer'
    ? { ...message, role: 'system' }
    : message;

/** Removes the gateway's signatures, which an upstream that signs its own calls would refuse. */
function withoutOwnSignatures(messages: readonly unknown[]): readonly unknown[] {
  return changedList(messages, (message) => {
    const calls = asJsonObject(message)?.['tool_calls'];
    if (!isJsonObject(message) || !Array.isArray(calls) || !calls.some(hasOwnSignature))
      return message;
    return { ...message, tool_calls: calls.map(withoutOwnSignature) };
  });
}

const googleOf = (call: JsonObject): JsonObject =>
  asJsonObject(asJsonObject(call['extra_content'])?.['google']) ?? {};

const hasOwnSignature = (call: unknown): boolean =>
  isJsonObject(call) &&
  asString(googleOf(call)['thought_signature'])?.startsWith(CALL_SIGNATURE_PREFIX) === true;

function withoutOwnSignature(call: unknown): unknown {
  if (!isJsonObject(call) || !hasOwnSignature(call)) return call;
  const { extra_content: _, ...rest } = call;
  return rest;
}
