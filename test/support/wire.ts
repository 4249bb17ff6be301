/** For tests: sends HTTP requests to the gateway and returns the answers as plain objects. */
import type { GatewayProcess } from './gateways/gateway-process.ts';

export type Json = Readonly<Record<string, unknown>>;
type Target = Pick<GatewayProcess, 'url' | 'key'>;
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Returns the value at a path of the JSON body. Throws if the body is not JSON. */
  readonly at: (path: string) => unknown;
};

export const CHAT = '/v2/chat/completions';
export const MESSAGES = '/v1/messages';
export const RESPONSES = '/v2/responses';
export const IMAGES = '/v2/images/generations';
export const IMAGE_EDITS = '/v2/images/edits';

/** A minimal valid request for each kind of endpoint. */
export const hello = {
  chat: { model: 'gen-opus-4-8', messages: [{ role: 'user', content: 'Hello there' }] },
  messages: {
    model: 'gen-opus-4-8',
    max_tokens: 256,
    messages: [{ role: 'user', content: 'Hello there' }],
  },
  responses: { model: 'gen-opus-4-8', input: 'Hello there' },
  image: { model: 'img-2', prompt: 'a red boat', size: '256x256' },
} as const;

/**
 * Posts a value as JSON, or a string unchanged, with the API key. `headers` override the default
 * headers; null removes one.
 */
export async function post(
  { url, key }: Target,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string | null>> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const all = new Headers({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json',
  });
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await fetch(`${url}${path}`, { method: 'POST', headers: all, body: text, signal });
}

export const ask = async (...args: Parameters<typeof post>): Promise<Answer> =>
  await read(await post(...args));

export async function get(
  { url, key }: Target,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return await read(
    await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } }),
  );
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    at: (path) => at(JSON.parse(text), path),
  };
}

/**
 * Returns the value at a path such as `choices.0.message`; undefined if the path does not exist.
 */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Object.getOwnPropertyDescriptor(found, step)?.value;
  }
  return found;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const found = at(value, path);
  if (!Array.isArray(found)) throw new Error(`no list at ${path}: ${JSON.stringify(value)}`);
  return found;
}

/**
 * How a stream ended. `error`: with an error event. `success`: with the end mark of its protocol.
 */
export type StreamEnding =
  | { readonly end: 'success' }
  | { readonly end: 'error'; readonly code: string };

export type WireEvent = { readonly name: string | null; readonly data: string };

/**
 * Returns the events of a complete stream.
 * @throws Error if a part of the text is neither a comment nor an event.
 */
export function eventsOf(text: string): readonly WireEvent[] {
  const frames = text.split('\n\n');
  if (frames.pop() !== '') throw new Error(`the last event has no blank line: ${text.slice(-200)}`);
  return frames.flatMap((frame) => {
    if (/^:[^\n]*$/.test(frame)) return [];
    const match = /^(?:event: ([a-z_.]+)\n)?data: ([^\n]+)$/.exec(frame);
    if (match === null) throw new Error(`not one event: ${JSON.stringify(frame)}`);
    return [{ name: match[1] ?? null, data: match[2] ?? '' }];
  });
}

/** Returns the parsed JSON of every event, except for the end mark of a chat stream. */
export const payloads = (text: string): readonly unknown[] =>
  eventsOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data));

/** Reads a stream until `isEnough` accepts the text so far. The caller can read the rest later. */
export async function readUntil(
  response: Response,
  isEnough: (text: string) => boolean,
): Promise<{
  readonly text: () => string;
  readonly cancel: () => Promise<void>;
  readonly rest: () => Promise<string>;
}> {
  if (response.body === null) throw new Error('no body');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (!done) text += decoder.decode(value, { stream: true });
    return !done;
  };
  while (!isEnough(text)) {
    if (!(await more())) throw new Error(`the stream ended early: ${text}`);
  }
  return {
    text: () => text,
    cancel: () => reader.cancel(),
    rest: async () => {
      while (await more());
      return text;
    },
  };
}
