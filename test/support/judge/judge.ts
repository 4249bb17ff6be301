/**
 * For tests: the interface of a judge, which is a client library under test. All judges get the
 * same questions.
 */
import type { ClientName } from './client-table.ts';

/** A question to a model, independent of the protocol. Fields that are absent are not sent. */
export type Question = {
  readonly prompt: string;
  readonly thinking?: true;
  readonly tools?: true;
  readonly image?: true;
  readonly file?: true;
  /** Whether the answer must be JSON that matches `PERSON_SCHEMA`. */
  readonly schema?: true;
  readonly maxTokens?: number;
  readonly stop?: string;
};

/** The answer of a library under test, independent of the protocol. */
export type JudgedAnswer = {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly end: 'stop' | 'length' | 'calls' | 'other';
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type Target = { readonly url: string; readonly key: string; readonly model: string };
export type Judge = {
  readonly client: ClientName;
  readonly plain: (target: Target, question: Question) => Promise<JudgedAnswer>;
  readonly streamed: (target: Target, question: Question) => Promise<JudgedAnswer>;
  /**
   * Runs a loop of tool calls. Sends a prompt with both tools, and answers each tool call of the
   * model with `NAME says fine`. The library itself builds the history that is sent back, with
   * thinking if it supports that. All requests are streams.
   * @returns the text of the last turn.
   */
  readonly toolLoop: (target: Target, prompt: string) => Promise<string>;
};

export const PERSON_SCHEMA = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, age: { type: 'integer' as const } },
  required: ['name', 'age'],
  additionalProperties: false as const,
};
/** The smallest content that clients accept as a PDF file, in base64. */
export const SMALL_PDF = Buffer.from('%PDF-1.7').toString('base64');
export const MAX_TOKENS = 4096;
