/**
 * A request as the built-in models see it. Both dialects are parsed into this one shape; after that
 * nobody asks which of the two a request came in.
 */
import type { Media } from './prompt-media.ts';

/** How long a marked prefix stays in the prompt cache. */
export type CacheLife = '5m' | '1h';

/** Anything in a prompt may carry a cache marker: all up to and including it is the prefix. */
type Marked = { readonly marker: CacheLife | null };

export type Part = Marked &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'media'; readonly media: Media }
    | { readonly kind: 'thinking'; readonly text: string }
    | {
        readonly kind: 'tool_call';
        readonly id: string;
        readonly name: string;
        /** JSON, or free text for a custom tool, as it came. */
        readonly input: string;
      }
    | {
        readonly kind: 'tool_result';
        readonly callId: string;
        readonly text: string;
        readonly isError: boolean;
        readonly media: readonly Media[];
      }
    /** A block the models carry along and count but do not read. */
    | { readonly kind: 'opaque'; readonly json: string }
  );

export type Turn = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
};

export type Tool = Marked & {
  readonly name: string;
  readonly description: string;
  /** `schema`: JSON arguments. `free_text`: a custom tool. `server`: run by a provider, never called here. */
  readonly input:
    | { readonly kind: 'schema'; readonly schema: unknown }
    | { readonly kind: 'free_text'; readonly pattern: string | null }
    | { readonly kind: 'server' };
};

/** `must`: at least one of `names` is to be called; `may`: those can be; `none`: no tool at all. */
export type ToolChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'may' | 'must'; readonly names: ReadonlySet<string> };

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json_object' }
  | { readonly kind: 'json_schema'; readonly schema: unknown };

export const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export type Conversation = {
  readonly model: string;
  readonly tools: readonly Tool[];
  /** In the order they stand in the prompt; the system prompt is the first, as `system` turns. */
  readonly turns: readonly Turn[];
  readonly choice: ToolChoice;
  readonly parallelCalls: boolean;
  /** Whether a sentence of text may stand before a tool call. */
  readonly announcesCalls: boolean;
  readonly format: OutputFormat;
  /** How hard to think before answering; null: not at all. */
  readonly effort: Effort | null;
  /** Tokens of thinking allowed; null: as the effort has it. */
  readonly thinkingBudget: number | null;
  /** Tokens of output, thinking included; null: no limit. */
  readonly maxTokens: number | null;
  readonly stopSequences: readonly string[];
  /** The beginning of the answer, which the caller has written and wants continued. */
  readonly prefill: string | null;
  /** Whatever else the request says that should change the answer's draws: JSON. */
  readonly settings: string;
};
