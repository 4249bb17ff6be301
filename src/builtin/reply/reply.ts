/** Writes the reply to a conversation. The same conversation always gets the same reply. */
import { isObject } from '../body-fields.ts';
import type { Conversation } from '../builtin-conversation.ts';
import { wordsOf } from '../entities.ts';
import { writeInstance } from '../schema/instance.ts';
import { seededRandom } from '../seeded-random.ts';
import { countTokens, firstTokens } from '../tokenizer.ts';
import { type LatestRequest, readLatestRequest } from './latest-request.ts';
import { announceCalls, proseFor, thoughtsOn, type Variant } from './prose.ts';
import { chooseCalls, type PlannedCall } from './tool-selection.ts';

export type ToolCall = {
  readonly kind: 'tool_call';
  /** The id, without the prefix that the protocol adds. */
  readonly id: string;
  readonly name: string;
  /** The arguments: a JSON object as text, or free text for a custom tool. */
  readonly input: string;
  readonly isFreeText: boolean;
};

export type Block =
  | { readonly kind: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly kind: 'text'; readonly text: string }
  | ToolCall;

export type Finish =
  | { readonly kind: 'end' | 'length' | 'tool_calls' }
  | { readonly kind: 'stop_sequence'; readonly sequence: string };

export type Reply = {
  /** The blocks in this order: thinking, text, tool calls. No block is empty. */
  readonly blocks: readonly Block[];
  readonly finish: Finish;
  /** The number of output tokens, including thinking tokens. */
  readonly outputTokens: number;
  readonly thinkingTokens: number;
};

/** The tokens of a tool call for its structure, in addition to those of name and arguments. */
const CALL_TOKENS = 4;
const ID_CHARS = 24;
const SIGNATURE_CHARS = 96;

/** @param seed a hash of the model, the prompt and the settings. It determines all random parts. */
export const writeReply = (conversation: Conversation, seed: bigint): Reply =>
  draftReply(conversation, seed, planShared(conversation, seed), 0);

export function writeReplies(
  conversation: Conversation,
  seed: bigint,
  count: number,
): readonly Reply[] {
  const shared = planShared(conversation, seed);
  return Array.from({ length: count }, (_, choice) =>
    draftReply(conversation, seed, shared, choice),
  );
}

type SharedParts = {
  readonly latest: LatestRequest;
  readonly calls: readonly PlannedCall[];
  /** The JSON answer for the requested schema; null when the answer is text or tool calls. */
  readonly structured: string | null;
};

function planShared(conversation: Conversation, seed: bigint): SharedParts {
  const latest = readLatestRequest(conversation);
  const calls = chooseCalls(conversation, latest, seededRandom(seed));
  const { format } = conversation;
  if (calls.length > 0 || format.kind !== 'json_schema') return { latest, calls, structured: null };
  const source = [latest.asked, ...latest.results.map((result) => result.text)].join('\n');
  const structured = JSON.stringify(writeInstance(format.schema, source, 'all'));
  return { latest, calls, structured };
}

function draftReply(
  conversation: Conversation,
  seed: bigint,
  { latest, calls, structured }: SharedParts,
  choice: number,
): Reply {
  const draft = new Draft(conversation.maxTokens ?? Infinity);
  const random = seededRandom(seed + BigInt(choice));
  if (conversation.effort !== null) {
    const thought = thoughtsOn(conversation, latest, conversation.effort);
    const budget = conversation.thinkingBudget ?? Infinity;
    draft.addThinking(firstTokens(thought, budget), random.text(SIGNATURE_CHARS));
  }
  if (calls.length === 0) {
    const text = structured ?? wordsFor(conversation, latest, { seed, choice });
    draft.addText(continuation(conversation.prefill, text), conversation.stopSequences);
  } else if (conversation.announcesCalls) {
    const names = calls.map((call) => call.name);
    draft.addText(announceCalls(names, latest), conversation.stopSequences);
  }
  for (const call of calls) {
    draft.addCall({ kind: 'tool_call', id: random.text(ID_CHARS), ...call });
  }
  return draft.reply();
}

const callTokens = (call: ToolCall): number =>
  CALL_TOKENS + countTokens(call.name) + countTokens(call.input);

