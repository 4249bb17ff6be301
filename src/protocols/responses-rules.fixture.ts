/** Checks the rules that every stream of Responses events must follow, as clients rely on them. */
import { asArray, asJsonObject, asString, type JsonObject } from '../json/object.ts';

export type ResponsesEvent = JsonObject & {
  readonly type: string;
  readonly sequence_number: number;
};

/** Returns the events of a stream and omits comments. @throws Error for any other line. */
export function responsesEvents(text: string): readonly ResponsesEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const [, name, data] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? [];
      const event: unknown = JSON.parse(data ?? 'null');
      const { type, sequence_number: number } = asJsonObject(event) ?? {};
      if (typeof type !== 'string' || typeof number !== 'number' || type !== name)
        throw new Error(`not an event: ${block}`);
      return { ...asJsonObject(event), type, sequence_number: number };
    });
}

const TERMINAL: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/**
 * For each kind of text: the delta event, the event that repeats the whole text, and the member
 * with the whole text.
 */
const TEXTS: readonly (readonly [string, string, string])[] = [
  ['response.output_text.delta', 'response.output_text.done', 'text'],
  ['response.refusal.delta', 'response.refusal.done', 'refusal'],
  ['response.reasoning_summary_text.delta', 'response.reasoning_summary_text.done', 'text'],
  ['response.function_call_arguments.delta', 'response.function_call_arguments.done', 'arguments'],
  ['response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done', 'input'],
];

const ID = /^(?:msg|rs|fc|ctc|tsc|resp)_[A-Za-z0-9_-]{1,60}$/;

/**
 * Returns the rules that a stream breaks. If `isWhole` is true, the stream must have exactly one
 * terminal event; otherwise it must have none.
 */
export function brokenRules(text: string, isWhole: boolean): readonly string[] {
  const broken: string[] = [];
  const check = (isKept: boolean, rule: string): void => {
    if (!isKept) broken.push(rule);
  };
  const events = responsesEvents(text).filter(({ type }) => type !== 'keepalive');
  const all = responsesEvents(text);
  check(
    all.every(({ sequence_number }, at) => sequence_number === at),
    'the numbers begin at 0 and have no gap',
  );
  const [created, running] = events;
  if (events.length > 0) {
    check(created?.type === 'response.created', 'response.created comes first');
    check(running?.type === 'response.in_progress', 'response.in_progress comes second');
  }
  const ends = events.filter(({ type }) => TERMINAL.has(type));
  check(ends.length === (isWhole ? 1 : 0), 'there is one last event, and only at the end');
  if (isWhole) check(events.at(-1) === ends[0], 'nothing follows the last event');
  broken.push(...brokenItems(events), ...brokenTexts(events));
  const last = asJsonObject(ends[0]?.['response']);
  if (last !== null) broken.push(...brokenEnd(last, events));
  return broken;
}

function brokenItems(events: readonly ResponsesEvent[]): readonly string[] {
  const broken: string[] = [];
  const open = new Map<unknown, JsonObject>();
  let added = 0;
  for (const event of events) {
    const { type, output_index: index, item_id: id } = event;
    const item = asJsonObject(event['item']);
    if (type === 'response.output_item.added' && item !== null) {
      if (index !== added++) broken.push('output indexes count up');
      if (!ID.test(asString(item['id']) ?? '')) broken.push(`an id is ${item['id']}`);
      open.set(index, item);
    } else if (type === 'response.output_item.done' && item !== null) {
      if (open.get(index)?.['id'] !== item['id']) broken.push('a finished item was added before');
      if (open.get(index)?.['type'] !== item['type']) broken.push('an item keeps its type');
      open.delete(index);
    } else if (id !== undefined && open.get(index)?.['id'] !== id) {
      broken.push(`${type} belongs to an open item`);
    }
  }
  return broken;
}

function brokenTexts(events: readonly ResponsesEvent[]): readonly string[] {
  return TEXTS.flatMap(([delta, done, member]) => {
    const sent = new Map<string, string>();
    const placeOf = ({ item_id, content_index }: JsonObject): string =>
      `${item_id}/${content_index}`;
    return events.flatMap((event) => {
      const place = placeOf(event);
      if (event.type === delta) sent.set(place, (sent.get(place) ?? '') + event['delta']);
      if (event.type !== done) return [];
      return sent.get(place) === event[member] ? [] : [`${done} repeats its deltas`];
    });
  });
}

function brokenEnd(last: JsonObject, events: readonly ResponsesEvent[]): readonly string[] {
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  const output = asArray(last['output']);
  const missing = done.filter(
    ({ item }) => !output.some((each) => JSON.stringify(each) === JSON.stringify(item)),
  );
  const broken = missing.map(() => 'the last event repeats every finished item');
  if (last['status'] === 'failed') return broken;
  const usage = asJsonObject(last['usage']) ?? {};
  const counts = [
    usage['input_tokens'],
    usage['output_tokens'],
    usage['total_tokens'],
    asJsonObject(usage['input_tokens_details'])?.['cached_tokens'],
    asJsonObject(usage['output_tokens_details'])?.['reasoning_tokens'],
  ];
  if (!counts.every(Number.isInteger)) broken.push('every count is an integer');
  return broken;
}
