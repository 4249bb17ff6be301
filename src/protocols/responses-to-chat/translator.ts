/** Serves callers of Responses from a chat completions or a Messages upstream. */
import type { ScannedObject } from '../../json/scan.ts';
import { repeatedSettings } from '../responses/response-object.ts';
import type { Seals } from '../responses/seal.ts';
import type { Translator } from '../translator.ts';
import { readChatAsResponse } from './answer.ts';
import type { AnsweredOptions } from './answer-fields.ts';
import { openMessagesAsResponses, readMessagesAsResponse } from './messages-answer.ts';
import { readResponsesAsMessages } from './messages-request.ts';
import { type ReadRequest, readResponsesAsChat } from './request.ts';
import { openChatAsResponses } from './stream.ts';

export const responsesToChat = (seals: Seals): Translator<'responses', 'chat'> => ({
  caller: 'responses',
  upstream: 'chat',
  prepare: (body, _model, stream) => {
    const request = readResponsesAsChat(body, seals, stream);
    const options = optionsOf(body, request, seals);
    return {
      bodyFor: request.bodyFor,
      openStream: (context) => openChatAsResponses(context, options),
      readAnswer: (bytes, context) => readChatAsResponse(bytes, context, options),
    };
  },
});

export const responsesToMessages = (seals: Seals): Translator<'responses', 'messages'> => ({
  caller: 'responses',
  upstream: 'messages',
  prepare: (body, model, stream) => {
    const request = readResponsesAsMessages(body, seals, model, stream);
    const options = optionsOf(body, request, seals);
    return {
      bodyFor: request.bodyFor,
      openStream: (context) => openMessagesAsResponses(context, options),
      readAnswer: (bytes, context) => readMessagesAsResponse(bytes, context, options),
    };
  },
});

const optionsOf = (
  body: ScannedObject,
  { names, effort }: ReadRequest,
  seals: Seals,
): AnsweredOptions => ({
  settings: repeatedSettings(body),
  names,
  seals,
  hidesReasoning: effort === 'none',
});
