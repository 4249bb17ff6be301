/** Fields that a response and its stream share: how the answer ended, its usage and its tier. */
import type { JsonObject } from '../../json/object.ts';
import { promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { stopReason } from '../messages-to-chat/answer-fields.ts';
import type { RepeatedSettings, ResponseEnd } from '../responses/response-object.ts';
import { DEFAULT_TIER } from '../responses/response-stream.ts';
import type { ItemStatus } from './output-items.ts';
import type { AnswerOptions } from './output-writer.ts';

/** What a translation needs to know of the request, to write its answer. */
export type AnsweredOptions = AnswerOptions & { readonly settings: RepeatedSettings };

const COMPLETED: ResponseEnd = { status: 'completed' };
const TOO_LONG: ResponseEnd = { status: 'incomplete', reason: 'max_output_tokens' };
const FILTERED: ResponseEnd = { status: 'incomplete', reason: 'content_filter' };

/** Returns how an answer with this chat finish reason ended; null if the reason is a failure. */
export function endOf(finishReason: string): ResponseEnd | null {
  const reason = stopReason(finishReason, { hasCalls: false, isRefused: false });
  if (reason === null) return null;
  if (reason === 'max_tokens') return TOO_LONG;
  return reason === 'refusal' ? FILTERED : COMPLETED;
}

/** Returns the status of an item that is open when the answer ends. */
export const openItemStatus = ({ status }: ResponseEnd): ItemStatus =>
  status === 'completed' ? 'completed' : 'incomplete';

/**
 * Returns a `usage` object. Codex fails if a count is missing, so all are integers. The input
 * includes cached tokens, and the output includes reasoning.
 */
export function responsesUsage(usage: Usage, reasoningTokens = usage.reasoning): JsonObject {
  const input = promptTokens(usage);
  const output = tokensOf(usage, 'output');
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: tokensOf(usage, 'cache_read'),
      cache_write_tokens: tokensOf(usage, 'cache_write'),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.min(reasoningTokens, output) },
    total_tokens: input + output,
  };
}

/** The tiers of the protocol. Other names are those of other providers. */
const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'scale']);

export const servedTier = (tier: string | null): string =>
  tier !== null && TIERS.has(tier) ? tier : DEFAULT_TIER;
