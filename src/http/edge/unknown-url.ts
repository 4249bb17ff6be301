/**
 * Makes the errors for unknown paths and methods. The message says what to use instead, such as the
 * base URL to configure in the client.
 */
import { GatewayError } from '../../errors.ts';
import type { RouteDialect } from './route.ts';

/**
 * Returns the protocol for the error body of a path that no route matches. OpenAI and Anthropic
 * share some paths, such as `/v1/files`; only clients of Messages send `anthropic-version`.
 */
export function dialectOf(path: string, headers: Headers): RouteDialect {
  if (headers.has('anthropic-version')) return 'anthropic';
  if (/\/messages(?:\/|$)/.test(path)) return 'anthropic';
  if (GOOGLE_PATH.test(path)) return 'google';
  if (
    /\/(?:chat|images|completions|embeddings|responses|conversations|audio|files)(?:\/|$)/.test(
      path,
    )
  )
    return 'openai';
  return 'both';
}

/** Matches the paths of Google's clients, after any prefix of the base URL. */
const GOOGLE_PATH = /\/v1beta(?:\/|$)|:(?:g|streamG)enerateContent$/;

/** Paths of stored answers and conversations, which other servers of the Responses API have. */
const STORED = /\/(?:responses\/(?!input_tokens$|compact$)[^/]|conversations(?:\/|$))/;

export function unknownUrl(method: string, path: string, publicUrl: string): GatewayError {
  if (STORED.test(path)) {
    return new GatewayError(
      'not_found',
      'Responses and conversations are not stored. Send the whole conversation in `input`, and `store: false`.',
    );
  }
  return new GatewayError(
    'unknown_url',
    `Unknown request URL: ${method} ${path.slice(0, 200)}. ${hint(path, publicUrl)}`,
  );
}

export function methodNotAllowed(
  { method, headers, url }: Request,
  allowed: readonly string[],
): GatewayError {
  // Codex first asks for a WebSocket. It continues with POST at once only if it gets this status.
  if (headers.has('upgrade') && new URL(url).pathname.endsWith('/responses')) {
    return new GatewayError(
      'upgrade_required',
      'The Responses API is not offered over WebSocket; use POST.',
      { headers: { upgrade: 'HTTP/1.1' } },
    );
  }
  return new GatewayError(
    'method_not_allowed',
    `${method} is not allowed here; use ${allowed.filter((m) => m !== 'OPTIONS').join(' or ')}.`,
  );
}

const OPENAI_PATHS =
  /(\/(?:chat\/completions|images\/(?:generations|edits)|embeddings|responses(?:\/input_tokens)?))\/?$/;

function hint(path: string, publicUrl: string): string {
  if (/\/messages(?:\/count_tokens)?\/?$/.test(path)) {
    return `Anthropic clients take ${publicUrl} as their base URL (AI SDK: ${publicUrl}/v1); the endpoint is POST ${publicUrl}/v1/messages.`;
  }
  if (/\/messages\/batches/.test(path)) return 'Message batches are not offered.';
  const [, endpoint] = OPENAI_PATHS.exec(path) ?? [];
  if (endpoint !== undefined) {
    return `OpenAI clients take ${publicUrl}/v2 as their base URL; the endpoint is POST ${publicUrl}/v2${endpoint}.`;
  }
  if (/\/completions\/?$/.test(path)) {
    return `Text completions are not offered; the endpoint is POST ${publicUrl}/v2/chat/completions.`;
  }
  if (GOOGLE_PATH.test(path)) {
    return `Google clients take ${publicUrl} as their base URL; the endpoints are POST ${publicUrl}/v1beta/models/MODEL:generateContent, :streamGenerateContent, :countTokens, :embedContent and :batchEmbedContents.`;
  }
  if (/\/models\/?$/.test(path)) {
    return `The models are listed at GET ${publicUrl}/v1/models; OpenAI clients take ${publicUrl}/v2 as their base URL, Anthropic clients ${publicUrl}.`;
  }
  if (/\/responses\/compact$/.test(path)) {
    return `This part of the Responses API is not offered; the endpoint is POST ${publicUrl}/v1/responses.`;
  }
  return `The endpoints are listed in ${publicUrl}/openapi.json.`;
}
