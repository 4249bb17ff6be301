/**
 * Checks the rules that every Messages stream must follow, because a stream that breaks them breaks
 * clients.
 */
import { isJsonObject, type JsonObject } from '../../json/object.ts';

const EVENT = /^event: ([a-z_]+)\ndata: (\{[^\n\r]*\})$/;

/**
 * For each type of block, the members that must be empty when a block starts, because clients
 * append the deltas to them.
 */
const EMPTY: Readonly<Record<string, JsonObject>> = {
  text: { text: '' },
  thinking: { thinking: '', signature: '' },
  tool_use: { input: {} },
};
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

/**
 * Returns the rules that a stream breaks, as sentences.
 * @param isWhole whether the stream must be complete. If not, it must not contain `message_stop`.
 */
export function brokenRules(stream: string, isWhole: boolean): readonly string[] {
  const broken: string[] = [];
  const must = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(rule);
  };
  if (stream === '') return isWhole ? ['there is a stream'] : [];
  must(stream.endsWith('\n\n'), 'the last event ends with a blank line');
  const events = stream
    .split('\n\n')
    .filter((each) => each !== '')
    .map((each) => {
      const [, name, data] = EVENT.exec(each) ?? [];
      const json: unknown = data === undefined ? null : JSON.parse(data);
      const event = isJsonObject(json) ? json : {};
      must(name !== undefined && event['type'] === name, `an event has its type as name: ${each}`);
      return event;
    });
  checkOrder(events, isWhole, must);
  checkStart(events[0] ?? {}, must);
  checkBlocks(events, must);
  if (isWhole) checkClosing(events, must);
  return broken;
}

type Must = (holds: boolean, rule: string) => void;

function checkOrder(events: readonly JsonObject[], isWhole: boolean, must: Must): void {
  const types = events.map(({ type }) => type);
  const count = (type: string): number => types.filter((each) => each === type).length;
  must(
    types[0] === 'message_start' && count('message_start') === 1,
    'message_start is first, once',
  );
  must(
    count('message_stop') === (isWhole ? 1 : 0),
    'message_stop comes once, if the answer is complete',
  );
  must(count('message_delta') === count('message_stop'), 'message_delta comes with message_stop');
  if (!isWhole) return;
  must(types.at(-1) === 'message_stop', 'message_stop is last');
  must(types.at(-2) === 'message_delta', 'message_delta is last but one');
}

function checkStart(event: JsonObject, must: Must): void {
  const message = isJsonObject(event['message']) ? event['message'] : {};
  const { content, usage, stop_reason: reason } = message;
  must(Array.isArray(content) && content.length === 0, 'message_start has content []');
  must(reason === null && message['stop_sequence'] === null, 'message_start has no stop reason');
  must(
    message['role'] === 'assistant' && message['type'] === 'message',
    'message_start is a message',
  );
  must(/^msg_./.test(String(message['id'])), 'message_start has an id');
  const counts = isJsonObject(usage) ? usage : {};
  must(typeof counts['input_tokens'] === 'number', 'message_start reports the input');
  must(counts['output_tokens'] === 0, 'message_start reports no output: clients sum it');
}

/**
 * Checks that blocks are sequential and numbered from 0, and that each block starts empty and is
 * closed.
 */
function checkBlocks(events: readonly JsonObject[], must: Must): void {
  let next = 0;
  let open: string | null = null;
  const ids = new Set<unknown>();
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') {
      must(open === null, 'a block starts when the one before is closed');
      must(index === next, 'blocks are counted from 0 without a gap');
      const start = isJsonObject(block) ? block : {};
      open = String(start['type']);
      const empty = EMPTY[open] ?? { type: 'no such block' };
      must(
        Object.entries(empty).every(([name, value]) => Bun.deepEquals(start[name], value)),
        `a block of type ${open} starts empty`,
      );
      if (open === 'tool_use') {
        must(/^[A-Za-z0-9_-]+$/.test(String(start['id'])), 'a tool call has an id of the alphabet');
        must(!ids.has(start['id']), 'no two tool calls have one id');
        must(!('caller' in start) && start['name'] !== '', 'a tool call has a name and no caller');
        ids.add(start['id']);
      }
    } else if (type === 'content_block_delta') {
      const change = isJsonObject(delta) ? delta : {};
      must(open !== null && index === next, 'a delta belongs to the open block');
      must(
        (DELTAS[open ?? ''] ?? []).includes(String(change['type'])),
        `a block of type ${open} accepts no ${String(change['type'])}`,
      );
    } else if (type === 'content_block_stop') {
      must(open !== null && index === next, 'a stop belongs to the open block');
      open = null;
      next += 1;
    } else if (type === 'message_delta') {
      must(open === null, 'every block is closed at the end');
    }
  }
}

const REASONS = ['end_turn', 'max_tokens', 'tool_use', 'refusal'];

function checkClosing(events: readonly JsonObject[], must: Must): void {
  const { delta, usage } = events.at(-2) ?? {};
  const reason = isJsonObject(delta) ? delta['stop_reason'] : undefined;
  must(REASONS.includes(String(reason)), 'message_delta has a stop reason');
  const calls = events.some(({ content_block: block }) =>
    isJsonObject(block) ? block['type'] === 'tool_use' : false,
  );
  must(calls || reason !== 'tool_use', 'tool_use is said only of an answer with tool calls');
  must(!calls || reason !== 'end_turn', 'an answer with tool calls does not end the turn');
  const counts = isJsonObject(usage) ? usage : {};
  must(typeof counts['output_tokens'] === 'number', 'message_delta reports the output');
  must(typeof counts['cost'] === 'number', 'message_delta reports the cost');
}
