/** Translates Responses requests to chat and Messages, for the tests of this folder. */
import { GatewayError } from '../../errors.ts';
import { asArray, type JsonObject } from '../../json/object.ts';
import { JsonScan, type ScannedObject } from '../../json/scan.ts';
import { NO_QUIRKS, type Quirks } from '../quirks.ts';
import { NO_PLAN } from '../request-fields.ts';
import { type SealedReasoning, Seals } from '../responses/seal.ts';
import type { RequestTarget } from '../translator.ts';
import { readResponsesAsMessages } from './messages-request.ts';
import { type ReadRequest, readResponsesAsChat } from './request.ts';

export const seals = new Seals('the secret of this installation');
const MODEL = { maxOutput: 128_000 } as const;

export const scanned = (json: unknown): ScannedObject => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return new JsonScan({ maxDepth: 1_000 }).finish(bytes, bytes.byteLength);
};

export const target = (quirks: Partial<Quirks> = {}): RequestTarget => ({
  model: 'up',
  quirks: { ...NO_QUIRKS, ...quirks },
  clampedOutput: null,
  plan: NO_PLAN,
});

export const asChat = (json: JsonObject, stream = false): ReadRequest =>
  readResponsesAsChat(scanned({ model: 'gen-v4-pro', ...json }), seals, stream);

export const asMessages = (json: JsonObject, stream = false): ReadRequest =>
  readResponsesAsMessages(scanned({ model: 'gen-opus-4-8', ...json }), seals, MODEL, stream);

const decoded = ({ bodyFor }: ReadRequest, to: RequestTarget): JsonObject =>
  JSON.parse(new TextDecoder().decode(bodyFor(to)));

export const chatBody = (json: JsonObject, quirks: Partial<Quirks> = {}): JsonObject =>
  decoded(asChat(json), target(quirks));

export const messagesBody = (json: JsonObject, quirks: Partial<Quirks> = {}): JsonObject =>
  decoded(asMessages(json), target(quirks));

/** Translates these items to chat. Returns the messages. */
export const chatMessages = (
  input: readonly JsonObject[],
  quirks: Partial<Quirks> = {},
): readonly unknown[] => asArray(chatBody({ input }, quirks)['messages']);

/** Translates these items to Messages. Returns the turns as `[role, content]`. */
export const turns = (input: readonly JsonObject[]): readonly unknown[] =>
  asArray(messagesBody({ input })['messages']).map((turn) => {
    const { role, content } = turn as JsonObject;
    return [role, content];
  });

/** Returns the error for a rejected request, as `code at param: message`. */
export function refusalOf(json: JsonObject, translate: (json: JsonObject) => unknown): string {
  try {
    translate(json);
  } catch (thrown) {
    if (thrown instanceof GatewayError)
      return `${thrown.code} at ${thrown.param}: ${thrown.message}`;
    throw thrown;
  }
  throw new Error('the request was not refused');
}

/** Returns the code and path of the refusal. Both translations must refuse with the same error. */
export function refused(json: JsonObject): string {
  const [chat, messages] = [asChat, asMessages].map((each) => refusalOf(json, each));
  if (chat !== messages) throw new Error(`${chat} differs from ${messages}`);
  return (chat ?? '').split(': ', 1).join();
}

export const user = (content: unknown): JsonObject => ({ type: 'message', role: 'user', content });
export const developer = (content: unknown): JsonObject => ({ role: 'developer', content });
export const said = (text: string): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
});
export const call = (id: string, name = 'f', args = '{}', more: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: args,
  ...more,
});
export const output = (id: string, value: unknown = 'done'): JsonObject => ({
  type: 'function_call_output',
  call_id: id,
  output: value,
});
export const reasoning = (content: Partial<SealedReasoning>): JsonObject => ({
  type: 'reasoning',
  summary: [],
  encrypted_content: seals.seal({ text: '', details: [], calls: {}, ...content }),
});
/** An entry of `reasoning_details` with thinking that a Messages server signed. */
export const signed = (text: string): JsonObject => ({
  type: 'reasoning.text',
  text,
  signature: `sig of ${text}`,
  format: 'anthropic-claude-v1',
});
export const inputText = (text: string): JsonObject => ({ type: 'input_text', text });
export const PNG = 'data:image/png;base64,iVBORw0=';
export const inputImage = (url = PNG, more: JsonObject = {}): JsonObject => ({
  type: 'input_image',
  image_url: url,
  ...more,
});
