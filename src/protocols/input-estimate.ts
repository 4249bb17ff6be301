/**
 * Estimates the input tokens of a Messages prompt from its length. Tokenizing a full context window
 * would stall every stream for a second, and each model has its own tokenizer.
 */
import type { ScannedObject } from '../json/scan.ts';
import type { MediaInput } from './inputs/media-input.ts';
import { requestSize } from './inputs/request-size.ts';

/** Typical bytes of text per token. */
const BYTES_PER_TOKEN = 4;
/** Typical tokens of an image or file. The size hardly matters: providers scale images down. */
const TOKENS_PER_MEDIA = 2_000;

/** The members of a request that the model reads. */
const PROMPT: readonly string[] = ['system', 'messages', 'tools', 'tool_choice', 'output_config'];

/** Returns the estimated input tokens, at least 1, of a Messages or token counting request. */
export function estimateInputTokens(body: ScannedObject, inputs: readonly MediaInput[]): number {
  let bytes = 0;
  for (const name of PROMPT) {
    const { start, end } = body.members.get(name) ?? { start: 0, end: 0 };
    bytes += end - start;
  }
  const { textBytes, media } = requestSize(body, inputs);
  const textTokens = Math.ceil((bytes - (body.bytes.byteLength - textBytes)) / BYTES_PER_TOKEN);
  return Math.max(1, textTokens) + media.length * TOKENS_PER_MEDIA;
}
