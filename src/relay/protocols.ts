/** The two text protocols, each as one value for the relay. */

import type { ChatAnswer } from '../protocols/chat/answer.ts';
import { readChatAnswer, writeChatAnswer } from '../protocols/chat/answer.ts';
import { chatDialect } from '../protocols/chat/errors.ts';
import { openChatStream } from '../protocols/chat/stream-pass.ts';
import type { ScannedObject } from '../protocols/json.ts';
import {
  type MessagesAnswer,
  readMessagesAnswer,
  writeMessagesAnswer,
} from '../protocols/messages/answer.ts';
import { messagesDialect } from '../protocols/messages/errors.ts';
import { openMessagesStream } from '../protocols/messages/stream-pass.ts';
import type { TextProtocol } from './text-protocol.ts';

export const chatProtocol: TextProtocol<ChatAnswer> = {
  name: 'chat',
  dialect: chatDialect,
  openStream: openChatStream,
  readAnswer: readChatAnswer,
  writeAnswer: writeChatAnswer,
  streamEdits: chatStreamEdits,
};

export const messagesProtocol: TextProtocol<MessagesAnswer> = {
  name: 'messages',
  dialect: messagesDialect,
  openStream: openMessagesStream,
  readAnswer: readMessagesAnswer,
  writeAnswer: writeMessagesAnswer,
  // A Messages stream was asked for by name and always tells its usage.
  streamEdits: () => new Map(),
};

/** The upstream must stream, and must count: without its count there is no true price. */
function chatStreamEdits(body: ScannedObject): ReadonlyMap<string, string> {
  const edits = new Map<string, string>();
  const textOf = (key: string): string => {
    const span = body.members.get(key);
    return span === undefined
      ? ''
      : new TextDecoder().decode(body.bytes.subarray(span.start, span.end));
  };
  if (textOf('stream') !== 'true') edits.set('stream', 'true');
  const given = textOf('stream_options');
  const options: unknown = given.startsWith('{') ? JSON.parse(given) : {};
  edits.set('stream_options', JSON.stringify({ ...(options as object), include_usage: true }));
  return edits;
}
