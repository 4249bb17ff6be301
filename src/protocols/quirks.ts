/** A server's departures from its protocol. `upstreams/known-servers.ts` lists them by server. */
import type { JsonObject } from '../json/object.ts';
import type { FeeUnit } from '../money/served.ts';

/** Path of a count within `usage`, such as `prompt_tokens_details.cached_tokens`. */
export type UsagePath = string;

/**
 * The paths at which a server counts the uses of its own tools. Counts at several paths are added.
 */
export type ToolUses = { readonly [Unit in FeeUnit]?: readonly UsagePath[] };

/**
 * The path at which a server reports its price of the request, and the unit of that price:
 * 10^-`decimals` USD.
 */
export type ReportedCost = { readonly path: UsagePath; readonly decimals: number };

/**
 * The treatment of an answer whose caller disconnects. `abort`: the gateway closes the connection,
 * which stops the server and its bill. `read_on`: the gateway reads the answer to its end, because
 * the server bills all of it, or may do so. `abort_streams`: the gateway aborts a stream, but reads
 * a non-streaming answer to its end.
 */
type OnDisconnect = 'abort' | 'abort_streams' | 'read_on';

export type Quirks = {
  /** Top-level request fields to omit: the server refuses them or gives them another meaning. */
  readonly drop: readonly string[];

  /** The lower-case name of the response header that states the served tier; null for no header. */
  readonly tierHeader: string | null;
  readonly toolUses: ToolUses;
  /** The path and unit of the price that the server reports; null when it reports none. */
  readonly reportedCost: ReportedCost | null;
  /**
   * What the gateway does with an answer when its caller disconnects: abort it, or read it to its
   * end.
   */
  readonly onDisconnect: OnDisconnect;

  // The next quirks are only for Messages.
  /**
   * Whether the gateway sets cache markers for chat callers, if caching is profitable at the prices
   * of the price card.
   */
  readonly autoCache: boolean;
  /** Whether the server accepts the role `system` in `messages`; if not, `user` replaces it. */
  readonly systemAnywhere: boolean;

  // The next quirks are for chat completions.
  /** The server's name for the output limit; null keeps the caller's name. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens' | null;
  /** Whether the server accepts `stream_options`; if not, it always or never reports usage. */
  readonly streamOptions: boolean;
  /** Whether the server accepts `role: "developer"`; otherwise `system` replaces it. */
  readonly developerRole: boolean;
  /**
   * The paths at which the server may report cached tokens. The first path with a number is used.
   */
  readonly cachedTokens: readonly UsagePath[];
  /** Whether `completion_tokens` excludes the reasoning, so that the gateway has to add it. */
  readonly reasoningOutside: boolean;
  /**
   * The message or delta fields in which the server writes its reasoning. The first field with text
   * is used.
   */
  readonly reasoningFields: readonly string[];
  /**
   * The field in which the server gets the reasoning of earlier turns; null if it must not get
   * reasoning back. For a Messages server, any value means that the server accepts its thinking
   * without a signature.
   */
  readonly reasoningBack: string | null;
  /**
   * Whether the server refuses reasoning of earlier turns in any field other than `reasoningBack`.
   */
  readonly onlyReasoningBack: boolean;
  /** Whether, in a conversation with tool calls, every assistant message needs `reasoningBack`. */
  readonly reasoningRequired: boolean;
  /**
   * The request members that turn thinking off; null if no members do so for all models of the
   * server.
   */
  readonly thinkingOff: JsonObject | null;
  /** Whether the server accepts `reasoning_effort`; otherwise the field is left out. */
  readonly reasoningEffort: boolean;

  // The next quirk is for Responses.
  /**
   * Whether requests of the Responses API are sent to the server's own Responses API, which clients
   * such as Codex need. Otherwise they are translated to chat completions.
   */
  readonly responses: boolean;

  // The next quirk is for image generations.
  /** Whether the server accepts `response_format`; otherwise it always answers in base64. */
  readonly imageResponseFormat: boolean;
};

/** Whether the gateway reads an answer to its end after its caller has disconnected. */
export const readsOn = ({ onDisconnect }: Quirks, delivery: 'stream' | 'whole'): boolean =>
  onDisconnect === 'read_on' || (onDisconnect === 'abort_streams' && delivery === 'whole');

/** Returns the request without the members that the server refuses. */
export const withoutDropped = (body: JsonObject, { drop }: Quirks): JsonObject =>
  drop.length === 0
    ? body
    : Object.fromEntries(Object.entries(body).filter(([name]) => !drop.includes(name)));

/** The quirks of a server that follows its protocol. */
export const NO_QUIRKS: Quirks = {
  drop: [],
  tierHeader: null,
  toolUses: {},
  reportedCost: null,
  onDisconnect: 'read_on',
  autoCache: true,
  systemAnywhere: true,
  maxTokensField: null,
  streamOptions: true,
  developerRole: true,
  cachedTokens: ['prompt_tokens_details.cached_tokens', 'prompt_cache_hit_tokens', 'cached_tokens'],
  reasoningOutside: false,
  reasoningFields: ['reasoning_content', 'reasoning'],
  reasoningBack: null,
  onlyReasoningBack: false,
  reasoningRequired: false,
  thinkingOff: null,
  reasoningEffort: true,
  responses: false,
  imageResponseFormat: true,
};
