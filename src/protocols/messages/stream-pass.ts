/**
 * Sends a streamed Messages answer on. Events keep their bytes, except for what would break a
 * client (a missing name, a missing usage) and for what the gateway sets (model, cost).
 */
import { joinBytes } from '../../json/bytes.ts';
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { brokenAnswer } from '../broken-answer.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { encodeEvent, SseReader } from '../sse.ts';
import { usageWithCost } from '../usage-object.ts';
import { reportedError } from './errors.ts';
import {
  type EventReading,
  MESSAGE_SEQUENCE,
  outputBytesOf,
  readEvent,
  repairBlockStart,
  repairMessageStart,
  type StreamEvent,
  streamEvent,
  unterminatedStop,
} from './stream-event.ts';
import { mergeUsage, usageFromMessages } from './usage.ts';

export type MessagesStreamOptions = {
  /** The model's name as the caller knows it, which replaces the upstream's. */
  readonly model: string;
  /** Also limits what is held back after the last `message_delta`. */
  readonly maxEventBytes: number;
};

/**
 * Opens one stream. Before `message_start` nothing is sent: pings and unknown events are dropped,
 * and content is a failure, since clients would lose it. After an error or `message_stop` nothing
 * more is read.
 */
export const openMessagesStream = (options: MessagesStreamOptions): StreamPass =>
  new MessagesStreamPass(options);

const NOTHING = new Uint8Array(0);

class MessagesStreamPass implements StreamPass {
  ended = false;
  started = false;
  readonly #model: string;
  readonly #limits: { readonly maxEventBytes: number };
  readonly #reader: SseReader;
  #begun = false;
  #out: Uint8Array[] = [];
  /** The latest `message_delta`. If it is the last one, it carries the cost. */
  #held: StreamEvent | null = null;
  /** Events after it, held back to keep the order. */
  #heldAfter: Uint8Array[] = [];
  #heldAfterBytes = 0;
  /** The usage of `message_start`, updated by each `message_delta`. */
  #counts: JsonObject = {};
  #usage: Usage | null = null;
  #outputBytes = 0;
  #finishReason: string | null = null;
  #error: ReportedError | null = null;

  constructor({ model, maxEventBytes }: MessagesStreamOptions) {
    this.#model = model;
    this.#limits = { maxEventBytes };
    this.#reader = new SseReader(this.#limits);
  }

  get facts(): AnswerFacts {
    return {
      usage: this.#usage,
      outputBytes: this.#outputBytes,
      finishReason: this.#finishReason,
      error: this.#error,
    };
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#isOver) return NOTHING;
    for (const event of this.#reader.push(chunk)) {
      this.#take(readEvent(event));
      if (this.#isOver) break;
    }
    if (this.#held !== null && !this.#isOver) {
      const stop = unterminatedStop(this.#reader.pending, this.#limits);
      if (stop !== null) this.#stop(stop);
    }
    const out = joinBytes(this.#out);
    this.#out = [];
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  finish(cost: CostFields): Uint8Array {
    const closing: Uint8Array[] = [];
    if (this.#held !== null) {
      const { usage, ...rest } = this.#held.json;
      const priced = usageWithCost(asJsonObject(usage) ?? {}, cost);
      const json = `${JSON.stringify(rest).slice(0, -1)},"usage":${priced}}`;
      closing.push(encodeEvent('message_delta', json));
    }
    return joinBytes([...closing, ...this.#heldAfter]);
  }

  get #isOver(): boolean {
    return this.ended || this.#error !== null;
  }

  #take(event: EventReading): void {
    if (event === 'noise') return;
    if (event === 'unreadable') {
      this.#fail('The upstream sent an event that is not a JSON object.');
    } else if (event.type === 'error') {
      this.#error = reportedError(event.json);
    } else if (this.#begun) {
      this.#inOrder(event);
    } else if (event.type === 'message_start') {
      this.#start(event);
    } else if (MESSAGE_SEQUENCE.has(event.type)) {
      this.#fail(`The upstream sent ${event.type} before message_start.`);
    }
  }

  #start(event: StreamEvent): void {
    const repaired = repairMessageStart(event, this.#model);
    if (repaired === null) {
      this.#fail('The upstream sent a message_start without a message.');
      return;
    }
    this.#begun = true;
    this.#count(asJsonObject(event.json['message'])?.['usage']);
    this.#emit(repaired.bytes);
  }

  #inOrder(event: StreamEvent): void {
    switch (event.type) {
      case 'content_block_delta':
        this.#outputBytes += outputBytesOf(asJsonObject(event.json['delta']) ?? {});
        this.#emit(event.bytes);
        break;
      case 'content_block_start':
        this.#outputBytes += outputBytesOf(asJsonObject(event.json['content_block']) ?? {});
        this.#emit(repairBlockStart(event).bytes);
        break;
      case 'message_delta':
        this.#hold(event);
        break;
      case 'message_stop':
        this.#stop(event);
        break;
      case 'message_start':
        this.#fail('The upstream started its message twice.');
        break;
      case 'ping':
        // A ping must not wait for the closing events, and can be dropped.
        if (this.#held === null) this.#emit(event.bytes);
        break;
      default:
        // The protocol gains events without notice, and the caller may know this one.
        this.#emit(event.bytes);
    }
  }

  #hold(event: StreamEvent): void {
    this.#release();
    const usage = asJsonObject(event.json['usage']);
    this.#count(usage);
    const reason = asString(asJsonObject(event.json['delta'])?.['stop_reason']);
    this.#finishReason = reason ?? this.#finishReason;
    if (typeof usage?.['output_tokens'] === 'number') {
      // Kept beyond this push, so it must not be a view of the chunk.
      this.#held = { ...event, bytes: event.bytes.slice() };
      return;
    }
    const output_tokens = this.#counts['output_tokens'] ?? 0;
    this.#held = streamEvent(event.type, { ...event.json, usage: { ...usage, output_tokens } });
  }

  /** The held delta was not the last one: sends it and the events after it. */
  #release(): void {
    if (this.#held === null) return;
    this.#out.push(this.#held.bytes, ...this.#heldAfter);
    this.#held = null;
    this.#heldAfter = [];
    this.#heldAfterBytes = 0;
  }

  #stop(event: StreamEvent): void {
    if (this.#held === null || this.#finishReason === null) {
      // A truncated answer must not be reported as complete.
      this.#fail('The upstream ended its message without a stop reason.');
      return;
    }
    this.#heldAfter.push(event.bytes.slice());
    this.ended = true;
  }

  #emit(bytes: Uint8Array): void {
    if (this.#held === null) {
      this.#out.push(bytes);
      return;
    }
    this.#heldAfter.push(bytes.slice());
    this.#heldAfterBytes += bytes.byteLength;
    if (this.#heldAfterBytes > this.#limits.maxEventBytes) {
      this.#fail('The upstream sent too much after its message_delta.');
    }
  }

  #count(usage: unknown): void {
    this.#counts = mergeUsage(this.#counts, usage);
    this.#usage = usageFromMessages(this.#counts);
  }

  #fail(message: string): void {
    this.#error = brokenAnswer(message);
  }
}
