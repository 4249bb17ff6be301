/** The endpoints that answer with text: their dialects, and the upstreams that can serve them. */
import type { RateDialect } from '../accounts/limits/rate-headers.ts';
import type { ScannedObject } from '../json/scan.ts';
import { chatDialect } from '../protocols/chat/errors.ts';
import { chatToChat } from '../protocols/chat/translator.ts';
import { chatToMessages } from '../protocols/chat-to-messages/translator.ts';
import type { Dialect, TextFormat } from '../protocols/dialect.ts';
import { messagesDialect } from '../protocols/messages/errors.ts';
import { messagesToMessages } from '../protocols/messages/translator.ts';
import { messagesToChat } from '../protocols/messages-to-chat/translator.ts';
import { repeatedSettings } from '../protocols/responses/response-object.ts';
import { ResponseStream, responsesDialect } from '../protocols/responses/response-stream.ts';
import type { Seals } from '../protocols/responses/seal.ts';
import { responsesToResponses } from '../protocols/responses/translator.ts';
import { responsesToChat, responsesToMessages } from '../protocols/responses-to-chat/translator.ts';
import type { Translator } from '../protocols/translator.ts';

export type TextEndpoint = {
  readonly name: TextFormat;
  readonly dialect: Dialect;
  /**
   * Returns a new state for the stream of one answer; null if the protocol's streams need no state.
   */
  readonly beginStream: (body: ScannedObject) => ResponseStream | null;
  readonly rateDialect: RateDialect;
  /** The upstreams' protocols that can express the request, the caller's own first. */
  readonly formats: readonly TextFormat[];
  /** The translators by the upstream's protocol. */
  readonly translators: ReadonlyMap<TextFormat, Translator>;
};

export const chatEndpoint: TextEndpoint = {
  name: 'chat',
  dialect: chatDialect,
  beginStream: () => null,
  rateDialect: 'openai',
  formats: ['chat', 'messages'],
  translators: new Map<TextFormat, Translator>([
    ['chat', chatToChat],
    ['messages', chatToMessages],
  ]),
};

export const messagesEndpoint: TextEndpoint = {
  name: 'messages',
  dialect: messagesDialect,
  beginStream: () => null,
  rateDialect: 'anthropic',
  formats: ['messages', 'chat'],
  translators: new Map<TextFormat, Translator>([
    ['messages', messagesToMessages],
    ['chat', messagesToChat],
  ]),
};

/**
 * Returns the endpoint of the Responses API. `retriesIncomplete` is true for a client that retries
 * an answer if a content filter made it incomplete, and pays for each retry. Such a client gets the
 * answer as a failure, which it does not retry.
 */
export const responsesEndpoint = (seals: Seals, retriesIncomplete: boolean): TextEndpoint => ({
  name: 'responses',
  dialect: responsesDialect,
  beginStream: (body) => new ResponseStream(repeatedSettings(body), retriesIncomplete),
  rateDialect: 'openai',
  formats: ['responses', 'chat', 'messages'],
  translators: new Map<TextFormat, Translator>([
    ['responses', responsesToResponses],
    ['chat', responsesToChat(seals)],
    ['messages', responsesToMessages(seals)],
  ]),
});
