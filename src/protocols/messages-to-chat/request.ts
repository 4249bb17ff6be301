/** Translates a Messages request to a chat request. `field-table.ts` lists each field. */

import { NestedValues } from '../../json/nested-values.ts';
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { withImageDetail } from '../chat/content-parts.ts';
import { type Quirks, withoutDropped } from '../quirks.ts';
import { withEdits } from '../request-fields.ts';
import type { PreparedRequest, RequestTarget } from '../translator.ts';
import type { AskedThinking } from './answer-fields.ts';
import { type ChatTurn, MAX_INPUTS, readConversation } from './conversation.ts';
import { refuseFields } from './field-table.ts';
import { type Options, outputLimit, readOptions } from './options.ts';
import { ToolNames } from './tool-names.ts';
import { eagerTools, readTools } from './tools.ts';

/** The options of a request on which the translation of its answer depends. */
export type AnswerOptions = {
  /** Maps the tool names that were sent upstream to the caller's tool names. */
  readonly names: ToolNames;
  readonly thinking: AskedThinking;
  /** The chat names of the tools whose arguments the caller wants streamed without buffering. */
  readonly eagerTools: ReadonlySet<string>;
  /**
   * Whether the caller requested context editing. If so, the answer must report that no edits were
   * made.
   */
  readonly reportsEdits: boolean;
};

/**
 * Translates a request.
 * @throws GatewayError `unsupported_value`, `unsupported_parameter` or `invalid_value`.
 */
export function readMessagesAsChat(
  body: ScannedObject,
  stream: boolean,
): Pick<PreparedRequest, 'bodyFor'> & { readonly answerOptions: AnswerOptions } {
  const placeholders = parseWithPlaceholders(body);
  const { json } = placeholders;
  refuseFields(json);
  const nested = new NestedValues(MAX_INPUTS);
  const reading = { placeholders, names: new ToolNames(), nested };
  const draft: Draft = {
    turns: readConversation(json, reading),
    tools: readTools(json, reading),
    options: readOptions(json, placeholders),
    maxTokens: outputLimit(json),
    stream,
  };
  const answerOptions: AnswerOptions = {
    names: reading.names,
    thinking: askedThinking(json),
    eagerTools: eagerTools(json, reading.names),
    reportsEdits: asJsonObject(json['context_management']) !== null,
  };
  const isOff = answerOptions.thinking === 'off';
  return { bodyFor: (to) => placeholders.encode(chatBody(draft, isOff, to)), answerOptions };
}

/** The types of `thinking` that turn it off. `between_tools` only adds notes between tools. */
const OFF: ReadonlySet<unknown> = new Set(['disabled', 'between_tools']);

/**
 * Returns how the caller wants to receive thinking. If `thinking` is omitted or disabled, thinking
 * is off, even if the request sets an effort. Anthropic behaves in the same way.
 */
function askedThinking(json: JsonObject): AskedThinking {
  const { type = 'disabled', display } = asJsonObject(json['thinking']) ?? {};
  if (OFF.has(type)) return 'off';
  return display === 'omitted' ? 'omitted' : 'shown';
}

type Draft = {
  readonly turns: readonly ChatTurn[];
  readonly tools: JsonObject;
  readonly options: Options;
  readonly maxTokens: number | null;
  readonly stream: boolean;
};

function chatBody(
  draft: Draft,
  isThinkingOff: boolean,
  { model, quirks, clampedOutput, plan }: RequestTarget,
): JsonObject {
  const { options, stream } = draft;
  const limit = clampedOutput ?? draft.maxTokens;
  const off = isThinkingOff ? quirks.thinkingOff : null;
  const body = {
    model,
    messages: withImageDetail(
      draft.turns.map((turn) => chatMessage(turn, quirks)),
      plan.imageDetail,
    ),
    ...(limit === null ? {} : { [quirks.maxTokensField ?? 'max_completion_tokens']: limit }),
    ...draft.tools,
    ...(off ??
      (quirks.reasoningEffort && options.effort !== null
        ? { reasoning_effort: options.effort }
        : {})),
    ...options.members,
    ...(stream ? { stream } : {}),
    ...(stream && quirks.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
  return withoutDropped(withEdits(body, plan.edits), quirks);
}

/**
 * Converts a turn to a chat message. System text has the role `system`, because servers that have
 * the role `developer` accept `system` too.
 */
function chatMessage(turn: ChatTurn, { reasoningBack, reasoningRequired }: Quirks): JsonObject {
  if (turn.role !== 'assistant') return turn;
  const { role, content, reasoning, calls } = turn;
  const isTold = reasoning !== '' || reasoningRequired;
  return {
    role,
    content,
    ...(reasoningBack !== null && isTold ? { [reasoningBack]: reasoning } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
