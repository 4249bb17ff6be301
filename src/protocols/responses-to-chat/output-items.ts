/**
 * Writes each kind of output item: the item's events while it arrives, and the whole item at its
 * end.
 */
import { asString, type JsonObject } from '../../json/object.ts';
import type { EventSink } from '../responses/response-stream.ts';
import type { Seals } from '../responses/seal.ts';
import { argumentsObject } from '../tool-arguments.ts';
import { CustomInput } from './custom-input.ts';
import { reasoningText } from './earlier-reasoning.ts';
import type { CallerTool } from './tool-names.ts';

/** The id of an item and its position in the output. */
export type ItemPlace = { readonly id: string; readonly outputIndex: number };

export type ItemStatus = 'completed' | 'incomplete';

type Part = {
  readonly type: 'output_text' | 'refusal';
  text: string;
  readonly annotations: JsonObject[];
  readonly logprobs: JsonObject[];
};

/** Text of a message, with the log probabilities of its tokens. */
export type Written = { readonly text: string; readonly logprobs: readonly JsonObject[] };

const EMPTY_PARTS = {
  output_text: '{"type":"output_text","text":"","annotations":[],"logprobs":[]}',
  refusal: '{"type":"refusal","refusal":""}',
} as const;

const partText = ({ type, text, annotations, logprobs }: Part): string =>
  JSON.stringify(
    type === 'refusal' ? { type, refusal: text } : { type, text, annotations, logprobs },
  );

export class MessageItem {
  readonly #sink: EventSink;
  readonly #place: ItemPlace;
  readonly #parts: Part[] = [];
  /** The members that all events of the open content part share, as JSON text. */
  #at = '';

  constructor(sink: EventSink, place: ItemPlace) {
    this.#sink = sink;
    this.#place = place;
    const { id, outputIndex } = place;
    const item = `{"type":"message","id":"${id}","status":"in_progress","role":"assistant","content":[]}`;
    sink.add('response.output_item.added', `"output_index":${outputIndex},"item":${item}`);
  }

  write(type: Part['type'], { text, logprobs }: Written): void {
    const part = this.#open(type);
    part.text += text;
    const delta = `${this.#at},"delta":${JSON.stringify(text)}`;
    if (type === 'refusal') {
      this.#sink.add('response.refusal.delta', delta);
      return;
    }
    for (const each of logprobs) part.logprobs.push(each);
    const probabilities = logprobs.length === 0 ? '[]' : JSON.stringify(logprobs);
    this.#sink.add('response.output_text.delta', `${delta},"logprobs":${probabilities}`);
  }

  /** The length of the last content part in UTF-16 units; 0 if that part is not text. */
  get textUnits(): number {
    const last = this.#parts.at(-1);
    return last?.type === 'output_text' ? last.text.length : 0;
  }

  annotate(annotation: JsonObject): void {
    const { annotations } = this.#open('output_text');
    const index = annotations.push(annotation) - 1;
    this.#sink.add(
      'response.output_text.annotation.added',
      `${this.#at},"annotation_index":${index},"annotation":${JSON.stringify(annotation)}`,
    );
  }

  /** Ends the item. Returns the whole item as JSON text. */
  close(status: ItemStatus): string {
    this.#closePart();
    const { id, outputIndex } = this.#place;
    const content = this.#parts.map(partText).join(',');
    const item = `{"type":"message","id":"${id}","status":"${status}","role":"assistant","content":[${content}]}`;
    this.#sink.addItem(outputIndex, item);
    return item;
  }

  #open(type: Part['type']): Part {
    const last = this.#parts.at(-1);
    if (last?.type === type) return last;
    this.#closePart();
    const part: Part = { type, text: '', annotations: [], logprobs: [] };
    const { id, outputIndex } = this.#place;
    const contentIndex = this.#parts.push(part) - 1;
    this.#at = `"item_id":"${id}","output_index":${outputIndex},"content_index":${contentIndex}`;
    this.#sink.add('response.content_part.added', `${this.#at},"part":${EMPTY_PARTS[type]}`);
    return part;
  }

  #closePart(): void {
    const part = this.#parts.at(-1);
    if (part === undefined) return;
    const text = JSON.stringify(part.text);
    if (part.type === 'refusal') {
      this.#sink.add('response.refusal.done', `${this.#at},"refusal":${text}`);
    } else {
      const logprobs = JSON.stringify(part.logprobs);
      const members = `${this.#at},"text":${text},"logprobs":${logprobs}`;
      this.#sink.add('response.output_text.done', members);
    }
    this.#sink.add('response.content_part.done', `${this.#at},"part":${partText(part)}`);
  }
}

/**
 * A reasoning item. When it ends, its `encrypted_content` gets the reasoning that the upstream
 * needs in later requests. The content is sealed, that is, signed by the gateway (`seal.ts`).
 */
export class ReasoningItem {
  details: readonly JsonObject[] = [];
  readonly calls: Record<string, JsonObject> = {};
  readonly #sink: EventSink;
  readonly #place: ItemPlace;
  readonly #at: string;
  #text = '';

  constructor(sink: EventSink, place: ItemPlace) {
    this.#sink = sink;
    this.#place = place;
    const { id, outputIndex } = place;
    this.#at = `"item_id":"${id}","output_index":${outputIndex},"summary_index":0`;
    const item = `{"type":"reasoning","id":"${id}","summary":[]}`;
    sink.add('response.output_item.added', `"output_index":${outputIndex},"item":${item}`);
  }

  write(text: string): void {
    if (this.#text === '') {
      const part = '{"type":"summary_text","text":""}';
      this.#sink.add('response.reasoning_summary_part.added', `${this.#at},"part":${part}`);
    }
    this.#text += text;
    const delta = `${this.#at},"delta":${JSON.stringify(text)}`;
    this.#sink.add('response.reasoning_summary_text.delta', delta);
  }

