/** Translates a streamed chat completion into Messages events. `step.ts` has the rules. */
import { asFilledString, asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import { isPendingEndMark } from '../chat/chunk.ts';
import { reportedError } from '../chat/errors.ts';
import { firstChoice, outputBytesOf, readModelOutput } from '../chat/model-output.ts';
import { servedFromChat, usageFromChat } from '../chat/usage.ts';
import type { CostFields, StreamPass } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import type { SseEvent } from '../sse.ts';
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

const decoder = new TextDecoder();
const encoder = new TextEncoder();

class ChatAsMessagesPass extends EventPass {
  protected outputBytes = 0;
  readonly #context: StreamContext;
  readonly #writer: EventWriter;
  readonly #rules: StreamRules;
  #state: StreamState = START;
  #out = '';

  constructor(context: StreamContext, answerOptions: AnswerOptions) {
    super(context);
    this.#context = context;
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

  protected takePending(pending: Uint8Array): void {
    if (isPendingEndMark(pending)) this.#end();
  }

  protected drain(): Uint8Array {
    const out = encoder.encode(this.#out);
    this.#out = '';
    return out;
  }

  protected take(event: SseEvent): void {
    const text = decoder.decode(event.data);
    if (text.trim() === '[DONE]') {
      this.#end();
      return;
    }
    const json = parsedObject(text);
    if (json === null) {
      this.fail('The upstream sent a chunk that is not a JSON object.');
      return;
    }
    this.error = reportedError(json, event.name);
    if (this.error !== null) return;
    this.served = servedFromChat(json, this.#context.quirks, this.served);
    this.#count(asJsonObject(json['usage']));
    const choice = firstChoice(json['choices']);
    if (choice === null) return;
    const delta = asJsonObject(choice['delta']) ?? {};
    const output = readModelOutput(delta, this.#context.quirks.reasoningFields);
    this.outputBytes += outputBytesOf(output);
    const finishReason = asFilledString(choice['finish_reason']);
    this.#advance(step(this.#state, { output, finishReason }, this.#rules));
  }

  /** Counts cumulative usage: a later report replaces earlier ones, unless it is implausible. */
  #count(usage: JsonObject | null): void {
    if (usage === null) return;
    this.usage = usageFromChat(usage, this.#context.quirks) ?? this.usage;
  }

  #end(): void {
    const held = this.#out;
    this.#advance(endStep(this.#state, this.#rules));
    if (this.error !== null) return;
    if (this.finishReason === null) {
      this.#out = held;
      this.fail(`The upstream stopped with "${this.#state.finishReason}".`);
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

/** Bytes of memory that a UTF-16 unit takes. */
const BYTES_PER_UNIT = 2;
