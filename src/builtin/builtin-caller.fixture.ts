/** Sends requests to the built-in upstream, and reads and checks its answers. */
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import type { UpstreamRequest, WireFormat } from '../upstreams/upstream.ts';
import { isObject, type JsonObject } from './body-fields.ts';
import { createBuiltinUpstream } from './builtin-upstream.ts';

export type SentEvent = { readonly name: string | null; readonly data: string };

export type BuiltinCaller = {
  readonly clock: ManualClock;
  readonly send: (
    format: WireFormat,
    body: unknown,
    more?: Partial<Pick<UpstreamRequest, 'scope' | 'signal'>>,
  ) => Promise<Response>;
  /** Sends a request and returns the JSON of the answer. Throws unless the status is 200. */
  readonly json: (format: WireFormat, body: JsonObject, scope?: string) => Promise<JsonObject>;
  /**
   * Sends a request and returns the events of the stream. Throws unless each chunk is exactly one
   * event.
   */
  readonly events: (format: WireFormat, body: JsonObject) => Promise<readonly SentEvent[]>;
};

export function builtinCaller(tokensPerSecond = 0): BuiltinCaller {
  const clock = manualClock();
  const upstream = createBuiltinUpstream({
    name: 'builtin',
    clock,
    tokensPerSecond: () => tokensPerSecond,
  });
  const send: BuiltinCaller['send'] = (format, body, more = {}) =>
    upstream.send({
      format,
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      stream: isObject(body) && body['stream'] === true,
      headers: {},
      scope: more.scope ?? 'someone',
      traceparent: null,
      connectMs: null,
      firstByteMs: null,
      signal: more.signal ?? new AbortController().signal,
      abort: () => {},
    });
  const json: BuiltinCaller['json'] = async (format, body, scope = 'someone') => {
    const response = await send(format, body, { scope });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return asObject(JSON.parse(text));
  };
  const events: BuiltinCaller['events'] = async (format, body) => {
    const response = await send(format, { ...body, stream: true });
    const type = response.headers.get('content-type');
    if (type !== 'text/event-stream; charset=utf-8') throw new Error(await response.text());
    const found: SentEvent[] = [];
    if (response.body === null) throw new Error('No body.');
    for await (const chunk of response.body) found.push(readEvent(new TextDecoder().decode(chunk)));
    return found;
  };
  return { clock, send, json, events };
}

export function asObject(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error(`Not an object: ${JSON.stringify(value)}`);
  return value;
}

export function asList(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) throw new Error(`Not an array: ${JSON.stringify(value)}`);
  return value.map(asObject);
}

/** Returns the value at a path such as `choices.0.message`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, step) => {
    return Array.isArray(found) ? found[Number(step)] : asObject(found)[step];
  }, value);
}

function readEvent(chunk: string): SentEvent {
  const match = /^(?:event: ([a-z_]+)\n)?data: ([^\n]+)\n\n$/.exec(chunk);
  if (match === null) throw new Error(`Not one whole event: ${JSON.stringify(chunk)}`);
  return { name: match[1] ?? null, data: match[2] ?? '' };
}

/** Joins chat chunks into one answer, as a client library does. */
export function joinChat(events: readonly SentEvent[]): JsonObject {
  const choices = new Map<number, { message: Record<string, unknown>; finish_reason: unknown }>();
  let usage: unknown;
  for (const { data } of events.slice(0, -1)) {
    const chunk = asObject(JSON.parse(data));
    usage = chunk['usage'] ?? usage;
    for (const choice of asList(chunk['choices'])) {
      const index = Number(choice['index']);
      const held = choices.get(index) ?? { message: {}, finish_reason: null };
      choices.set(index, held);
      addDelta(held.message, asObject(choice['delta']));
      held.finish_reason = choice['finish_reason'] ?? held.finish_reason;
    }
  }
  const joined = [...choices].map(([index, choice]) => ({ index, ...choice }));
  return { choices: joined, usage };
}

function addDelta(into: Record<string, unknown>, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    const held = into[name];
    if (Array.isArray(value)) {
      const list = Array.isArray(held) ? held : [];
      into[name] = list;
      for (const { index, ...rest } of value.map(asObject)) {
        const entry: Record<string, unknown> = { ...asObject(list[Number(index)] ?? {}) };
        addDelta(entry, rest);
        list[Number(index)] = entry;
      }
    } else if (isObject(value)) {
      const entry = { ...asObject(held ?? {}) };
      addDelta(entry, value);
      into[name] = entry;
    } else {
      into[name] = typeof held === 'string' && typeof value === 'string' ? held + value : value;
    }
  }
}

/** Joins Messages events into one message, as a client library does. */
export function joinMessages(events: readonly SentEvent[]): JsonObject {
  let message: Record<string, unknown> = {};
  const content: Record<string, unknown>[] = [];
  let json = '';
  for (const { name, data } of events) {
    const event = asObject(JSON.parse(data));
    if (event['type'] !== name) throw new Error(`Event ${name} has type ${event['type']}`);
    const block = content.at(-1) ?? {};
    if (name === 'message_start') message = { ...asObject(event['message']) };
    if (name === 'content_block_start') {
      if (event['index'] !== content.length) throw new Error('Blocks must come in order.');
      content.push({ ...asObject(event['content_block']) });
      json = '';
    }
    if (name === 'content_block_delta') {
      const { type, partial_json: piece, ...rest } = asObject(event['delta']);
      if (type === 'input_json_delta') json += String(piece);
      addDelta(block, rest);
    }
    if (name === 'content_block_stop' && json !== '') block['input'] = JSON.parse(json);
    if (name === 'message_delta') {
      const { delta, usage, type: _, ...rest } = event;
      message = { ...message, ...asObject(delta), usage, ...rest };
    }
  }
  return { ...message, content };
}
