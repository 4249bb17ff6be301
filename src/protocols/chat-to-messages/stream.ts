/** Translates a streamed Messages answer to chat chunks. The rules are in `step.ts`. */
import type { CostFields, StreamPass } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import { reportedError } from '../messages/errors.ts';
import { outputBytesIn, unterminatedStops } from '../messages/stream-event.ts';
import { billedUsage, type MessagesReport, messagesReport, NO_REPORT } from '../messages/usage.ts';
import type { SseEvent } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import { type EventReading, readEvent, type UnterminatedEvents } from '../typed-event.ts';
import { finishReason } from './answer-fields.ts';
import { type AnswerWriter, ChunkWriter } from './chunk-writer.ts';
import { type StreamState, startState, step } from './step.ts';

/**
 * Opens a stream pass, which translates a Messages stream from the upstream to chat chunks.
 * `isLegacy` means that the chunks use `function_call`, which can contain only one call.
 */
export const openMessagesAsChat = (context: StreamContext, isLegacy: boolean): StreamPass =>
  new MessagesAsChatPass(context, isLegacy, new ChunkWriter(context, isLegacy));

/**
 * Opens a stream pass that translates a Messages stream for a caller of another protocol than chat.
 * `writer` writes the parts of the answer in that protocol.
 */
export const openMessagesAs = (context: StreamContext, writer: AnswerWriter): StreamPass =>
  new MessagesAsChatPass(context, false, writer);

const encoder = new TextEncoder();
/** Maximum bytes of a UTF-16 unit in JSON: the escape `\uXXXX` has six bytes. */
const MAX_UNIT_BYTES = 6;

class MessagesAsChatPass extends EventPass {
  protected outputBytes = 0;
  readonly #context: StreamContext;
  readonly #isLegacy: boolean;
  readonly #writer: AnswerWriter;
  #state: StreamState;
  readonly #stops: UnterminatedEvents;
  #report: MessagesReport = NO_REPORT;
  #out = '';

  constructor(context: StreamContext, isLegacy: boolean, writer: AnswerWriter) {
    super(context);
    this.#context = context;
    this.#isLegacy = isLegacy;
    this.#state = startState(Math.floor(context.maxEventBytes / MAX_UNIT_BYTES));
    this.#writer = writer;
    this.#stops = unterminatedStops(context);
  }

  protected get finishReason(): string | null {
    const { stopReason, calls } = this.#state;
    return stopReason === null ? null : finishReason(stopReason, calls > 0, this.#isLegacy);
  }

  finish(cost: CostFields): Uint8Array {
    const { usage, served } = this.#report;
    const counted = { usage: cost.estimated ?? usage, served, counts: this.#state.counts };
    return encoder.encode(this.#writer.closing(counted, cost));
  }

  protected takePending(pending: Uint8Array): void {
    if (this.#state.stopReason === null) return;
    const stop = this.#stops.find(pending);
    if (stop !== null) this.#read(stop);
  }

  protected override drain(): Uint8Array {
    const out = encoder.encode(this.#out);
    this.#out = '';
    return out;
  }

  protected take(event: SseEvent): void {
    this.#read(readEvent(event));
  }

  #read(event: EventReading): void {
    if (event === 'noise') return;
    if (event === 'unreadable') {
      this.fail('The upstream sent an event that is not a JSON object.');
      return;
    }
    if (event.type === 'error') {
      this.error = reportedError(event.json);
      return;
    }
    const { counts, stopReason } = this.#state;
    const [state, chunks] = step(this.#state, event);
    this.#state = state;
    if (state.counts !== counts || state.stopReason !== stopReason) this.#readUsage();
    this.outputCounted = state.outputCounted;
    if (state.fault !== null) {
      this.fail(state.fault);
      return;
    }
    if (state.phase === 'over') this.ended = true;
    this.outputBytes += outputBytesIn(event);
    for (const each of chunks) this.#out += this.#writer.chunk(each);
    if (this.#writer.fault !== null) this.fail(this.#writer.fault);
  }

  #readUsage(): void {
    const { message, counts, stopReason, outputCounted } = this.#state;
    const report = messagesReport(message, counts, this.#context.quirks);
    this.#report = report;
    this.usage = billedUsage(report, stopReason, this.outputBytes, outputCounted);
    this.served = report.served;
  }
}
