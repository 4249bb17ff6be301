/**
 * Reads the fields that choices of complete answers and of chunks have in common: the finish reason
 * and the output.
 */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { argumentsText, textIn, thoughtIn } from './model-output.ts';

/** Finish reasons of DeepSeek, OpenRouter, vLLM and Zhipu that report a failure. */
const FAILURES: ReadonlySet<string> = new Set([
  'insufficient_system_resource',
  'network_error',
  'error',
  'abort',
  'cancelled',
]);

export const isFailedFinish = (finishReason: string): boolean => FAILURES.has(finishReason);

/**
 * Finish reasons of truncated answers. If the context window is full, Mistral sends `model_length`,
 * and Zhipu the last one.
 */
const CUT: ReadonlySet<string> = new Set([
  ...['length', 'max_tokens', 'model_length', 'model_context_window_exceeded'],
]);

export const isCutFinish = (finishReason: string): boolean => CUT.has(finishReason);

/** Finish reasons of answers that a filter stopped. Zhipu sends `sensitive`. */
const FILTERED: ReadonlySet<string> = new Set(['content_filter', 'sensitive']);

export const isFilteredFinish = (finishReason: string): boolean => FILTERED.has(finishReason);

/** Finish reasons of answers with calls. */
const CALLING: ReadonlySet<string> = new Set(['tool_calls', 'function_call']);

/**
 * Returns the finish reason in the words of the protocol, because typed clients refuse others, such
 * as `eos` of Together. A failure keeps its name. If the choice has calls, `stop` becomes
 * `tool_calls`, because agents continue only after this reason.
 */
export function normalizedFinish(finishReason: string, hasCalls: boolean): string {
  if (CALLING.has(finishReason) || isFailedFinish(finishReason)) return finishReason;
  if (isCutFinish(finishReason)) return 'length';
  if (isFilteredFinish(finishReason)) return 'content_filter';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** The service tiers of the protocol. */
const TIERS: ReadonlySet<string> = new Set([
  ...['auto', 'default', 'flex', 'priority', 'scale', 'fast'],
]);

/**
 * Whether this is a tier by a name of the provider, such as `on_demand` of Groq. Typed clients
 * refuse it.
 */
export const isForeignTier = (tier: unknown): boolean =>
  typeof tier === 'string' && !TIERS.has(tier);

/**
 * Counts the bytes of text, reasoning, refusal and tool arguments. Missing usage is estimated from
 * this number.
 */
export function outputBytesOf(part: JsonObject): number {
  let bytes = contentBytes(part['content']) + length(part['refusal']);
  // Servers use one of two names for reasoning, and some send the same text under both.
  bytes += Math.max(length(part['reasoning_content']), length(part['reasoning']));
  const { tool_calls, function_call } = part;
  if (Array.isArray(tool_calls)) {
    for (const call of tool_calls) {
      bytes += argumentBytes(asJsonObject(call)?.['function']);
      bytes += length(asJsonObject(asJsonObject(call)?.['custom'])?.['input']);
    }
  }
  return bytes + argumentBytes(function_call);
}

/** Counts content that is an array by the text and the reasoning of its parts. */
const contentBytes = (content: unknown): number =>
  Array.isArray(content) ? length(textIn(content)) + length(thoughtIn(content)) : length(content);

const argumentBytes = (definition: unknown): number =>
  length(argumentsText(asJsonObject(definition)?.['arguments']));

const length = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);
