/** The adapters of the upstream protocols: OpenAI's APIs and Anthropic Messages. */
import { systemClock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import type { Quirks } from '../protocols/quirks.ts';
import type { UpstreamFields } from '../protocols/request-fields.ts';
import { formBody } from './form-body.ts';
import { downloadImage } from './image-download.ts';
import {
  CallHeaders,
  hiddenTexts,
  lowerCased,
  type NetworkOptions,
  type PostRequest,
  post,
} from './network.ts';
import type { Upstream, UpstreamRequest, WireFormat } from './upstream.ts';
import { type SignIn, signedPost } from './upstream-sign-in.ts';

export type AdapterOptions = NetworkOptions & {
  /**
   * The base URL. It ends with the version for OpenAI (`https://api.openai.com/v1`), but not for
   * Anthropic.
   */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /**
   * Authenticates each call to a provider that does not use a fixed key; null for other providers.
   */
  readonly signIn: SignIn | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly quirks: Quirks;
  readonly fields: UpstreamFields;
};

/** The paths of OpenAI's APIs, relative to the base URL. */
const OPENAI_PATHS = {
  chat: '/chat/completions',
  images: '/images/generations',
  image_edits: '/images/edits',
  embeddings: '/embeddings',
  responses: '/responses',
} as const;
type OpenAiFormat = keyof typeof OPENAI_PATHS;

/**
 * Creates an upstream for chat, images and embeddings. It also supports Responses if its quirks say
 * so.
 */
export const createOpenAiUpstream = (options: AdapterOptions): Upstream =>
  openAiUpstream(options, [
    'chat',
    'images',
    // The form of an image edit is streamed, so its bytes cannot be signed before the call.
    ...(options.signIn?.signsBody === true ? [] : (['image_edits'] as const)),
    'embeddings',
    ...(options.quirks.responses ? (['responses'] as const) : []),
  ]);

/** Creates an upstream that gets all requests in the Responses protocol. */
export const createResponsesUpstream = (options: AdapterOptions): Upstream =>
  openAiUpstream(options, ['responses']);

function openAiUpstream(options: AdapterOptions, formats: readonly OpenAiFormat[]): Upstream {
  const base = options.baseUrl.replace(/\/+$/, '');
  const key = options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey.reveal()}` };
  const headers = new CallHeaders(lowerCased(options.headers), key);
  const { clock = systemClock, egress } = options;
  const call = (request: UpstreamRequest): Promise<Response> => {
    const format = formats.find((each) => each === request.format) ?? 'chat';
    const url = base + OPENAI_PATHS[format];
    const usual = headers.for(request, {});
    if (format !== 'image_edits') return send(url, usual, request, options);
    const fields = JSON.parse(new TextDecoder().decode(request.body));
    const form = formBody(fields, request.files ?? [], clock);
    const formHeaders = new Headers(usual);
    formHeaders.set('content-type', form.contentType);
    formHeaders.set('content-length', String(form.byteLength));
    return send(url, formHeaders, { ...request, upload: form.stream }, options);
  };
  return adapter(options, base, formats, call, (url, terms) =>
    downloadImage(url, { ...terms, allowPrivate: egress.allowPrivate, clock }),
  );
}

/** The `anthropic-version` header for callers that send none, such as curl. */
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
  request: PostRequest,
  options: AdapterOptions,
): Promise<Response> =>
  options.signIn === null
    ? post(url, headers, request, options)
    : signedPost(url, headers, request, options, options.signIn);

const adapter = (
  { name, quirks, fields, firstByteTimeoutMs, apiKey, signIn, headers }: AdapterOptions,
  base: string,
  formats: readonly WireFormat[],
  send: Upstream['send'],
  download?: Upstream['download'],
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
    send,
    ...(download === undefined ? {} : { download }),
  };
};