function wordsFor(conversation: Conversation, latest: LatestRequest, variant: Variant): string {
  const { format, prefill } = conversation;
  const prose = proseFor(conversation, latest, variant);
  const isPrefilledJson = /^\s*\{/.test(prefill ?? '');
  const wantsJson = format.kind === 'json_object' || isPrefilledJson;
  return wantsJson ? JSON.stringify(plainObject(latest, prose)) : prose;
}

/**
 * Returns the text that follows the caller's prefill. If `text` begins with the prefill, removes
 * the prefill from it.
 */
function continuation(prefill: string | null, text: string): string {
  if (prefill === null) return text;
  if (text.startsWith(prefill.trimEnd())) return text.slice(prefill.trimEnd().length);
  return /\s$/.test(prefill) ? text : ` ${text}`;
}

const KEYS = new RegExp(
  String.raw`\b(?:keys?|fields?|properties)\b[\s:]*` +
    String.raw`((?:["'\x60]?[\w-]{1,64}["'\x60]?(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+)?){1,20})`,
  'i',
);
const NOT_KEYS = new Set(['and', 'please', 'only', 'for']);
const IS_COUNT = /^(age|count|number|total|amount|year|price|quantity|score)$/;

/**
 * Returns an object for JSON mode. If the prompt contains a schema, the object satisfies the
 * schema. Otherwise, if the prompt names keys, the object has these keys. Otherwise, the object has
 * the text as `answer`.
 */
function plainObject({ asked, system }: LatestRequest, answer: string): unknown {
  const shown = schemaIn(system) ?? schemaIn(asked);
  if (shown !== null) return writeInstance(shown, asked, 'all');
  const named = KEYS.exec(asked)?.[1]?.match(/[\w-]+/g) ?? [];
  const keys = [...new Set(named)].filter((key) => !NOT_KEYS.has(key));
  if (keys.length === 0) return { answer };
  const properties = keys.map((key) => {
    const isCount = wordsOf(key).some((word) => IS_COUNT.test(word));
    return [key, { type: isCount ? 'number' : 'string' }] as const;
  });
  return writeInstance(
    { type: 'object', properties: Object.fromEntries(properties) },
    asked,
    'all',
  );
}

const MAX_SHOWN_SCHEMA_CHARS = 50_000;

/** Returns the JSON Schema that a client library has inserted into the text; null without one. */
function schemaIn(text: string): unknown {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  if (!json.includes('"properties"') || json.length > MAX_SHOWN_SCHEMA_CHARS) return null;
  try {
    const schema: unknown = JSON.parse(json);
    return isObject(schema) && isObject(schema['properties']) ? schema : null;
  } catch (failure) {
    // The text in braces is not JSON, so it contains no schema.
    if (failure instanceof SyntaxError) return null;
    throw failure;
  }
}

/** Collects blocks until `max_tokens` or a stop sequence ends the reply. */
class Draft {
  private readonly blocks: Block[] = [];
  private readonly maxTokens: number;
  private finish: Finish = { kind: 'end' };
  private isOver = false;
  private outputTokens = 0;
  private thinkingTokens = 0;

  constructor(maxTokens: number) {
    this.maxTokens = maxTokens;
  }

  addThinking(text: string, signature: string): void {
    const fitting = this.fit(text);
    if (fitting === '') return;
    this.thinkingTokens = this.outputTokens;
    this.blocks.push({ kind: 'thinking', text: fitting, signature });
  }

  /** Adds a text. If the text contains a stop sequence, the reply ends before the first one. */
  addText(text: string, stopSequences: readonly string[]): void {
    if (this.isOver || text === '') return;
    const stop = earliest(text, stopSequences);
    const fitting = this.fit(stop === null ? text : text.slice(0, stop.at));
    if (fitting !== '') this.blocks.push({ kind: 'text', text: fitting });
    if (stop === null || this.isOver) return;
    this.isOver = true;
    this.finish = { kind: 'stop_sequence', sequence: stop.sequence };
  }

  /**
   * Adds a tool call only if it fits completely, because truncated arguments are not valid JSON.
   */
  addCall(call: ToolCall): void {
    if (this.isOver) return;
    const tokens = callTokens(call);
    if (this.outputTokens + tokens > this.maxTokens) {
      this.runOut();
      return;
    }
    this.outputTokens += tokens;
    this.blocks.push(call);
    this.finish = { kind: 'tool_calls' };
  }

  reply(): Reply {
    const { blocks, finish, outputTokens, thinkingTokens } = this;
    return { blocks, finish, outputTokens, thinkingTokens };
  }

  private fit(text: string): string {
    if (this.isOver) return '';
    const fitting = firstTokens(text, this.maxTokens - this.outputTokens);
    this.outputTokens += countTokens(fitting);
    if (fitting.length < text.length) this.runOut();
    return fitting;
  }

  private runOut(): void {
    this.isOver = true;
    this.finish = { kind: 'length' };
  }
}

/**
 * Returns the first stop sequence in the text. If two begin at the same position, returns the
 * longer one.
 */
function earliest(
  text: string,
  sequences: readonly string[],
): { readonly at: number; readonly sequence: string } | null {
  const found = sequences
    .filter((sequence) => sequence !== '')
    .map((sequence) => ({ at: text.indexOf(sequence), sequence }))
    .filter(({ at }) => at >= 0);
  found.sort((one, other) => one.at - other.at || other.sequence.length - one.sequence.length);
  return found[0] ?? null;
}
