/** Reads one event of a Messages stream and repairs it for clients. Pure. */
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
import { withoutCost } from '../usage-object.ts';

/** Types of events that are part of a message, and invalid before `message_start`. */
export const MESSAGE_SEQUENCE: ReadonlySet<string> = new Set([
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

export type StreamEvent = {
  /** The `type` in the event's JSON, or the event's name if the JSON has none. */
  readonly type: string;
  readonly json: JsonObject;
  /**
   * The event to send, with its type as name and one data line. May be a view of the received
   * chunk.
   */
  readonly bytes: Uint8Array;
};

/** The result of reading an event's data. `noise` is data without meaning, which is not sent. */
export type EventReading = StreamEvent | 'noise' | 'unreadable';

/** The end mark of chat, which some proxies append. Messages clients throw on it. */
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
  if (given === null) return streamEvent(type, { ...json, type });
  if (event.clean && event.name === type) return { type, json, bytes: event.raw };
  // Line breaks in JSON are only between values, so spaces can replace them.
  return { type, json, bytes: encodeEvent(type, text.replaceAll(/[\r\n]/g, ' ')) };
}

/** Returns a `message_stop` that lacks its blank line; null for any other unfinished event. */
export function unterminatedStop(
  pending: Uint8Array,
  limits: { readonly maxEventBytes: number },
): StreamEvent | null {
  if (pending.byteLength === 0) return null;
  const [event] = new SseReader(limits).push(joinBytes([pending, BLANK_LINE]));
  const last = event === undefined ? 'noise' : readEvent(event);
  return typeof last === 'object' && last.type === 'message_stop' ? last : null;
}

export const streamEvent = (type: string, json: JsonObject): StreamEvent => ({
  type,
  json,
  bytes: encodeEvent(type, JSON.stringify(json)),
});

const REQUIRED_COUNTS = ['input_tokens', 'output_tokens'] as const;

/** Adds the caller's model name and members that clients require; null without a message. */
export function repairMessageStart(event: StreamEvent, model: string): StreamEvent | null {
  const message = asJsonObject(event.json['message']);
  if (message === null) return null;
  const { content, usage } = message;
  const counts = withoutCost(asJsonObject(usage) ?? {});
  const missing = REQUIRED_COUNTS.filter((name) => typeof counts[name] !== 'number');
  const isEmpty = Array.isArray(content) && content.length === 0;
  const isWhole = isEmpty && missing.length === 0 && counts === usage;
  if (isWhole && message['model'] === model) return event;
  const repaired = {
    ...message,
    model,
    content: [],
    usage: { ...counts, ...Object.fromEntries(missing.map((name) => [name, 0])) },
  };
  return streamEvent(event.type, { ...event.json, message: repaired });
}

/** For each block type, the member that clients append to, and the value it must start with. */
const APPENDED_TO: ReadonlyMap<unknown, readonly [string, unknown]> = new Map([
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

/** Returns an event's bytes of output, also of blocks that chat callers pay for but cannot get. */
export function outputBytesIn({ type, json }: StreamEvent): number {
  if (type === 'content_block_delta') return outputBytesOf(asJsonObject(json['delta']) ?? {});
  return type === 'content_block_start'
    ? outputBytesOf(asJsonObject(json['content_block']) ?? {})
    : 0;
}

/** Members of a block or a delta that contain the model's output. */
const OUTPUT_TEXTS = ['text', 'thinking', 'partial_json', 'content'] as const;

/** Returns the bytes of text, thinking, tool arguments and summaries in a block or a delta. */
export function outputBytesOf(part: JsonObject): number {
  let bytes = 0;
  for (const name of OUTPUT_TEXTS) {
    const text = part[name];
    if (typeof text === 'string') bytes += Buffer.byteLength(text);
  }
  return bytes;
}
