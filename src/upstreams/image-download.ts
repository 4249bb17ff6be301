/**
 * Fetches an image whose URL is in a provider's answer. The URL is untrusted, so only public
 * addresses are called unless the operator allows private ones. The operator's key is not sent, and
 * no redirect is followed.
 */
import type { RequestOptions } from 'node:http';
import { type Clock, systemClock } from '../clock.ts';
import { isPrivateHost } from '../config/address.ts';
import { isProxied } from '../config/runtime.ts';
import { GatewayError } from '../errors.ts';
import { concatBytes } from '../json/bytes.ts';
import { checkedLookup, type Resolve } from './checked-lookup.ts';

/** Time limit of a download. The image already exists, so the provider only has to send a file. */
export const DOWNLOAD_MS = 60_000;

export type DownloadOptions = {
  /** Whether the operator allows addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly clock?: Pick<Clock, 'after'>;
  readonly resolve?: Resolve;
};

/**
 * Downloads the image.
 * @throws GatewayError `upstream_failed`, which is not retried: the provider has already generated
 *   the image, and would generate and bill another one.
 */
export async function downloadImage(
  url: string,
  options: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await downloadFile(url, { ...options, accept: 'image/*' });
  } catch (thrown) {
    options.signal.throwIfAborted();
    throw notFetched(thrown);
  }
}

/** Downloads the file at a public URL. @throws Error with the reason for a failure. */
export async function downloadFile(
  url: string,
  options: DownloadOptions & { readonly accept: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const { clock = systemClock, signal } = options;
  const controller = new AbortController();
  const end = (): void => controller.abort(signal.reason);
  const timer = clock.after(DOWNLOAD_MS, () =>
    controller.abort(new Error(`the download took longer than ${DOWNLOAD_MS} ms`)),
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    signal.throwIfAborted();
    const ended = Promise.withResolvers<never>();
    controller.signal.addEventListener('abort', () => ended.reject(controller.signal.reason));
    const fetching = fetchFile(url, options, controller.signal);
    return await Promise.race([fetching, ended.promise]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', end);
    controller.abort();
  }
}

/** Returns the parsed URL. @throws Error for a URL that must not be called. */
function allowedUrl(text: string, { allowPrivate }: DownloadOptions): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && allowPrivate);
  if (url === null || !isWeb || url.username !== '' || url.password !== '')
    throw new Error(
      'the answer has an invalid URL; only https URLs without credentials are fetched',
    );
  if (!allowPrivate && isPrivateHost(url.hostname)) throw new Error(isPrivate(url.hostname));
  return url;
}

type FileOptions = Parameters<typeof downloadFile>[1];

async function fetchFile(
  address: string,
  options: FileOptions,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes } = options;
  const url = allowedUrl(address, options);
  const { status, body } = isProxied(url.href)
    ? await openByProxy(url, options, signal)
    : await openFile(url, options, signal);
  if (status !== 200) throw new Error(`${url.host} answered ${status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new Error('the download is not binary');
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return concatBytes(chunks, size);
}

type Answer = {
  readonly status: number | undefined;
  readonly body: AsyncIterable<unknown> | Iterable<unknown>;
};

const headersFor = ({ accept }: FileOptions) => ({
  accept,
  'user-agent': 'modelgate',
  'accept-encoding': 'identity',
});

/**
 * Resolves with the response when its headers have arrived. `lookup` checks the address while
 * connecting.
 */
async function openFile(url: URL, options: FileOptions, signal: AbortSignal): Promise<Answer> {
  // The module is loaded when first used, because most providers answer with the image itself.
  const { get } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return await new Promise((resolve, reject) => {
    const call: RequestOptions = {
      headers: headersFor(options),
      agent: false,
      signal,
      lookup: checkedLookup({ ...options, refusal }),
    };
    get(url, call, (body) => resolve({ status: body.statusCode, body })).on('error', reject);
  });
}

/** As `openFile`, but by `fetch`, which uses the proxy. The proxy resolves the name itself. */
async function openByProxy(url: URL, options: FileOptions, signal: AbortSignal): Promise<Answer> {
  const headers = headersFor(options);
  // A compressed answer must not be decompressed, because that could exceed the memory for it.
  const how = { decompress: false, keepalive: false, redirect: 'manual' } as const;
  const { status, body } = await fetch(url, { ...how, headers, signal });
  return { status, body: body ?? [] };
}

const isPrivate = (host: string): string =>
  `the answer has a URL at ${host}, a private address; add allow_private: true to the upstream if this is intended`;

const refusal = (host: string): Error => new Error(isPrivate(host));

const notFetched = (cause: unknown): GatewayError =>
  new GatewayError('upstream_failed', "The provider's image could not be fetched.", {
    cause,
    retryable: false,
  });
