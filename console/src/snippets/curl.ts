/** Programs for a terminal, written with curl. */
import { JSON_SYNTAX, type Json, literal, shellQuoted } from './literal.ts';
import { bodyOf, KEY_VARIABLE, type ModelRequest, type Program, type Target } from './request.ts';

/**
 * Writes a curl command over several lines.
 * @param headers the headers, quoted for the shell.
 * @param body the JSON body; null for no body.
 */
export function curlCommand(
  start: string,
  headers: readonly string[],
  body: string | null,
): string {
  const lines = [
    `curl ${start}`,
    ...headers.map((header) => `-H ${header}`),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(body)}`]),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

export const KEY_HEADER = `"Authorization: Bearer $${KEY_VARIABLE}"`;

const PATHS = {
  chat: '/v2/chat/completions',
  image: '/v2/images/generations',
  embedding: '/v2/embeddings',
} as const;

export function curl({ baseUrl, key }: Target, request: ModelRequest): Program {
  const streams = request.kind === 'chat' && request.isStreamed;
  const authorization = key === null ? KEY_HEADER : shellQuoted(`Authorization: Bearer ${key}`);
  const body = literal(commandBody(request), JSON_SYNTAX, 1, MAX_BESIDE);
  // Without -N, curl buffers the stream.
  const code = curlCommand(
    `${streams ? '-sSN' : '-sS'} ${baseUrl}${PATHS[request.kind]}`,
    [authorization],
    body,
  );
  return { language: 'bash', code, install: null };
}

/**
 * The number of characters that `literal` assumes to precede the body on its line. The number is
 * high, so that only tiny bodies are written on one line. A larger body gets several lines, which
 * are easier to edit.
 */
const MAX_BESIDE = 60;

function commandBody(request: ModelRequest): { readonly [name: string]: Json } {
  if (request.kind !== 'chat') return bodyOf(request);
  // Always sets `stream`, because the gateway streams to curl unless the request says otherwise.
  const { model, messages, ...rest } = bodyOf(request);
  return { model: model ?? null, stream: request.isStreamed, ...rest, messages: messages ?? null };
}
