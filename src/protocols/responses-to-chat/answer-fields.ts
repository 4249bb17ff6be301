/** Fields that a response and its stream share: how the answer ended, and its tier. */
import { stopReason } from '../messages-to-chat/answer-fields.ts';
import type { RepeatedSettings, ResponseEnd } from '../responses/response-object.ts';
import { DEFAULT_TIER } from '../responses/response-stream.ts';
import type { ItemStatus } from './output-items.ts';
import type { AnswerOptions } from './output-writer.ts';

/** The options of a request that are needed to write its answer. */
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

/** Returns the status of an output item that is not finished when the answer ends. */
export const openItemStatus = ({ status }: ResponseEnd): ItemStatus =>
  status === 'completed' ? 'completed' : 'incomplete';

/** The service tiers of the protocol. Providers of other protocols may report other names. */
const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'scale']);

export const servedTier = (tier: string | null): string =>
  tier !== null && TIERS.has(tier) ? tier : DEFAULT_TIER;
