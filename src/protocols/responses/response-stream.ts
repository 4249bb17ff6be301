/**
 * Numbers and writes the events of one translated stream. One object holds the state of the stream,
 * because the gateway itself also writes events. It begins the stream if the upstream is silent,
 * sends keep-alives, and ends the stream after a failure.
 */
import type { GatewayError } from '../../errors.ts';
import { chatDialect } from '../chat/errors.ts';
import type { Dialect, StreamMoment } from '../dialect.ts';
import { comment } from '../sse.ts';
import { errorMembers, streamError } from './errors.ts';
import {
  type AnsweredRequest,
  IN_PROGRESS,
  NO_SETTINGS,
  type RepeatedSettings,
  type ResponseContent,
  type ResponseError,
  responseText,
} from './response-object.ts';

/** The tier that a response states until the provider has reported its tier. */
export const DEFAULT_TIER = 'default';

const encoder = new TextEncoder();

/** Receives the output items of an answer as events. */
export interface EventSink {
  /** Adds an event. `members` are the members of this type of event, as JSON text. */
  add(type: string, members: string): void;
  /** Adds the event of a finished output item, given as JSON text. */
  addItem(outputIndex: number, item: string): void;
}

/** The sink of a non-streaming answer, which has no events. */
export const NO_EVENTS: EventSink = { add: () => undefined, addItem: () => undefined };

export class ResponseStream implements Dialect, EventSink {
  readonly name = 'responses';
  readonly errorBody = chatDialect.errorBody;
  readonly #settings: RepeatedSettings;
  readonly #retriesIncomplete: boolean;
  /**
   * The number of events that the gateway sent before an answer began. The answer's events are
   * numbered after them.
   */
  #ownEvents = 0;
  /** The number of the next event. */
  #sequence = 0;
  #output: string[] = [];
  #text = '';
  #mayBegin = false;

  constructor(settings: RepeatedSettings, retriesIncomplete: boolean) {
    this.#settings = settings;
    this.#retriesIncomplete = retriesIncomplete;
  }

  /**
   * Lets the gateway begin the response before an upstream answers. Call this only if each route
   * is translated: an upstream that speaks Responses begins the response itself.
   */
  allowOwnEvents(): void {
    this.#mayBegin = true;
  }

  /**
   * Begins the events of an answer. Discards the events of an earlier attempt that failed before
   * any of them was sent. Always adds an event, because the relay waits for the first one.
   */
  begin(request: AnsweredRequest): void {
    this.#sequence = this.#ownEvents;
    this.#output = [];
    this.#text = '';
    if (this.#sequence > 0) this.add('keepalive', '');
    else this.#addHead(request);
  }

  add(type: string, members: string): void {
    const own = members === '' ? '' : `,${members}`;
    this.#text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++}${own}}\n\n`;
  }

  addItem(outputIndex: number, item: string): void {
    this.#output[outputIndex] = item;
    this.add('response.output_item.done', `"output_index":${outputIndex},"item":${item}`);
  }

  /** Returns the events that may be sent now. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** Returns the events that end an answer. `refusal` is the text of a refusal, or empty. */
  closing(request: AnsweredRequest, content: ResponseContent, refusal: string): string {
    const { end } = content;
    const isFiltered = end.status === 'incomplete' && end.reason === 'content_filter';
    const error = this.stoppingError(isFiltered, refusal);
    const failed = error === null ? end : ({ status: 'failed', error } as const);
    this.#addTerminal(request, { ...content, end: failed });
    return this.take();
  }

  /**
   * Returns the error that replaces a filtered or refused answer for Codex, which would otherwise
   * repeat the request at the caller's cost; null for other answers and callers. The error code
   * stops the repeats. The message is the refusal's text, because Codex shows no refusals.
   */
  stoppingError(isFiltered: boolean, refusal: string): ResponseError | null {
    if (!this.#retriesIncomplete || !(isFiltered || refusal !== '')) return null;
    const message = refusal === '' ? 'A content filter stopped this answer.' : refusal;
    return { code: 'invalid_prompt', message };
  }

  keepAlive(moment: StreamMoment): Uint8Array {
    if (!moment.started) {
      if (!this.#mayBegin) return comment('ping');
      this.#sequence = this.#ownEvents;
      if (this.#sequence > 0) this.add('keepalive', '');
      else this.#addHead(moment);
      this.#ownEvents = this.#sequence;
    } else this.add('keepalive', '');
    return encoder.encode(this.take());
  }

  errorEvent(error: GatewayError, moment: StreamMoment): Uint8Array {
    if (!moment.started) {
      this.#sequence = this.#ownEvents;
      this.#output = [];
    }
    this.#text = '';
    const failure = streamError(error);
    this.add('error', errorMembers(error, failure));
    this.#addTerminal(moment, {
      end: { status: 'failed', error: failure },
      output: this.#output.filter((item) => item !== undefined),
      usage: 'null',
      tier: DEFAULT_TIER,
    });
    return encoder.encode(this.take());
  }

  #addHead(request: AnsweredRequest): void {
    const content = { end: IN_PROGRESS, output: [], usage: 'null', tier: DEFAULT_TIER };
    const response = `"response":${responseText(request, this.#settings, content)}`;
    this.add('response.created', response);
    this.add('response.in_progress', response);
  }

  #addTerminal(request: AnsweredRequest, content: ResponseContent): void {
    const response = responseText(request, this.#settings, content);
    this.add(`response.${content.end.status}`, `"response":${response}`);
  }
}

/**
 * Whether the caller is Codex, which sends a request up to six times if the answer is `incomplete`.
 */
export const isCodex = (headers: Headers): boolean =>
  [headers.get('originator'), headers.get('user-agent')].some((value) =>
    /^codex/i.test(value ?? ''),
  );

/** The dialect for errors before a stream has begun. It has no state. */
export const responsesDialect: Dialect = {
  name: 'responses',
  errorBody: chatDialect.errorBody,
  errorEvent: (error, moment) => new ResponseStream(NO_SETTINGS, false).errorEvent(error, moment),
  keepAlive: () => comment('ping'),
};
