/** The protocol-independent request of the built-in models, for chat completions and Messages. */
import type { Media } from './prompt-media.ts';

/** How long a marked prefix stays in the prompt cache. */
export type CacheLife = '5m' | '1h';

/**
 * The cache marker of a part of the prompt; null without one. The prompt is cached up to and
 * including the marked part.
 */
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
        /** The arguments as received: JSON text, or free text for a custom tool. */
        readonly input: string;
      }
    | {
        readonly kind: 'tool_result';
        readonly callId: string;
        readonly text: string;
        readonly isError: boolean;
        readonly media: readonly Media[];
      }
    /**
     * A content block of any other type. Its tokens are counted, but the block is not interpreted.
     */
    | { readonly kind: 'opaque'; readonly json: string }
  );

export type Turn = {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly Part[];
};

export type Tool = Marked & {
  readonly name: string;
  readonly description: string;
  /**
   * The type of the arguments. `schema`: JSON. `free_text`: any text. `server`: no arguments,
   * because the provider runs the tool.
   */
  readonly input:
    | { readonly kind: 'schema'; readonly schema: unknown }
    | { readonly kind: 'free_text' | 'server' };
};

/** `must`: call at least one of `names`. `may`: call any of them. `none`: call no tool. */
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
  /** The turns in prompt order. The system prompt comes first, as `system` turns. */
  readonly turns: readonly Turn[];
  readonly choice: ToolChoice;
  readonly parallelCalls: boolean;
  /** Whether the answer may begin with a sentence that announces its tool calls. */
  readonly announcesCalls: boolean;
  readonly format: OutputFormat;
  /** How much the model thinks. Null disables thinking. */
  readonly effort: Effort | null;
  /** The maximum number of thinking tokens. Null means that only `effort` limits thinking. */
  readonly thinkingBudget: number | null;
  /** The maximum number of output tokens, including thinking tokens. Null means no limit. */
  readonly maxTokens: number | null;
  readonly stopSequences: readonly string[];
  /** The beginning of the answer, which the caller has written. The model continues it. */
  readonly prefill: string | null;
  /**
   * The request body as JSON, without the model, the tools, the prompt and the streaming options.
   * The random choices in an answer depend on a seed, which is a hash of `settings` and the prompt.
   */
  readonly settings: string;
};
