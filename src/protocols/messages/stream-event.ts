/** One event of a Messages stream, read and made fit for every client. Pure. */

import { joinBytes } from '../../json/bytes.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import {
  asJsonObject,
  asString,
  isJsonObject,
  type JsonObject,
  parsedObject,
} from '../../json/object.ts';
import { encodeEvent, type SseEvent, SseReader } from '../sse.ts';

/** What a message is made of between `message_start` and its end: before that it means nothing to anybody. */
export const MESSAGE_SEQUENCE: ReadonlySet<string> = new Set([
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

export type StreamEvent = {
  /** The JSON's own `type`, or the event's name where it has none. */
  readonly type: string;
  readonly json: JsonObject;
  /** Fit to be sent: a name equal to the type, one data line, nothing else. Perhaps a view of the chunk. */
  readonly bytes: Uint8Array;
};

/** What an event's data turned out to be. `noise` is what no client takes any notice of. */
export type EventReading = StreamEvent | 'noise' | 'unreadable';

/** The other dialect's end mark, which proxies append; clients of this one throw at it. */
const DONE = '[DONE]';
const BLANK_LINE = new TextEncoder().encode('\n\n');
const decoder = new TextDecoder();

/**
 * Clients discard an event without a name, and go by the JSON's `type` once they have one, so the two
 * are made equal.
 */
export function readEvent(event: SseEvent): EventReading {
  const text = decoder.decode(event.data);
  if (text === DONE) return 'noise';
  const json = parsedObject(text, parseExact);
  if (json === null) return 'unreadable';
  const given = asString(json['type']);
  const type = given ?? event.name ?? (isJsonObject(json['error']) ? 'error' : null);
  if (type === null) return 'noise';
  if (given === null) return streamEvent(type, { ...json, type });
  if (event.clean && event.name === type) return { type, json, bytes: event.raw };
  // Between the tokens of JSON a line break is as good as a space; inside of strings it cannot stand.
  return { type, json, bytes: encodeEvent(type, text.replaceAll(/[\r\n]/g, ' ')) };
}

/**
 * The `message_stop` of an upstream that closes without the blank line behind its last event.
 *
 * @param pending what has come of an event that is not complete.
 * @returns null when it is anything else, or not complete JSON yet.
 */
export function unterminatedStop(
  pending: Uint8Array,
  limits: { readonly maxEventBytes: number },
): StreamEvent | null {
  if (pending.byteLength === 0) return null;
  const [event] = new SseReader(limits).push(joinBytes([pending, BLANK_LINE]));
  const last = event === undefined ? 'noise' : readEvent(event);
  return typeof last === 'object' && last.type === 'message_stop' ? last : null;
}

/** An event of our own making, or one whose JSON had to be changed. */
export const streamEvent = (type: string, json: JsonObject): StreamEvent => ({
  type,
  json,
  bytes: encodeEvent(type, JSON.stringify(json)),
});

/** Counts without which clients refuse a usage, or add up what is no number. */
const REQUIRED_COUNTS = ['input_tokens', 'output_tokens'] as const;

/**
 * `message_start` with the caller's name of the model, and with what clients cannot do without: an empty
 * `content` to append to and a `usage` to add up.
 * @returns null when it has no message.
 */
export function repairMessageStart(event: StreamEvent, model: string): StreamEvent | null {
  const message = asJsonObject(event.json['message']);
  if (message === null) return null;
  const { content, usage } = message;
  const counts = asJsonObject(usage) ?? {};
  const missing = REQUIRED_COUNTS.filter((name) => typeof counts[name] !== 'number');
  const isWhole = Array.isArray(content) && content.length === 0 && missing.length === 0;
  if (isWhole && message['model'] === model) return event;
  const repaired = {
    ...message,
    model,
    content: [],
    usage: { ...counts, ...Object.fromEntries(missing.map((name) => [name, 0])) },
  };
  return streamEvent(event.type, { ...event.json, message: repaired });
}

/** The field that a block's start must have, since clients append to it. */
const APPENDED_TO: ReadonlyMap<unknown, readonly [string, unknown]> = new Map<
  unknown,
  readonly [string, unknown]
>([
  ['text', ['text', '']],
  ['thinking', ['thinking', '']],
  ['tool_use', ['input', {}]],
  ['server_tool_use', ['input', {}]],
  ['mcp_tool_use', ['input', {}]],
]);

export function repairBlockStart(event: StreamEvent): StreamEvent {
  const block = asJsonObject(event.json['content_block']) ?? {};
  const required = APPENDED_TO.get(block['type']);
  if (required === undefined) return event;
  const [name, empty] = required;
  if ((block[name] ?? null) !== null) return event;
  return streamEvent(event.type, { ...event.json, content_block: { ...block, [name]: empty } });
}

/** Members of a block or a delta that hold what the model wrote. */
const OUTPUT_TEXTS = ['text', 'thinking', 'partial_json', 'content'] as const;

/** Bytes of text, thinking, tool arguments and summaries in a block or in a delta. */
export function outputBytesOf(part: JsonObject): number {
  let bytes = 0;
  for (const name of OUTPUT_TEXTS) {
    const text = part[name];
    if (typeof text === 'string') bytes += Buffer.byteLength(text);
  }
  return bytes;
}
