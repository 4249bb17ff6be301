/**
 * Converts a chat stream to Gemini's stream. Function calls are sent complete. The last event has
 * the last piece of text and the usage.
 */
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { concatBytes } from '../../json/bytes.ts';
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';
import { argumentsText } from '../chat/model-output.ts';
import { encodeEvent, SseReader } from '../sse.ts';
import {
  type Asked,
  callParts,
  candidate,
  chunk,
  finishReason,
  textParts,
  thinkingIn,
  tokenChances,
  usageMetadata,
} from './answer.ts';
import { MAX_SIGNED_UNITS } from './call-signature.ts';
import { geminiErrorText } from './errors.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const CODES = Object.keys(ERRORS) as readonly ErrorCode[];
const END_MARK = '[DONE]';
const NOTHING = new Uint8Array(0);
/**
 * The only part of an event without output. Google's library forgets an answer if any event of its
 * stream has no part.
 */
const NO_TEXT = { text: '' };

/** A tool call, with the part of its arguments that has been received so far. */
type Call = { readonly first: JsonObject; arguments: string };
/**
 * The error when the tool calls of an answer, which are all sent in one event at the end, exceed
 * the size limit of an event.
 */
const TOO_LONG = 'The tool calls of the answer are too long.';
type Choice = { readonly calls: Map<unknown, Call>; reason: string | null };
/** The output of one choice in one event. */
type Output = {
  readonly index: number;
  readonly parts: readonly JsonObject[];
  /** The log probabilities, as members of the candidate. */
  readonly chances: JsonObject;
};

export class GeminiStream {
  readonly #reader: SseReader;
  readonly #model: string;
  readonly #asked: Asked;
  readonly #choices = new Map<number, Choice>();
  #answer: JsonObject = {};
  #usage: JsonObject | null = null;
  /**
   * The latest output, which is sent with the next event. Otherwise the last event would have an
   * empty text, and then the older library (`@google/generative-ai`) forgets the answer.
   */
  #held: readonly Output[] = [];
  readonly #maxEventBytes: number;
  /** The number of characters of tool calls that are buffered until the end. */
  #kept = 0;
  /** The thinking of the first choice, up to a little more than a signature may contain. */
  #thinking = '';
  #failed = false;

  /** @param model the model's name for the caller. */
  constructor(model: string, asked: Asked, maxEventBytes: number) {
    this.#reader = new SseReader({ maxEventBytes });
    this.#maxEventBytes = maxEventBytes;
    this.#model = model;
    this.#asked = asked;
  }

  /**
   * Converts these bytes of the chat stream to events. A comment, which keeps the stream alive,
   * becomes an event without text, because some versions of Google's library fail when they read a
   * comment.
   * @param isOverdue whether the caller must get an event now, even if these bytes contain only
   *   hidden thinking or a part of a function call.
   */
  push(bytes: Uint8Array, isOverdue: boolean): Uint8Array {
    if (this.#failed) return NOTHING;
    const events = this.#reader.push(bytes);
    const written = concatBytes(events.map(({ data }) => this.#event(decoder.decode(data))));
    const isComment = events.length === 0 && this.#reader.pending.byteLength === 0;
    if (!isComment && (!isOverdue || written.byteLength > 0)) return written;
    if (this.#held.length > 0) return this.#release();
    return this.#write(chunk([candidate(0, [NO_TEXT], null)], this.#model, this.#answer, null));
  }

  #event(text: string): Uint8Array {
    if (this.#failed) return NOTHING;
    if (text === END_MARK) return this.#write(this.#end());
    const event = parsedObject(text) ?? {};
    const error = asJsonObject(event['error']);
    if (error !== null) return this.#fail(error);
    this.#answer = event;
    this.#usage = usageMetadata(event['usage']) ?? this.#usage;
    const keptBefore = this.#kept;
    const outputs = asArray(event['choices'])
      .filter(isJsonObject)
      .flatMap((choice) => this.#delta(choice));
    if (this.#kept > this.#maxEventBytes)
      return this.#fail({ code: 'upstream_failed', message: TOO_LONG });
    if (outputs.length === 0 && this.#kept === keptBefore) return NOTHING;
    const released = this.#release();
    this.#held = outputs;
    return released;
  }

  /**
   * Ends the stream with an error: as an event, and again as a bare line, as Google's servers write
   * it. Genkit and `@google/generative-ai` know only the line, and other clients only the event.
   */
  #fail(error: JsonObject): Uint8Array {
    const released = this.#release();
    this.#failed = true;
    this.#choices.clear();
    const text = errorText(error);
    return concatBytes([released, encodeEvent(null, text), encoder.encode(`${text}\n`)]);
  }

  /** Returns the event with the held output; no bytes if none is held. */
  #release(): Uint8Array {
    if (this.#held.length === 0) return NOTHING;
    const candidates = this.#held.map(({ index, parts, chances }) => ({
      ...candidate(index, parts, null),
      ...chances,
    }));
    this.#held = [];
    return this.#write(chunk(candidates, this.#model, this.#answer, null));
  }

  #write(event: JsonObject): Uint8Array {
    return encodeEvent(null, JSON.stringify(event));
  }

  /**
   * Buffers the calls and the finish reason until the end. Returns the other output.
   */
  #delta(choice: JsonObject): readonly Output[] {
    const index = typeof choice['index'] === 'number' ? choice['index'] : 0;
    const kept = this.#choices.get(index) ?? { calls: new Map<unknown, Call>(), reason: null };
    this.#choices.set(index, kept);
    const delta = asJsonObject(choice['delta']) ?? {};
    for (const call of asArray(delta['tool_calls']).filter(isJsonObject))
      this.#kept += add(kept.calls, call);
    const reason = asFilledString(choice['finish_reason']);
    if (reason !== null) kept.reason = finishReason(reason);
    if (index === 0 && this.#thinking.length <= MAX_SIGNED_UNITS)
      this.#thinking += thinkingIn(delta);
    const parts = textParts(delta, this.#asked.showsThoughts);
    return parts.length === 0 ? [] : [{ index, parts, chances: tokenChances(choice, false) }];
  }

  #end(): JsonObject {
    const candidates = [...this.#choices].map(([index, { calls, reason }]) => {
      const held = this.#held.find((output) => output.index === index);
      const made = [...calls.values()].map(({ first, arguments: json }) => ({
        ...first,
        function: { ...asJsonObject(first['function']), arguments: json },
      }));
      const thinking = index === 0 ? this.#thinking : '';
      const parts = [...(held?.parts ?? []), ...callParts(made, this.#asked, thinking)];
      const whole = candidate(index, parts.length === 0 ? [NO_TEXT] : parts, reason ?? 'OTHER');
      return { ...whole, ...held?.chances };
    });
    return chunk(candidates, this.#model, this.#answer, this.#usage);
  }
}

/** Adds a fragment to its call. Returns the number of characters by which the buffer grew. */
function add(calls: Map<unknown, Call>, call: JsonObject): number {
  const fragment = argumentsText(asJsonObject(call['function'])?.['arguments']);
  const known = calls.get(call['index']);
  if (known === undefined) {
    calls.set(call['index'], { first: call, arguments: fragment });
    return JSON.stringify(call).length;
  }
  known.arguments += fragment;
  return fragment.length;
}

/** Converts the error that ends the chat stream to Google's format. */
function errorText({ code, message }: JsonObject): string {
  const known = CODES.find((each) => each === code) ?? 'upstream_failed';
  return geminiErrorText(ERRORS[known].status, asString(message) ?? '', known);
}
