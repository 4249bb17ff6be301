/**
 * Reads streams such as those of Messages and Responses. Each event has its type twice: as the
 * `type` in its JSON, and as the event's name.
 */
import { joinBytes } from '../json/bytes.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { asString, isJsonObject, type JsonObject, parsedObject } from '../json/object.ts';
import { ChunkTemplates, type RecognizedChunk } from './chat/chunk-template.ts';
import { encodeEvent, type SseEvent, SseReader } from './sse.ts';

export type TypedEvent = {
  /** The `type` in the event's JSON, or the event's name if the JSON has none. */
  readonly type: string;
  readonly json: JsonObject;
  /** The event's data as one line. */
  readonly text: string;
  /**
   * The event as it is sent to the caller, with its type as name and one data line. Its bytes may
   * be part of the received chunk.
   */
  readonly bytes: Uint8Array;
};

/** The result of reading an event. `noise` is dropped: `[DONE]`, or an object without a type. */
export type EventReading = TypedEvent | 'noise' | 'unreadable';

/**
 * The end mark of chat streams. Some proxies append it to streams of other protocols, whose clients
 * throw on it.
 */
const DONE = '[DONE]';
const BLANK_LINE = new TextEncoder().encode('\n\n');
const decoder = new TextDecoder();

/** Reads an event, and makes its name equal to its `type`, since clients require both. */
export function readEvent(event: SseEvent): EventReading {
  const text = decoder.decode(event.data);
  if (text === DONE) return 'noise';
  const json = parsedObject(text, parseExact);
  if (json === null) return 'unreadable';
  const given = asString(json['type']);
  const type = given ?? event.name ?? (isJsonObject(json['error']) ? 'error' : null);
  if (type === null) return 'noise';
  if (given === null) return typedEvent(type, { ...json, type });
  if (event.clean && event.name === type) return { type, json, text, bytes: event.raw };
  // JSON has unescaped line breaks only between values, so spaces can replace them.
  const line = text.replaceAll(/[\r\n]/g, ' ');
  return { type, json, text: line, bytes: encodeEvent(type, line) };
}

/**
 * Returns the event in `pending`: the last bytes of a stream that closed without the blank line
 * after its last event. Returns null if they are not an event of one of `types`.
 */
export function unterminatedEvent(
  pending: Uint8Array,
  types: ReadonlySet<string>,
  limits: { readonly maxEventBytes: number },
): TypedEvent | null {
  if (pending.byteLength === 0) return null;
  const [event] = new SseReader(limits).push(joinBytes([pending, BLANK_LINE]));
  const last = event === undefined ? 'noise' : readEvent(event);
  return typeof last === 'object' && types.has(last.type) ? last : null;
}

/**
 * Recognizes deltas that differ from an earlier delta only in text and sequence number, so that
 * they can be forwarded without parsing.
 */
export class DeltaTemplates {
  readonly #templates: ChunkTemplates;
  /**
   * The type of the deltas whose form is stored. An event matches only if its `type` and its name
   * are both this type.
   */
  #type: string | null = null;

  constructor(protocol: 'messages' | 'responses') {
    this.#templates = new ChunkTemplates(protocol);
  }

  recognize({ parts }: SseEvent): RecognizedChunk | null {
    const { name, clean } = parts;
    if (name === null || name !== this.#type || !clean) return null;
    return this.#templates.recognize(parts);
  }

  /**
   * Stores the form of a delta of the model's output, so that later deltas can be recognized. Skips
   * an event that `readEvent` had to correct.
   */
  learn({ type, bytes }: TypedEvent, { data, raw }: SseEvent, outputBytes: number): void {
    if (bytes !== raw) return;
    if (type !== this.#type) this.#templates.forget();
    this.#type = type;
    this.#templates.learn(data, null, outputBytes);
  }
}

export function typedEvent(type: string, json: JsonObject): TypedEvent {
  const text = JSON.stringify(json);
  return { type, json, text, bytes: encodeEvent(type, text) };
}
