/**
 * A streamed chat completion on its way through. An ordinary chunk is looked at, not parsed: the keys
 * that matter are found by search, which is safe since a quote within a JSON string is always escaped,
 * so `"usage"` with its bare quotes can only be a key.
 */
import type { Usage } from '../../money/usage.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { encodeEvent, type SseEvent, SseReader } from '../sse.ts';
import { readReportedError } from './answer.ts';
import { usageFromChat } from './usage.ts';

type Json = Record<string, unknown>;

export type ChatStreamOptions = {
  /** The model's name at the upstream, and the one the caller knows. */
  readonly upstreamModel: string;
  readonly model: string;
  /** Whether the caller asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
};

const DONE = encodeEvent(null, '[DONE]');
const NOTHING = new Uint8Array(0);
/** Members of a delta whose text is output. */
const OUTPUT_KEYS = ['"content"', '"reasoning_content"', '"arguments"', '"refusal"'] as const;

export function openChatStream(options: ChatStreamOptions): StreamPass {
  return new ChatStreamPass(options);
}

class ChatStreamPass implements StreamPass {
  readonly #options: ChatStreamOptions;
  readonly #reader: SseReader;
  readonly #renamed: boolean;
  #usage: Usage | null = null;
  #outputBytes = 0;
  #finishReason: string | null = null;
  #error: ReportedError | null = null;
  /** The upstream's usage as it came, and the envelope of a chunk to tell it in. */
  #usageChunk: { readonly envelope: Json; readonly usage: Json } | null = null;
  ended = false;
  started = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#reader = new SseReader(options);
    this.#renamed = options.upstreamModel !== options.model;
  }

  get facts(): AnswerFacts {
    return {
      usage: this.#usage,
      outputBytes: this.#outputBytes,
      finishReason: this.#finishReason,
      error: this.#error,
    };
  }

  push(chunk: Uint8Array): Uint8Array {
    const events = this.#reader.push(chunk);
    const [only] = events;
    if (only === undefined) return NOTHING;
    const out = events.length === 1 ? this.#pass(only) : concat(events.map((e) => this.#pass(e)));
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  finish(cost: CostFields): Uint8Array {
    if (!this.#options.includeUsage || this.#usageChunk === null) return DONE;
    const { envelope, usage } = this.#usageChunk;
    const priced = {
      ...usage,
      cost: Number(cost.usd),
      cost_exact: cost.exact,
      cost_currency: cost.currency,
    };
    const chunk = { ...envelope, model: this.#options.model, choices: [], usage: priced };
    return concat([encodeEvent(null, JSON.stringify(chunk)), DONE]);
  }

  #pass(event: SseEvent): Uint8Array {
    if (this.ended || this.#error !== null) return NOTHING;
    const text = latin1(event.data);
    if (text === '[DONE]') {
      this.ended = true;
      return NOTHING;
    }
    if (isSet(text, '"usage"') || text.includes('"error"')) return this.#passParsed(event);
    this.#note(text);
    const plain = event.clean && event.name === null;
    if (!this.#renamed) return plain ? event.raw : encodeEvent(null, utf8(event.data));
    return encodeData(renamed(event.data, text, this.#options));
  }

  /** A chunk that tells usage or a failure: rare enough to be read whole. */
  #passParsed(event: SseEvent): Uint8Array {
    const chunk = parse(event.data);
    if (chunk === null) return NOTHING;
    const { error, usage, ...rest } = chunk;
    if (error !== undefined && error !== null) {
      this.#error = readReportedError(error);
      return NOTHING;
    }
    if (isObject(usage)) {
      this.#usage = usageFromChat(usage) ?? this.#usage;
      this.#usageChunk = { envelope: rest, usage };
    }
    if (isObject(usage) && isEmptyArray(rest['choices'])) return NOTHING;
    this.#note(JSON.stringify(rest));
    const told = this.#options.includeUsage ? { usage: null } : {};
    return encodeEvent(null, JSON.stringify({ ...rest, model: this.#options.model, ...told }));
  }

  #note(text: string): void {
    for (const key of OUTPUT_KEYS) {
      for (let at = valueAfter(text, key, 0); at >= 0; at = valueAfter(text, key, at)) {
        if (text[at] === '"') this.#outputBytes += stringLength(text, at);
      }
    }
    if (this.#finishReason !== null) return;
    const at = valueAfter(text, '"finish_reason"', 0);
    if (text[at] === '"') this.#finishReason = text.slice(at + 1, at + 1 + stringLength(text, at));
  }
}

/** Where the value of the next such key begins at or after `from`; -1 when there is none. */
function valueAfter(text: string, key: string, from: number): number {
  const found = text.indexOf(key, from);
  if (found < 0) return -1;
  let at = found + key.length;
  while (text[at] === ' ' || text[at] === ':') at += 1;
  return at;
}

/** Whether the key is there with something other than null. */
function isSet(text: string, key: string): boolean {
  const at = valueAfter(text, key, 0);
  return at >= 0 && text[at] !== 'n';
}

/** Length of the JSON string whose opening quote is at `quote`, escapes as they are written. */
function stringLength(text: string, quote: number): number {
  let at = text.indexOf('"', quote + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? 0 : at - quote - 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/** The chunk's JSON with the value of its first `model` replaced; one char of `text` is one byte. */
function renamed(data: Uint8Array, text: string, options: ChatStreamOptions): Uint8Array {
  const at = valueAfter(text, '"model"', 0);
  if (text[at] !== '"') return data;
  const end = at + stringLength(text, at) + 2;
  return concat([
    data.subarray(0, at),
    utf8Bytes(JSON.stringify(options.model)),
    data.subarray(end),
  ]);
}

const DATA = utf8Bytes('data: ');
const BLANK = utf8Bytes('\n\n');
const encodeData = (data: Uint8Array): Uint8Array => concat([DATA, data, BLANK]);

function utf8Bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** null for what is no JSON object: such an event can mean nothing to a caller. */
function parse(data: Uint8Array): Json | null {
  try {
    const value: unknown = JSON.parse(utf8(data));
    return isObject(value) ? value : null;
  } catch {
    // Not ours to repair: it is left out, and the stream shows by its end mark whether it was whole.
    return null;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
