/** Forwards a streamed Messages answer, with repairs, the caller's model name and the cost. */
import { joinBytes } from '../../json/bytes.ts';
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { CostFields, StreamPass } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import { encodeEvent, type SseEvent } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import {
  DeltaTemplates,
  readEvent,
  type TypedEvent,
  typedEvent,
  type UnterminatedEvents,
} from '../typed-event.ts';
import { usageWithCost, withoutCost } from '../usage-object.ts';
import { reportedError } from './errors.ts';
import {
  MESSAGE_SEQUENCE,
  outputBytesIn,
  repairBlockStart,
  repairMessageStart,
  unterminatedStops,
} from './stream-event.ts';
import {
  billedUsage,
  estimatedCounts,
  hasOutputCount,
  mergeUsage,
  messagesReport,
} from './usage.ts';

type Options = Pick<StreamContext, 'model' | 'maxEventBytes' | 'quirks'>;

/**
 * Opens a stream pass, which rewrites one stream chunk by chunk. Before `message_start`, a content
 * event is an error, and other events are dropped.
 */
export const openMessagesStream = (options: Options): StreamPass => new MessagesStreamPass(options);

class MessagesStreamPass extends EventPass {
  protected outputBytes = 0;
  protected finishReason: string | null = null;
  protected override outputCounted = false;
  readonly #options: Options;
  #begun = false;
  readonly #deltas = new DeltaTemplates('messages');
  readonly #stops: UnterminatedEvents;
  /** The latest `message_delta`, held back because the last one must have the cost. */
  #held: TypedEvent | null = null;
  /**
   * Events that arrived after the held `message_delta`. They are held back too, to keep the order.
   */
  #heldAfter: Uint8Array[] = [];
  #heldAfterBytes = 0;
  /** The message of `message_start`. */
  #message: JsonObject = {};
  /** The usage of `message_start`, updated by each `message_delta`. */
  #counts: JsonObject = {};

  constructor(options: Options) {
    super(options);
    this.#options = options;
    this.#stops = unterminatedStops(options);
  }

  finish(cost: CostFields): Uint8Array {
    const closing: Uint8Array[] = [];
    if (this.#held !== null) {
      const { usage, ...rest } = this.#held.json;
      const counts =
        cost.estimated === null ? asJsonObject(usage) : estimatedCounts(cost.estimated);
      const priced = usageWithCost(counts ?? {}, cost);
      const json = `${JSON.stringify(rest).slice(0, -1)},"usage":${priced}}`;
      closing.push(encodeEvent('message_delta', json));
    }
    return joinBytes([...closing, ...this.#heldAfter]);
  }

  protected takePending(pending: Uint8Array): void {
    if (this.#held === null) return;
    const stop = this.#stops.find(pending);
    if (stop !== null) this.#stop(stop);
  }

  protected take(raw: SseEvent): void {
    if (this.#passDelta(raw)) return;
    const event = readEvent(raw);
    if (event === 'noise') return;
    if (event === 'unreadable') {
      this.fail('The upstream sent an event that is not a JSON object.');
    } else if (event.type === 'error') {
      this.error = reportedError(event.json);
    } else if (this.#begun) {
      this.#inOrder(event, raw);
    } else if (event.type === 'message_start') {
      this.#start(event);
    } else if (MESSAGE_SEQUENCE.has(event.type)) {
      this.fail(`The upstream sent ${event.type} before message_start.`);
    }
  }

  #start(event: TypedEvent): void {
    const { model, quirks } = this.#options;
    const repaired = repairMessageStart(event, model, quirks.reportedCost);
    if (repaired === null) {
      this.fail('The upstream sent a message_start without a message.');
      return;
    }
    this.#begun = true;
    this.#message = asJsonObject(event.json['message']) ?? {};
    this.#count(this.#message['usage']);
    this.#emit(repaired.bytes);
  }

  #passDelta(raw: SseEvent): boolean {
    const known = this.#deltas.recognize(raw);
    if (known === null) return false;
    this.outputBytes += known.outputBytes;
    this.#emit(raw.raw);
    return true;
  }

  #countDelta(event: TypedEvent, raw: SseEvent): void {
    const outputBytes = outputBytesIn(event);
    this.outputBytes += outputBytes;
    this.#deltas.learn(event, raw, outputBytes);
  }

  #inOrder(event: TypedEvent, raw: SseEvent): void {
    switch (event.type) {
      case 'content_block_delta':
        this.#countDelta(event, raw);
        this.#emit(event.bytes);
        break;
      case 'content_block_start':
        this.outputBytes += outputBytesIn(event);
        this.#emit(repairBlockStart(event).bytes);
        break;
      case 'message_delta':
        this.#hold(event);
        break;
      case 'message_stop':
        this.#stop(event);
        break;
      case 'message_start':
        this.fail('The upstream started its message twice.');
        break;
      case 'ping':
        // A ping is useful only if it is sent immediately. While a `message_delta` is held back, a
        // ping would be delayed, so it is dropped.
        if (this.#held === null) this.#emit(event.bytes);
        break;
      default:
        // An unknown event is forwarded, because the protocol gains new events, and the caller may
        // know this event.
        this.#emit(event.bytes);
    }
  }

  #hold(event: TypedEvent): void {
    this.#release();
    const usage = asJsonObject(event.json['usage']);
    const reason = asString(asJsonObject(event.json['delta'])?.['stop_reason']);
    this.finishReason = reason ?? this.finishReason;
    this.outputCounted ||= hasOutputCount(usage);
    this.#count(usage);
    const counts = withoutCost(usage ?? {}, this.#options.quirks.reportedCost);
    if (typeof usage?.['output_tokens'] === 'number' && counts === usage) {
      // Copies the bytes, because the event is still needed after this call of `push`, and its
      // bytes may share the chunk's memory.
      this.#held = { ...event, bytes: event.bytes.slice() };
      return;
    }
    const output_tokens = this.#counts['output_tokens'] ?? 0;
    this.#held = typedEvent(event.type, { ...event.json, usage: { ...counts, output_tokens } });
  }

  /** Sends the held `message_delta`, since it is not the last one, and the events after it. */
  #release(): void {
    if (this.#held === null) return;
    this.pieces.push(this.#held.bytes, ...this.#heldAfter);
    this.#held = null;
    this.#heldAfter = [];
    this.#heldAfterBytes = 0;
  }

  #stop(event: TypedEvent): void {
    if (this.#held === null || this.finishReason === null) {
      // A truncated answer must not be reported as complete.
      this.fail('The upstream ended its message without a stop reason.');
      return;
    }
    this.#heldAfter.push(event.bytes.slice());
    this.ended = true;
  }

  #emit(bytes: Uint8Array): void {
    if (this.#held === null) {
      this.pieces.push(bytes);
      return;
    }
    this.#heldAfter.push(bytes.slice());
    this.#heldAfterBytes += bytes.byteLength;
    if (this.#heldAfterBytes > this.#options.maxEventBytes) {
      this.fail('The upstream sent more data after its message_delta than the gateway can buffer.');
    }
  }

  #count(usage: unknown): void {
    this.#counts = mergeUsage(this.#counts, usage);
    const report = messagesReport(this.#message, this.#counts, this.#options.quirks);
    const { finishReason, outputBytes, outputCounted } = this;
    this.usage = billedUsage(report, finishReason, outputBytes, outputCounted);
    this.served = report.served;
  }
}
