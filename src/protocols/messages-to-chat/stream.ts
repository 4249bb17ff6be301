/** A streamed chat completion as Messages events: bytes in, bytes out, around the pure step. */
import { asFilledString, asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { brokenAnswer } from '../broken-answer.ts';
import { isPendingEndMark } from '../chat/chunk.ts';
import { reportedError } from '../chat/errors.ts';
import { usageFromChat } from '../chat/usage.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { type SseEvent, SseReader } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { messagesUsage, type StopReason, stopReason } from './answer-fields.ts';
import { EventWriter } from './event-writer.ts';
import { firstChoice, outputBytesOf, readModelOutput } from './model-output.ts';
import type { AnswerOptions } from './request.ts';
import { endStep, type Piece, START, type StreamRules, type StreamState, step } from './step.ts';

/**
 * Opens one stream. `ended` requires the end mark and a finish reason, so that a truncated answer
 * is never reported as complete. After that, or after an error, nothing more is read.
 */
export const openChatAsMessages = (
  context: StreamContext,
  answerOptions: AnswerOptions,
): StreamPass => new ChatAsMessagesPass(context, answerOptions);

const NOTHING = new Uint8Array(0);
const decoder = new TextDecoder();
const encoder = new TextEncoder();
const NO_PIECES: readonly Piece[] = [];

class ChatAsMessagesPass implements StreamPass {
  ended = false;
  started = false;
  readonly #context: StreamContext;
  readonly #reader: SseReader;
  readonly #writer: EventWriter;
  readonly #rules: StreamRules;
  #state: StreamState = START;
  #outputBytes = 0;
  #rawUsage: JsonObject = {};
  #usage: Usage | null = null;
  #error: ReportedError | null = null;

  constructor(context: StreamContext, answerOptions: AnswerOptions) {
    this.#context = context;
    this.#reader = new SseReader(context);
    this.#writer = new EventWriter(context, answerOptions);
    this.#rules = {
      requestId: context.requestId,
      thinking: thinkingRule(context, answerOptions),
      maxHeldUnits: Math.floor(context.maxEventBytes / BYTES_PER_UNIT),
    };
  }

  get facts(): AnswerFacts {
    return {
      usage: this.#usage,
      outputBytes: this.#outputBytes,
      finishReason: this.#stopReason,
      error: this.#error,
    };
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#isOver) return NOTHING;
    let out = '';
    for (const event of this.#reader.push(chunk)) {
      out += this.#write(this.#take(event));
      if (this.#isOver) break;
    }
    // Some upstreams close without the blank line after their end mark.
    if (!this.#isOver && isPendingEndMark(this.#reader.pending)) out += this.#write(this.#end());
    if (out === '') return NOTHING;
    this.started = true;
    return encoder.encode(out);
  }

  finish(cost: CostFields): Uint8Array {
    const usage = messagesUsage(this.#usage, this.#rawUsage, {
      inputTokens: this.#context.estimatedInput,
      outputBytes: this.#outputBytes,
    });
    const reason = this.#stopReason ?? 'end_turn';
    return encoder.encode(this.#writer.closing(reason, usageWithCost(usage, cost)));
  }

  get #isOver(): boolean {
    return this.ended || this.#error !== null;
  }

  get #stopReason(): StopReason | null {
    const { finishReason, calls, isRefused } = this.#state;
    if (finishReason === null) return null;
    return stopReason(finishReason, { hasCalls: calls.length > 0, isRefused });
  }

  #take(event: SseEvent): readonly Piece[] {
    const text = decoder.decode(event.data);
    if (text.trim() === '[DONE]') return this.#end();
    const json = parsedObject(text);
    if (json === null) return this.#fail('The upstream sent a chunk that is not a JSON object.');
    this.#error = reportedError(json, event.name);
    if (this.#error !== null) return NO_PIECES;
    this.#count(asJsonObject(json['usage']));
    const choice = firstChoice(json['choices']);
    if (choice === null) return NO_PIECES;
    const delta = asJsonObject(choice['delta']) ?? {};
    const output = readModelOutput(delta, this.#context.quirks.reasoningFields);
    this.#outputBytes += outputBytesOf(output);
    const finishReason = asFilledString(choice['finish_reason']);
    const [state, pieces] = step(this.#state, { output, finishReason }, this.#rules);
    this.#state = state;
    return state.fault === null ? pieces : this.#fail(state.fault);
  }

  /** Usage is cumulative: a later report replaces an earlier one. Implausible ones are ignored. */
  #count(usage: JsonObject | null): void {
    if (usage === null) return;
    const counted = usageFromChat(usage, this.#context.quirks);
    if (counted === null) return;
    this.#usage = counted;
    this.#rawUsage = usage;
  }

  #end(): readonly Piece[] {
    const [state, pieces] = endStep(this.#state, this.#rules);
    this.#state = state;
    if (state.fault !== null) return this.#fail(state.fault);
    if (this.#stopReason === null) {
      return this.#fail(`The upstream stopped with "${state.finishReason}".`);
    }
    this.ended = true;
    return pieces;
  }

  #write(pieces: readonly Piece[]): string {
    let out = '';
    for (const piece of pieces) out += this.#writer.event(piece);
    return out;
  }

  #fail(message: string): readonly Piece[] {
    this.#error = brokenAnswer(message);
    return NO_PIECES;
  }
}

/** Memory of a UTF-16 unit. */
const BYTES_PER_UNIT = 2;

/** Hidden thinking travels in the signature only if the upstream wants it back. */
function thinkingRule(
  { quirks }: StreamContext,
  answerOptions: AnswerOptions,
): StreamRules['thinking'] {
  if (!answerOptions.hidesThinking) return 'shown';
  return quirks.reasoningBack === null ? 'hidden' : 'sealed';
}
