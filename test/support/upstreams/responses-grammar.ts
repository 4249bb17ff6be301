/**
 * For tests: checks that the events of a Responses stream are valid, and returns how the stream
 * ended.
 */
import { at, listAt, type StreamEnding, type WireEvent } from '../wire.ts';

/**
 * The prefix of the ids of each item type. OpenAI checks the prefix when a client sends an item
 * back.
 */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
  tool_search_call: 'tsc_',
};
const USAGE_COUNTS = [
  'input_tokens',
  'input_tokens_details.cached_tokens',
  'output_tokens',
  'output_tokens_details.reasoning_tokens',
  'total_tokens',
];

type OpenItem = {
  readonly id: unknown;
  readonly type: string;
  /**
   * The text of all deltas of this item so far. The key is the type and the index, such as
   * `output_text 0`.
   */
  readonly gathered: Map<string, string>;
};

type State = {
  ending: StreamEnding | null;
  /**
   * The code of the `error` event; null if no such event has occurred. After an `error` event, the
   * next event must be `response.failed`.
   */
  error: string | null;
  lastNumber: number;
  isStarted: boolean;
  readonly open: Map<unknown, OpenItem>;
  readonly done: unknown[];
};

/**
 * Returns how the stream ended; null if it has no terminal event.
 * @throws Error that names the violated rule.
 */
export function responsesEnding(events: readonly WireEvent[]): StreamEnding | null {
  const state: State = {
    ending: null,
    error: null,
    lastNumber: -1,
    isStarted: false,
    open: new Map(),
    done: [],
  };
  for (const { name, data } of events) {
    const json: unknown = JSON.parse(data);
    const type = String(at(json, 'type'));
    if (type !== name) throw new Error(`an event named ${name} of type ${type}`);
    if (state.ending !== null) throw new Error(`after the end came ${data}`);
    if (state.error !== null && type !== 'response.failed')
      throw new Error(`${type} between an error and response.failed`);
    checkNumber(state, type, json);
    if (!state.isStarted && type !== 'response.created')
      throw new Error(`${type} before response.created`);
    onEvent(state, type, json);
  }
  return state.ending;
}

function checkNumber(state: State, type: string, json: unknown): void {
  const number = at(json, 'sequence_number');
  const isRepeated = type === 'keepalive' && number === state.lastNumber;
  if (number !== state.lastNumber + 1 && !isRepeated)
    throw new Error(`${type} has the number ${number} after ${state.lastNumber}`);
  state.lastNumber = Number(number);
}

function onEvent(state: State, type: string, json: unknown): void {
  switch (type) {
    case 'keepalive':
    case 'response.in_progress':
      break;
    case 'response.created':
      if (state.isStarted) throw new Error('a second response.created');
      checkHead(json);
      state.isStarted = true;
      break;
    case 'response.output_item.added':
      openItem(state, json);
      break;
    case 'response.output_item.done':
      closeItem(state, json);
      break;
    case 'response.completed':
    case 'response.incomplete':
      checkWhole(state, type, json);
      state.ending = { end: 'success' };
      break;
    case 'error':
      if (at(json, 'error.code') !== at(json, 'code'))
        throw new Error('an error with two different codes');
      state.error = String(at(json, 'code'));
      break;
    case 'response.failed':
      if (state.error === null) throw new Error('response.failed without an error before it');
      if (at(json, 'response.status') !== 'failed')
        throw new Error('response.failed with another status than failed');
      state.ending = { end: 'error', code: String(at(json, 'response.error.code')) };
      break;
    default:
      onItemEvent(state, type, json);
  }
}

function checkHead(json: unknown): void {
  const response = at(json, 'response');
  const known = ['id', 'created_at', 'model'].filter((name) => at(response, name) === undefined);
  if (known.length > 0) throw new Error(`response.created lacks ${known.join(', ')}`);
  if (at(response, 'status') !== 'in_progress')
    throw new Error('response.created with another status than in_progress');
}

function openItem(state: State, json: unknown): void {
  const index = at(json, 'output_index');
  const type = String(at(json, 'item.type'));
  const id = String(at(json, 'item.id'));
  if (index !== state.open.size + state.done.length)
    throw new Error(`item ${index} does not have the next index`);
  const prefix = ID_PREFIXES[type];
  if (prefix !== undefined && !id.startsWith(prefix)) throw new Error(`${type} with id ${id}`);
  state.open.set(index, { id, type, gathered: new Map() });
}

/**
 * Appends a delta to its item. For a `.done` event, checks that its text equals the joined deltas.
 */
function onItemEvent(state: State, type: string, json: unknown): void {
  const item = state.open.get(at(json, 'output_index'));
  if (item === undefined) throw new Error(`${type} of an item that is not open`);
  if (item.id !== at(json, 'item_id')) throw new Error(`${type} with another item's id`);
  const [, kind = '', step = ''] = /^response\.(\w+)\.(\w+)$/.exec(type) ?? [];
  const place = `${kind} ${at(json, 'content_index') ?? at(json, 'summary_index') ?? 0}`;
  if (step === 'delta')
    item.gathered.set(place, `${item.gathered.get(place) ?? ''}${at(json, 'delta')}`);
  const whole = at(json, WHOLE_TEXTS[kind] ?? '');
  if (step === 'done' && whole !== undefined && whole !== (item.gathered.get(place) ?? ''))
    throw new Error(`${type} differs from its deltas: ${JSON.stringify(whole)}`);
}

/** The names of the JSON fields in which the `.done` events repeat the whole text of the deltas. */
const WHOLE_TEXTS: Readonly<Record<string, string>> = {
  output_text: 'text',
  refusal: 'refusal',
  reasoning_summary_text: 'text',
  reasoning_text: 'text',
  function_call_arguments: 'arguments',
  custom_tool_call_input: 'input',
};

function closeItem(state: State, json: unknown): void {
  const index = at(json, 'output_index');
  const item = state.open.get(index);
  if (item === undefined) throw new Error(`an end of item ${index}, which is not open`);
  if (at(json, 'item.type') !== item.type || at(json, 'item.id') !== item.id)
    throw new Error(`item ${index} has another type or id at its end: ${JSON.stringify(json)}`);
  for (const [kind, member] of [
    ['function_call_arguments 0', 'item.arguments'],
    ['custom_tool_call_input 0', 'item.input'],
    ['output_text 0', 'item.content.0.text'],
  ] as const) {
    const gathered = item.gathered.get(kind);
    if (gathered !== undefined && gathered !== at(json, member))
      throw new Error(`item ${index} differs from its deltas: ${JSON.stringify(json)}`);
  }
  state.open.delete(index);
  state.done.push(at(json, 'item'));
}

function checkWhole(state: State, type: string, json: unknown): void {
  if (state.open.size > 0) throw new Error(`${type} before the end of every item`);
  if (`response.${at(json, 'response.status')}` !== type)
    throw new Error(`${type} with another status: ${JSON.stringify(json)}`);
  if (!Bun.deepEquals(listAt(json, 'response.output'), state.done))
    throw new Error(`the output differs from its items: ${JSON.stringify(json)}`);
  for (const count of USAGE_COUNTS)
    if (!Number.isSafeInteger(at(json, `response.usage.${count}`)))
      throw new Error(`usage lacks ${count}: ${JSON.stringify(at(json, 'response.usage'))}`);
}
