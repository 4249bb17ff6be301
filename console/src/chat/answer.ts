/** An answer while it comes and when it is there: what the model wrote, what it took, what it cost. */
import type { ApiError } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';

export type ToolCall = {
  readonly id: string;
  /** `custom`: its input is free text instead of JSON. */
  readonly type: 'function' | 'custom';
  readonly name: string;
  readonly input: string;
};

export type Usage = {
  /** Tokens of the prompt, with those read from the cache. */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** With the reasoning. */
  readonly output: number;
  readonly reasoning: number;
  /** What was charged; null where the gateway did not say. */
  readonly cost: { readonly amount: string; readonly currency: string } | null;
};

/** `cut`: the connection ended before the answer did. `unreadable`: it was no stream of events. */
export type Problem =
  | { readonly kind: 'api'; readonly error: ApiError }
  | { readonly kind: 'cut' | 'unreadable' };

export type Answer = {
  readonly phase: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly model: string;
  /** The one asked for; null: the model's default. */
  readonly channelAsked: string | null;
  /** The one that serves, once that is known. */
  readonly channel: string | null;
  readonly requestId: string | null;
  /** Estimated tokens of the prompt. */
  readonly promptWeight: number;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  /** Sealed reasoning, as it has to go back. */
  readonly reasoningDetails: readonly JsonObject[];
  readonly toolCalls: readonly ToolCall[];
  /** Estimated tokens of all that the model wrote. */
  readonly weight: number;
  readonly finishReason: string | null;
  readonly usage: Usage | null;
  readonly problem: Problem | null;
  /** Monotonic milliseconds; null: not yet. */
  readonly sentMs: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
};

export type Asked = Pick<Answer, 'model' | 'channelAsked' | 'promptWeight' | 'sentMs'>;

export const askedAnswer = (asked: Asked): Answer => ({
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

/** Whether anything came that can be shown, and so has its price. */
export const hasOutput = ({ firstMs }: Answer): boolean => firstMs !== null;

/** Tokens a second, from the first to the last of them; null where there is too little to tell. */
export function tokensPerSecond({ usage, weight, firstMs, lastMs }: Answer): number | null {
  if (firstMs === null || lastMs === null || lastMs - firstMs < MIN_SPAN_MS) return null;
  return ((usage?.output ?? weight) * 1000) / (lastMs - firstMs);
}

/** Within a shorter time everything came at once. */
const MIN_SPAN_MS = 50;

/** Until the first word; null while there is none. */
export const firstTokenMs = ({ sentMs, firstMs }: Answer): number | null =>
  firstMs === null ? null : firstMs - sentMs;
