/** What a delta, or the message of a whole answer, holds of the model's own writing. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';

/** Members whose text the model wrote. */
const TEXTS = ['content', 'refusal'] as const;

/** Bytes of text, reasoning, refusal and tool arguments: the base of an estimate when no count comes. */
export function writtenBytes(part: JsonObject): number {
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
