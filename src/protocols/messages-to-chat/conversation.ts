/** Translates Messages turns to chat, where tool results directly follow the assistant message. */

import type { NestedLimits, NestedValues } from '../../json/nested-values.ts';
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { chatCallId } from '../chat/chat-names.ts';
import {
  type ChatPart,
  contentOf,
  PARAGRAPH,
  type ToolResult,
  textPart,
  toolResult,
} from '../chat/content-parts.ts';
import { readCallId } from '../messages/call-signature.ts';
import { decodeThinkingSignature } from '../thinking-signature.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { blocksOf, type PlacedBlock, partsOf, systemText, textOf } from './content.ts';
import { refusedBlock } from './field-table.ts';
import { serverBlockText, summaryOf } from './server-blocks.ts';
import type { ToolNames } from './tool-names.ts';

export type ToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Gemini's signature of the call. */
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
};

export type ChatTurn =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      /** The thinking in the turn, for servers to which it must be sent back. */
      readonly reasoning: string;
      readonly calls: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export type Reading = {
  readonly placeholders: Placeholders;
  readonly names: ToolNames;
  readonly nested: NestedValues;
};

/**
 * The limits of tool inputs, which are JSON inside strings in chat. They are higher than what any
 * model writes.
 */
export const MAX_INPUTS: NestedLimits = {
  values: Number.POSITIVE_INFINITY,
  length: 4 * 1024 * 1024,
  lengthOfOne: 2 * 1024 * 1024,
};

/**
 * Translates a conversation.
 * @throws GatewayError `invalid_value` for a call without a result or a result without a call,
 *   `unsupported_value` for a block that cannot be expressed in chat.
 */
export function readConversation(body: JsonObject, reading: Reading): readonly ChatTurn[] {
  const conversation = new Conversation(reading);
  conversation.system(systemText(body['system'], 'system'));
  for (const [index, each] of asArray(body['messages']).entries()) {
    conversation.message(asJsonObject(each) ?? {}, `messages[${index}]`);
  }
  return conversation.end();
}

/** An assistant turn that is not complete yet. Its texts are joined when the turn is written. */
type OpenTurn = {
  /** The path of the last message in the turn. */
  path: string;
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: ToolCall[];
};

class Conversation {
  readonly #reading: Reading;
  readonly #turns: ChatTurn[] = [];
  /** Maps ids to paths, for the calls of the last assistant turn that have no result yet. */
  #open = new Map<string, string>();
  /** System text that came while calls had no result yet. It is written after the last result. */
  #deferred: string[] = [];
  /**
   * The user turn that is not written yet, because more parts may follow; null if no such turn is
   * open.
   */
  #user: ChatPart[] | null = null;
  /**
   * The assistant turn that is not written yet, because more may follow; null if no such turn is
   * open.
   */
  #assistant: OpenTurn | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  message({ role, content }: JsonObject, path: string): void {
    switch (role) {
      case 'system':
        this.system(systemText(content, `${path}.content`));
        break;
      case 'assistant':
        this.#addAssistant(content, path);
        break;
      default:
        this.#addUser(blocksOf(content, `${path}.content`));
    }
  }

  system(text: string): void {
    if (text === '') return;
    if (this.#open.size > 0) {
      this.#deferred.push(text);
      return;
    }
    this.#writeAssistant();
    this.#writeUser();
    this.#turns.push({ role: 'system', content: text });
  }

  /**
   * Returns all turns.
   * @throws GatewayError if the assistant's turn is last or a call has no result.
   */
  end(): readonly ChatTurn[] {
    this.#refuseOpenCalls();
    if (this.#assistant !== null) {
      throw unsupportedValue(
        this.#assistant.path,
        'this model cannot continue a prefilled answer; end with a user message, or use ' +
          'output_config.format to shape the answer',
      );
    }
    this.#writeUser();
    return this.#turns;
  }

  /** Adds an assistant message. Consecutive assistant messages become one turn. */
  #addAssistant(content: unknown, path: string): void {
    if (this.#assistant === null) {
      this.#refuseOpenCalls();
      this.#writeUser();
    }
    const all = blocksOf(content, `${path}.content`);
    const blocks = this.#sinceSummary(all);
    if (blocks.length === 0 && all.length > 0) return;
    this.#assistant ??= { path, texts: [], thoughts: [], calls: [] };
    this.#assistant.path = path;
    for (const [id, place] of readAssistant(blocks, this.#reading, this.#assistant)) {
      if (this.#open.has(id))
        throw invalid(place, 'is the id of an earlier tool_use block; give each block its own id');
      this.#open.set(id, place);
    }
  }

  /**
   * Looks for the last readable summary in the message. It is in a compaction, a block that
   * summarizes the conversation so far. The summary replaces all earlier content except system
   * messages, as at the provider that wrote it. It becomes user text, because many chat templates
   * require a user message first. Returns the blocks after the summary, or all blocks if there is
   * no summary.
   */
  #sinceSummary(blocks: readonly PlacedBlock[]): readonly PlacedBlock[] {
    const at = blocks.findLastIndex(({ block }) => summaryOf(block) !== null);
    const summary = summaryOf(blocks[at]?.block ?? {});
    if (summary === null) return blocks;
    const kept = this.#turns.filter(({ role }) => role === 'system');
    this.#turns.splice(0, this.#turns.length, ...kept);
    this.#open.clear();
    this.#assistant = null;
    this.#user = [textPart(`Summary of the conversation so far:\n${summary}`)];
    this.#writeDeferred();
    if (at < blocks.length - 1) this.#writeUser();
    return blocks.slice(at + 1);
  }

  #addUser(blocks: readonly PlacedBlock[]): void {
    this.#writeAssistant();
    const shown: ChatPart[] = [];
    const own: ChatPart[] = [];
    const isResult = ({ block }: PlacedBlock): boolean => block['type'] === 'tool_result';
    for (const each of blocks) if (isResult(each)) shown.push(...this.#addResult(each));
    for (const each of blocks) if (!isResult(each)) own.push(...partsOf(each));
    this.#writeDeferred();
    const onlyResults = shown.length + own.length === 0 && blocks.length > 0;
    if (onlyResults) return;
    this.#user ??= [];
    for (const part of shown) this.#user.push(part);
    for (const part of own) this.#user.push(part);
  }

  /**
   * Adds a tool result. Returns the images and files in it, because chat accepts those only in a
   * user message.
   */
  #addResult(each: PlacedBlock): readonly ChatPart[] {
    const param = `${each.path}.tool_use_id`;
    const { id } = readCallId(asString(each.block['tool_use_id']) ?? '');
    if (!this.#open.delete(id)) {
      throw invalid(
        param,
        `"${id}" is not a tool_use block of the previous assistant message, or already has a result; send ` +
          'one tool_result for each',
      );
    }
    const { text, shown } = resultOf(each, id);
    this.#turns.push({ role: 'tool', tool_call_id: chatCallId(id), content: text });
    return shown;
  }

  #refuseOpenCalls(): void {
    const [open] = this.#open;
    if (open === undefined) return;
    const [id, path] = open;
    throw invalid(
      path,
      `the tool_use block "${id}" has no result; add a tool_result block to the next user message`,
    );
  }

  #writeDeferred(): void {
    if (this.#open.size > 0) return;
    for (const content of this.#deferred) this.#turns.push({ role: 'system', content });
    this.#deferred = [];
  }

  #writeUser(): void {
    if (this.#user === null) return;
    this.#turns.push({ role: 'user', content: contentOf(this.#user) });
    this.#user = null;
  }

  #writeAssistant(): void {
    if (this.#assistant === null) return;
    const { texts, thoughts, calls } = this.#assistant;
    const content = texts.length === 0 && calls.length > 0 ? null : texts.join(PARAGRAPH);
    const reasoning = thoughts.join(PARAGRAPH);
    this.#turns.push({ role: 'assistant', content, reasoning, calls });
    this.#assistant = null;
  }
}

