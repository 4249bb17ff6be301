/**
 * Makes output items from the model's output, in the order in which the model writes it.
 * Deterministic and without I/O. Streams and non-streaming answers use the same writer, so their
 * items cannot differ.
 */
import type { JsonObject } from '../../json/object.ts';
import {
  callIndex,
  type FragmentedCall,
  MAX_CALLS,
  newCall,
  withFragment,
} from '../chat/call-fragments.ts';
import { type CallFragment, mayWait } from '../chat/model-output.ts';
import { derivedId } from '../dialect.ts';
import type { EventSink } from '../responses/response-stream.ts';
import type { Seals } from '../responses/seal.ts';
import {
  CallItem,
  type ItemPlace,
  type ItemStatus,
  MessageItem,
  ReasoningItem,
  type Written,
  withDetail,
} from './output-items.ts';
import type { ToolNames } from './tool-names.ts';

/** The options of a request that decide how its answer is translated. */
export type AnswerOptions = {
  /** Finds a tool of the caller by the name that the upstream uses for it. */
  readonly names: Pick<ToolNames, 'callerTool'>;
  readonly seals: Seals;
  /** Whether the caller turned reasoning off, so that the answer has no reasoning items. */
  readonly hidesReasoning: boolean;
};

/** Settings that are constant during an answer. */
export type OutputRules = AnswerOptions & {
  readonly requestId: string;
  /** Maximum UTF-16 code units of an answer. All of it is kept, since the last event repeats it. */
  readonly maxUnits: number;
};

type Call = FragmentedCall & {
  /** The output item of the call; null until the call's name is known. */
  readonly item: Open<CallItem> | null;
  readonly isClosed: boolean;
  /** Arguments that arrived before the name. */
  readonly held: string;
};

type Open<Item> = { readonly writer: Item; readonly outputIndex: number };

/**
 * The prefix of item ids, by the item's kind. OpenAI checks the prefix when a client sends an item
 * back.
 */
const ID_PREFIXES = {
  message: 'msg_',
  reasoning: 'rs_',
  function: 'fc_',
  custom: 'ctc_',
  tool_search: 'tsc_',
} as const;
const NO_LOGPROBS: readonly JsonObject[] = [];
const NO_BLANK: Written = { text: '', logprobs: NO_LOGPROBS };

export class OutputWriter {
  /** The items as JSON texts; null for an unfinished item. */
  readonly #items: (string | null)[] = [];
  readonly #sink: EventSink;
  readonly #rules: OutputRules;
  #message: Open<MessageItem> | null = null;
  #reasoning: Open<ReasoningItem> | null = null;
  readonly #calls: Call[] = [];
  /** `reasoning_details` that arrived after their item was finished. They get their own item. */
  #lateDetails: readonly JsonObject[] = [];
  /** Blank text that is held back. It becomes part of a message only if words follow. */
  #blank = NO_BLANK;
  #units = 0;
  /** The text with which the model refused; empty if it did not. */
  refusal = '';
  /** The reason why the answer is invalid; null while it is valid. */
  fault: string | null = null;

  constructor(sink: EventSink, rules: OutputRules) {
    this.#sink = sink;
    this.#rules = rules;
  }

  /** The finished items as JSON texts, in their order. */
  get output(): readonly string[] {
    return this.#items.filter((item) => item !== null);
  }

