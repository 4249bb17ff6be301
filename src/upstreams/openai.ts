/** Any server that speaks the OpenAI protocol: chat completions and image generations. */
import type { Secret } from '../config/secret.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { hiddenTexts, lowerCased, type NetworkOptions, post } from './network.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

export type OpenAiOptions = NetworkOptions & {
  /** Ends in the version prefix, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks: Quirks;
};

export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  const base = options.baseUrl.replace(/\/+$/, '');
  const headers = {
    ...lowerCased(options.headers),
    ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey.reveal()}` }),
  };
  const send = (request: UpstreamRequest): Promise<Response> => {
    const path = request.format === 'images' ? '/images/generations' : '/chat/completions';
    return post(`${base}${path}`, headers, request, options);
  };
  return {
    name: options.name,
    formats: new Set(['chat', 'images']),
    quirks: options.quirks,
    firstByteTimeoutMs: options.firstByteTimeoutMs,
    hidden: hiddenTexts(base, options.apiKey, options.headers),
    send,
  };
}
