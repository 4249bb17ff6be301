/**
 * Sends a streamed chat completion on. Chunks keep their bytes, except for what would break a
 * client and for what the gateway sets (model, usage, cost). Each kind of chunk is parsed once; the
 * others follow its template.
 */
import { joinBytes } from '../../json/bytes.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { brokenAnswer } from '../broken-answer.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from '../dialect.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { encodeEvent, type SseEvent, SseReader } from '../sse.ts';
import { usageWithCost } from '../usage-object.ts';
import { ChoiceTracker } from './choice-tracker.ts';
import { dataEvent, editedChunk, isPendingEndMark, oneLine } from './chunk.ts';
import { ChunkTemplates } from './chunk-template.ts';
import { reportedError } from './errors.ts';
import { correctedCounts, usageFromChat } from './usage.ts';

export type ChatStreamOptions = {
  /** The request's own id, such as `req_01...`. Ids that are made up derive from it. */
  readonly requestId: string;
  /** The model's name as the caller knows it, which replaces the upstream's. */
  readonly model: string;
  /** Whether the caller asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
  /** How this upstream counts. */
  readonly quirks?: Quirks;
};

/**
 * Opens one stream. `ended` requires the end mark and a finish reason for every choice, so that a
 * truncated answer is never reported as complete. After the end mark or an error nothing more is
 * read.
 */
export const openChatStream = (options: ChatStreamOptions): StreamPass =>
  new ChatStreamPass(options);

const DONE = encodeEvent(null, '[DONE]');
const NOTHING = new Uint8Array(0);
const decoder = new TextDecoder();

class ChatStreamPass implements StreamPass {
  ended = false;
  started = false;
  readonly #options: ChatStreamOptions;
  readonly #reader: SseReader;
  readonly #templates = new ChunkTemplates();
  readonly #choices: ChoiceTracker;
  #out: Uint8Array[] = [];
  /** Members for the caller's usage chunk, copied from an upstream chunk. */
  #envelope: JsonObject | null = null;
  #rawUsage: JsonObject | null = null;
  #usage: Usage | null = null;
  #error: ReportedError | null = null;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#choices = new ChoiceTracker(options.requestId);
    this.#reader = new SseReader(options);
  }

  get facts(): AnswerFacts {
    return {
      usage: this.#usage,
      outputBytes: this.#choices.outputBytes,
      finishReason: this.#choices.finishReason,
      error: this.#error,
    };
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#over) return NOTHING;
    for (const event of this.#reader.push(chunk)) {
      this.#take(event);
      if (this.#over) break;
    }
    if (!this.#over && isPendingEndMark(this.#reader.pending)) this.#endMark();
    const out = joinBytes(this.#out);
    this.#out = [];
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  finish(cost: CostFields): Uint8Array {
    if (!this.#options.includeUsage) return DONE;
    const head = JSON.stringify({ ...this.#envelope, model: this.#options.model, choices: [] });
    const counts = this.#rawUsage ?? {};
    const repaired = correctedCounts(counts, this.#usage, this.#options.quirks ?? NO_QUIRKS);
    const usage = usageWithCost({ ...counts, ...repaired }, cost);
    return joinBytes([encodeEvent(null, `${head.slice(0, -1)},"usage":${usage}}`), DONE]);
  }

  get #over(): boolean {
    return this.ended || this.#error !== null;
  }

  #take(event: SseEvent): void {
    const known = this.#templates.recognize(event.data);
    if (known === null) {
      this.#read(event);
    } else {
      this.#choices.addOutput(known.outputBytes);
      this.#out.push(known.out ?? asItCame(event));
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
      this.#fail('The upstream sent a chunk that is not a JSON object.');
      return;
    }
    this.#error = reportedError(json, event.name);
    if (this.#error === null) this.#passChunk(event, json);
  }

  #passChunk(event: SseEvent, json: JsonObject): void {
    const usage = asJsonObject(json['usage']);
    if (usage !== null) this.#countUsage(usage, json);
    const { choices } = json;
    // Clients read `choices[0]` of every chunk but the usage chunk, which the gateway sends itself.
    if (!Array.isArray(choices) || choices.length === 0) return;
    this.#envelope ??= envelopeOf(json);
    const { changes, begunCalls, outputBytes } = this.#choices;
    const repaired = this.#choices.repair(choices);
    if (this.#choices.begunCalls !== begunCalls) this.#templates.forget();
    const { failedFinish } = this.#choices;
    if (failedFinish !== null) {
      this.#fail(`The upstream stopped with "${failedFinish}".`);
      return;
    }
    const edited = editedChunk(event.data, json, repaired, this.#options);
    if (edited === 'unreadable') {
      this.#fail('The upstream sent a chunk with the same key twice.');
      return;
    }
    this.#out.push(edited ?? asItCame(event));
    if (usage !== null || this.#choices.changes !== changes) return;
    this.#templates.learn(event.data, edited, this.#choices.outputBytes - outputBytes);
  }

  /** Usage is cumulative: a later report replaces an earlier one. Implausible ones are ignored. */
  #countUsage(usage: JsonObject, json: JsonObject): void {
    const counted = usageFromChat(usage, this.#options.quirks);
    if (counted === null) return;
    this.#usage = counted;
    this.#rawUsage = usage;
    this.#envelope = { ...this.#envelope, ...envelopeOf(json) };
  }

  #endMark(): void {
    if (!this.#choices.allFinished) {
      this.#fail('The upstream ended its answer without a finish reason.');
      return;
    }
    const { model, includeUsage } = this.#options;
    const usage = includeUsage ? { usage: null } : {};
    for (const end of this.#choices.unsentFinishes) {
      const chunk = { ...this.#envelope, model, choices: [end], ...usage };
      this.#out.push(encodeEvent(null, JSON.stringify(chunk)));
    }
    this.ended = true;
  }

  #fail(message: string): void {
    this.#error = brokenAnswer(message);
  }
}

const isPlain = (event: SseEvent): boolean => event.clean && event.name === null;

/** The event's own bytes, or one data line without name, id and comment. */
function asItCame(event: SseEvent): Uint8Array {
  return isPlain(event) ? event.raw : dataEvent(oneLine(event.data));
}

function envelopeOf(json: JsonObject): JsonObject {
  const { choices: _c, usage: _u, error: _e, obfuscation: _o, ...envelope } = json;
  return envelope;
}
