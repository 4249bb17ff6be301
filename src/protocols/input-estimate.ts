/**
 * Estimates the input tokens of a Messages prompt from its length. Tokenizing a full context window
 * would stall every stream for a second, and each model has its own tokenizer.
 */
import type { ScannedObject, Span } from '../json/scan.ts';

/** Typical bytes of text per token. */
const BYTES_PER_TOKEN = 4;
/** Typical tokens of an image or file. The size hardly matters: providers scale images down. */
const TOKENS_PER_MEDIA = 2_000;

/** The members of a request that the model reads. */
const PROMPT: readonly string[] = ['system', 'messages', 'tools', 'tool_choice', 'output_config'];

/** Returns the estimated input tokens, at least 1, of a Messages or token counting request. */
export function estimateInputTokens(body: ScannedObject): number {
  const prompt = PROMPT.flatMap((name) => body.members.get(name) ?? []);
  const payloads = body.longStrings.filter(
    (span) => prompt.some((member) => isWithin(span, member)) && isPayload(body.bytes, span),
  );
  const textBytes = bytesOf(prompt) - bytesOf(payloads);
  return Math.max(1, Math.ceil(textBytes / BYTES_PER_TOKEN)) + payloads.length * TOKENS_PER_MEDIA;
}

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

const bytesOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** Bytes that are sampled at each of three positions in a long string. */
const SAMPLE_BYTES = 200;
const SPACE = 0x20;

/**
 * Whether a long string is base64, not prose. Samples three positions and allows no space: prose
 * counted as one image would be at the operator's expense.
 */
export function isPayload(bytes: Uint8Array, { start, end }: Span): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const last = content.byteLength - SAMPLE_BYTES;
  const header = /^data:[\w.+-]+\/[\w.+-]+;base64,/.exec(sampleAt(content, 0))?.[0] ?? '';
  const first = Math.min(header.length, last);
  if (content.includes(SPACE)) return false;
  return [first, Math.floor((first + last) / 2), last].every((at) =>
    /^[A-Za-z0-9+/_=\\-]+$/.test(sampleAt(content, at)),
  );
}

const sampleAt = (content: Buffer, at: number): string =>
  content.toString('latin1', Math.max(0, at), Math.max(0, at) + SAMPLE_BYTES);
