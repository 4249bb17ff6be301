/** Answers requests to the demo models, in every API protocol except the Responses API. */
import type { Clock } from '../clock.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { isObject, type JsonObject } from './body-fields.ts';
import { readChatRequest } from './chat/chat-request.ts';
import { type ChatAnswer, chatEvents, chatJson } from './chat/chat-wire.ts';
import { answerEmbeddings } from './embeddings/embeddings-answer.ts';
import { answerEdits, answerImages } from './images/images-answer.ts';
import { type MessagesRequest, readMessagesRequest } from './messages/messages-request.ts';
import { type MessagesAnswer, messagesEvents, messagesJson } from './messages/messages-wire.ts';
import { pacedStream, type StreamEvents } from './paced-stream.ts';
import { createPromptCache } from './prompt-cache.ts';
import { promptTokens, promptUnits, seedOf } from './prompt-units.ts';
import { writeReplies, writeReply } from './reply/reply.ts';
import {
  chatErrorResponse,
  invalid,
  messagesErrorResponse,
  RequestError,
} from './request-error.ts';
import { idOf } from './seeded-random.ts';

export type BuiltinOptions = {
  readonly name: string;
  readonly clock: Clock;
  /** Returns the speed of streams, where 0 means no delay. It is called before every event. */
  readonly tokensPerSecond: () => number;
};

/** The context window of every chat model, in tokens. */
const CONTEXT_TOKENS = 1_000_000;
const ID_CHARS = 29;

/** Returns the function that answers the requests of one upstream and has its prompt cache. */
export function builtinAnswers(options: BuiltinOptions): Upstream['send'] {
  const { clock } = options;
  const cache = createPromptCache(clock);
  const streamOf = (events: StreamEvents, signal: AbortSignal): Response =>
    new Response(pacedStream(events, options, signal), {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    });

  const answerChat = (body: JsonObject, { scope, signal }: UpstreamRequest): Response => {
    const request = readChatRequest(body);
    const { conversation } = request;
    const units = promptUnits(conversation);
    checkLength(promptTokens(units));
    const seed = seedOf(units, conversation);
    const answer: ChatAnswer = {
      request,
      id: `chatcmpl-${idOf(seed, ID_CHARS)}`,
      created: Math.floor(clock.nowMs() / 1000),
      promptTokens: promptTokens(units),
      cachedTokens: cache.useShared(ownerOf(scope, conversation.model), units),
      replies: writeReplies(conversation, seed, request.choices),
    };
    return request.stream ? streamOf(chatEvents(answer), signal) : Response.json(chatJson(answer));
  };

  const answerMessages = (body: JsonObject, { scope, signal }: UpstreamRequest): Response => {
    const request = readMessagesRequest(body, true);
    const { conversation } = request;
    const units = promptUnits(conversation);
    checkLength(promptTokens(units));
    const seed = seedOf(units, conversation);
    const answer: MessagesAnswer = {
      request,
      seed,
      promptTokens: promptTokens(units),
      cache: cache.useMarked(ownerOf(scope, conversation.model), units),
      reply: writeReply(conversation, seed),
    };
    return request.stream
      ? streamOf(messagesEvents(answer), signal)
      : Response.json(messagesJson(answer));
  };

  const answer = async (request: UpstreamRequest, body: JsonObject): Promise<Response> => {
    switch (request.format) {
      case 'chat':
        return answerChat(body, request);
      case 'messages':
        return answerMessages(body, request);
      case 'count_tokens':
        return Response.json(countMessages(readMessagesRequest(body, false)));
      case 'images':
        return answerImages(body, request.signal);
      case 'image_edits':
        return answerEdits(body, request.files ?? [], request.signal);
      case 'responses':
        throw new Error('the built-in upstream does not speak the Responses protocol');
      case 'embeddings':
        return await answerEmbeddings(body, request.signal);
    }
  };

  return async (request) => {
    request.signal.throwIfAborted();
    try {
      return await answer(request, parseBody(request.body));
    } catch (failure) {
      if (!(failure instanceof RequestError)) throw failure;
      const speaksChat = request.format !== 'messages' && request.format !== 'count_tokens';
      const requestId = `req_${idOf(BigInt(Math.floor(clock.nowMs())), ID_CHARS)}`;
      return speaksChat ? chatErrorResponse(failure) : messagesErrorResponse(failure, requestId);
    }
  };
}

function countMessages({ conversation, managesContext }: MessagesRequest): JsonObject {
  const tokens = promptTokens(promptUnits(conversation));
  const management = { context_management: { original_input_tokens: tokens } };
  return { input_tokens: tokens, ...(managesContext ? management : {}) };
}

/**
 * Returns the name of a prompt cache. Each caller (`scope`) has a separate prompt cache for each
 * model.
 */
const ownerOf = (scope: string, model: string): string => JSON.stringify([scope, model]);

function parseBody(bytes: Uint8Array<ArrayBuffer>): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    throw invalid(null, 'The body is not valid JSON.');
  }
  if (!isObject(body)) throw invalid(null, 'The body must be a JSON object.');
  return body;
}

function checkLength(tokens: number): void {
  if (tokens <= CONTEXT_TOKENS) return;
  throw new RequestError(
    'context_length_exceeded',
    'messages',
    `prompt is too long: ${tokens} tokens > ${CONTEXT_TOKENS} maximum`,
  );
}
