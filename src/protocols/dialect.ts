/** The interface between the relay and a text protocol (dialect). Implementations do no I/O. */
import type { GatewayError } from '../errors.ts';
import type { Served } from '../money/served.ts';
import type { Usage } from '../money/usage.ts';

/** The charge of a request, as it is written into the caller's answer. */
export type CostFields = {
  /** The amount in USD as a JSON number, such as `0.0001234`. */
  readonly usd: string;
  /** The exact amount in `currency` as a decimal string, such as `0.000123400`. */
  readonly exact: string;
  readonly currency: string;
  /**
   * The usage to write into the answer, if the gateway estimated it; null if the upstream reported
   * the usage.
   */
  readonly estimated: Usage | null;
};

/**
 * A failure in a stream or in a body with status 200. The upstream reported it, or the gateway
 * detected it.
 */
export type ReportedError = {
  readonly type: string | null;
  readonly code: string | null;
  readonly message: string;
};

/** Derives an id such as `msg_...` from the request's id, so that people can match the two ids. */
export const derivedId = (prefix: string, requestId: string): string =>
  `${prefix}${requestId.replace(/^req_/, '')}`;

/** The facts that were read from an answer so far. */
export type AnswerFacts = {
  /**
   * The usage that the upstream counted, including the parts of the answer that are billed
   * separately (`served.rounds`). Null until the upstream has reported it.
   */
  readonly usage: Usage | null;
  /** True if the answer has output and is at its end, and `usage` counts only the input. */
  readonly outputUncounted?: true;
  readonly served: Served;
  /** Bytes of content, reasoning and tool arguments so far, to estimate missing usage. */
  readonly outputBytes: number;
  /** The finish reason of the first choice, in the dialect's own words (`stop`, `end_turn`). */
  readonly finishReason: string | null;
  readonly error: ReportedError | null;
};

/** The protocols that answer with text. */
export type TextFormat = 'chat' | 'messages' | 'responses';

/** A non-streaming answer, and the facts that were read from it. */
export type TextAnswer = {
  readonly facts: AnswerFacts;
  /**
   * Returns the answer as JSON text, with the cost and with the model's name for the caller.
   * @throws Error if `facts.error` is not null.
   */
  readonly write: (finish: { readonly model: string; readonly cost: CostFields }) => string;
};

/** Rewrites a streamed answer: takes bytes from the upstream and returns bytes for the caller. */
export interface StreamPass {
  /**
   * Takes bytes from the upstream. Returns the events for the caller that are complete. Keeps the
   * final usage and the end mark for `finish`.
   * @throws GatewayError `upstream_failed` when an event exceeds its size limit.
   */
  push(chunk: Uint8Array): Uint8Array;
  readonly facts: AnswerFacts;
  /** Whether the upstream has sent its end mark. Without it, the stream is truncated. */
  readonly ended: boolean;
  /** Whether `push` has returned any bytes. */
  readonly started: boolean;
  /** Returns the closing events that were buffered, with the cost in the last usage. */
  finish(cost: CostFields): Uint8Array;
  /**
   * Returns the events that end the stream after a failure. Exists only for protocols that number
   * their events. For other protocols, `errorEvent` of the `Dialect` returns these events.
   */
  errorEvents?(error: GatewayError): Uint8Array;
  /**
   * Returns an event that keeps the stream alive after it has started. Exists only for protocols
   * that number their events.
   */
  keepAlive?(): Uint8Array;
}

/** The facts about a stream that the gateway needs in order to add its own events to it. */
export type StreamMoment = {
  readonly requestId: string;
  /** The time when the request was admitted, in Unix seconds. */
  readonly createdSeconds: number;
  /** The model's name for the caller. */
  readonly model: string;
  /** Whether the first event of the answer has been sent. */
  readonly started: boolean;
};

/** Writes the events that the gateway itself adds to a stream, in one protocol. */
export interface StreamDialect {
  /** Returns the events that end a stream that failed after its status line was sent. */
  errorEvent(error: GatewayError, moment: StreamMoment): Uint8Array;
  /** Returns bytes that keep a silent stream alive, and begin it if nothing was sent yet. */
  keepAlive(moment: StreamMoment): Uint8Array;
}

export interface Dialect extends StreamDialect {
  readonly name: TextFormat;
  errorBody(error: GatewayError, requestId: string): string;
}
