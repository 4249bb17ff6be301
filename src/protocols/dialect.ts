/**
 * What the relay needs of a dialect, so that chat completions and Messages take the same way through the
 * house. Everything here is pure: bytes and values in, bytes and values out.
 */
import type { GatewayError } from '../errors.ts';
import type { Usage } from '../money/usage.ts';

/** The cost of a request as it is told to the caller, already in JSON form. */
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

/** An answer that the gateway itself found to be broken. */
export const brokenAnswer = (message: string): ReportedError => ({
  type: null,
  code: null,
  message,
});

/**
 * An id of the given kind, such as `msg_`, made of the request's own so that each can be found by the other.
 */
export const derivedId = (prefix: string, requestId: string): string =>
  `${prefix}${requestId.replace(/^req_/, '')}`;

/** What has been learned from an answer so far. */
export type AnswerFacts = {
  /** As the upstream counted it; null while it has not. */
  readonly usage: Usage | null;
  /** Output text bytes seen (content, reasoning, tool arguments): the base of an estimate. */
  readonly outputBytes: number;
  /** The dialect's own word (`stop`, `end_turn`); the first choice's when there are several. */
  readonly finishReason: string | null;
  readonly error: ReportedError | null;
};

/** The two protocols that answer with text. */
export type TextFormat = 'chat' | 'messages';

/** What an answer is finished with, once it is known. */
export type AnswerFinish = {
  /** The name by which the caller knows the model. */
  readonly model: string;
  readonly cost: CostFields;
};

/** An answer in one piece, read for what it came to. */
export type TextAnswer = {
  readonly facts: AnswerFacts;
  /**
   * The answer as the caller gets it, with the cost on its usage.
   * @throws Error when `facts.error` says that there is no answer.
   */
  readonly write: (finish: AnswerFinish) => Uint8Array<ArrayBuffer>;
};

/** One streamed answer on its way through: bytes in from the upstream, bytes out to the caller. */
export interface StreamPass {
  /**
   * Takes any bytes, returns what may go to the caller now (perhaps nothing). Whole events only; the
   * events that carry final usage and the end mark are held back until `finish`.
   * @throws GatewayError `upstream_failed` when an event exceeds its size limit.
   */
  push(chunk: Uint8Array): Uint8Array;
  readonly facts: AnswerFacts;
  /** Whether the upstream sent its end mark. A stream that stops without it was cut. */
  readonly ended: boolean;
  /** Whether anything was handed out by `push`. */
  readonly started: boolean;
  /** The held-back closing events, with the cost on the last usage. */
  finish(cost: CostFields): Uint8Array;
}

export interface Dialect {
  readonly name: TextFormat;
  errorBody(error: GatewayError, requestId: string): string;
  /** The event that ends a stream which failed after it had begun. */
  errorEvent(error: GatewayError, requestId: string): Uint8Array;
  /** Bytes that keep a silent stream alive. `started`: whether the first event has gone out. */
  keepAlive(started: boolean): Uint8Array;
}
