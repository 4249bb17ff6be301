/**
 * Forwards a streamed chat completion. The bytes of chunks are kept, except for the model's name,
 * the usage with the cost, and values that would break a client. A chunk that differs from an
 * earlier one only in the model's output need not be parsed, because a template that was made from
 * the earlier chunk can rewrite it.
 */
import { ByteWriter, joinBytes } from '../../json/bytes.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import { type CostFields, derivedId, type StreamPass } from '../dialect.ts';
import { EventPass } from '../event-pass.ts';
import { encodeEvent, type SseEvent } from '../sse.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { isForeignTier } from './answer-fields.ts';
import { ChoiceTracker } from './choice-tracker.ts';
import {
  type ChunkHead,
  dataEvent,
  editedChunk,
  headIn,
  isPendingEndMark,
  oneLine,
} from './chunk.ts';
import { ChunkTemplates } from './chunk-template.ts';
import { reportedError } from './errors.ts';
import { correctedCounts, estimatedCounts, servedFromChat, usageFromChat } from './usage.ts';

type Options = Pick<
  StreamContext,
  'requestId' | 'createdSeconds' | 'model' | 'includeUsage' | 'maxEventBytes' | 'quirks'
>;

/**
 * Opens a stream pass, which rewrites the upstream's stream for the caller. Its `ended` becomes
 * true only if every choice has a finish reason.
 */
export const openChatStream = (options: Options): StreamPass => new ChatStreamPass(options);

const DONE = encodeEvent(null, '[DONE]');
const decoder = new TextDecoder();

class ChatStreamPass extends EventPass {
  readonly #options: Options;
  readonly #templates = new ChunkTemplates('chat');
  readonly #choices: ChoiceTracker;
  readonly #out = new ByteWriter();
  /**
   * Members of an upstream's chunk, such as the id. They are copied into the usage chunk for the
   * caller.
   */
  #envelope: JsonObject | null = null;
  #head: ChunkHead;
  #rawUsage: JsonObject | null = null;

  constructor(options: Options) {
    super(options);
    this.#options = options;
    const { requestId, createdSeconds } = options;
    this.#choices = new ChoiceTracker(requestId);
    const id = derivedId('chatcmpl-', requestId);
    this.#head = { id, object: 'chat.completion.chunk', created: createdSeconds };
  }

  protected get outputBytes(): number {
    return this.#choices.outputBytes;
  }

  protected get finishReason(): string | null {
    return this.#choices.finishReason;
  }

  override push(chunk: Uint8Array): Uint8Array {
    this.#out.reserve(chunk.byteLength);
    return super.push(chunk);
  }

  finish(cost: CostFields): Uint8Array {
    if (!this.#options.includeUsage) return DONE;
    const head = JSON.stringify({ ...this.#envelope, model: this.#options.model, choices: [] });
    const { reportedCost } = this.#options.quirks;
    const usage = usageWithCost(this.#countsFor(cost), cost, reportedCost);
    return joinBytes([encodeEvent(null, `${head.slice(0, -1)},"usage":${usage}}`), DONE]);
  }

  #countsFor({ estimated }: CostFields): JsonObject {
    if (estimated !== null) return estimatedCounts(estimated);
    const counts = this.#rawUsage ?? {};
    return { ...counts, ...correctedCounts(counts, this.usage) };
  }

  protected takePending(pending: Uint8Array): void {
    if (isPendingEndMark(pending)) this.#endMark();
  }

  protected override drain(): Uint8Array {
    return this.#out.take();
  }

  protected take(event: SseEvent): void {
    const known = this.#templates.recognize(event.parts);
    if (known === null) {
      this.#read(event);
    } else {
      this.#choices.outputBytes += known.outputBytes;
      if (known.isUnchanged) this.#pass(event);
      else known.writeTo(this.#out);
    }
  }

  #read(event: SseEvent): void {
    const text = decoder.decode(event.data);
    if (text.trim() === '[DONE]') {
      this.#endMark();
      return;
    }
    const json = parsedObject(text);
    if (json === null) {
      this.fail('The upstream sent a chunk that is not a JSON object.');
      return;
    }
    this.error = reportedError(json, event.name);
    if (this.error !== null) return;
    this.served = servedFromChat(json, this.#options.quirks, this.served);
    this.#passChunk(event, json);
  }

  #passChunk(event: SseEvent, json: JsonObject): void {
    const usage = asJsonObject(json['usage']);
    if (usage !== null) this.#countUsage(usage, json);
    const { choices } = json;
    // Drops chunks without choices, because clients read `choices[0]` without a check. The usage in
    // such a chunk is not lost, because the gateway sends it at the end.
    if (!Array.isArray(choices) || choices.length === 0) return;
    if (this.#envelope === null) this.#open(json);
    const { changes, begunCalls, outputBytes } = this.#choices;
    const repaired = this.#choices.repair(choices);
    if (this.#choices.begunCalls !== begunCalls) this.#templates.forget();
    const { failedFinish } = this.#choices;
    if (failedFinish !== null) {
      this.fail(`The upstream ended with the finish reason "${failedFinish}".`);
      return;
    }
    const { model, includeUsage } = this.#options;
    const head = this.#head;
    const edited = editedChunk(event.data, json, repaired, { model, includeUsage, head });
    if (edited === 'unreadable') {
      this.fail('The upstream sent a chunk with the same key twice.');
      return;
    }
    if (edited === null) this.#pass(event);
    else this.#out.write(edited);
    if (usage !== null || this.#choices.changes !== changes) return;
    this.#templates.learn(event.data, edited, this.#choices.outputBytes - outputBytes);
  }

  /** Stores the members that this chunk has in common with others of the stream. */
  #open(json: JsonObject): void {
    this.#head = { ...this.#head, ...headIn(json) };
    this.#envelope = { ...this.#envelope, ...envelopeOf(json), ...this.#head };
  }

  /**
   * Sends an event unchanged if it has no name and its bytes are in the usual form (`clean`).
   * Otherwise sends its data as a single line.
   */
  #pass(event: SseEvent): void {
    const { clean, name, bytes, start, end } = event.parts;
    if (clean && name === null) this.#out.write(bytes, start, end);
    else this.#out.write(dataEvent(oneLine(event.data)));
  }

  /**
   * Stores the usage of a chunk. Usage is cumulative, so it replaces earlier usage, unless it is
   * implausible.
   */
  #countUsage(usage: JsonObject, json: JsonObject): void {
    const counted = usageFromChat(usage, this.#options.quirks);
    if (counted === null) return;
    this.usage = counted;
    this.#rawUsage = usage;
    this.#open(json);
  }

  #endMark(): void {
    if (!this.#choices.allFinished) {
      this.fail('The upstream ended its answer without a finish reason.');
      return;
    }
    const { model, includeUsage } = this.#options;
    const usage = includeUsage ? { usage: null } : {};
    for (const end of this.#choices.unsentFinishes) {
      const chunk = { ...this.#envelope, model, choices: [end], ...usage };
      this.#out.write(encodeEvent(null, JSON.stringify(chunk)));
    }
    this.ended = true;
  }
}

function envelopeOf(json: JsonObject): JsonObject {
  const { choices: _c, usage: _u, error: _e, obfuscation: _o, service_tier: tier, ...rest } = json;
  return tier === undefined || isForeignTier(tier) ? rest : { ...rest, service_tier: tier };
}
