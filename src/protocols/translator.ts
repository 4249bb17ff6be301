/**
 * Serves callers of one text dialect from an upstream of the same or another dialect. An upstream
 * of the same dialect gets the caller's bytes with small edits. An upstream of another dialect gets
 * a translation. Has no side effects.
 */
import type { ScannedObject } from '../json/scan.ts';
import type { StreamPass, TextAnswer, TextFormat } from './dialect.ts';
import type { Quirks } from './quirks.ts';
import type { FieldPlan } from './request-fields.ts';
import type { ResponseStream } from './responses/response-stream.ts';

export type TargetModel = {
  /**
   * The output limit to send if a chat caller sets none, because the Messages protocol requires
   * one.
   */
  readonly maxOutput: number;
};

export type RequestTarget = {
  /** The model's name at the upstream. */
  readonly model: string;
  readonly quirks: Quirks;
  /**
   * The maximum number of output tokens that the hold covers; null if the caller's limit applies.
   */
  readonly clampedOutput: number | null;
  /**
   * The field plan: the fields that the gateway writes for this upstream, and those that it omits.
   */
  readonly plan: FieldPlan;
  /**
   * Whether the request is sent again without the reasoning of earlier answers, which the upstream
   * could not read.
   */
  readonly isRepeated?: boolean;
};

/**
 * Values of the request and the route that are needed, besides the upstream's bytes, to translate
 * an answer.
 */
export type AnswerContext = {
  /**
   * The request's id, such as `req_01...`. Ids that the gateway generates for the answer derive
   * from it.
   */
  readonly requestId: string;
  /** The time when the request was admitted, in Unix seconds. */
  readonly createdSeconds: number;
  /** The quirks of the upstream that answers. */
  readonly quirks: Quirks;
};

export type StreamContext = AnswerContext & {
  /** The caller's name for the model, which replaces the upstream's name in the answer. */
  readonly model: string;
  /** Whether the caller asked for usage in the stream. */
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
  /**
   * Estimated input tokens. A Messages stream begins with them, before a chat upstream has counted
   * them.
   */
  readonly estimatedInput: number;
  /**
   * The writer of a Responses caller's stream, whose first events may have been sent already; null
   * for other callers.
   */
  readonly response: ResponseStream | null;
};

/** One validated request, ready to be sent to any upstream of the translator's dialect. */
export type PreparedRequest = {
  /** Returns the body in the upstream's dialect. Called for each attempt. */
  readonly bodyFor: (to: RequestTarget) => Uint8Array<ArrayBuffer>;
  readonly openStream: (context: StreamContext) => StreamPass;
  /**
   * Reads a non-streaming answer.
   * @throws GatewayError `upstream_failed` if the body is neither an answer nor an error.
   */
  readonly readAnswer: (bytes: Uint8Array<ArrayBuffer>, context: AnswerContext) => TextAnswer;
};

export type Translator<
  Caller extends TextFormat = TextFormat,
  Upstream extends TextFormat = TextFormat,
> = {
  readonly caller: Caller;
  readonly upstream: Upstream;
  /**
   * Validates and prepares a request before money is held. `stream` says whether the caller asked
   * for a stream.
   * @throws GatewayError `unsupported_value`, `unsupported_parameter` or `invalid_value`, with
   *   field and remedy, when the upstream's dialect cannot express the request.
   */
  readonly prepare: (body: ScannedObject, model: TargetModel, stream: boolean) => PreparedRequest;
};
