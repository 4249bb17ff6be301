/**
 * How a server departs from the protocol it speaks, as data: a vendor is a row of these, never a copied
 * file. The rows of known servers are in `upstreams/known-servers.ts`; here is what they may say.
 */
import type { JsonObject } from '../json/object.ts';

/** Where a chat server tells a count within its `usage`, as a path such as `prompt_tokens_details.cached_tokens`. */
export type UsagePath = string;

export type Quirks = {
  /** Top-level request fields that it refuses, or that mean something else to it; left out. */
  readonly drop: readonly string[];

  // Of the Messages protocol.
  /** Whether it takes `role: "system"` within `messages`; where not, such a message becomes user text. */
  readonly systemAnywhere: boolean;

  // Of chat completions.
  /** Its name for the most output tokens; null: whichever the caller used. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens' | null;
  /** Whether it knows `stream_options`; where not, it counts unasked or not at all. */
  readonly streamOptions: boolean;
  /** Whether it knows `role: "developer"`; where not, that is `system` to it. */
  readonly developerRole: boolean;
  /** Where it counts the tokens read from its cache: the first path with a number wins. */
  readonly cachedTokens: readonly UsagePath[];
  /** Whether `completion_tokens` leaves the reasoning out, which then comes on top. */
  readonly reasoningOutside: boolean;
  /** Where it writes its reasoning, in a message and in a delta: the first that is text wins. */
  readonly reasoningFields: readonly string[];
  /**
   * The field in which it wants the reasoning of earlier turns back; null: it must not be sent. In Messages
   * such a server takes its own thinking back unsigned.
   */
  readonly reasoningBack: string | null;
  /** Whether it refuses a conversation with tool calls in which an answer comes back without that field. */
  readonly reasoningRequired: boolean;
  /** Whether it knows `reasoning_effort`; where not, the field is left out. */
  readonly reasoningEffort: boolean;

  // Of image generations.
  /** Whether it knows `response_format`; where not, it always answers in base64. */
  readonly imageResponseFormat: boolean;
};

/** The members of a request that the server takes. */
export const withoutDropped = (body: JsonObject, { drop }: Quirks): JsonObject =>
  drop.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !drop.includes(name)));

/** A server that does as its protocol says. */
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
