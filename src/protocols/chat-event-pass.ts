/** Reads a streamed chat completion. Subclasses translate it to another dialect. */
import { asJsonObject, type JsonObject, parsedObject } from '../json/object.ts';
import { isPendingEndMark } from './chat/chunk.ts';
import { reportedError } from './chat/errors.ts';
import { firstChoice } from './chat/model-output.ts';
import { servedFromChat, usageFromChat } from './chat/usage.ts';
import { EventPass } from './event-pass.ts';
import type { SseEvent } from './sse.ts';
import type { StreamContext } from './translator.ts';

const decoder = new TextDecoder();

export abstract class ChatEventPass extends EventPass {
  protected readonly context: StreamContext;

  constructor(context: StreamContext) {
    super(context);
    this.context = context;
  }

  /** Translates the first choice of a chunk. */
  protected abstract takeChoice(choice: JsonObject): void;

  /** Translates the end mark, `[DONE]`. */
  protected abstract takeEnd(): void;

  protected takePending(pending: Uint8Array): void {
    if (isPendingEndMark(pending)) this.takeEnd();
  }

  protected take(event: SseEvent): void {
    const text = decoder.decode(event.data);
    if (text.trim() === '[DONE]') {
      this.takeEnd();
      return;
    }
    const json = parsedObject(text);
    if (json === null) {
      this.fail('The upstream sent a chunk that is not a JSON object.');
      return;
    }
    this.error = reportedError(json, event.name);
    if (this.error !== null) return;
    const { quirks } = this.context;
    this.served = servedFromChat(json, quirks, this.served);
    // Usage is cumulative, so a later report replaces earlier ones, unless it is implausible.
    const usage = asJsonObject(json['usage']);
    if (usage !== null) this.usage = usageFromChat(usage, quirks) ?? this.usage;
    const choice = firstChoice(json['choices']);
    if (choice !== null) this.takeChoice(choice);
  }
}
