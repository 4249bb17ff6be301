/** Why an answer ended, and what it says when it was refused, in the words of chat completions. */
import { asJsonObject, asString } from '../../json/object.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';

const CUT: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);

/**
 * A client's loop goes on as long as it hears of tool calls, so that this reason and the calls always come
 * together; an answer that was cut or refused is told as that, whatever it holds. Reasons that chat has no
 * word for are natural ends.
 */
export function finishReason(
  stopReason: string,
  hasCalls: boolean,
  isLegacy: boolean,
): FinishReason {
  if (CUT.has(stopReason)) return 'length';
  if (stopReason === 'refusal') return 'content_filter';
  if (!hasCalls) return 'stop';
  return isLegacy ? 'function_call' : 'tool_calls';
}

/** The upstream's words on its refusal; null when it gave none, or did not refuse. */
export const explanationOf = (stopDetails: unknown): string | null => {
  const explanation = asString(asJsonObject(stopDetails)?.['explanation']);
  return explanation === '' ? null : explanation;
};

/** The completion's id, made of the request's own so that both can be found by either. */
export const completionId = (requestId: string): string =>
  `chatcmpl-${requestId.replace(/^req_/, '')}`;
