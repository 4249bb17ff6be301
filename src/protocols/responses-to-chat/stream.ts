/**
 * Translates a streamed chat completion into Responses events. The translation rules are in
 * `output-writer.ts`.
 */
import { asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { ChatEventPass } from '../chat-event-pass.ts';
import type { CostFields, StreamPass } from '../dialect.ts';
import type { ResponseEnd } from '../responses/response-object.ts';
import { ResponseStream } from '../responses/response-stream.ts';
import { responsesUsage } from '../responses/usage.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { type AnsweredOptions, endOf, openItemStatus, servedTier } from './answer-fields.ts';
import { writeChatPart } from './chat-part.ts';
import { OutputWriter } from './output-writer.ts';

export const openChatAsResponses = (context: StreamContext, options: AnsweredOptions): StreamPass =>
  new ChatAsResponsesPass(context, options);

const encoder = new TextEncoder();

class ChatAsResponsesPass extends ChatEventPass {
  protected outputBytes = 0;
  protected finishReason: string | null = null;
  readonly #stream: ResponseStream;
  readonly #writer: OutputWriter;
  #hasBegun = false;
  #end: ResponseEnd | null = null;

  constructor(context: StreamContext, options: AnsweredOptions) {
    super(context);
    this.#stream = context.response ?? new ResponseStream(options.settings, false);
    const maxUnits = context.maxEventBytes;
    this.#writer = new OutputWriter(this.#stream, { ...options, ...context, maxUnits });
  }

  finish(cost: CostFields): Uint8Array {
    const counts = responsesUsage(cost.estimated ?? this.usage ?? NO_USAGE);
    const { output, refusal } = this.#writer;
    const content = {
      end: this.#end ?? { status: 'completed' },
      output,
      usage: usageWithCost(counts, cost),
      tier: servedTier(this.served.tier),
    } as const;
    return encoder.encode(this.#stream.closing(this.context, content, refusal));
  }

  protected override drain(): Uint8Array {
    return encoder.encode(this.#stream.take());
  }

  protected takeChoice(choice: JsonObject): void {
    this.#begin();
    const delta = asJsonObject(choice['delta']) ?? {};
    const { quirks } = this.context;
    this.outputBytes += writeChatPart(this.#writer, delta, choice['logprobs'] ?? null, quirks);
    // Some servers send "stop" in every chunk, even if another finish reason follows. Therefore the
    // last finish reason counts.
    this.finishReason = asFilledString(choice['finish_reason']) ?? this.finishReason;
    this.#checkFault();
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#stream.begin(this.context);
  }

  protected takeEnd(): void {
    if (this.finishReason === null) {
      // A truncated answer must not be reported as complete.
      this.fail('The upstream ended its answer without a finish reason.');
      return;
    }
    const end = endOf(this.finishReason);
    if (end === null) {
      this.fail(`The upstream ended with the finish reason "${this.finishReason}".`);
      return;
    }
    this.#end = end;
    this.#writer.end(openItemStatus(end));
    this.#checkFault();
    this.ended = this.error === null;
  }

  #checkFault(): void {
    if (this.#writer.fault !== null) this.fail(this.#writer.fault);
  }
}
