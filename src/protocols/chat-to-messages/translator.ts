/** Serves callers of chat completions from a Messages upstream. */
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { Translator } from '../translator.ts';
import { readMessagesAsChat } from './answer.ts';
import { readChatAsMessages } from './request.ts';
import { openMessagesAsChat } from './stream.ts';

export const chatToMessages: Translator<'chat', 'messages'> = {
  caller: 'chat',
  upstream: 'messages',
  prepare: (body, model, stream) => {
    const { bodyFor, isLegacy } = readChatAsMessages(parseWithPlaceholders(body), model, stream);
    return {
      bodyFor,
      openStream: (context) => openMessagesAsChat(context, isLegacy),
      readAnswer: (bytes, context) => readMessagesAsChat(bytes, context, isLegacy),
    };
  },
};
