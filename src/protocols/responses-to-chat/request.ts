/**
 * Translates a Responses request into a chat request. `field-table.ts` lists each kind of item,
 * part and tool.
 */
import type { JsonObject } from '../../json/object.ts';
import { type Placeholders, parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { chatCallId } from '../chat/chat-names.ts';
import {
  type ChatPart,
  contentOf,
  PARAGRAPH,
  toolResult,
  withImageDetail,
} from '../chat/content-parts.ts';
import { type Quirks, withoutDropped } from '../quirks.ts';
import { withEdits } from '../request-fields.ts';
import type { Seals } from '../responses/seal.ts';
import type { PreparedRequest, RequestTarget } from '../translator.ts';
import { refuseRemoteFiles } from './content.ts';
import { type AssistantTurn, readConversation, type Turn } from './conversation.ts';
import { type Options, readOptions } from './options.ts';
import { definedTools, type ToolNames, toolNames } from './tool-names.ts';
import { readTools } from './tools.ts';

export type ReadRequest = Pick<PreparedRequest, 'bodyFor'> & {
  /** Maps the names that the upstream uses to the caller's tools. */
  readonly names: ToolNames;
  /** The effort that applies at the end of the input; null if the request sets none. */
  readonly effort: string | null;
};

/** A request translated to chat, but not yet adapted to one server. */
export type Draft = {
  readonly placeholders: Placeholders;
  readonly names: ToolNames;
  readonly turns: readonly Turn[];
  /** The members of the chat request that concern tools. */
  readonly tools: JsonObject;
  readonly options: Options;
};

/**
 * Translates a request for a chat server.
 * @throws GatewayError with the path of a value that cannot be translated, and what to do instead.
 */
export function readResponsesAsChat(
  body: ScannedObject,
  seals: Seals,
  stream: boolean,
): ReadRequest {
  const draft = readDraft(body, seals);
  const { placeholders, names, turns, options } = draft;
  for (const turn of turns) if (turn.role !== 'assistant') refuseRemoteFiles(turn.parts);
  return {
    bodyFor: (to) => placeholders.encode(chatBody(draft, stream, to)),
    names,
    effort: options.effort,
  };
}

/**
 * Translates a request to chat, as far as this does not depend on the server.
 * @throws GatewayError with the path of a value that chat cannot express, and what to do instead.
 */
export function readDraft(body: ScannedObject, seals: Seals): Draft {
  const placeholders = parseWithPlaceholders(body);
  const { json } = placeholders;
  const defined = definedTools(json);
  const names = toolNames(defined);
  return {
    placeholders,
    names,
    turns: readConversation(json, { placeholders, names, seals }),
    tools: readTools(json, defined, names),
    options: readOptions(json),
  };
}

function chatBody(
  { turns, tools, options }: Draft,
  stream: boolean,
  { model, quirks, clampedOutput, plan }: RequestTarget,
): JsonObject {
  const limit = clampedOutput ?? options.maxTokens;
  const body = {
    model,
    messages: withImageDetail(chatMessages(turns, quirks), plan.imageDetail),
    ...(limit === null ? {} : { [quirks.maxTokensField ?? 'max_completion_tokens']: limit }),
    ...tools,
    ...effortMembers(options, quirks),
    ...options.members,
    ...(stream ? { stream } : {}),
    ...(stream && quirks.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
  return withoutDropped(withEdits(body, plan.edits), quirks);
}

function effortMembers({ effort }: Options, { reasoningEffort, thinkingOff }: Quirks): JsonObject {
  if (effort === 'none' && thinkingOff !== null) return thinkingOff;
  return reasoningEffort && effort !== null ? { reasoning_effort: effort } : {};
}

function chatMessages(turns: readonly Turn[], quirks: Quirks): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  const shown: ChatPart[] = [];
  const show = (): void => {
    if (shown.length > 0) messages.push({ role: 'user', content: contentOf(shown.splice(0)) });
  };
  // Joins leading system messages, because many chat templates accept only one, at the start.
  const other = turns.findIndex(({ role }) => role !== 'system');
  const leading = other < 0 ? turns.length : other;
  const system = turns.slice(0, leading).flatMap((turn) => partsIn(turn));
  if (system.length > 0) messages.push({ role: 'system', content: contentOf(system) });
  for (const turn of turns.slice(leading)) {
    if (turn.role === 'tool') {
      const { text, shown: media } = toolResult(partsIn(turn), turn.callId);
      messages.push({ role: 'tool', tool_call_id: chatCallId(turn.callId), content: text });
      for (const part of media) shown.push(part);
      continue;
    }
    show();
    if (turn.role === 'assistant') messages.push(assistantMessage(turn, quirks));
    else messages.push({ role: turn.role, content: contentOf(partsIn(turn)) });
  }
  show();
  return messages;
}

const partsIn = (turn: Turn): readonly ChatPart[] =>
  turn.role === 'assistant' ? [] : turn.parts.map(({ part }) => part);

function assistantMessage(
  { texts, reasoning, details, calls }: AssistantTurn,
  { reasoningBack, reasoningRequired }: Quirks,
): JsonObject {
  const hasReasoning = reasoning.length > 0 || reasoningRequired;
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.map(({ text }) => text).join(PARAGRAPH),
    ...(reasoningBack !== null && hasReasoning
      ? { [reasoningBack]: reasoning.join(PARAGRAPH) }
      : {}),
    // A server with the field `reasoning` follows OpenRouter's protocol, so it must get back the
    // `reasoning_details` that it sent.
    ...(reasoningBack === 'reasoning' && details.length > 0
      ? { reasoning_details: details.map(({ after: _, ...detail }) => detail) }
      : {}),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: json, extra }) => ({
            id: chatCallId(id),
            type: 'function',
            function: { name, arguments: json },
            ...(extra === null ? {} : { extra_content: extra }),
          })),
        }),
  };
}
