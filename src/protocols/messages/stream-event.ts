/**
 * Repairs the events of a Messages stream for clients, and measures the output in them. Has no side
 * effects.
 */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import type { ReportedCost } from '../quirks.ts';
import { type TypedEvent, typedEvent, UnterminatedEvents } from '../typed-event.ts';
import { withoutCost } from '../usage-object.ts';

/** Types of events that are part of a message, and invalid before `message_start`. */
export const MESSAGE_SEQUENCE: ReadonlySet<string> = new Set([
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

/** Finds a `message_stop` event that lacks only its final blank line. */
export const unterminatedStops = (limits: { readonly maxEventBytes: number }): UnterminatedEvents =>
  new UnterminatedEvents(['message_stop'], limits);

const REQUIRED_COUNTS = ['input_tokens', 'output_tokens'] as const;

/**
 * Returns the event with the caller's model name and all members that clients require, and without
 * the operator's cost; null if the event has no message.
 */
export function repairMessageStart(
  event: TypedEvent,
  model: string,
  reported: ReportedCost | null,
): TypedEvent | null {
  const message = asJsonObject(event.json['message']);
  if (message === null) return null;
  const { content, usage } = message;
  const counts = withoutCost(asJsonObject(usage) ?? {}, reported);
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
  return typedEvent(event.type, { ...event.json, message: repaired });
}

/** For each block type, the member to which clients append deltas, and its initial value. */
const APPENDED_TO: ReadonlyMap<unknown, readonly [string, unknown]> = new Map([
  ['text', ['text', '']],
  ['thinking', ['thinking', '']],
  ['tool_use', ['input', {}]],
  ['server_tool_use', ['input', {}]],
  ['mcp_tool_use', ['input', {}]],
]);

export function repairBlockStart(event: TypedEvent): TypedEvent {
  const block = asJsonObject(event.json['content_block']) ?? {};
  const required = APPENDED_TO.get(block['type']);
  if (required === undefined) return event;
  const [name, empty] = required;
  if ((block[name] ?? null) !== null) return event;
  return typedEvent(event.type, { ...event.json, content_block: { ...block, [name]: empty } });
}

/**
 * Returns the number of output bytes of an event. Blocks that cannot be translated for a chat
 * caller count too, because the caller pays for them.
 */
export function outputBytesIn({ type, json }: TypedEvent): number {
  if (type === 'content_block_delta') return outputBytesOf(asJsonObject(json['delta']) ?? {});
  return type === 'content_block_start'
    ? outputBytesOf(asJsonObject(json['content_block']) ?? {})
    : 0;
}

/** Members of a block or a delta that contain the model's output. */
const OUTPUT_TEXTS = ['text', 'thinking', 'partial_json', 'content'] as const;

/** Counts the bytes of text, thinking, tool arguments and summaries in a block or a delta. */
export function outputBytesOf(part: JsonObject): number {
  let bytes = 0;
  for (const name of OUTPUT_TEXTS) {
    const text = part[name];
    if (typeof text === 'string') bytes += Buffer.byteLength(text);
  }
  return bytes;
}
