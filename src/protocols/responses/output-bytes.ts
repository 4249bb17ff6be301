/** Measures the output of an answer, to estimate missing usage, and finds refusals in it. */
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';

/**
 * Counts the bytes of text, reasoning, refusal and tool input in an output item. Encrypted
 * reasoning does not count, because its length says little about its tokens.
 */
export function outputBytesOf(item: JsonObject): number {
  let bytes = length(item['arguments']) + length(item['input']) + length(item['code']);
  for (const name of ['content', 'summary'] as const) {
    for (const part of asArray(item[name])) {
      const { text, refusal } = asJsonObject(part) ?? {};
      bytes += length(text) + length(refusal);
    }
  }
  return bytes;
}

/** Counts the bytes of output in all items of an answer. */
export function outputBytesIn(output: unknown): number {
  let bytes = 0;
  for (const item of asArray(output)) bytes += outputBytesOf(asJsonObject(item) ?? {});
  return bytes;
}

/** Returns the text with which the model refused; empty if it did not. */
export function refusalIn(output: unknown): string {
  let text = '';
  for (const item of asArray(output)) {
    for (const part of asArray(asJsonObject(item)?.['content']))
      text += asString(asJsonObject(part)?.['refusal']) ?? '';
  }
  return text;
}

/** Counts the bytes of output in a delta. Its `obfuscation` is padding and does not count. */
export const deltaBytesIn = ({ delta }: JsonObject): number => length(delta);

const length = (text: unknown): number => (typeof text === 'string' ? Buffer.byteLength(text) : 0);
