/** The interface between the relay and a text protocol (dialect). Implementations do no I/O. */
import type { GatewayError } from '../errors.ts';
import type { Served } from '../money/served.ts';
import type { Usage } from '../money/usage.ts';

/** The charge of a request, as the caller's answer states it. */
export type CostFields = {
  /** A JSON number in USD, such as `0.0001234`. */
  readonly usd: string;
  /** A decimal string in the settlement currency, such as `0.000123400`. */
  readonly exact: string;
  readonly currency: string;
  /**
   * The usage that the answer states if the gateway estimated it; null if the usage is not an
   * estimate.
   */
  readonly estimated: Usage | null;
};

/**
 * A failure that an upstream reported inside a stream or a 200 body, or that the gateway found
 * there.
 */
export type ReportedError = {
  readonly type: string | null;
  readonly code: string | null;
  readonly message: string;
};

/** Makes an id such as `msg_...` from the request's id, so that people can match the two. */
export const derivedId = (prefix: string, requestId: string): string =>
  `${prefix}${requestId.replace(/^req_/, '')}`;

/** The values that have been read from an answer so far. */
export type AnswerFacts = {
  /**
   * Usage as counted upstream, including the extra model runs in `served.rounds`; null until
   * reported.
   */
  readonly usage: Usage | null;
  readonly served: Served;
  /** Bytes of content, reasoning and tool arguments so far, to estimate missing usage. */
  readonly outputBytes: number;
  /** The first choice's finish reason, as the dialect spells it (`stop`, `end_turn`). */
  readonly finishReason: string | null;
  readonly error: ReportedError | null;
};

/** The protocols that answer with text. */
export type TextFormat = 'chat' | 'messages' | 'responses';

/** A non-streaming answer, and the values that were read from it. */
export type TextAnswer = {
  readonly facts: AnswerFacts;
  /**
   * Returns the answer as JSON text, with the cost and the caller's model name.
   * @throws Error if `facts.error` is not null.
   */
  readonly write: (finish: { readonly model: string; readonly cost: CostFields }) => string;
};

/** Rewrites one streamed answer: bytes in from the upstream, bytes out to the caller. */
export interface StreamPass {
  /**
   * Returns the complete events to send now. Holds back the final usage and end mark for `finish`.
   * @throws GatewayError `upstream_failed` when an event exceeds its size limit.
   */
  push(chunk: Uint8Array): Uint8Array;
  readonly facts: AnswerFacts;
  /** Whether the upstream sent its end mark. Without the mark, the stream was cut off. */
  readonly ended: boolean;
  /** Whether `push` has returned any bytes. */
  readonly started: boolean;
  /** Returns the closing events that were held back, with the cost on the last usage. */
  finish(cost: CostFields): Uint8Array;
  /**
   * Returns the events that end the stream after a failure. Only protocols that number their events
   * have this; the others end a stream with `errorEvent` of their `Dialect`.
   */
  errorEvents?(error: GatewayError): Uint8Array;
  /**
   * Returns an event that keeps the started stream alive. Only protocols that number their events
   * have this.
   */
  keepAlive?(): Uint8Array;
}

/** The values that the gateway needs to write an event of its own into a stream. */
export type StreamMoment = {
  readonly requestId: string;
  /** When the request was admitted, in Unix seconds. */
  readonly createdSeconds: number;
  /** The model's name as the caller knows it. */
  readonly model: string;
  /** Whether the first event of the answer has been sent. */
  readonly started: boolean;
};

/** Writes the events of a protocol that the gateway itself adds to a stream. */
export interface StreamDialect {
  /** Returns the events that end a stream which failed after its status line was sent. */
  errorEvent(error: GatewayError, moment: StreamMoment): Uint8Array;
  /** Returns bytes that keep a silent stream alive, and begin it if nothing was sent yet. */
  keepAlive(moment: StreamMoment): Uint8Array;
}

export interface Dialect extends StreamDialect {
  readonly name: TextFormat;
  errorBody(error: GatewayError, requestId: string): string;
}
