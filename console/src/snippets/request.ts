/** The model request that a program sends, and the address and key that it uses. */
import type { CodeLanguage } from '#code/highlighter.ts';
import { type Json, PYTHON, TYPESCRIPT } from './literal.ts';

export type Target = {
  /** The gateway's public address, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * The API key. Null if the program reads the key from the environment variable `KEY_VARIABLE`.
   */
  readonly key: string | null;
};

/** The environment variable with the key, for programs that do not contain the key. */
export const KEY_VARIABLE = 'MODELGATE_API_KEY';

export type ChatMessage = {
  readonly role: string;
  readonly content: Json;
  readonly [more: string]: Json;
};
type ToModel = {
  readonly model: string;
  /** The channel; null for the model's default channel. */
  readonly channel: string | null;
  /** Further body fields, named as in chat completions. */
  readonly parameters: { readonly [name: string]: Json };
};
export type ChatRequest = ToModel & {
  readonly kind: 'chat';
  readonly isStreamed: boolean;
  readonly messages: readonly ChatMessage[];
};
export type ImageRequest = ToModel & { readonly kind: 'image'; readonly prompt: string };
export type EmbeddingRequest = ToModel & { readonly kind: 'embedding'; readonly input: string };
export type ModelRequest = ChatRequest | ImageRequest | EmbeddingRequest;

export type Program = {
  readonly language: CodeLanguage;
  readonly code: string;
  /** The command that installs the libraries; null if the program needs no library. */
  readonly install: string | null;
};

/** Returns a request with a single question and no parameters. */
export const simpleChat = (
  model: string,
  { channel = null, isStreamed = false }: Partial<Pick<ChatRequest, 'channel' | 'isStreamed'>> = {},
): ChatRequest => ({
  ...{ kind: 'chat', model, channel, isStreamed, parameters: {} },
  messages: [{ role: 'user', content: 'Hello!' }],
});

/** Returns a request that embeds a single text. */
export const simpleEmbedding = (
  model: string,
  channel: string | null = null,
): EmbeddingRequest => ({
  ...{ kind: 'embedding', model, channel, input: 'The text to embed', parameters: {} },
});

/**
 * Returns the fields of the request body, without `stream`: the model, the input (for a chat,
 * `messages`), the parameters, and `provider`, which selects the channel.
 */
export function bodyOf(request: ModelRequest): { readonly [name: string]: Json } {
  const { model, channel, parameters } = request;
  return { model, ...inputOf(request), ...parameters, ...providerOf(channel) };
}

function inputOf(request: ModelRequest): { readonly [name: string]: Json } {
  switch (request.kind) {
    case 'chat':
      return { messages: request.messages };
    case 'image':
      return { prompt: request.prompt };
    case 'embedding':
      return { input: request.input };
  }
}

/**
 * Returns the system messages joined into one text, or undefined without system messages. Also
 * returns the other messages.
 */
export function withoutSystem(messages: ChatRequest['messages']) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    turns: messages.filter(({ role }) => role !== 'system'),
  };
}

/** Returns the parameters under the names that a library uses. `stop` is always a list. */
export const parametersAs = (
  names: Readonly<Record<string, string>>,
  { parameters }: ChatRequest,
): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      names[name] ?? name,
      name === 'stop' && typeof value === 'string' ? [value] : value,
    ]),
  );

/** Returns a TypeScript expression for the key. */
export const typescriptKey = (key: string | null): string =>
  key === null ? `process.env.${KEY_VARIABLE}` : TYPESCRIPT.text(key);

/** Returns the first lines of a Python program, and the expression for the key. */
export const pythonStart = (key: string | null, library: string) =>
  key === null
    ? { imports: `import os\n${library}`, secret: `os.environ["${KEY_VARIABLE}"]` }
    : { imports: library, secret: PYTHON.text(key) };

export const providerOf = (channel: string | null): { readonly [name: string]: Json } =>
  channel === null ? {} : { provider: { channel } };
