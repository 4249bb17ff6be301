/**
 * Encodes the model's thinking text as the `signature` of a thinking block. This is for callers
 * that asked for no thinking text (`display: "omitted"`). They return the signature in later
 * requests, where the upstream may need the thinking. The text is not encrypted, because the caller
 * may read it.
 */
import { asFilledString, asJsonObject, type JsonObject } from '../json/object.ts';

/** The prefix of the gateway's signatures on chat tool calls. Signatures of providers lack it. */
export const CALL_SIGNATURE_PREFIX = 'modelgate-1.';

/**
 * Returns the `extra_content` that the call's provider must get back. Returns null if the gateway
 * itself added a signature to it, because providers refuse such a signature.
 */
export const providersExtra = (extra: JsonObject | null): JsonObject | null =>
  signatureIn(extra)?.startsWith(CALL_SIGNATURE_PREFIX) === true ? null : extra;

/** Returns the signature of the provider (Gemini) on the call; null for a call without one. */
export const providersSignature = (extra: JsonObject | null): string | null =>
  signatureIn(providersExtra(extra));

const signatureIn = (extra: JsonObject | null): string | null =>
  asFilledString(asJsonObject(extra?.['google'])?.['thought_signature']);

export const THINKING_SIGNATURE_PREFIX = 'modelgate-thinking-1.';

export const encodeThinkingSignature = (text: string): string =>
  text === '' ? '' : THINKING_SIGNATURE_PREFIX + Buffer.from(text).toString('base64url');

/**
 * Returns the thinking text that a signature encodes; null if another system made the signature.
 */
export const decodeThinkingSignature = (signature: string): string | null =>
  signature.startsWith(THINKING_SIGNATURE_PREFIX)
    ? Buffer.from(signature.slice(THINKING_SIGNATURE_PREFIX.length), 'base64url').toString()
    : null;
