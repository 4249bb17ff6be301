/**
 * Translates a Responses request into a Messages request, through chat. The intermediate chat
 * request may contain some things that chat servers refuse. These are media in tool results, a
 * separate text for each message of a turn, and reasoning with its positions.
 */
import { GatewayError } from '../../errors.ts';
import { asArray, type JsonObject } from '../../json/object.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { textPart } from '../chat/content-parts.ts';
import { readChatAsMessages } from '../chat-to-messages/request.ts';
import type { Seals } from '../responses/seal.ts';
import type { TargetModel } from '../translator.ts';
import type { PlacedPart } from './content.ts';
import type { Turn } from './conversation.ts';
import { LOGPROBS } from './options.ts';
import { type Draft, type ReadRequest, readDraft } from './request.ts';

/**
 * Translates a request for a Messages server.
 * @throws GatewayError with the path of a value that cannot be translated, and what to do instead.
 */
export function readResponsesAsMessages(
  body: ScannedObject,
  seals: Seals,
  model: TargetModel,
  stream: boolean,
): ReadRequest {
  const draft = readDraft(body, seals);
  const { placeholders, names, options } = draft;
  const { bodyFor } = inCallersTerms(draft, () =>
    readChatAsMessages({ ...placeholders, json: chatRequest(draft) }, model, stream),
  );
  return { bodyFor, names, effort: options.effort };
}

function chatRequest({ turns, tools, options, placeholders }: Draft): JsonObject {
  const { members, effort, maxTokens } = options;
  const { prompt_cache_options } = placeholders.json;
  return {
    messages: turns.map(messageOf),
    ...(maxTokens === null ? {} : { max_completion_tokens: maxTokens }),
    ...tools,
    ...(effort === null ? {} : { reasoning_effort: effort }),
    ...members,
    prompt_cache_options,
  };
}

function messageOf(turn: Turn): JsonObject {
  if (turn.role === 'tool')
    return { role: 'tool', tool_call_id: turn.callId, content: turn.parts.map(chatPart) };
  if (turn.role !== 'assistant') return { role: turn.role, content: turn.parts.map(chatPart) };
  const { texts, details, calls } = turn;
  return {
    role: 'assistant',
    content: texts.map(({ text }) => textPart(text)),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    tool_calls: calls.map(({ id, name, arguments: json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    })),
  };
}

const chatPart = ({ part, isMarked }: PlacedPart): JsonObject =>
  isMarked ? { ...part, prompt_cache_breakpoint: { mode: 'explicit' } } : part;

/**
 * Runs the translation from chat to Messages. Its errors name paths in the chat request; replaces
 * these with the paths in the caller's request.
 */
function inCallersTerms<Result>(draft: Draft, step: () => Result): Result {
  try {
    return step();
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.param === null) throw thrown;
    const param = callersPath(thrown.param, draft);
    const message = thrown.message.replace(`${thrown.param}: `, () => `${param}: `);
    throw new GatewayError(thrown.code, message, { param, cause: thrown });
  }
}

/** Matches the path of a message, and of a part or call in it. */
const MESSAGE_PATH = /^messages\[(\d+)\](?:\.(content|tool_calls)\[(\d+)\])?/;

function callersPath(param: string, { turns, placeholders }: Draft): string {
  if (param === 'messages') return 'input';
  if (param === 'response_format') return 'text.format';
  if (param === 'logprobs') {
    const at = asArray(placeholders.json['include']).indexOf(LOGPROBS);
    return at < 0 ? 'top_logprobs' : `include[${at}]`;
  }
  const [, index = '', list, place = ''] = MESSAGE_PATH.exec(param) ?? [];
  const turn = index === '' ? undefined : turns[Number(index)];
  if (turn === undefined) return param;
  if (turn.role !== 'assistant') return turn.parts[Number(place)]?.path ?? turn.path;
  const entry = list === 'tool_calls' ? turn.calls[Number(place)] : turn.texts[Number(place)];
  return entry?.path ?? 'input';
}
