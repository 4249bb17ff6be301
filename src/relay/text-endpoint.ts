/** The two endpoints that answer with text, each with the ways to whoever can serve it. */
import { chatDialect } from '../protocols/chat/errors.ts';
import { chatOverChat } from '../protocols/chat/translator.ts';
import { chatOverMessages } from '../protocols/chat-to-messages/translator.ts';
import type { Dialect, TextFormat } from '../protocols/dialect.ts';
import { messagesDialect } from '../protocols/messages/errors.ts';
import { messagesOverMessages } from '../protocols/messages/translator.ts';
import { messagesOverChat } from '../protocols/messages-to-chat/translator.ts';
import type { TextWay } from '../protocols/translator.ts';

export type TextEndpoint = {
  readonly name: TextFormat;
  readonly dialect: Dialect;
  /** By what the upstream speaks, the caller's own dialect first: nothing is translated without need. */
  readonly ways: ReadonlyMap<TextFormat, TextWay>;
};

export const chatEndpoint: TextEndpoint = {
  name: 'chat',
  dialect: chatDialect,
  ways: new Map([
    ['chat', chatOverChat],
    ['messages', chatOverMessages],
  ]),
};

export const messagesEndpoint: TextEndpoint = {
  name: 'messages',
  dialect: messagesDialect,
  ways: new Map([
    ['messages', messagesOverMessages],
    ['chat', messagesOverChat],
  ]),
};
