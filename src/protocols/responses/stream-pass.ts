/**
 * Forwards a streamed Responses answer. Events keep their bytes with two exceptions: the members of
 * the response object that concern the request, and the usage and cost of the last event.
 */
import type { GatewayError } from '../../errors.ts';
import { joinBytes } from '../../json/bytes.ts';
import { replacedText } from '../../json/edit.ts';
import { parseExact } from '../../json/exact-numbers.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import { type ScannedObject, scanObject } from '../../json/scan.ts';
import { nullIfInvalid } from '../broken-answer.ts';
import type { CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import { encodeEvent, type SseEvent } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import { DeltaTemplates, readEvent, type TypedEvent, UnterminatedEvents } from '../typed-event.ts';
import {
  deltaBytesIn,
  finishReasonOf,
  outputBytesIn,
  outputBytesOf,
  refusalIn,
  reportedError,
} from './answer.ts';
import {
  type Echo,
  type EditedFor,
  editedResponse,
  failedMembers,
  MAX_ANSWER_DEPTH,
  type ScannedResponse,
  scanResponse,
} from './answer-edits.ts';
import { errorMembers, streamError } from './errors.ts';
import { responsesReport, withItem } from './usage.ts';

type Options = Pick<StreamContext, 'model' | 'maxEventBytes' | 'quirks' | 'response'> & {
  readonly echo: Echo;
};

/**
 * Opens a stream pass, which rewrites one stream chunk by chunk. Before `response.created`, an
 * event that is part of an answer is an error, and any other event is dropped. Official clients
 * fail if another event comes first.
 */
export const openResponsesStream = (options: Options): StreamPass =>
  new ResponsesStreamPass(options);

const END_TYPES = ['response.completed', 'response.incomplete'];
/** Keep-alives of some servers, which break clients that know only the protocol's `keepalive`. */
const FOREIGN_PINGS: ReadonlySet<string> = new Set(['ping', 'response.keep_alive']);

const encoder = new TextEncoder();

class ResponsesStreamPass extends EventPass {
  protected finishReason: string | null = null;
  readonly #options: Options;
  #begun = false;
  #deltaBytes = 0;
  /** The bytes of output in finished items, which some servers send without deltas. */
  #itemBytes = 0;
  /** An `error` event that was received. A `response.failed` with the usage may follow it. */
  #reported: ReportedError | null = null;
  /** The terminal event, held back until the cost of the answer is known. */
  #held: ScannedEvent | null = null;
  /** The first event. If the stream fails, its closing event is built from this one. */
  #first: ScannedEvent | null = null;
  /** The events of finished items, which a failed response repeats. */
  readonly #items: string[] = [];
  /** The total length of finished items. Items beyond the size limit of an event are not stored. */
  #itemsLength = 0;
  #lastNumber = 0;
  readonly #deltas = new DeltaTemplates('responses');
  readonly #unterminated: UnterminatedEvents;

  constructor(options: Options) {
    super(options);
    this.#options = options;
    this.#unterminated = new UnterminatedEvents(END_TYPES, options);
  }

  protected get outputBytes(): number {
    return Math.max(this.#deltaBytes, this.#itemBytes);
  }

  finish(cost: CostFields): Uint8Array {
    if (this.#held === null) return joinBytes([]);
    const refusal = refusalIn(this.#held.json['output']);
    const isFiltered = this.finishReason === 'content_filter';
    const stopping = this.#options.response?.stoppingError(isFiltered, refusal) ?? null;
    const failed = stopping === null ? null : { changes: failedMembers(stopping) };
    return this.#written(this.#held, cost, failed);
  }

  /** Returns a keep-alive with the last event's number: the provider uses the next one itself. */
  keepAlive(): Uint8Array {
    const json = { type: 'keepalive', sequence_number: this.#lastNumber };
    return encodeEvent('keepalive', JSON.stringify(json));
  }

  /** Returns the two events that end a broken stream, `error` and `response.failed`. */
  errorEvents(error: GatewayError): Uint8Array {
    const first = this.#first;
    if (first === null) throw new Error('a stream that has not begun cannot be ended');
    const failure = streamError(error);
    const number = this.#lastNumber + 1;
    const data = `{"type":"error","sequence_number":${number},${errorMembers(error, failure)}}`;
    const items = this.#items.map((text) => parsedObject(text, parseExact)?.['item']);
    const changes = new Map(failedMembers(failure)).set('output', JSON.stringify(items));
    const failed = this.#written(first, null, { changes, number: number + 1 });
    return joinBytes([encodeEvent('error', data), failed]);
  }

  protected takePending(pending: Uint8Array): void {
    this.error = this.#reported;
    if (this.error !== null || !this.#begun) return;
    const end = this.#unterminated.find(pending);
    if (end !== null) this.#end(end);
  }

  protected take(raw: SseEvent): void {
    if (this.#passDelta(raw)) return;
    const event = readEvent(raw);
    if (event === 'noise') return;
    if (event === 'unreadable') this.fail('The upstream sent an event that is not a JSON object.');
    else if (event.type === 'error') this.#reported ??= reportedError(event.json);
    else if (event.type === 'response.failed' || event.type === 'response.cancelled')
      this.#fail(event);
    else if (this.#reported !== null) this.error = this.#reported;
    else if (this.#begun) this.#inOrder(event, raw);
    else if (event.type === 'response.created') this.#start(event);
    else if (event.type.startsWith('response.') && !FOREIGN_PINGS.has(event.type))
      this.fail(`The upstream sent ${event.type.slice(0, 80)} before response.created.`);
  }

  #start(event: TypedEvent): void {
    this.#begun = true;
    this.#first = this.#sendState(event);
    if (this.#first === null && this.error === null)
      this.fail('The upstream sent a response.created without a response.');
  }

  #inOrder(event: TypedEvent, raw: SseEvent): void {
    const { type, json } = event;
    switch (type) {
      case 'response.created':
        this.fail('The upstream started its response twice.');
        break;
      case 'response.in_progress':
      case 'response.queued':
        // The event is dropped if it has no response, because strict clients would fail.
        this.#sendState(event);
        break;
      case 'response.completed':
      case 'response.incomplete':
        this.#end(event);
        break;
      default:
        if (FOREIGN_PINGS.has(type)) return;
        if (type.endsWith('.delta')) {
          const outputBytes = deltaBytesIn(json);
          this.#deltaBytes += outputBytes;
          this.#deltas.learn(event, raw, outputBytes);
        } else if (type === 'response.output_item.done') this.#countItem(event);
        // An unknown event is forwarded, because the caller may know newer events of the protocol.
        this.#emit(json['sequence_number'], event.bytes);
    }
  }

  #passDelta(raw: SseEvent): boolean {
    const known = this.#reported === null ? this.#deltas.recognize(raw) : null;
    if (known === null) return false;
    this.#deltaBytes += known.outputBytes;
    this.#emit(known.number, raw.raw);
    return true;
  }

  #countItem({ json, text }: TypedEvent): void {
    const item = asJsonObject(json['item']) ?? {};
    this.#itemsLength += text.length;
    if (this.#itemsLength <= this.#options.maxEventBytes) this.#items.push(text);
    this.#itemBytes += outputBytesOf(item);
    this.served = withItem(this.served, item);
  }

  /** Sends an event with a response object and returns it; null if that object is not valid. */
  #sendState(event: TypedEvent): ScannedEvent | null {
    const response = asJsonObject(event.json['response']);
    if (response === null) return null;
    this.#count(response);
    const scanned = this.#scanned(event, response);
    if (scanned !== null) this.#emit(event.json['sequence_number'], this.#written(scanned, null));
    return scanned;
  }

  #end(event: TypedEvent): void {
    const response = asJsonObject(event.json['response']);
    if (response === null) {
      this.fail('The upstream ended its answer without a response.');
      return;
    }
    if (reportedError(response) !== null) {
      this.#fail(event);
      return;
    }
    this.#count(response);
    this.finishReason = endReasonOf(event.type, response);
    this.#held = this.#scanned(event, response);
    this.ended = this.#held !== null;
  }

  #fail({ json }: TypedEvent): void {
    const response = asJsonObject(json['response']) ?? {};
    this.#count(response);
    const { error = json['error'] } = response;
    this.error = this.#reported ?? reportedError({ error, status: 'failed' });
    // Marks the provider's usage as final, so that it is charged instead of an estimate.
    this.ended = true;
  }

  #count(response: JsonObject): void {
    const { usage, served } = responsesReport(response, this.#options.quirks, this.served);
    this.usage = usage ?? this.usage;
    this.served = served;
    this.#itemBytes = Math.max(this.#itemBytes, outputBytesIn(response['output']));
  }

  #emit(number: unknown, bytes: Uint8Array): void {
    if (typeof number === 'number') this.#lastNumber = number;
    this.pieces.push(bytes);
  }

  /** Scans an event for editing. On a duplicate key, fails the stream and returns null. */
  #scanned(event: TypedEvent, json: JsonObject): ScannedEvent | null {
    const scanned = nullIfInvalid(() => scanEvent(event, json));
    if (scanned === null) this.fail('The upstream sent an event with the same key twice.');
    return scanned;
  }

  #written(event: ScannedEvent, cost: CostFields | null, failed: Failed | null = null): Uint8Array {
    return writtenEvent(event, { ...this.#options, cost }, failed);
  }
}

function endReasonOf(type: string, response: JsonObject): string {
  const status = type.slice('response.'.length);
  return finishReasonOf({ status, ...response }) ?? status;
}

/** The changes to an event that make it a `response.failed`. */
type Failed = {
  readonly changes: ReadonlyMap<string, string>;
  /** The `sequence_number` to write into the event; absent to keep the provider's number. */
  readonly number?: number;
};

/** An event that contains the whole response, scanned so that it can be edited in place. */
type ScannedEvent = {
  readonly type: string;
  readonly event: ScannedObject;
  readonly response: ScannedResponse;
  readonly json: JsonObject;
};

/**
 * Scans an event and the response in it.
 * @throws GatewayError `invalid_json` for a duplicate key or too deep nesting.
 */
function scanEvent({ type, text }: TypedEvent, json: JsonObject): ScannedEvent {
  const event = scanObject(encoder.encode(text), MAX_ANSWER_DEPTH);
  const { start, end } = event.members.get('response') ?? { start: 0, end: 0 };
  return { type, event, response: scanResponse(event.bytes.subarray(start, end)), json };
}

function writtenEvent(
  { type, event, response, json }: ScannedEvent,
  to: EditedFor,
  failed: Failed | null,
): Uint8Array {
  const edits = new Map([['response', editedResponse(response, json, to, failed?.changes)]]);
  if (failed === null) return encodeEvent(type, replacedText(event, edits));
  edits.set('type', '"response.failed"');
  if (failed.number !== undefined) edits.set('sequence_number', String(failed.number));
  return encodeEvent('response.failed', replacedText(event, edits));
}
