/** Translates an assistant message of chat to Messages blocks: thinking, text and calls. */
import { createHash } from 'node:crypto';
import { EXACT_COST } from '../../json/nested-values.ts';
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { chatToolName } from '../chat/chat-names.ts';
import { argumentsObject } from '../tool-arguments.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { type Block, copyMarker } from './cache-markers.ts';
import { MAX_ARGUMENTS, type Reading, textBlock, textBlocks } from './content.ts';
import { thoughtsFromCalls, thoughtsFromMessage } from './reasoning.ts';

export type Call = {
  /** The id that the caller sent; null for a `function_call`, which has no id. */
  readonly id: string | null;
  readonly function: string;
  /** The id that is sent to the upstream. */
  readonly messagesId: string;
  /** The path of the call in the request, such as `messages[1].tool_calls[0]`. */
  readonly path: string;
};

/** Translates an assistant message. @throws GatewayError `invalid_value` or `unsupported_value`. */
export function assistantTurn(
  message: JsonObject,
  path: string,
  ids: ToolIds,
  reading: Reading,
): { readonly content: readonly Block[]; readonly calls: readonly Call[] } {
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
  const made = readCalls(message, path, ids, reading);
  const uses = made.map(({ block }) => block);
  return {
    content: withThoughts(message, texts, uses, reading),
    calls: made.map(({ call }) => call),
  };
}

function refusalBlocks(refusal: unknown): readonly Block[] {
  const block = textBlock(asString(refusal) ?? '');
  return block === null ? [] : [block];
}

type ReadCall = { readonly block: Block; readonly call: Call };

function readCalls(
  message: JsonObject,
  path: string,
  ids: ToolIds,
  reading: Reading,
): readonly ReadCall[] {
  const { tool_calls: calls, function_call: legacy } = message;
  if (Array.isArray(calls) && calls.length > 0) {
    return calls.map((each: unknown, index) => {
      const at = `${path}.tool_calls[${index}]`;
      const call = asJsonObject(each) ?? {};
      if ((call['type'] ?? 'function') !== 'function') {
        throw unsupportedValue(`${at}.type`, 'only function calls are supported');
      }
      const called = asJsonObject(call['function']) ?? {};
      const id = asString(call['id']) ?? '';
      const read = readCall(called, id, [at, `${at}.function`], ids, reading);
      copyMarker(called, read.block, reading.marked);
      copyMarker(call, read.block, reading.marked);
      return read;
    });
  }
  const at = `${path}.function_call`;
  return isJsonObject(legacy) ? [readCall(legacy, null, [at, at], ids, reading)] : [];
}

/** Translates a call. A `function_call` has no id, so its id is made from the function's name. */
function readCall(
  called: JsonObject,
  id: string | null,
  [path, calledPath]: readonly [string, string],
  ids: ToolIds,
  reading: Reading,
): ReadCall {
  const name = asString(called['name']) ?? '';
  if (name === '') throw invalid(path, 'must name the function that was called');
  const input = argumentsOf(called['arguments'], `${calledPath}.arguments`, reading);
  const messagesId = ids.take(id ?? `call_${name}`);
  return {
    // Models invent names such as `functions.f`, which Messages upstreams refuse in a history.
    block: { type: 'tool_use', id: messagesId, name: chatToolName(name), input },
    call: { id, function: name, messagesId, path },
  };
}

/**
 * Returns the arguments of a call as an object. Models can write invalid JSON, and agents send it
 * back. The result then has a single member with the invalid text.
 */
function argumentsOf(given: unknown, param: string, { placeholders, nested }: Reading): JsonObject {
  const written = asString(given ?? '');
  if (written === null) throw invalid(param, 'must be a string that contains JSON');
  const { values, length, lengthOfOne } = MAX_ARGUMENTS;
  const tooLarge =
    `is too large: one call may have at most ${lengthOfOne} bytes of arguments, and all calls together ` +
    `${length} characters and ${values} values (in arguments with a long number, each value counts as ${EXACT_COST})`;
  if (placeholders.sizeOf(written) > lengthOfOne) throw invalid(param, tooLarge);
  const text = placeholders.restore(written);
  if (!nested.take(text)) throw invalid(param, tooLarge);
  return argumentsObject(text);
}

/**
 * Inserts the thinking blocks where the model wrote them: at the start, or between texts and calls.
 * Drops those at the end, because upstreams refuse a turn that ends with thinking. An answer ends
 * with it if the output limit cut it there.
 */
function withThoughts(
  message: JsonObject,
  givenTexts: readonly Block[],
  givenUses: readonly Block[],
  reading: Reading,
): readonly Block[] {
  const { nested, placeholders } = reading;
  const kept = thoughtsFromMessage(message);
  const thoughts = kept.length > 0 ? kept : thoughtsFromCalls(message, reading);
  const texts = [...givenTexts];
  const uses = [...givenUses];
  const content: Block[] = [];
  let units = 0;
  for (const { place, block } of thoughts) {
    while (units < place.text) {
      const [text] = texts;
      if (text === undefined) break;
      const written = String(text['text']);
      // A text that is too long is not split. The thinking block is inserted before it.
      if (!nested.takeLength(placeholders.sizeOf(written))) break;
      const words = placeholders.restore(written);
      const piece = textBlock(words.slice(0, place.text - units));
      const rest = textBlock(words.slice(place.text - units));
      units += Math.min(place.text - units, words.length);
      if (rest === null) {
        content.push(text);
        texts.shift();
        continue;
      }
      if (piece !== null) content.push(piece);
      // Changes the text of the block instead of making a new block, because `Reading.marked` may
      // refer to this block.
      text['text'] = rest['text'];
    }
    const taken = givenUses.length - uses.length;
    content.push(...uses.splice(0, Math.max(0, place.calls - taken)), { ...block });
  }
  content.push(...texts, ...uses);
  return content.slice(0, content.findLastIndex(isNoThought) + 1);
}

const isNoThought = ({ type }: Block): boolean =>
  type !== 'thinking' && type !== 'redacted_thinking';

const ALLOWED = /^[A-Za-z0-9_-]+$/;
/**
 * The number of hex digits of the digest that is added to an id when its disallowed characters are
 * replaced. The digest distinguishes ids that differ only in these characters.
 */
const DIGEST_DIGITS = 12;

/**
 * Makes the ids of tool calls valid and unique, because some chat servers use the same ids in every
 * turn. The id of a call depends only on earlier parts of the request. So the next request of the
 * conversation has the same ids, and hits the prompt cache.
 */
export class ToolIds {
  readonly #taken = new Set<string>();
  /** For each id, the next number to append when the id is used again. */
  readonly #next = new Map<string, number>();

  /**
   * Returns the id of the next call: the id that the caller gave if it is valid and unused, or else
   * a new id made from it.
   */
  take(id: string): string {
    const allowed = ALLOWED.test(id) ? id : rewritten(id);
    let name = allowed;
    let again = this.#next.get(allowed) ?? 2;
    for (; this.#taken.has(name); again++) name = `${allowed}_${again}`;
    this.#next.set(allowed, again);
    this.#taken.add(name);
    return name;
  }
}

function rewritten(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST_DIGITS);
  return `${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}_${digest}`;
}
