/** Any server that speaks the Anthropic Messages protocol. */
import type { Secret } from '../config/secret.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { hiddenTexts, lowerCased, type NetworkOptions, post } from './network.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

export type AnthropicOptions = NetworkOptions & {
  /** Without the version prefix, such as `https://api.anthropic.com`. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks: Quirks;
};

/** Sent when the caller names no version, as with curl. */
const DEFAULT_VERSION = '2023-06-01';

export function createAnthropicUpstream(options: AnthropicOptions): Upstream {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const fixed = { 'anthropic-version': DEFAULT_VERSION, ...lowerCased(options.headers) };
  const key = options.apiKey === null ? {} : { 'x-api-key': options.apiKey.reveal() };
  const send = (request: UpstreamRequest): Promise<Response> => {
    const path = request.format === 'count_tokens' ? '/v1/messages/count_tokens' : '/v1/messages';
    return post(`${base}${path}`, { ...fixed, ...request.headers, ...key }, request, options);
  };
  return {
    name: options.name,
    formats: new Set(['messages', 'count_tokens']),
    quirks: options.quirks,
    firstByteTimeoutMs: options.firstByteTimeoutMs,
    hidden: hiddenTexts(base, options.apiKey, options.headers),
    send,
  };
}
