/**
 * Translates the items of a Responses request into chat turns. One assistant message has all calls
 * of a turn, and their results follow it directly.
 */
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  type JsonObject,
} from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { textPart } from '../chat/content-parts.ts';
import type { SealedReasoning, Seals } from '../responses/seal.ts';
import { providersExtra } from '../thinking-signature.ts';
import { invalid } from '../validation.ts';
import { callsOfOutputs, type Item, isServerSearch } from './call-pairs.ts';
import { type PlacedPart, textParts, userParts } from './content.ts';
import { placedDetail, reasoningOf, reasoningText } from './earlier-reasoning.ts';
import { ITEM_TYPES, refusedItem } from './field-table.ts';
import { type CallerTool, definedTools, type ToolNames } from './tool-names.ts';
import { CUSTOM_INPUT } from './tools.ts';

export type Turn =
  | AssistantTurn
  | {
      readonly role: 'system' | 'user';
      readonly parts: readonly PlacedPart[];
      readonly path: string;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly parts: readonly PlacedPart[];
      readonly path: string;
    };

export type AssistantTurn = {
  readonly role: 'assistant';
  /** The text of each message. */
  readonly texts: readonly PlacedText[];
  /** The reasoning as text. */
  readonly reasoning: readonly string[];
  /** The reasoning as entries of `reasoning_details`, with their positions. */
  readonly details: readonly JsonObject[];
  readonly calls: readonly ToolCall[];
};

type PlacedText = { readonly text: string; readonly path: string };

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /**
   * The `extra_content` that a provider added to the call and must get back; null if it added none.
   */
  readonly extra: JsonObject | null;
  /** The path of the call's arguments. */
  readonly path: string;
};

export type Reading = {
  readonly placeholders: Placeholders;
  readonly names: ToolNames;
  readonly seals: Seals;
};

/** The result of an interrupted call, in Codex's wording. */
const ABORTED: readonly PlacedPart[] = [
  { part: textPart('aborted'), path: 'input', isMarked: false },
];

/**
 * Translates `instructions` and `input` to chat turns.
 * @throws GatewayError for an item that chat cannot express, and for an output without a call.
 */
export function readConversation(request: JsonObject, reading: Reading): readonly Turn[] {
  const conversation = new Conversation(reading);
  conversation.say('system', textParts(request['instructions'], 'instructions', 'system'));
  const { input } = request;
  if (typeof input === 'string') conversation.say('user', userParts(input, 'input'));
  const items = asArray(input).map((each, index) => itemOf(each, `input[${index}]`));
  const calls = callsOfOutputs(items);
  conversation.expect(calls);
  for (const item of items) conversation.read(item, calls.get(item));
  return conversation.end();
}

function itemOf(value: unknown, path: string): Item {
  const json = asJsonObject(value);
  if (json === null) throw invalid(path, 'must be an item: an object with a type');
  const type = asString(json['type']);
  // A message may omit its type.
  if (type === null && asString(json['role']) !== null) return { type: 'message', json, path };
  return { type: type ?? 'item_reference', json, path };
}

/** The assistant turn that is being read. */
class OpenAnswer {
  readonly texts: PlacedText[] = [];
  readonly reasoning: string[] = [];
  readonly details: JsonObject[] = [];
  readonly calls: (ToolCall & { readonly item: Item })[] = [];
  readonly results = new Map<
    Item,
    { readonly parts: readonly PlacedPart[]; readonly path: string }
  >();
  /** The number of calls whose output comes later in the input. */
  waiting = 0;
  /**
   * The reasoning since the last text or call. It is added to the turn when another text or call
   * follows, because providers refuse a turn that ends with reasoning.
   */
  #last: SealedReasoning[] = [];
  #units = 0;
  #counted = 0;

  think(reasoning: SealedReasoning): void {
    this.#last.push(reasoning);
  }

  /**
   * Adds the reasoning in `#last` to the turn, right before the text or call that is added next.
   */
  place(placeholders: Placeholders): void {
    for (const each of this.#last) {
      const text = reasoningText(each);
      if (text !== '') this.reasoning.push(text);
      if (each.details.length === 0) continue;
      const place = { text: this.#unitsSoFar(placeholders), calls: this.calls.length };
      for (const detail of each.details) this.details.push(placedDetail(detail, place));
    }
    this.#last = [];
  }

  #unitsSoFar({ restore }: Placeholders): number {
    for (const { text } of this.texts.slice(this.#counted)) {
      const words = restore(text);
      // Skips blank texts, because they are left out of Messages turns.
      if (words.trim() !== '') this.#units += words.length;
    }
    this.#counted = this.texts.length;
    return this.#units;
  }
}

class Conversation {
  readonly #reading: Reading;
  readonly #turns: Turn[] = [];
  /** The `extra_content` that providers added to calls, by `call_id`. */
  readonly #extras = new Map<string, JsonObject>();
  /** The calls that have an output. */
  #answered: ReadonlySet<Item> = new Set();
  #answer: OpenAnswer | null = null;
  /** Messages that stand between calls and their outputs. They are written after the outputs. */
  #deferred: Turn[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  expect(calls: ReadonlyMap<Item, Item>): void {
    this.#answered = new Set(calls.values());
  }

  read(item: Item, call: Item | undefined): void {
    const { json, path } = item;
    switch (item.type) {
      case 'message':
        this.#message(json, path);
        break;
      case 'agent_message':
        this.say('user', textParts(json['content'], `${path}.content`, 'user'));
        break;
      case 'reasoning':
        this.#think(json, path);
        break;
      case 'function_call':
      case 'custom_tool_call':
      case 'tool_search_call':
        this.#call(item);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#result(call, userParts(json['output'], `${path}.output`), path);
        break;
      case 'tool_search_output':
        this.#result(call, this.#found(item), path);
        break;
      default:
        // Items in `SILENT` are read elsewhere or dropped. They add nothing to the conversation.
        if (!SILENT.has(item.type)) throw refusedItem(item.type, path);
    }
  }

