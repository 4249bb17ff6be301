/** What the choices of an answer and of a chunk have in common: the end and the output. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';

/** Words that tell no end but a failure, by the servers that say them (DeepSeek, OpenRouter, vLLM). */
const FAILURES: ReadonlySet<string> = new Set([
  'insufficient_system_resource',
  'error',
  'abort',
  'cancelled',
]);

export const isFailedFinish = (finishReason: string): boolean => FAILURES.has(finishReason);

/** A client's loop goes on as long as it hears of tool calls; some servers tell those as a natural end. */
export const normalizedFinish = (finishReason: string, hasCalls: boolean): string =>
  hasCalls && finishReason === 'stop' ? 'tool_calls' : finishReason;

/** Members whose text the model wrote. */
const TEXTS = ['content', 'refusal'] as const;

/** Bytes of text, reasoning, refusal and tool arguments: the base of an estimate when no count comes. */
export function outputBytesOf(part: JsonObject): number {
  let bytes = 0;
  for (const name of TEXTS) bytes += length(part[name]);
  // Reasoning has no official name; two are in use, and servers between them tell the same under both.
  bytes += Math.max(length(part['reasoning_content']), length(part['reasoning']));
  const { tool_calls, function_call } = part;
  if (Array.isArray(tool_calls)) {
    for (const call of tool_calls) {
      bytes += length(asJsonObject(asJsonObject(call)?.['function'])?.['arguments']);
      bytes += length(asJsonObject(asJsonObject(call)?.['custom'])?.['input']);
    }
  }
  return bytes + length(asJsonObject(function_call)?.['arguments']);
}

const length = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);