const SECRET_SUMMARY =
  'a block of type "compaction" without readable content is a summary that only its provider can ' +
  'read; send the conversation itself, or the summary as text';

/**
 * Reads the blocks of an assistant message into the open turn. A chat message has a single text
 * before its calls, so text after a call is moved there. Text blocks are joined without a
 * separator, because models split text at citations, even within a sentence. The call or result of
 * a tool that a provider runs becomes a separate paragraph. For each tool call, returns the id that
 * the caller gave, and the path.
 * @throws GatewayError `unsupported_value`, which names a block that cannot be expressed in chat.
 */
function readAssistant(
  blocks: readonly PlacedBlock[],
  reading: Reading,
  { texts, thoughts, calls }: OpenTurn,
): readonly (readonly [id: string, path: string])[] {
  let text = '';
  const places: (readonly [id: string, path: string])[] = [];
  for (const { block, path } of blocks) {
    switch (block['type']) {
      case 'text':
        text += textOf(block);
        break;
      case 'thinking': {
        const thought = thinkingOf(block);
        if (thought !== '') thoughts.push(thought);
        break;
      }
      case 'redacted_thinking':
        break;
      case 'tool_use': {
        const { id, signature } = readCallId(asString(block['id']) ?? '');
        places.push([id, path]);
        calls.push({
          id: chatCallId(id),
          type: 'function',
          function: {
            name: reading.names.forChat(asString(block['name']) ?? ''),
            arguments: inputText(block, path, reading),
          },
          ...(signature === null
            ? {}
            : { extra_content: { google: { thought_signature: signature } } }),
        });
        break;
      }
      case 'fallback':
      case 'mcp_tool_listing':
        break;
      case 'compaction':
        throw unsupportedValue(path, SECRET_SUMMARY);
      default: {
        const written = serverBlockText(block, reading.placeholders);
        if (written === null) throw refusedBlock(block['type'], path);
        if (text !== '') texts.push(text);
        texts.push(written);
        text = '';
      }
    }
  }
  if (text !== '') texts.push(text);
  return places;
}

function inputText({ input }: JsonObject, path: string, { placeholders, nested }: Reading): string {
  const text = placeholders.stringify(asJsonObject(input) ?? {});
  if (nested.takeLength(text.length)) return text;
  const { length, lengthOfOne } = MAX_INPUTS;
  throw invalid(
    `${path}.input`,
    `is too large: the input of one call may have at most ${lengthOfOne} characters, and all inputs together at most ${length}`,
  );
}

/** Returns the thinking in a block. If the block has no text, the thinking is in the signature. */
function thinkingOf(block: JsonObject): string {
  const shown = asString(block['thinking']) ?? '';
  if (shown !== '') return shown;
  return decodeThinkingSignature(asString(block['signature']) ?? '') ?? '';
}

/** The prefix of the result of a failed tool call, because chat has no flag for failed calls. */
const ERROR_MARK = 'Error: ';

/**
 * Translates a tool result.
 * @throws GatewayError `unsupported_value`, which names a block that chat cannot express.
 */
function resultOf({ block, path }: PlacedBlock, callId: string): ToolResult {
  const parts = blocksOf(block['content'], `${path}.content`).flatMap(partsOf);
  const { text, shown } = toolResult(parts, callId);
  return { text: block['is_error'] === true ? `${ERROR_MARK}${text}` : text, shown };
}
