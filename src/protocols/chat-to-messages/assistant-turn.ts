/** An assistant message of chat as the blocks of a Messages turn: thinking, text, tool calls. */
import { createHash } from 'node:crypto';
import { parseExact } from '../../json/exact-numbers.ts';
import {
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { type Block, type Reading, textBlock, textBlocks } from './content.ts';
import { type Place, thoughtsFromCalls, thoughtsFromMessage } from './reasoning.ts';

export type Call = {
  /** The caller's id; null for a `function_call`, which has none. */
  readonly id: string | null;
  readonly function: string;
  /** The id sent upstream. */
  readonly messagesId: string;
  /** Where it is in the request, such as `messages[1].tool_calls[0]`. */
  readonly path: string;
};

export type AssistantContent = {
  readonly content: readonly Block[];
  readonly calls: readonly Call[];
};

/** @throws GatewayError `invalid_value` or `unsupported_value` naming the place in the message. */
export function assistantTurn(
  message: JsonObject,
  path: string,
  ids: ToolIds,
  reading: Reading,
): AssistantContent {
  if ((message['audio'] ?? null) !== null) {
    throw unsupportedValue(
      `${path}.audio`,
      'this model does not accept audio; send a transcript as text',
    );
  }
  const texts = [
    ...textBlocks(message['content'], `${path}.content`, 'assistant', reading),
    ...refusalBlocks(message['refusal']),
  ];
  const made = callsOf(message, path).map((call) => readCall(call, ids));
  const uses = made.map(({ block }) => block);
  return {
    content: withThoughts(message, texts, uses),
    calls: made.map(({ call }) => call),
  };
}

function refusalBlocks(refusal: unknown): readonly Block[] {
  const block = textBlock(asString(refusal) ?? '');
  return block === null ? [] : [block];
}

type GivenCall = {
  readonly id: string | null;
  readonly name: unknown;
  readonly arguments: unknown;
  readonly path: string;
  readonly argumentsPath: string;
};

function callsOf(message: JsonObject, path: string): readonly GivenCall[] {
  const { tool_calls: calls, function_call: legacy } = message;
  if (Array.isArray(calls) && calls.length > 0) {
    return calls.map((call: unknown, index) => toolCall(call, `${path}.tool_calls[${index}]`));
  }
  if (!isJsonObject(legacy)) return [];
  const at = `${path}.function_call`;
  const { name, arguments: args } = legacy;
  return [{ id: null, name, arguments: args, path: at, argumentsPath: `${at}.arguments` }];
}

function toolCall(value: unknown, path: string): GivenCall {
  const call = asJsonObject(value) ?? {};
  if ((call['type'] ?? 'function') !== 'function') {
    throw unsupportedValue(`${path}.type`, 'only function calls are supported');
  }
  const called = asJsonObject(call['function']) ?? {};
  return {
    id: asString(call['id']) ?? '',
    name: called['name'],
    arguments: called['arguments'],
    path,
    argumentsPath: `${path}.function.arguments`,
  };
}

/** A `function_call` has no id, so its name serves, made unique like any other. */
function readCall(given: GivenCall, ids: ToolIds): { block: Block; call: Call } {
  const { id, path } = given;
  const name = asString(given.name) ?? '';
  if (name === '') throw invalid(path, 'must name the function that was called');
  const input = argumentsOf(given.arguments, given.argumentsPath);
  const messagesId = ids.take(id ?? `call_${name}`);
  return {
    block: { type: 'tool_use', id: messagesId, name, input },
    call: { id, function: name, messagesId, path },
  };
}

function argumentsOf(given: unknown, param: string): JsonObject {
  const text = asString(given ?? '');
  if (text === null) throw invalid(param, 'must be a string that contains JSON');
  if (text.trim() === '') return {};
  const input = parsedObject(text, parseExact);
  if (input !== null) return input;
  throw invalid(
    param,
    'must be a string that contains one JSON object, such as "{}"; fix it, or remove the call and its result',
  );
}

/** Puts thinking back where it was: usually first, otherwise between texts and calls. */
function withThoughts(
  message: JsonObject,
  texts: readonly Block[],
  uses: readonly Block[],
): readonly Block[] {
  const kept = thoughtsFromMessage(message);
  const thoughts = kept.length > 0 ? kept : thoughtsFromCalls(message);
  const rest = new AssistantRest(texts, uses);
  const content = thoughts.flatMap(({ place, block }) => [...rest.before(place), { ...block }]);
  return [...content, ...rest.all()];
}

class AssistantRest {
  #texts: readonly Block[];
  #uses: readonly Block[];
  #textTaken = 0;
  #usesTaken = 0;

  constructor(texts: readonly Block[], uses: readonly Block[]) {
    this.#texts = texts;
    this.#uses = uses;
  }

  before(place: Place): readonly Block[] {
    const before: Block[] = [];
    while (this.#textTaken < place.text) {
      const [text, ...later] = this.#texts;
      if (text === undefined) break;
      const words = String(text['text']);
      const wanted = place.text - this.#textTaken;
      const piece = textBlock(words.slice(0, wanted));
      const rest = textBlock(words.slice(wanted));
      if (rest === null) {
        before.push(text);
        this.#texts = later;
      } else {
        if (piece !== null) before.push(piece);
        // The same object, since `Reading.marked` refers to it by identity.
        text['text'] = rest['text'];
      }
      this.#textTaken += Math.min(wanted, words.length);
    }
    const calls = Math.max(0, place.calls - this.#usesTaken);
    before.push(...this.#uses.slice(0, calls));
    this.#uses = this.#uses.slice(calls);
    this.#usesTaken += calls;
    return before;
  }

  all(): readonly Block[] {
    return [...this.#texts, ...this.#uses];
  }
}

const ALLOWED = /^[A-Za-z0-9_-]+$/;
/** Hex digits that distinguish ids which differ only in characters that are not allowed. */
const DIGEST_DIGITS = 12;

/**
 * Makes ids of tool calls valid and unique for a Messages upstream, where some chat servers number
 * the calls of each turn from zero. An id depends only on what precedes it, so the next request of
 * the conversation has the same prefix and hits the prompt cache.
 */
export class ToolIds {
  readonly #taken = new Set<string>();

  /** The id for one more call; the caller's own whenever it is valid. */
  take(id: string): string {
    const allowed = ALLOWED.test(id) ? id : rewritten(id);
    let name = allowed;
    for (let again = 2; this.#taken.has(name); again++) name = `${allowed}_${again}`;
    this.#taken.add(name);
    return name;
  }
}

function rewritten(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST_DIGITS);
  return `${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}_${digest}`;
}
