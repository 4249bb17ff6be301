/**
 * How a server departs from the protocol it speaks, as data: a vendor is a row of these, never a
 * copied file. The rows of known servers are in `upstreams/known-servers.ts`.
 */
import type { JsonObject } from '../json/object.ts';

/** Path of a count within `usage`, such as `prompt_tokens_details.cached_tokens`. */
export type UsagePath = string;

export type Quirks = {
  /** Top-level request fields to omit: the server refuses them or means something else. */
  readonly drop: readonly string[];

  // For Messages.
  /** Whether it accepts `role: "system"` in `messages`; otherwise it becomes user text. */
  readonly systemAnywhere: boolean;

  // For chat completions.
  /** Its name for the output limit; null: keep the caller's. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens' | null;
  /** Whether it accepts `stream_options`; otherwise it reports usage unasked or not at all. */
  readonly streamOptions: boolean;
  /** Whether it accepts `role: "developer"`; otherwise `system` replaces it. */
  readonly developerRole: boolean;
  /** Where it reports cached tokens: the first path with a number wins. */
  readonly cachedTokens: readonly UsagePath[];
  /** Whether `completion_tokens` excludes the reasoning, which is then added. */
  readonly reasoningOutside: boolean;
  /** Where it writes its reasoning, in a message and in a delta: the first field with text wins. */
  readonly reasoningFields: readonly string[];
  /**
   * The field in which it wants the reasoning of earlier turns back; null: it must not be sent. A
   * Messages server with this set accepts its own thinking back without a signature.
   */
  readonly reasoningBack: string | null;
  /** Whether it refuses a conversation with tool calls if an assistant message lacks that field. */
  readonly reasoningRequired: boolean;
  /** Whether it accepts `reasoning_effort`; otherwise the field is left out. */
  readonly reasoningEffort: boolean;

  // For image generations.
  /** Whether it accepts `response_format`; otherwise it always answers in base64. */
  readonly imageResponseFormat: boolean;
};

/** The request without the members that the server refuses. */
export const withoutDropped = (body: JsonObject, { drop }: Quirks): JsonObject =>
  drop.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !drop.includes(name)));

/** A server that follows its protocol. */
export const NO_QUIRKS: Quirks = {
  drop: [],
  systemAnywhere: true,
  maxTokensField: null,
  streamOptions: true,
  developerRole: true,
  cachedTokens: ['prompt_tokens_details.cached_tokens', 'prompt_cache_hit_tokens', 'cached_tokens'],
  reasoningOutside: false,
  reasoningFields: ['reasoning_content', 'reasoning'],
  reasoningBack: null,
  reasoningRequired: false,
  reasoningEffort: true,
  imageResponseFormat: true,
};
