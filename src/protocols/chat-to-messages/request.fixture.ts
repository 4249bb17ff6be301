/** Translates chat requests to Messages, for the tests of this folder. */
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { JsonScan, type ScannedObject } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { NO_PLAN } from '../request-fields.ts';
import type { RequestTarget } from '../translator.ts';
import { chatToMessages } from './translator.ts';

export const MODEL = { maxOutput: 128_000 } as const;

export const scanned = (json: unknown): ScannedObject => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return new JsonScan({ maxDepth: 1_000 }).finish(bytes, bytes.byteLength);
};

export const target = (quirks: Partial<Quirks> = {}): RequestTarget => ({
  model: 'up-opus',
  quirks: { ...NO_QUIRKS, ...quirks },
  clampedOutput: null,
  plan: NO_PLAN,
});

/** Translates a chat request. Returns the exact body that a Messages upstream gets. */
export function messagesText(
  json: JsonObject,
  to: RequestTarget = target(),
  stream = false,
): string {
  const request = { model: 'gen-opus-4-8', ...json };
  const bytes = chatToMessages.prepare(scanned(request), MODEL, stream).bodyFor(to);
  return new TextDecoder().decode(bytes);
}

export const messagesBody = (json: JsonObject, to: RequestTarget = target()): JsonObject =>
  JSON.parse(messagesText(json, to));

/** Returns the error for a rejected request, as `code at param: message`. */
export function refusalOf(json: JsonObject): string {
  try {
    messagesText(json);
  } catch (thrown) {
    if (thrown instanceof GatewayError)
      return `${thrown.code} at ${thrown.param}: ${thrown.message}`;
    throw thrown;
  }
  throw new Error('the request was not refused');
}

export const user = (content: unknown): JsonObject => ({ role: 'user', content });
export const assistant = (members: JsonObject): JsonObject => ({ role: 'assistant', ...members });
export const call = (id: string, name: string, args: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
export const result = (id: string, content: unknown): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
