/** A streamed Messages answer as chat chunks: bytes in, bytes out, around the pure step. */
import { asJsonObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { brokenAnswer } from '../broken-answer.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { reportedError } from '../messages/errors.ts';
import {
  type EventReading,
  outputBytesOf,
  readEvent,
  type StreamEvent,
  unterminatedStop,
} from '../messages/stream-event.ts';
import { usageFromMessages } from '../messages/usage.ts';
import { SseReader } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { chatUsage, finishReason } from './answer-fields.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { type StreamState, startState, step } from './step.ts';

/**
 * Opens one stream. `ended` requires `message_stop` and a stop reason, so that a truncated answer
 * is never reported as complete. After that, or after an error, nothing more is read.
 * @param isLegacy whether to answer with `function_call`, which holds only one call.
 */
export const openMessagesAsChat = (context: StreamContext, isLegacy: boolean): StreamPass =>
  new MessagesAsChatPass(context, isLegacy);

const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

class MessagesAsChatPass implements StreamPass {
  ended = false;
  started = false;
  readonly #context: StreamContext;
  readonly #isLegacy: boolean;
  readonly #reader: SseReader;
  readonly #writer: ChunkWriter;
  #state: StreamState;
  #outputBytes = 0;
  #usage: Usage | null = null;
  #error: ReportedError | null = null;

  constructor(context: StreamContext, isLegacy: boolean) {
    this.#context = context;
    this.#isLegacy = isLegacy;
    this.#reader = new SseReader(context);
    this.#state = startState(Math.floor(context.maxEventBytes / MAX_UNIT_BYTES));
    this.#writer = new ChunkWriter(context, isLegacy);
  }

  get facts(): AnswerFacts {
    const { stopReason, calls } = this.#state;
    return {
      usage: this.#usage,
      outputBytes: this.#outputBytes,
      finishReason:
        stopReason === null ? null : finishReason(stopReason, calls > 0, this.#isLegacy),
      error: this.#error,
    };
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#isOver) return NOTHING;
    let out = '';
    for (const event of this.#reader.push(chunk)) {
      out += this.#take(readEvent(event));
      if (this.#isOver) break;
    }
    if (this.#state.stopReason !== null && !this.#isOver) {
      const stop = unterminatedStop(this.#reader.pending, this.#context);
      if (stop !== null) out += this.#take(stop);
    }
    if (out === '') return NOTHING;
    this.started = true;
    return encoder.encode(out);
  }

  finish(cost: CostFields): Uint8Array {
    const usage = chatUsage(this.#usage, this.#state.counts);
    return encoder.encode(this.#writer.closing(usageWithCost(usage, cost)));
  }

  get #isOver(): boolean {
    return this.ended || this.#error !== null;
  }

  #take(event: EventReading): string {
    if (event === 'noise') return '';
    if (event === 'unreadable')
      return this.#fail('The upstream sent an event that is not a JSON object.');
    if (event.type === 'error') {
      this.#error = reportedError(event.json);
      return '';
    }
    const { counts } = this.#state;
    const [state, chunks] = step(this.#state, event);
    this.#state = state;
    if (state.counts !== counts) this.#usage = usageFromMessages(state.counts);
    if (state.fault !== null) return this.#fail(state.fault);
    if (state.phase === 'over') this.ended = true;
    this.#outputBytes += bytesIn(event);
    let out = '';
    for (const each of chunks) out += this.#writer.chunk(each);
    return out;
  }

  #fail(message: string): '' {
    this.#error = brokenAnswer(message);
    return '';
  }
}

/** Most bytes of a UTF-16 unit in JSON, as an escape. */
const MAX_UNIT_BYTES = 6;

/** Bytes of all output, including blocks that chat leaves out: they are charged alike. */
function bytesIn({ type, json }: StreamEvent): number {
  if (type === 'content_block_delta') return outputBytesOf(asJsonObject(json['delta']) ?? {});
  if (type === 'content_block_start')
    return outputBytesOf(asJsonObject(json['content_block']) ?? {});
  return 0;
}
