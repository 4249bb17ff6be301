/**
 * What the relay needs to know of an endpoint that answers with text, so that chat completions and
 * Messages go through one relay.
 */
import type { Modality } from '../catalogue/catalogue.ts';
import type { AnswerFacts, CostFields, Dialect, StreamPass } from '../protocols/dialect.ts';
import type { ScannedObject } from '../protocols/json.ts';

/** The hot fields of a request, whatever its dialect. */
export type TextRequest = {
  readonly model: string;
  readonly maxOutputTokens: number | null;
  /** The body's own name of that field; where a clamp goes when there was none. */
  readonly maxOutputField: string;
  readonly choices: number;
  /** Whether the caller asked for usage in the stream. */
  readonly includeUsage: boolean;
  /** Tokens of thinking the caller has ordered; 0 when the model decides, or does not think. */
  readonly thinkingTokens: number;
  /** Whether it has asked for thinking, which an upstream may bill without showing it. */
  readonly mayThinkUnseen: boolean;
  /** Whether a cache marker asks for a life of an hour. */
  readonly oneHourCache: boolean;
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  readonly inputs: readonly { readonly modality: Modality; readonly param: string }[];
};

export type TextAnswer = { readonly facts: AnswerFacts };

export type StreamOptions = {
  readonly model: string;
  readonly includeUsage: boolean;
  readonly maxEventBytes: number;
};

export type TextProtocol<Answer extends TextAnswer = TextAnswer> = {
  readonly name: 'chat' | 'messages';
  readonly dialect: Dialect;
  readonly openStream: (options: StreamOptions) => StreamPass;
  readonly readAnswer: (body: Uint8Array<ArrayBuffer>) => Answer;
  readonly writeAnswer: (
    answer: Answer,
    finish: { readonly model: string; readonly cost: CostFields },
  ) => Uint8Array<ArrayBuffer>;
  /** Members to set in a streamed request beside `model`, as JSON text; null removes one. */
  readonly streamEdits: (body: ScannedObject) => ReadonlyMap<string, string | null>;
};
