/**
 * Writes chat completion chunks as events. The parts that are the same in all chunks are computed
 * once.
 */
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
 * Adds an `index` to each annotation. The Python client needs it to join the lists of several
 * chunks.
 */
const indexed = (annotations: readonly Annotation[], first: number): readonly JsonObject[] =>
  annotationsJson(annotations).map((each, at) => ({ index: first + at, ...each }));

/**
 * The usage of an answer: the usage to charge (`usage`), facts such as the tier (`served`), and the
 * usage object as the upstream sent it (`counts`).
 */
export type Counted = Pick<MessagesReport, 'usage' | 'served'> & { readonly counts: JsonObject };

/** Writes the parts of an answer in the caller's protocol. */
export interface AnswerWriter {
  /**
   * The reason why the answer cannot be expressed in the caller's protocol; null while it can be.
   */
  readonly fault: string | null;
  /** Returns the text to send for a part of the answer; empty if nothing is to be sent. */
  chunk(chunk: Chunk): string;
  /** Returns the text that ends the answer. */
  closing(counted: Counted, cost: CostFields): string;
}

const DONE = 'data: [DONE]\n\n';

export class ChunkWriter implements AnswerWriter {
  readonly fault = null;
  readonly #context: StreamContext;
  readonly #isLegacy: boolean;
  /** The start of every event, up to and including `"choices":[`. */
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

  /**
   * Returns an event for a part of the answer. Returns an empty text if nothing is to be sent for
   * this part.
   */
  chunk(chunk: Chunk): string {
    const delta = this.#delta(chunk);
    if (delta === null) return '';
    const reason =
      chunk.kind === 'finish'
        ? `"${finishReason(chunk.stopReason, chunk.hasCalls, this.#isLegacy)}"`
        : 'null';
    return `${this.#head}{"index":0,"delta":{${delta}},"logprobs":null,"finish_reason":${reason}}${this.#tail}`;
  }

  /** Returns the last events of the stream, with the usage if the caller requested it. */
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
        // Nothing is sent for a single thinking block or citation: all thinking blocks are sent in
        // one later chunk, and all citations in another.
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
      // The legacy `function_call` can contain only one call, and the upstream was asked for only
      // one. So a second call is dropped.
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