  say(role: 'system' | 'user', parts: readonly PlacedPart[]): void {
    const [first] = parts;
    if (first === undefined) return;
    const turn: Turn = { role, parts, path: first.path };
    if (this.#answer !== null && this.#answer.waiting > 0) {
      this.#deferred.push(turn);
      return;
    }
    this.#close();
    this.#turns.push(turn);
  }

  end(): readonly Turn[] {
    this.#close();
    if (this.#turns.length > 0) return this.#turns;
    throw invalid('input', 'must contain a message, or the output of a call');
  }

  #message({ role, content }: JsonObject, path: string): void {
    const at = `${path}.content`;
    switch (role) {
      case 'user':
        this.say('user', userParts(content, at));
        break;
      case 'system':
      case 'developer':
        this.say('system', textParts(content, at, role));
        break;
      case 'assistant': {
        const texts = textParts(content, at, role).flatMap(({ part }) =>
          part.type === 'text' ? [part.text] : [],
        );
        if (texts.length === 0) return;
        // Joins parts without a separator: models split text at citations, even within a sentence.
        const answer = this.#open();
        answer.place(this.#reading.placeholders);
        answer.texts.push({ text: texts.join(''), path: at });
        break;
      }
      default:
        throw invalid(`${path}.role`, 'must be user, assistant, system or developer');
    }
  }

  #think(json: JsonObject, path: string): void {
    const reasoning = reasoningOf(json, path, this.#reading.seals);
    for (const [id, extra] of Object.entries(reasoning.calls)) this.#extras.set(id, extra);
    this.#open().think(reasoning);
  }

  #call(item: Item): void {
    if (isServerSearch(item)) return;
    const { placeholders, names } = this.#reading;
    const { tool, written, member } = calledTool(item, placeholders);
    const id = asString(item.json['call_id']) ?? '';
    const answer = this.#open();
    answer.place(placeholders);
    const extra = providersExtra(this.#extras.get(id) ?? null);
    // Deletes the entry, because some servers use the same ids again in each turn.
    this.#extras.delete(id);
    const path = `${item.path}.${member}`;
    answer.calls.push({ item, id, name: names.chatName(tool), arguments: written, extra, path });
    if (this.#answered.has(item)) answer.waiting += 1;
  }

  #result(call: Item | undefined, parts: readonly PlacedPart[], path: string): void {
    if (call === undefined || this.#answer === null) return;
    this.#answer.results.set(call, { parts, path: `${path}.output` });
    this.#answer.waiting -= 1;
  }

  /** Returns the result of a tool search: the names of the tools that it added. */
  #found({ json, path }: Item): readonly PlacedPart[] {
    const found = definedTools({ tools: json['tools'] }).flatMap(({ tool }) =>
      tool === null ? [] : [this.#reading.names.chatName(tool)],
    );
    const text =
      found.length === 0
        ? 'No tools were found.'
        : `These tools are available: ${found.join(', ')}.`;
    return [{ part: textPart(text), path: `${path}.tools`, isMarked: false }];
  }

  /**
   * Returns the assistant turn to which a text or call is added. If the open turn has all its
   * results, closes it and opens a new one.
   */
  #open(): OpenAnswer {
    if (this.#answer !== null && this.#answer.results.size > 0 && this.#answer.waiting === 0)
      this.#close();
    this.#answer ??= new OpenAnswer();
    return this.#answer;
  }

  #close(): void {
    const answer = this.#answer;
    if (answer === null) return;
    this.#answer = null;
    const { texts, reasoning, details, calls, results } = answer;
    if (texts.length + calls.length > 0)
      this.#turns.push({ role: 'assistant', texts, reasoning, details, calls });
    for (const { id, item } of calls) {
      const { parts, path } = results.get(item) ?? { parts: ABORTED, path: item.path };
      this.#turns.push({ role: 'tool', callId: id, parts, path });
    }
    this.#turns.push(...this.#deferred);
    this.#deferred = [];
  }
}

/** Types of items that are read elsewhere or left out. */
const SILENT: ReadonlySet<string> = new Set([
  'additional_tools',
  'configuration_update',
  ...Object.entries(ITEM_TYPES).flatMap(([type, { fate }]) => (fate === 'dropped' ? [type] : [])),
]);

type CalledTool = {
  readonly tool: CallerTool;
  readonly written: string;
  /** The name of the item's member that contains the arguments. */
  readonly member: string;
};

function calledTool({ type, json, path }: Item, { stringify }: Placeholders): CalledTool {
  if (type === 'tool_search_call') {
    const tool: CallerTool = { kind: 'tool_search', name: 'tool_search', namespace: null };
    const written = stringify(asJsonObject(json['arguments']) ?? {});
    return { tool, written, member: 'arguments' };
  }
  const name = asString(json['name']) ?? '';
  if (name === '') throw invalid(`${path}.name`, 'must be the name of the tool that was called');
  const namespace = asFilledString(json['namespace']);
  if (type === 'custom_tool_call') {
    const input = asString(json['input']) ?? '';
    const tool: CallerTool = { kind: 'custom', name, namespace };
    return { tool, written: stringify({ [CUSTOM_INPUT]: input }), member: 'input' };
  }
  const written = asString(json['arguments'] ?? '');
  if (written === null) throw invalid(`${path}.arguments`, 'must be a string that contains JSON');
  const tool: CallerTool = { kind: 'function', name, namespace };
  return { tool, written: written.trim() === '' ? '{}' : written, member: 'arguments' };
}
