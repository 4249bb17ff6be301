/**
 * The base class of every stream pass, which rewrites an upstream's stream for the caller. It reads
 * events until the end mark or an error.
 */
import { joinBytes } from '../json/bytes.ts';
import { NOTHING_SERVED, type Served } from '../money/served.ts';
import type { Usage } from '../money/usage.ts';
import { brokenAnswer } from './broken-answer.ts';
import type { AnswerFacts, CostFields, ReportedError, StreamPass } from './dialect.ts';
import { type SseEvent, SseReader } from './sse.ts';

const NOTHING = new Uint8Array(0);

/**
 * Reads a stream until its end or an error. A subclass sets `ended` only if the end mark comes
 * after a finish reason, so that a truncated answer is never reported as complete.
 */
export abstract class EventPass implements StreamPass {
  ended = false;
  started = false;
  protected usage: Usage | null = null;
  /** Whether `usage` has the count of the whole output, once the finish reason is known. */
  protected outputCounted = true;
  protected served: Served = NOTHING_SERVED;
  protected error: ReportedError | null = null;
  /** The bytes that `drain` returns, unless a subclass overrides it. */
  protected pieces: Uint8Array[] = [];
  protected abstract readonly outputBytes: number;
  protected abstract readonly finishReason: string | null;
  readonly #reader: SseReader;

  constructor(limits: { readonly maxEventBytes: number }) {
    this.#reader = new SseReader(limits);
  }

  get facts(): AnswerFacts {
    const { usage, served, outputBytes, finishReason, error } = this;
    const facts = { usage, served, outputBytes, finishReason, error };
    const isAtEnd = usage !== null && finishReason !== null && outputBytes > 0;
    return this.outputCounted || !isAtEnd ? facts : { ...facts, outputUncounted: true };
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.isOver) return NOTHING;
    for (const event of this.#reader.push(chunk)) {
      this.take(event);
      if (this.isOver) break;
    }
    if (!this.isOver) this.takePending(this.#reader.pending);
    const out = this.drain();
    if (out.byteLength > 0) this.started = true;
    return out;
  }

  abstract finish(cost: CostFields): Uint8Array;
  protected abstract take(event: SseEvent): void;
  /**
   * Handles an incomplete event. It may be an end mark, because some upstreams omit the blank line
   * after it.
   */
  protected abstract takePending(pending: Uint8Array): void;
  /** Returns the buffered bytes that can be sent now, and removes them from the buffer. */
  protected drain(): Uint8Array {
    const out = joinBytes(this.pieces);
    this.pieces = [];
    return out;
  }

  protected get isOver(): boolean {
    return this.ended || this.error !== null;
  }

  protected fail(message: string): void {
    this.error = brokenAnswer(message);
  }
}
