/** Why a chat server says that its answer ended. */

/** Words that tell no end but a failure, by the servers that say them (DeepSeek, OpenRouter, vLLM). */
const FAILURES: ReadonlySet<string> = new Set([
  'insufficient_system_resource',
  'error',
  'abort',
  'cancelled',
]);

export const isFailedFinish = (finishReason: string): boolean => FAILURES.has(finishReason);

/** A client's loop goes on as long as it hears of tool calls; some servers tell those as a natural end. */
export const finishOf = (finishReason: string, hasCalls: boolean): string =>
  hasCalls && finishReason === 'stop' ? 'tool_calls' : finishReason;
