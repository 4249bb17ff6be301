/**
 * What the relay needs to know of a dialect. Chat completions and Messages implement the same
 * interface. Pure: bytes and values in, bytes and values out.
 */
import type { GatewayError } from '../errors.ts';
import type { Usage } from '../money/usage.ts';

/** The cost of a request as callers see it, already in JSON form. */
export type CostFields = {
  /** A JSON number in USD, such as `0.0001234`. */
  readonly usd: string;
  /** Decimal string in the settlement currency, such as `0.000123400`. */
  readonly exact: string;
  readonly currency: string;
};

/** A failure that an upstream reported inside a stream or a 200 body. */
export type ReportedError = {
  readonly type: string | null;
  readonly code: string | null;
  readonly message: string;
};

/** Makes an id such as `msg_...` from the request's id, so that either leads to the other. */
export const derivedId = (prefix: string, requestId: string): string =>
  `${prefix}${requestId.replace(/^req_/, '')}`;

/** What is known of an answer so far. */
export type AnswerFacts = {
  /** As counted by the upstream; null until it reports usage. */
  readonly usage: Usage | null;
  /** Bytes of output seen (content, reasoning, tool arguments): the base of an estimate. */
  readonly outputBytes: number;
  /** The dialect's own value (`stop`, `end_turn`); of several choices, the first one's. */
  readonly finishReason: string | null;
  readonly error: ReportedError | null;
};

/** The two protocols that answer with text. */
export type TextFormat = 'chat' | 'messages';

/** A non-streaming answer and what was read from it. */
export type TextAnswer = {
  readonly facts: AnswerFacts;
  /**
   * The answer for the caller, with the cost in its usage and the model's name as it knows it.
   * @throws Error when `facts.error` is set: then there is no answer.
   */
  readonly write: (finish: {
    readonly model: string;
    readonly cost: CostFields;
  }) => Uint8Array<ArrayBuffer>;
};

/** Rewrites one streamed answer: bytes in from the upstream, bytes out to the caller. */
export interface StreamPass {
  /**
   * Takes any bytes and returns what may be sent now, perhaps nothing. Sends whole events only.
   * Holds back the final usage and the end mark for `finish`.
   * @throws GatewayError `upstream_failed` when an event exceeds its size limit.
   */
  push(chunk: Uint8Array): Uint8Array;
  readonly facts: AnswerFacts;
  /** Whether the upstream sent its end mark. Without it the stream was cut. */
  readonly ended: boolean;
  /** Whether `push` has returned anything. */
  readonly started: boolean;
  /** The closing events that were held back, with the cost on the last usage. */
  finish(cost: CostFields): Uint8Array;
}

export interface Dialect {
  readonly name: TextFormat;
  errorBody(error: GatewayError, requestId: string): string;
  /** The event that ends a stream which failed after it started. */
  errorEvent(error: GatewayError, requestId: string): Uint8Array;
  /**
   * Bytes that keep a silent stream alive.
   * @param started whether the first event has been sent.
   */
  keepAlive(started: boolean): Uint8Array;
}
