import type { Modality } from '../catalogue/catalogue.ts';

/** The hot fields of a request that is answered with text, whatever its dialect. */
export type TextRequest = {
  readonly model: string;
  readonly maxOutputTokens: number | null;
  /** The body's own name of that field, which a refusal names. */
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
