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

/** The number of bytes at the start and at the end of an event that must contain its type. */
const EDGE_BYTES = 1024;
/** The number of bytes at the end of an event that may be white space. */
const ENDING_BYTES = 16;
/** Parsing this many bytes in vain costs little, so small events are tried as often as needed. */
const FREE_BYTES = 1024 * 1024;
/** Bytes parsed in vain for each byte of the event. The limit keeps the work linear. */
const FAILED_BYTES_PER_BYTE = 4;

/**
 * Finds the last event of a stream that lacks the blank line after it. The connection may stay open
 * after such an event, so every unfinished event is examined, but few are parsed.
 */
export class UnterminatedEvents {
  readonly #types: readonly string[];
  readonly #limits: { readonly maxEventBytes: number };
  #failedBytes = 0;

  /** @param types the types of events that end a stream. */
  constructor(types: readonly string[], limits: { readonly maxEventBytes: number }) {
    this.#types = types;
    this.#limits = limits;
  }

  /** Returns the event in `pending`; null if it is incomplete or has another type. */
  find(pending: Uint8Array): TypedEvent | null {
    const { byteLength } = pending;
    if (!endsObject(pending)) return null;
    if (this.#failedBytes > FREE_BYTES + FAILED_BYTES_PER_BYTE * byteLength) return null;
    const edges = edgesOf(pending);
    if (!this.#types.some((type) => edges.includes(type))) return null;
    const [event] = new SseReader(this.#limits).push(joinBytes([pending, BLANK_LINE]));
    const last = event === undefined ? 'noise' : readEvent(event);
    if (typeof last === 'object' && this.#types.includes(last.type)) return last;
    this.#failedBytes += byteLength;
    return null;
  }
}

const endsObject = (bytes: Uint8Array): boolean =>
  /\}\s*$/.test(decoder.decode(bytes.subarray(-ENDING_BYTES)));

/** Returns the text at both ends of an event. A server that sorts members sends `type` last. */
function edgesOf(bytes: Uint8Array): string {
  const start = bytes.subarray(0, EDGE_BYTES);
  const end = bytes.subarray(-EDGE_BYTES);
  return `${decoder.decode(start)}\n${decoder.decode(end)}`;
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
