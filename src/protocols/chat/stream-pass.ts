/**
 * A streamed chat completion on its way through. Chunks go out as the bytes they came in, save for what
 * would break a client and what is ours to say (model, usage, cost). A chunk is read whole once; those
 * that differ from it only in their words follow by its template.
 */

import { joinBytes } from '../../json/bytes.ts';
import { asJsonObject, type JsonObject, parsedObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import {
  type AnswerFacts,
  brokenAnswer,
  type CostFields,
  type ReportedError,
  type StreamPass,
} from '../dialect.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { encodeEvent, type SseEvent, SseReader } from '../sse.ts';
import { usageWithCost } from '../usage-object.ts';
import { ChoiceTracker } from './choice-tracker.ts';
import { dataEvent, editedChunk, isPendingEndMark, oneLine } from './chunk.ts';
import { ChunkTemplates } from './chunk-template.ts';
import { reportedError } from './errors.ts';
import { correctedCounts, usageFromChat } from './usage.ts';

export type ChatStreamOptions = {
  /** The request's own id, such as `req_01...`: ids that have to be made are made of it. */
  readonly requestId: string;
  /** The name by which the caller knows the model; the upstream's own name gives way to it. */
  readonly model: string;
  /** Whether the caller asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
  /** Where this upstream counts what. */
  readonly quirks?: Quirks;
};

/**
 * Opens the way for one answer. `ended` needs the end mark and a finish reason for every choice: an
 * answer cut short must not pass for a whole one. After the end mark or an error the rest is not read.
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
  /** The chunk that the caller's usage chunk is modelled on, without its choices and usage. */
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
    // Nothing else begins like it, and some upstreams close without a blank line behind it.
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
      this.#fail('The upstream sent a chunk that is no JSON object.');
      return;
    }
    this.#error = reportedError(json, event.name);
    if (this.#error === null) this.#passChunk(event, json);
  }

  #passChunk(event: SseEvent, json: JsonObject): void {
    const usage = asJsonObject(json['usage']);
    if (usage !== null) this.#countUsage(usage, json);
    const { choices } = json;
    // Clients read `choices[0]` of every chunk that is not the usage chunk, which is ours to send.
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

  /** A later count takes the place of an earlier one: each is a total. One not believed is not told. */
  #countUsage(usage: JsonObject, json: JsonObject): void {
    const counted = usageFromChat(usage, this.#options.quirks);
    if (counted === null) return;
    this.#usage = counted;
    this.#rawUsage = usage;
    this.#envelope = { ...this.#envelope, ...envelopeOf(json) };
  }

  #endMark(): void {
    if (!this.#choices.allFinished) {
      this.#fail('The upstream ended its answer without saying why.');
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

/** The event's own bytes, or the same as one data line without name, id or comment. */
function asItCame(event: SseEvent): Uint8Array {
  return isPlain(event) ? event.raw : dataEvent(oneLine(event.data));
}

function envelopeOf(json: JsonObject): JsonObject {
  const { choices: _c, usage: _u, error: _e, obfuscation: _o, ...envelope } = json;
  return envelope;
}
