/** The adapters of the upstream protocols: OpenAI's APIs and Anthropic Messages. */
import type { Secret } from '../config/secret.ts';
import type { Quirks } from '../protocols/quirks.ts';
import type { UpstreamFields } from '../protocols/request-fields.ts';
import { CallHeaders, hiddenTexts, lowerCased, type NetworkOptions, post } from './network.ts';
import type { Upstream, UpstreamRequest, WireFormat } from './upstream.ts';
import { type SignIn, signedPost } from './upstream-sign-in.ts';

export type AdapterOptions = NetworkOptions & {
  /** OpenAI URLs end with the version (`https://api.openai.com/v1`); Anthropic URLs do not. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** Signs each call in, for an upstream without a fixed key; null for the others. */
  readonly signIn: SignIn | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks: Quirks;
  readonly fields: UpstreamFields;
};

/** The paths of OpenAI's APIs, after the version. */
const OPENAI_PATHS = {
  chat: '/chat/completions',
  images: '/images/generations',
  responses: '/responses',
} as const;
type OpenAiFormat = keyof typeof OPENAI_PATHS;

/** Creates an upstream of chat and images and, if its quirks say so, of Responses. */
export const createOpenAiUpstream = (options: AdapterOptions): Upstream =>
  openAiUpstream(options, [
    'chat',
    'images',
    ...(options.quirks.responses ? (['responses'] as const) : []),
  ]);

/** Creates an upstream that is only asked by the Responses protocol. */
export const createResponsesUpstream = (options: AdapterOptions): Upstream =>
  openAiUpstream(options, ['responses']);

function openAiUpstream(options: AdapterOptions, formats: readonly OpenAiFormat[]): Upstream {
  const base = options.baseUrl.replace(/\/+$/, '');
  const key = options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey.reveal()}` };
  const headers = new CallHeaders(lowerCased(options.headers), key);
  return adapter(options, base, formats, (request) => {
    const format = formats.find((each) => each === request.format) ?? 'chat';
    return send(base + OPENAI_PATHS[format], headers.for(request, {}), request, options);
  });
}

/** The `anthropic-version` header when the caller sends none, as from curl. */
const DEFAULT_VERSION = '2023-06-01';

export function createAnthropicUpstream(options: AdapterOptions): Upstream {
  const base = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const fixed = { 'anthropic-version': DEFAULT_VERSION, ...lowerCased(options.headers) };
  const key = options.apiKey === null ? {} : { 'x-api-key': options.apiKey.reveal() };
  const headers = new CallHeaders(fixed, key);
  return adapter(options, base, ['messages', 'count_tokens'], (request) => {
    const path = request.format === 'count_tokens' ? '/v1/messages/count_tokens' : '/v1/messages';
    return send(`${base}${path}`, headers.for(request, request.headers), request, options);
  });
}

const send = (
  url: string,
  headers: HeadersInit,
  request: UpstreamRequest,
  options: AdapterOptions,
): Promise<Response> =>
  options.signIn === null
    ? post(url, headers, request, options)
    : signedPost(url, headers, request, options, options.signIn);

const adapter = (
  { name, quirks, fields, firstByteTimeoutMs, apiKey, signIn, headers }: AdapterOptions,
  base: string,
  formats: readonly WireFormat[],
  post: Upstream['send'],
): Upstream => {
  const hidden = hiddenTexts(base, apiKey, headers);
  return {
    name,
    formats: new Set(formats),
    quirks,
    fields,
    firstByteTimeoutMs,
    get hidden() {
      return signIn === null ? hidden : [...hidden, ...signIn.hidden];
    },
    send: post,
  };
};