  reasoning(text: string): void {
    if (text === '' || this.#rules.hidesReasoning) return;
    this.#count(text);
    this.#openReasoning().write(text);
  }

  /** Writes fragments of `reasoning_details` from a chat server. */
  details(fragments: readonly JsonObject[]): void {
    if (fragments.length === 0 || this.#rules.hidesReasoning) return;
    this.#count(JSON.stringify(fragments));
    if (this.#message !== null || this.#calls.length > 0) {
      this.#lateDetails = fragments.reduce(withDetail, this.#lateDetails);
      return;
    }
    const reasoning = this.#openReasoning();
    reasoning.details = fragments.reduce(withDetail, reasoning.details);
  }

  /** Writes the `reasoning_details` of a complete thinking block, and ends the reasoning item. */
  thought(details: readonly JsonObject[]): void {
    if (this.#rules.hidesReasoning) return;
    this.#openReasoning().details = details;
    this.#closeReasoning();
  }

  text(given: string, logprobs = NO_LOGPROBS): void {
    if (given === '') return;
    this.#count(given);
    if (logprobs.length > 0) this.#count(JSON.stringify(logprobs));
    const held = this.#blank;
    const said: Written =
      held === NO_BLANK
        ? { text: given, logprobs }
        : { text: held.text + given, logprobs: [...held.logprobs, ...logprobs] };
    this.#blank = this.#message === null && mayWait(said.text) ? said : NO_BLANK;
    if (this.#blank === NO_BLANK) this.#openMessage().write('output_text', said);
  }

  refuse(text: string): void {
    if (text === '') return;
    this.#count(text);
    this.refusal += text;
    this.#openMessage().write('refusal', { text, logprobs: NO_LOGPROBS });
  }

  /** The length, in UTF-16 units, of the message text to which annotations refer. */
  get textUnits(): number {
    return this.#message?.writer.textUnits ?? 0;
  }

  annotate(annotation: JsonObject): void {
    this.#count(JSON.stringify(annotation));
    this.#openMessage().annotate(annotation);
  }

  /** Writes a fragment of a call. */
  call(fragment: CallFragment): void {
    const found = callIndex(this.#calls, fragment);
    const index = found < 0 ? this.#calls.length : found;
    if (index === MAX_CALLS) {
      this.fault ??= `The upstream sent more than ${MAX_CALLS} tool calls.`;
      return;
    }
    const { arguments: text } = fragment;
    this.#count(text);
    const call = withFragment(this.#calls[index] ?? waitingCall(fragment.index), fragment);
    if (call.isClosed) {
      if (text.trim() !== '')
        this.fault ??= 'The upstream continued a tool call that was complete.';
    } else if (call.item !== null) {
      this.#calls[index] = call;
      if (text !== '') call.item.writer.write(text);
    } else {
      this.#calls[index] = { ...call, held: call.held + text };
      if (call.name !== null) this.#openCall(index, fragment.extra);
    }
  }

  /** Finishes every item. An item that is incomplete when the answer ends gets `status`. */
  end(status: ItemStatus): void {
    this.#closeReasoning();
    this.#closeMessage(status);
    this.#closeCalls(({ progress }) => (progress.isComplete ? 'completed' : status));
    this.#sealLateDetails();
    if (this.#calls.some(({ item }) => item === null)) {
      this.fault ??= 'The upstream sent a tool call without a name.';
    }
    if (status === 'incomplete' || this.#calls.length > 0 || this.#items.some(isMessage)) return;
    // Writes an empty message, because some agents repeat a request whose answer has no output.
    this.#openMessage().write('output_text', this.#blank);
    this.#closeMessage(status);
  }

  #openMessage(): MessageItem {
    if (this.#message !== null) return this.#message.writer;
    this.#closeReasoning();
    this.#closeCalls(statusIfWhole);
    const place = placeOf('message', this.#rules, this.#items.push(null));
    this.#message = { ...place, writer: new MessageItem(this.#sink, place) };
    return this.#message.writer;
  }

  #openReasoning(): ReasoningItem {
    if (this.#reasoning !== null) return this.#reasoning.writer;
    this.#closeMessage('completed');
    this.#closeCalls(statusIfWhole);
    const place = placeOf('reasoning', this.#rules, this.#items.push(null));
    this.#reasoning = { ...place, writer: new ReasoningItem(this.#sink, place) };
    return this.#reasoning.writer;
  }

  #openCall(index: number, extra: JsonObject | null): void {
    const call = this.#calls[index];
    if (call === undefined || call.name === null) return;
    const { requestId, names } = this.#rules;
    // Clients find a call by its id, so ids must be unique.
    const isTaken = this.#calls.some((other, at) => at < index && other.id === call.id);
    const minted = `${derivedId('call_', requestId)}_${index}`;
    const callId = call.id === null || isTaken ? minted : call.id;
    this.#sealLateDetails();
    // The extra content is stored in a reasoning item. Clients drop unknown members of calls, but
    // not reasoning.
    if (extra !== null) this.#openReasoning().calls[callId] = extra;
    this.#closeReasoning();
    this.#closeMessage('completed');
    this.#closeCalls(statusIfWhole);
    // Blank text right before a call is dropped.
    this.#blank = NO_BLANK;
    const tool = names.callerTool(call.name);
    const place = placeOf(tool.kind, this.#rules, this.#items.push(null));
    const writer = new CallItem(this.#sink, place, tool, callId);
    this.#calls[index] = { ...call, item: { ...place, writer }, held: '' };
    if (call.held !== '') writer.write(call.held);
  }

  #closeMessage(status: ItemStatus): void {
    if (this.#message === null) return;
    const { writer, outputIndex } = this.#message;
    this.#message = null;
    this.#items[outputIndex] = writer.close(status);
  }

  #closeReasoning(): void {
    if (this.#reasoning === null) return;
    const { writer, outputIndex } = this.#reasoning;
    this.#reasoning = null;
    this.#items[outputIndex] = writer.close(this.#rules.seals);
  }

  #sealLateDetails(): void {
    if (this.#lateDetails.length === 0) return;
    this.#openReasoning().details = this.#lateDetails;
    this.#lateDetails = [];
    this.#closeReasoning();
  }

  #closeCalls(statusOf: (call: Call) => ItemStatus | null): void {
    for (const [index, call] of this.#calls.entries()) {
      const status = call.isClosed ? null : statusOf(call);
      if (call.item === null || status === null) continue;
      this.#calls[index] = { ...call, isClosed: true };
      this.#items[call.item.outputIndex] = call.item.writer.close(status);
    }
  }

  #count(text: string): void {
    this.#units += text.length;
    if (this.#units > this.#rules.maxUnits) {
      this.fault ??= 'The answer of the upstream is longer than the limit.';
    }
  }
}

const waitingCall = (key: number | null): Call => ({
  ...newCall(key),
  item: null,
  isClosed: false,
  held: '',
});

const isMessage = (item: string | null): boolean => item?.startsWith('{"type":"message"') === true;

/** Returns `completed` for a call with complete arguments; null for a call that stays open. */
const statusIfWhole = ({ progress }: Call): ItemStatus | null =>
  progress.isComplete ? 'completed' : null;

/** Returns the id and position of the last of `count` output items. */
const placeOf = (
  kind: keyof typeof ID_PREFIXES,
  { requestId }: OutputRules,
  count: number,
): ItemPlace => ({
  id: `${derivedId(ID_PREFIXES[kind], requestId)}_${count - 1}`,
  outputIndex: count - 1,
});
