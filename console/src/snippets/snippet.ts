/**
 * Writes a complete program for a request, in the language or library of each supported client. A
 * program runs without changes.
 */
import { aiSdk } from './ai-sdk.ts';
import { anthropicPython, anthropicTypescript } from './anthropic.ts';
import { curl } from './curl.ts';
import { claudeCode, codex, environment } from './environment.ts';
import { langchain } from './langchain.ts';
import { openaiPython, openaiTypescript } from './openai.ts';
import type { ChatRequest, ModelRequest, Program, Target } from './request.ts';

/** The clients that can send every kind of request: chat, images and embeddings. */
const OWN = { curl, 'openai-python': openaiPython, 'openai-typescript': openaiTypescript };
/** The clients that can send only chat requests. */
const CHAT = {
  'anthropic-python': anthropicPython,
  'anthropic-typescript': anthropicTypescript,
  'ai-sdk': aiSdk,
  langchain,
  'claude-code': claudeCode,
  codex,
  environment,
};
export type Client = keyof typeof OWN | keyof typeof CHAT;

/** All clients, in display order. */
export const CLIENTS = Object.keys({ ...OWN, ...CHAT }).filter(isClient);

function isClient(name: string): name is Client {
  return name in OWN || name in CHAT;
}
const isOwn = (client: Client): client is keyof typeof OWN => client in OWN;

/**
 * The product names of the clients, which are the same in every language. `environment` is not a
 * product, so its name is translated.
 */
export const CLIENT_NAMES: Readonly<Record<Exclude<Client, 'environment'>, string>> = {
  curl: 'curl',
  'openai-python': 'OpenAI Python',
  'openai-typescript': 'OpenAI TypeScript',
  'anthropic-python': 'Anthropic Python',
  'anthropic-typescript': 'Anthropic TypeScript',
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  'claude-code': 'Claude Code',
  codex: 'Codex',
};

/** The parameters that every chat client has, although some clients name them differently. */
const SHARED_PARAMETERS = ['max_tokens', 'stop'];
/** The parameters that the Messages API no longer supports. */
const SAMPLING_PARAMETERS = ['temperature', 'top_p'];
const MESSAGES_CLIENTS: readonly Client[] = ['anthropic-python', 'anthropic-typescript'];

/** Returns the clients that support the request, in display order. */
export const clientsFor = (request: ModelRequest): readonly Client[] =>
  CLIENTS.filter((client) => isOwn(client) || isSayable(client, request));

/**
 * Whether a client for chats can send the request: it is a chat, all messages are plain text, and
 * the client supports all parameters.
 */
function isSayable(client: Client, request: ModelRequest): request is ChatRequest {
  if (request.kind !== 'chat') return false;
  const known = MESSAGES_CLIENTS.includes(client)
    ? SHARED_PARAMETERS
    : [...SHARED_PARAMETERS, ...SAMPLING_PARAMETERS];
  return (
    Object.keys(request.parameters).every((name) => known.includes(name)) &&
    request.messages.every(
      ({ role, content, ...rest }) =>
        ['system', 'user', 'assistant'].includes(role) &&
        typeof content === 'string' &&
        Object.keys(rest).length === 0,
    )
  );
}

/**
 * Writes the program for a client.
 * @throws RangeError when the client does not support the request: see `clientsFor`.
 */
export function programFor(client: Client, target: Target, request: ModelRequest): Program {
  if (isOwn(client)) return OWN[client](target, request);
  if (isSayable(client, request)) return CHAT[client](target, request);
  throw new RangeError(`${client} does not support this request`);
}
