/** Translates a chat request to a Messages request. `field-table.ts` lists each field. */
import { NestedValues } from '../../json/nested-values.ts';
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { withoutDropped } from '../quirks.ts';
import { withEdits } from '../request-fields.ts';
import type { PreparedRequest, RequestTarget, TargetModel } from '../translator.ts';
import { type Block, isCacheable, limitMarkers, withAutomaticMarkers } from './cache-markers.ts';
import { MAX_ARGUMENTS, type Reading } from './content.ts';
import { answerFormat, readOptions } from './options.ts';
import { withThinkingBudget } from './thinking-budget.ts';
import { readTools } from './tools.ts';
import { readConversation, type Turn, writeTurns } from './turns.ts';

/**
 * Translates a request. In the result, `isLegacy` means that the caller expects `function_call` in
 * the answer.
 * @throws GatewayError if the request cannot be translated.
 */
export function readChatAsMessages(
  placeholders: Placeholders,
  model: TargetModel,
  stream: boolean,
): Pick<PreparedRequest, 'bodyFor'> & { readonly isLegacy: boolean } {
  const { json } = placeholders;
  const nested = new NestedValues(MAX_ARGUMENTS);
  const reading: Reading = { placeholders, marked: [], nested };
  const { system, turns } = readConversation(asArray(json['messages']), reading);
  const format = answerFormat(placeholders);
  const { tools, marked, choice, isForced, isLegacy } = readTools(placeholders, turns, format);
  const markers = [...marked, ...reading.marked];
  limitMarkers(markers);
  const options = readOptions(placeholders, isForced, format);
  const parts: Parts = {
    system: [...system, ...options.system],
    turns,
    tools,
    members: {
      ...(choice === null ? {} : { tool_choice: choice }),
      ...options.members,
      ...(stream ? { stream: true } : {}),
    },
    maxTokens: askedOutput(json) ?? model.maxOutput,
    isContinued:
      markers.length === 0 &&
      isCacheable(placeholders.bodyBytes) &&
      asJsonObject(json['prompt_cache_options'])?.['mode'] !== 'explicit' &&
      (turns.some(({ role }) => role === 'assistant') || (tools.length > 0 && !isForced)),
  };
  return { bodyFor: (to) => placeholders.encode(messagesBody(parts, to)), isLegacy };
}

type Parts = {
  readonly system: readonly Block[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Block[];
  readonly members: JsonObject;
  readonly maxTokens: number;
  /**
   * Whether cache markers may be added. This requires that the caller has set none, that the prompt
   * is long enough, and that another request with the same beginning is likely. It is likely if the
   * conversation has begun or the model may call tools.
   */
  readonly isContinued: boolean;
};

function messagesBody(
  parts: Parts,
  { model, quirks, clampedOutput, plan, isRepeated }: RequestTarget,
): JsonObject {
  const turns = isRepeated === true ? withoutThinking(parts.turns) : parts.turns;
  const written = {
    tools: parts.tools,
    system: parts.system,
    messages: writeTurns(turns, quirks.systemAnywhere),
  };
  const { tools, system, messages } =
    parts.isContinued && plan.marksCache ? withAutomaticMarkers(written) : written;
  const maxTokens = clampedOutput ?? parts.maxTokens;
  const sent = withForcedCall({ members: parts.members, messages }, model);
  const body = {
    model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: sent.messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...withThinkingBudget(sent.members, model, maxTokens, messages),
  };
  return withoutDropped(withEdits(body, plan.edits), quirks);
}

/** Returns the turns without thinking, and without turns that had no other content. */
const withoutThinking = (turns: readonly Turn[]): readonly Turn[] =>
  turns.flatMap((turn): readonly Turn[] => {
    if (turn.role !== 'assistant') return [turn];
    const content = turn.content.filter(({ type }) => !/thinking$/.test(String(type)));
    return content.length === 0 ? [] : [{ ...turn, content }];
  });

function askedOutput({
  max_completion_tokens: asked,
  max_tokens: older,
}: JsonObject): number | null {
  if (typeof asked === 'number') return asked;
  return typeof older === 'number' ? older : null;
}

/**
 * Matches names of Claude models that refuse a forced tool call, because they think in each answer.
 */
const REFUSES_FORCE = /claude-(?:(?:opus|sonnet)-5[-.]5(?!\d)|fable-|mythos-)/;

type Body = { readonly members: JsonObject; readonly messages: readonly JsonObject[] };

/**
 * Returns the members and messages of a request. If they force a call and the model refuses that,
 * the call is demanded in words at the end of the messages, where no cached prompt is changed.
 */
function withForcedCall(body: Body, model: string): Body {
  const { type, name, ...choice } = asJsonObject(body.members['tool_choice']) ?? {};
  const isForced = type === 'any' || type === 'tool';
  if (!isForced || !REFUSES_FORCE.test(model)) return body;
  const tool = type === 'tool' ? `the tool "${asString(name)}"` : 'one of the tools';
  const demand = { type: 'text', text: `Call ${tool} now. Do not answer with text.` };
  const last = body.messages.at(-1);
  const isUsers = last?.['role'] === 'user';
  const content = isUsers ? [...asArray(last?.['content']), demand] : [demand];
  return {
    members: { ...body.members, tool_choice: { type: 'auto', ...choice } },
    messages: [
      ...(isUsers ? body.messages.slice(0, -1) : body.messages),
      { role: 'user', content },
    ],
  };
}
