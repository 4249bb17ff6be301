/**
 * Posts to a URL that a caller chose, such as a webhook. The address is checked when connecting:
 * only public addresses are called, unless the operator allows private ones. Redirects are not
 * followed, and only the status of the answer is read. Errors are sentences for the caller. They
 * reveal nothing about the network or the answer, so that callers cannot use them to explore the
 * network.
 */
import type { RequestOptions } from 'node:http';
import type { Clock } from '../clock.ts';
import { isLoopbackHost, isPrivateHost } from '../config/address.ts';
import { checkedLookup, type Resolve } from './checked-lookup.ts';

/** The timeout of a call, including name resolution. */
export const POST_MS = 10_000;

export type PublicPost = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the operator allows addresses of private networks. */
  readonly allowPrivate: boolean;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
  readonly resolve?: Resolve;
  /** The trusted certificates; by default those of public certificate authorities. */
  readonly ca?: string;
};

/** The codes of the possible reasons why a call failed. */
export const POST_FAILURES = [
  ...(['bad_address', 'not_public', 'unknown_host', 'refused'] as const),
  ...(['bad_certificate', 'no_connection', 'no_answer'] as const),
] as const;
export type PostFailure = (typeof POST_FAILURES)[number];

/** Returns a sentence that describes a failure. @param detail the problem with a certificate. */
export function failureWords(code: PostFailure, detail: string): string {
  switch (code) {
    case 'bad_address':
      return 'The address must be a public https address without credentials.';
    case 'not_public':
      return 'The host does not have a public address.';
    case 'unknown_host':
      return 'The host name cannot be resolved.';
    case 'refused':
      return 'The receiver refused the connection.';
    case 'bad_certificate':
      return `The certificate of the receiver is not valid (${detail}).`;
    case 'no_connection':
      return 'The connection to the receiver failed.';
    case 'no_answer':
      return `The receiver did not answer within ${POST_MS / 1000} s.`;
  }
}

/**
 * Thrown when a call failed. All fields except `cause` may be shown to the caller who chose the
 * URL.
 */
export class NotPosted extends Error {
  readonly code: PostFailure;
  /** The problem with a certificate; empty for other codes. */
  readonly detail: string;

  constructor(code: PostFailure, cause?: unknown, detail = '') {
    super(failureWords(code, detail), { cause });
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Returns why an address is not allowed, as the end of a sentence that begins with "The address";
 * null if the address is allowed.
 */
export function addressProblem(text: string, allowPrivate: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOpen = url?.protocol === 'http:' && allowPrivate && isLoopbackHost(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !isOpen))
    return 'must be a public https address, such as https://example.com/alerts';
  if (url.username !== '' || url.password !== '')
    return 'must be a public https address without credentials';
  if (!allowPrivate && isPrivateHost(url.hostname))
    return 'must be a public https address, and this host is not public';
  return null;
}

/** Resolves with the status of the answer. @throws NotPosted, or the signal's reason. */
export async function postPublic(post: PublicPost): Promise<number> {
  const { url, allowPrivate, clock, signal } = post;
  signal.throwIfAborted();
  if (addressProblem(url, allowPrivate) !== null) throw new NotPosted('bad_address');
  const ended = Promise.withResolvers<never>();
  const controller = new AbortController();
  const end = (reason: unknown): void => {
    ended.reject(reason);
    controller.abort();
  };
  const stop = (): void => end(signal.reason);
  const timer = clock.after(POST_MS, () => end(new NotPosted('no_answer')));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([statusOf(post, controller.signal), ended.promise]);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', stop);
    controller.abort();
  }
}

async function statusOf(post: PublicPost, signal: AbortSignal): Promise<number> {
  const { url, headers, body, allowPrivate, resolve, ca } = post;
  // The module is loaded when first used, because most gateways post nothing to callers.
  const { request } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http');
  const refusal = (): Error => new NotPosted('not_public');
  const call: RequestOptions & { readonly ca?: string } = {
    method: 'POST',
    headers: { 'user-agent': 'modelgate', ...headers },
    agent: false,
    signal,
    // The address is checked even when a proxy is used, so that callers cannot reach private hosts
    // through the proxy.
    lookup: checkedLookup({ allowPrivate, refusal, ...(resolve === undefined ? {} : { resolve }) }),
    ...(ca === undefined ? {} : { ca }),
  };
  return await new Promise((done, reject) => {
    const sent = request(url, call, (answer) => {
      answer.on('error', () => {});
      // Closes the connection, because the body of the answer is never read.
      answer.destroy();
      done(answer.statusCode ?? 0);
    });
    sent.on('error', (thrown) => reject(failureOf(thrown)));
    sent.end(body);
  });
}

const TLS = /CERT|TLS|SSL|UNABLE_TO|EPROTO|ALTNAME/;
const UNKNOWN_NAME = /^(?:ENOTFOUND|EAI_\w+|ENODATA|DNS_\w+)$/;

function failureOf(thrown: unknown): NotPosted {
  if (thrown instanceof NotPosted) return thrown;
  const fault = String(Object(thrown).code ?? '');
  if (fault === 'ECONNREFUSED') return new NotPosted('refused', thrown);
  if (UNKNOWN_NAME.test(fault)) return new NotPosted('unknown_host', thrown);
  if (TLS.test(fault)) return new NotPosted('bad_certificate', thrown, fault);
  return new NotPosted('no_connection', thrown);
}
