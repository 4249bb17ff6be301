/**
 * Translates a streamed chat completion into Messages events. The translation rules are in
 * `step.ts`.
 */
import { asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { outputBytesOf, readModelOutput } from '../chat/model-output.ts';
import { ChatEventPass } from '../chat-event-pass.ts';
import type { CostFields, StreamPass } from '../dialect.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { messagesUsage, type StopReason, stopReason, thinkingRule } from './answer-fields.ts';
import { EventWriter } from './event-writer.ts';
import type { AnswerOptions } from './request.ts';
import { endStep, type Piece, START, type StreamRules, type StreamState, step } from './step.ts';

export const openChatAsMessages = (
  context: StreamContext,
  answerOptions: AnswerOptions,
): StreamPass => new ChatAsMessagesPass(context, answerOptions);

const encoder = new TextEncoder();

class ChatAsMessagesPass extends ChatEventPass {
  protected outputBytes = 0;
  readonly #writer: EventWriter;
  readonly #rules: StreamRules;
  #state: StreamState = START;
  #out = '';

  constructor(context: StreamContext, answerOptions: AnswerOptions) {
    super(context);
    this.#writer = new EventWriter(context, answerOptions);
    this.#rules = {
      requestId: context.requestId,
      thinking: thinkingRule(context.quirks, answerOptions.thinking),
      eagerTools: answerOptions.eagerTools,
      maxHeldUnits: Math.floor(context.maxEventBytes / BYTES_PER_UNIT),
    };
  }

  protected get finishReason(): StopReason | null {
    const { finishReason, calls, isRefused } = this.#state;
    if (finishReason === null) return null;
    return stopReason(finishReason, { hasCalls: calls.length > 0, isRefused });
  }

  finish(cost: CostFields): Uint8Array {
    const usage = messagesUsage(cost.estimated ?? this.usage);
    const reason = this.finishReason ?? 'end_turn';
    return encoder.encode(this.#writer.closing(reason, usageWithCost(usage, cost)));
  }

  protected override drain(): Uint8Array {
    const out = encoder.encode(this.#out);
    this.#out = '';
    return out;
  }

  protected takeChoice(choice: JsonObject): void {
    const delta = asJsonObject(choice['delta']) ?? {};
    const output = readModelOutput(delta, this.context.quirks.reasoningFields);
    this.outputBytes += outputBytesOf(output);
    const finishReason = asFilledString(choice['finish_reason']);
    this.#advance(step(this.#state, { output, finishReason }, this.#rules));
  }

  protected takeEnd(): void {
    const held = this.#out;
    this.#advance(endStep(this.#state, this.#rules));
    if (this.error !== null) return;
    if (this.finishReason === null) {
      this.#out = held;
      this.fail(`The upstream ended with the finish reason "${this.#state.finishReason}".`);
      return;
    }
    this.ended = true;
  }

  #advance([state, pieces]: readonly [StreamState, readonly Piece[]]): void {
    this.#state = state;
    if (state.fault !== null) this.fail(state.fault);
    else for (const piece of pieces) this.#out += this.#writer.event(piece);
  }
}

/** Bytes of memory per UTF-16 code unit. */
const BYTES_PER_UNIT = 2;
