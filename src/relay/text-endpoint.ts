/** The two endpoints that answer with text, each with the translators to whoever can serve it. */
import { chatDialect } from '../protocols/chat/errors.ts';
import { chatToChat } from '../protocols/chat/translator.ts';
import { chatToMessages } from '../protocols/chat-to-messages/translator.ts';
import type { Dialect, TextFormat } from '../protocols/dialect.ts';
import { messagesDialect } from '../protocols/messages/errors.ts';
import { messagesToMessages } from '../protocols/messages/translator.ts';
import { messagesToChat } from '../protocols/messages-to-chat/translator.ts';
import type { Translator } from '../protocols/translator.ts';

export type TextEndpoint = {
  readonly name: TextFormat;
  readonly dialect: Dialect;
  /** By what the upstream speaks, the caller's own dialect first: nothing is translated without need. */
  readonly translators: ReadonlyMap<TextFormat, Translator>;
};

export const chatEndpoint: TextEndpoint = {
  name: 'chat',
  dialect: chatDialect,
  translators: new Map([
    ['chat', chatToChat],
    ['messages', chatToMessages],
  ]),
};

export const messagesEndpoint: TextEndpoint = {
  name: 'messages',
  dialect: messagesDialect,
  translators: new Map([
    ['messages', messagesToMessages],
    ['chat', messagesToChat],
  ]),
};
