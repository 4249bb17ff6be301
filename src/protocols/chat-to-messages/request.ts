/** Translates a chat request into a Messages request. `field-table.ts` lists each field. */

import { NestedValues } from '../../json/nested-values.ts';
import { asArray, type JsonObject } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { withoutDropped } from '../quirks.ts';
import { withEdits } from '../request-fields.ts';
import type { PreparedRequest, RequestTarget, TargetModel } from '../translator.ts';
import { type Block, limitMarkers, MAX_ARGUMENTS, type Reading } from './content.ts';
import { readOptions } from './options.ts';
import { readTools } from './tools.ts';
import { readConversation, type Turn, writeTurns } from './turns.ts';

/** Translates a request. `isLegacy`: the answer uses `function_call`. @throws GatewayError. */
export function readChatAsMessages(
  body: ScannedObject,
  model: TargetModel,
  stream: boolean,
): Pick<PreparedRequest, 'bodyFor'> & { readonly isLegacy: boolean } {
  const placeholders = parseWithPlaceholders(body);
  const { json } = placeholders;
  const nested = new NestedValues(MAX_ARGUMENTS);
  const reading: Reading = { placeholders, marked: [], nested };
  const { system, turns } = readConversation(asArray(json['messages']), reading);
  limitMarkers(reading);
  const { tools, choice, isForced, isLegacy } = readTools(json, turns);
  const options = readOptions(json, isForced);
  const parts: Parts = {
    system: [...system, ...options.system],
    turns,
    members: {
      ...(tools.length === 0 ? {} : { tools }),
      ...(choice === null ? {} : { tool_choice: choice }),
      ...options.members,
      ...(stream ? { stream: true } : {}),
    },
    maxTokens: askedOutput(json) ?? model.maxOutput,
  };
  return { bodyFor: (to) => placeholders.encode(messagesBody(parts, to)), isLegacy };
}

type Parts = {
  readonly system: readonly Block[];
  readonly turns: readonly Turn[];
  readonly members: JsonObject;
  readonly maxTokens: number;
};

function messagesBody(
  parts: Parts,
  { model, quirks, clampedOutput, plan }: RequestTarget,
): JsonObject {
  const { system, turns, members, maxTokens } = parts;
  const body = {
    model,
    max_tokens: clampedOutput ?? maxTokens,
    ...(system.length === 0 ? {} : { system }),
    messages: writeTurns(turns, quirks.systemAnywhere),
    ...members,
  };
  return withoutDropped(withEdits(body, plan.edits), quirks);
}

function askedOutput({
  max_completion_tokens: asked,
  max_tokens: older,
}: JsonObject): number | null {
  if (typeof asked === 'number') return asked;
  return typeof older === 'number' ? older : null;
}
