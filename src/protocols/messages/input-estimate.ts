/**
 * How many tokens a Messages prompt comes to, as far as its length tells. Nothing is tokenised: on a full
 * context that would stall every stream for a second, and each model has a tokeniser of its own.
 */
import type { ScannedObject, Span } from '../../json/scan.ts';
import { isPayload } from '../payload.ts';

/** Bytes of text that a token is usually worth. */
const BYTES_PER_TOKEN = 4;
/** What an image or a file usually comes to, whatever its bytes: makers scale pictures down. */
const TOKENS_PER_MEDIA = 2_000;

/** The members that a model reads. */
const PROMPT: readonly string[] = ['system', 'messages', 'tools', 'tool_choice', 'output_config'];

/** Input tokens of a Messages request, or of a request to count them; at least 1. */
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
