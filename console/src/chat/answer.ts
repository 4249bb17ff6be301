/** A chat answer, while it streams and afterwards: content, usage and cost. */
import type { ApiError } from '#api/api-error.ts';
import type { JsonObject } from '#api/json.ts';

export type ToolCall = {
  readonly id: string;
  /** The type of the tool. The input of a `custom` tool is free text instead of JSON. */
  readonly type: 'function' | 'custom';
  readonly name: string;
  readonly input: string;
};

export type Usage = {
  /** The prompt tokens, including tokens read from the cache. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** The output tokens, including reasoning. */
  readonly output: number;
  readonly reasoning: number;
  /** The charged cost; null when the gateway did not report it. */
  readonly cost: { readonly amount: string; readonly currency: string } | null;
};

/** `cut`: the connection ended early. `unreadable`: the response was not an event stream. */
export type Problem =
  | { readonly kind: 'api'; readonly error: ApiError }
  | { readonly kind: 'cut' | 'unreadable' };

export type Answer = {
  readonly phase: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly model: string;
  /** The requested channel; null for the model's default channel. */
  readonly requestedChannel: string | null;
  /** The channel that serves the request; null while unknown. */
  readonly channel: string | null;
  readonly requestId: string | null;
  /** The estimated number of prompt tokens. */
  readonly promptWeight: number;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  /** Encrypted reasoning, which the next request of the chat must send back unchanged. */
  readonly reasoningDetails: readonly JsonObject[];
  readonly toolCalls: readonly ToolCall[];
  /** The estimated number of tokens in the output so far. */
  readonly weight: number;
  readonly finishReason: string | null;
  readonly usage: Usage | null;
  readonly problem: Problem | null;
  /**
   * The times of the request, the first token and the last token in monotonic milliseconds; null
   * for tokens that have not arrived.
   */
  readonly sentMs: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
};

export type Asked = Pick<Answer, 'model' | 'requestedChannel' | 'promptWeight' | 'sentMs'>;

export const newAnswer = (asked: Asked): Answer => ({
  phase: 'waiting',
  ...asked,
  channel: null,
  requestId: null,
  text: '',
  reasoning: '',
  refusal: '',
  reasoningDetails: [],
  toolCalls: [],
  weight: 0,
  finishReason: null,
  usage: null,
  problem: null,
  firstMs: null,
  lastMs: null,
});

export const isRunning = ({ phase }: Answer): boolean =>
  phase === 'waiting' || phase === 'streaming';

/** Whether any output arrived. The gateway charges for output that it has sent. */
export const hasOutput = ({ firstMs }: Answer): boolean => firstMs !== null;

/**
 * The output tokens per second between the first and the last token; null when there is too little
 * data.
 */
export function tokensPerSecond({ usage, weight, firstMs, lastMs }: Answer): number | null {
  if (firstMs === null || lastMs === null || lastMs - firstMs < MIN_SPAN_MS) return null;
  return ((usage?.output ?? weight) * 1000) / (lastMs - firstMs);
}

/**
 * The minimum time between the first and the last token. If less time passed, the answer arrived
 * all at once and has no meaningful speed.
 */
const MIN_SPAN_MS = 50;

/** The time to the first token in milliseconds; null before the first token. */
export const firstTokenMs = ({ sentMs, firstMs }: Answer): number | null =>
  firstMs === null ? null : firstMs - sentMs;
