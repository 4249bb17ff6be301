/**
 * How a caller of one text dialect is served by an upstream of one: the same bytes where they speak the
 * same, a translation where they do not. Pure; the relay takes every request down one of four ways.
 */

import type { ScannedObject } from '../json/scan.ts';
import type { StreamPass, TextAnswer, TextFormat } from './dialect.ts';
import type { Quirks } from './quirks.ts';

/** The model as the catalogue describes it. */
export type TargetModel = {
  /** Tokens: what a Messages upstream is told where a chat caller names no limit. */
  readonly maxOutput: number;
};

/** Whom a request is written for. */
export type RequestTarget = {
  /** The model's name there. */
  readonly model: string;
  readonly quirks: Quirks;
  /** Most output tokens that the hold pays for; null: what the caller asked for stands. */
  readonly clampedOutput: number | null;
};

/** What an answer in another dialect is made with. */
export type AnswerContext = {
  /** The request's own id, such as `req_01...`: ids that have to be made are made of it. */
  readonly requestId: string;
  /** When the request was admitted, seconds since 1970. */
  readonly createdSeconds: number;
  /** Of the upstream that answers. */
  readonly quirks: Quirks;
};

export type StreamContext = AnswerContext & {
  /** The name by which the caller knows the model; the upstream's own name gives way to it. */
  readonly model: string;
  /** Whether the caller asked for usage in the stream. */
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
  /** Input tokens as estimated for the hold, for a dialect that tells them before they are counted. */
  readonly estimatedInput: number;
};

/** One request, ready to be written for any upstream at the way's other end. */
export type PreparedRequest = {
  /** JSON in the upstream's dialect. Called once for each route that is tried. */
  readonly bodyFor: (to: RequestTarget) => Uint8Array<ArrayBuffer>;
  readonly openStream: (context: StreamContext) => StreamPass;
  /** @throws GatewayError `upstream_failed` when the bytes are no answer at all. */
  readonly readAnswer: (bytes: Uint8Array<ArrayBuffer>, context: AnswerContext) => TextAnswer;
};

export type Translator = {
  readonly caller: TextFormat;
  readonly upstream: TextFormat;
  /**
   * @param stream whether the caller gets a stream, and so the upstream is asked for one.
   * @throws GatewayError `unsupported_value`, `unsupported_parameter` or `invalid_value` when the other
   *   dialect cannot say it: names the place in the caller's request and the remedy. Nothing is held yet.
   */
  readonly prepare: (body: ScannedObject, model: TargetModel, stream: boolean) => PreparedRequest;
};
