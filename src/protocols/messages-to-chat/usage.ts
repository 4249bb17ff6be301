/** Token counts of a chat server as a Messages `usage`. */

import type { JsonObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { reasoningTokens } from '../chat/usage.ts';

/** Bytes of text a token is usually worth, where nobody counted. */
const BYTES_PER_TOKEN = 4;

/**
 * All members that clients' types require, before the cost.
 *
 * @param usage as counted; null when nobody did: then the answer is told by its length.
 * @param raw the server's own object, which tells how much of the output was reasoning.
 */
export function messagesUsage(
  usage: Usage | null,
  raw: JsonObject,
  uncounted: { readonly inputTokens: number; readonly outputBytes: number },
): JsonObject {
  const output = usage?.output ?? Math.ceil(uncounted.outputBytes / BYTES_PER_TOKEN);
  const thought = reasoningTokens(raw);
  const write5m = usage?.cacheWrite5m ?? 0;
  const write1h = usage?.cacheWrite1h ?? 0;
  return {
    input_tokens: usage?.input ?? uncounted.inputTokens,
    output_tokens: output,
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens_details: {
      thinking_tokens: Number.isNaN(thought) ? 0 : Math.min(thought, output),
    },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  };
}
