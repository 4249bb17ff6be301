/** Serves callers of Messages from a chat completions upstream. */
import type { Translator } from '../translator.ts';
import { readChatAsMessages } from './answer.ts';
import { readMessagesAsChat } from './request.ts';
import { openChatAsMessages } from './stream.ts';

export const messagesToChat: Translator<'messages', 'chat'> = {
  caller: 'messages',
  upstream: 'chat',
  prepare: (body, _model, stream) => {
    const { bodyFor, answerOptions } = readMessagesAsChat(body, stream);
    return {
      bodyFor,
      openStream: (context) => openChatAsMessages(context, answerOptions),
      readAnswer: (bytes, context) => readChatAsMessages(bytes, context, answerOptions),
    };
  },
};
