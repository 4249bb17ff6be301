/** Writes chat completion chunks as events. The parts that all chunks share are precomputed. */
import type { JsonObject } from '../../json/object.ts';
import type { CostFields } from '../dialect.ts';
import type { MessagesReport } from '../messages/usage.ts';
import type { StreamContext } from '../translator.ts';
import { usageWithCost } from '../usage-object.ts';
import { type Annotation, annotationsJson } from './annotations.ts';
import { chatUsage, completionId, finishReason } from './answer-fields.ts';
import { callSignature, reasoningDetails } from './reasoning.ts';
import type { CallChunk, Chunk } from './step.ts';

/**
 * Returns annotations with the `index` that the Python client needs to join lists of several
 * chunks.
 */
const indexed = (annotations: readonly Annotation[], first: number): readonly JsonObject[] =>
  annotationsJson(annotations).map((each, at) => ({ index: first + at, ...each }));

/** The upstream's counts: the usage to charge, and the upstream's own usage object. */
export type Counted = Pick<MessagesReport, 'usage' | 'served'> & { readonly counts: JsonObject };

/** Writes the chunks of an answer in the caller's protocol. */
export interface AnswerWriter {
  /** The reason why the caller's protocol cannot express the answer; null while it can. */
  readonly fault: string | null;
  /** Returns the text to send for a chunk; empty when there is nothing to send. */
  chunk(chunk: Chunk): string;
  /** Returns the text that ends the answer. */
  closing(counted: Counted, cost: CostFields): string;
}

const DONE = 'data: [DONE]\n\n';

export class ChunkWriter implements AnswerWriter {
  readonly fault = null;
  readonly #context: StreamContext;
  readonly #isLegacy: boolean;
  /** The beginning of every chunk, up to `choices`. */
  readonly #head: string;
  readonly #tail: string;

  constructor(context: StreamContext, isLegacy: boolean) {
    this.#context = context;
    this.#isLegacy = isLegacy;
    const envelope = JSON.stringify({
      id: completionId(context.requestId),
      object: 'chat.completion.chunk',
      created: context.createdSeconds,
      model: context.model,
    });
    this.#head = `data: ${envelope.slice(0, -1)},"choices":[`;
    this.#tail = context.includeUsage ? '],"usage":null}\n\n' : ']}\n\n';
  }

  /** Returns a chunk as an event; an empty text when chat cannot express it for this caller. */
  chunk(chunk: Chunk): string {
    const delta = this.#delta(chunk);
    if (delta === null) return '';
    const reason =
      chunk.kind === 'finish'
        ? `"${finishReason(chunk.stopReason, chunk.hasCalls, this.#isLegacy)}"`
        : 'null';
    return `${this.#head}{"index":0,"delta":{${delta}},"logprobs":null,"finish_reason":${reason}}${this.#tail}`;
  }

  /** Returns the closing events, with the usage if the caller asked for it. */
  closing({ usage, counts }: Counted, cost: CostFields): string {
    if (!this.#context.includeUsage) return DONE;
    const priced = usageWithCost(chatUsage(usage, counts), cost);
    return `${this.#head}],"usage":${priced}}\n\n${DONE}`;
  }

  #delta(chunk: Chunk): string | null {
    switch (chunk.kind) {
      case 'role':
        return '"role":"assistant","content":"","refusal":null';
      case 'text':
        return `"content":${JSON.stringify(chunk.text)}`;
      case 'reasoning':
        return `"reasoning_content":${JSON.stringify(chunk.text)}`;
      case 'refusal':
        return `"refusal":${JSON.stringify(chunk.text)}`;
      case 'call':
        return this.#call(chunk);
      case 'arguments':
        return this.#arguments(chunk);
      case 'thought':
      case 'cited':
        // Nothing is sent for one thought or citation: chat clients get all thinking in one chunk,
        // and all citations in one.
        return null;
      case 'thoughts':
        return `"reasoning_details":${JSON.stringify(reasoningDetails(chunk.thoughts))}`;
      case 'annotations':
        return `"annotations":${JSON.stringify(indexed(chunk.annotations, chunk.first))}`;
      case 'finish':
        return '';
    }
  }

  #call({ call, id, name, thoughts }: CallChunk): string | null {
    if (this.#isLegacy) {
      // A second call is dropped: `function_call` has room for one, and the upstream was asked for
      // only one.
      return call > 0 ? null : `"function_call":{"name":${JSON.stringify(name)},"arguments":""}`;
    }
    const given = id ?? `call_${completionId(this.#context.requestId)}_${call}`;
    const fragment = JSON.stringify({
      index: call,
      id: given,
      type: 'function',
      function: { name, arguments: '' },
      ...callSignature(thoughts),
    });
    return `"tool_calls":[${fragment}]`;
  }

  #arguments({ call, json }: Chunk & { readonly kind: 'arguments' }): string | null {
    const text = JSON.stringify(json);
    if (!this.#isLegacy) return `"tool_calls":[{"index":${call},"function":{"arguments":${text}}}]`;
    return call > 0 ? null : `"function_call":{"arguments":${text}}`;
  }
}
