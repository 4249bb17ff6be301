/** What a program asks, and whom. */
import type { CodeLanguage } from '../code/highlighter.ts';
import type { Json } from './literal.ts';

export type Target = {
  /** The gateway's public address, without a slash at its end. */
  readonly baseUrl: string;
  /** Null: it stands in the environment, under `KEY_VARIABLE`. */
  readonly key: string | null;
};

/** Where programs find the key when it is not written into them. */
export const KEY_VARIABLE = 'MODELGATE_API_KEY';

export type ChatMessage = {
  readonly role: string;
  readonly content: Json;
  readonly [more: string]: Json;
};
export type ChatRequest = {
  readonly kind: 'chat';
  readonly model: string;
  /** Null: the model's default channel. */
  readonly channel: string | null;
  readonly isStreamed: boolean;
  readonly messages: readonly ChatMessage[];
  /** Further fields of the body, under their names in chat completions. */
  readonly parameters: { readonly [name: string]: Json };
};
export type ImageRequest = {
  readonly kind: 'image';
  readonly model: string;
  readonly channel: string | null;
  readonly prompt: string;
  readonly parameters: { readonly [name: string]: Json };
};
export type ModelRequest = ChatRequest | ImageRequest;

export type Program = {
  readonly language: CodeLanguage;
  readonly code: string;
  /** The command that fetches the libraries; null when there are none. */
  readonly install: string | null;
};

/** One question without anything special. */
export const simpleChat = (
  model: string,
  { channel = null, isStreamed = false }: Partial<Pick<ChatRequest, 'channel' | 'isStreamed'>> = {},
): ChatRequest => ({
  kind: 'chat',
  model,
  channel,
  isStreamed,
  messages: [{ role: 'user', content: 'Hello!' }],
  parameters: {},
});

export const providerOf = (channel: string | null): { readonly [name: string]: Json } =>
  channel === null ? {} : { provider: { channel } };