  /** Ends the item. Returns the whole item as JSON text. */
  close(seals: Seals): string {
    const { details, calls } = this;
    const text = JSON.stringify(this.#text);
    const part = `{"type":"summary_text","text":${text}}`;
    if (this.#text !== '') {
      this.#sink.add('response.reasoning_summary_text.done', `${this.#at},"text":${text}`);
      this.#sink.add('response.reasoning_summary_part.done', `${this.#at},"part":${part}`);
    }
    // The text is also put into `encrypted_content` if the provider's `reasoning_details` lack it.
    const isInDetails = reasoningText({ text: '', details, calls }) !== '';
    const sealed = seals.seal({ text: isInDetails ? '' : this.#text, details, calls });
    const { id, outputIndex } = this.#place;
    const summary = this.#text === '' ? '' : part;
    const item = `{"type":"reasoning","id":"${id}","summary":[${summary}],"encrypted_content":"${sealed}"}`;
    this.#sink.addItem(outputIndex, item);
    return item;
  }
}

/**
 * The output item of a tool call. Its type depends on the kind of the caller's tool: function,
 * custom or tool search.
 */
export class CallItem {
  readonly #sink: EventSink;
  readonly #place: ItemPlace;
  readonly #tool: CallerTool;
  /** The members of the output item that precede its arguments, as JSON text. */
  readonly #head: string;
  readonly #at: string;
  readonly #input = new CustomInput();
  #arguments = '';

  constructor(sink: EventSink, place: ItemPlace, tool: CallerTool, callId: string) {
    this.#sink = sink;
    this.#place = place;
    this.#tool = tool;
    const { id, outputIndex } = place;
    const call = `"id":"${id}","call_id":${JSON.stringify(callId)}`;
    const namespace =
      tool.namespace === null ? '' : `,"namespace":${JSON.stringify(tool.namespace)}`;
    this.#head =
      tool.kind === 'tool_search'
        ? `"type":"tool_search_call",${call},"execution":"client"`
        : `"type":"${TYPES[tool.kind]}",${call},"name":${JSON.stringify(tool.name)}${namespace}`;
    this.#at = `"item_id":"${id}","output_index":${outputIndex}`;
    const item = this.#item('in_progress');
    sink.add('response.output_item.added', `"output_index":${outputIndex},"item":${item}`);
  }

  write(text: string): void {
    this.#arguments += text;
    if (this.#tool.kind === 'function') this.#addDelta(text);
    else if (this.#tool.kind === 'custom') this.#addDelta(this.#input.push(text));
  }

  /**
   * Ends the item. Returns the item as JSON text. A truncated call is never reported as completed.
   */
  close(status: ItemStatus): string {
    // Clients expect arguments in JSON, even for a call without arguments.
    if (this.#tool.kind === 'function' && this.#arguments.trim() === '' && status === 'completed')
      this.write('{}');
    if (this.#tool.kind === 'custom') this.#addDelta(this.#input.finish());
    const item = this.#item(status);
    if (status === 'completed') {
      this.#addDone();
      this.#sink.addItem(this.#place.outputIndex, item);
    }
    return item;
  }

  #addDelta(text: string): void {
    if (text === '') return;
    const type =
      this.#tool.kind === 'custom'
        ? 'response.custom_tool_call_input.delta'
        : 'response.function_call_arguments.delta';
    this.#sink.add(type, `${this.#at},"delta":${JSON.stringify(text)}`);
  }

  #addDone(): void {
    const { kind, name } = this.#tool;
    if (kind === 'custom') {
      const input = JSON.stringify(this.#input.text);
      this.#sink.add('response.custom_tool_call_input.done', `${this.#at},"input":${input}`);
    } else if (kind === 'function') {
      const members = JSON.stringify({ name, arguments: this.#arguments }).slice(1, -1);
      this.#sink.add('response.function_call_arguments.done', `${this.#at},${members}`);
    }
  }

  #item(status: ItemStatus | 'in_progress'): string {
    return `{${this.#head},${this.#given()},"status":"${status}"}`;
  }

  #given(): string {
    switch (this.#tool.kind) {
      case 'custom':
        return `"input":${JSON.stringify(this.#input.text)}`;
      case 'function':
        return `"arguments":${JSON.stringify(this.#arguments)}`;
      case 'tool_search':
        // The arguments of a tool search are an object, not a string.
        return `"arguments":${JSON.stringify(argumentsObject(this.#arguments))}`;
    }
  }
}

const TYPES = { function: 'function_call', custom: 'custom_tool_call' } as const;

/**
 * String members of `reasoning_details` that arrive in fragments. All other members are complete.
 */
const STREAMED = ['text', 'summary', 'data'] as const;

/** Returns `reasoning_details` with one more fragment, which may continue the last entry. */
export function withDetail(
  details: readonly JsonObject[],
  fragment: JsonObject,
): readonly JsonObject[] {
  const last = details.at(-1);
  const continues =
    last !== undefined &&
    typeof fragment['index'] === 'number' &&
    last['index'] === fragment['index'] &&
    last['type'] === fragment['type'];
  if (!continues) return [...details, fragment];
  const known = Object.entries(fragment).filter(([, value]) => value !== null);
  const joined: Record<string, unknown> = { ...last, ...Object.fromEntries(known) };
  for (const name of STREAMED) {
    const before = asString(last[name]);
    if (before !== null) joined[name] = before + (asString(fragment[name]) ?? '');
  }
  return [...details.slice(0, -1), joined];
}
