/**
 * One HTTP call to an upstream. The address comes from the configuration only; of the caller's
 * request only the body and the dialect's own headers are forwarded.
 *
 * Requests are never retried here: once bytes may have been sent, it is unknown whether they took
 * effect. The runtime detects idle connections that the peer has closed before it writes to them.
 */
import { type Clock, systemClock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import type { Egress } from './egress.ts';
import { NotSent, type UpstreamRequest } from './upstream.ts';

export type NetworkOptions = {
  readonly name: string;
  readonly egress: Egress;
  /** Until a connection is made. */
  readonly connectTimeoutMs: number;
  /** Until the status line; includes connecting. */
  readonly firstByteTimeoutMs: number;
  readonly clock?: Clock;
};

/** Shorter hosts and keys are plain words; masking them would garble every message. */
const MIN_HIDDEN_CHARACTERS = 4;
/** The same for header values, such as `true` and `default`, and for parts of a path. */
const MIN_HIDDEN_PART_CHARACTERS = 8;

/** Enough for any endpoint URL. */
const MAX_REDIRECT_CHARS = 300;

/** Texts to mask in an upstream's messages: its host, its key and other credentials. */
export function hiddenTexts(
  baseUrl: string,
  apiKey: Secret | null,
  headers: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { host, hostname, pathname } = new URL(baseUrl);
  const whole = [host, hostname, ...(apiKey === null ? [] : [apiKey.reveal()])];
  const parts = [
    // A message may show a key without its scheme.
    ...Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=]+/)]),
    // A path may contain an account or project id, which has a digit.
    ...pathname.split('/').filter((part) => /\d/.test(part)),
  ];
  return [
    ...whole.filter((text) => text.length >= MIN_HIDDEN_CHARACTERS),
    ...new Set(parts.filter((text) => text.length >= MIN_HIDDEN_PART_CHARACTERS)),
  ];
}

/** Lower-case names, so that our headers replace the operator's instead of duplicating them. */
export const lowerCased = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Posts a JSON body and resolves with the response as soon as its headers are there.
 * @param headers the upstream's own and the dialect's; names in lower case.
 * @throws NotSent when nothing was sent: the address is forbidden, unknown or unreachable, or TLS
 *   failed; GatewayError `upstream_timeout`, or `upstream_failed` when the connection broke, the
 *   answer was not HTTP, or the upstream redirected; the signal's reason when it was aborted.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  request: UpstreamRequest,
  options: NetworkOptions,
): Promise<Response> {
  const { egress } = options;
  const connectMs = request.connectMs ?? options.connectTimeoutMs;
  request.signal.throwIfAborted();
  const permission = egress.permission();
  if (permission !== null) await permission;
  if (request.format === 'images') await requirePresence(egress, connectMs);
  const deadlines = startDeadlines(request, connectMs, options);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'user-agent': 'modelgate',
        ...headers,
        'content-type': 'application/json',
        // A compressed stream would have to be decompressed for metering.
        'accept-encoding': 'identity',
        accept: request.stream ? 'text/event-stream' : 'application/json',
        ...(request.traceparent === null ? {} : { traceparent: request.traceparent }),
      },
      body: request.body,
      // The runtime combines the signals and keeps no reference: nothing needs to be removed.
      signal: AbortSignal.any([request.signal, deadlines.signal]),
      // A redirect could send the operator's key to another host.
      redirect: 'manual',
      // The gateway has its own deadlines. Bun's five minutes would cut a long stream.
      ...{ timeout: false },
    });
    egress.seen();
    if (response.status >= 300 && response.status < 400) {
      deadlines.cut();
      throw new GatewayError(
        'upstream_failed',
        'The upstream answered with a redirect, which is refused.',
        { cause: new Error(`upstream "${options.name}" answered ${redirectOf(response)}`) },
      );
    }
    return response;
  } catch (thrown) {
    request.signal.throwIfAborted();
    if (deadlines.signal.reason instanceof GatewayError) throw deadlines.signal.reason;
    throw thrown instanceof GatewayError ? thrown : failureOf(thrown, options.name);
  } finally {
    deadlines.stop();
  }
}

/** The target usually shows what is wrong with the address: the scheme, a slash, a login page. */
function redirectOf({ status, headers, url }: Response): string {
  const location = headers.get('location') ?? '';
  if (!URL.canParse(location, url)) return String(status);
  // The query may contain a token.
  const { origin, pathname } = new URL(location, url);
  return `${status}, which leads to ${origin}${pathname}`.slice(0, MAX_REDIRECT_CHARS);
}

/**
 * Two upstreams that begin the same image are both paid, so failover needs proof that nothing was
 * sent. A test connection distinguishes an unreachable host from a busy one; its round trip is
 * short compared to drawing.
 */
async function requirePresence(egress: Egress, withinMs: number): Promise<void> {
  if (await egress.isThere(Number.POSITIVE_INFINITY, withinMs)) return;
  throw new NotSent('The upstream could not be reached.', {
    cause: new Error(`no connection within ${withinMs} ms`),
  });
}

/** `cut` aborts the call; `stop` is for when the status line has come. */
function startDeadlines(
  request: UpstreamRequest,
  connectMs: number,
  { name, egress, clock = systemClock, firstByteTimeoutMs }: NetworkOptions,
) {
  const giveUp = new AbortController();
  let isWaiting = true;
  const late = (message: string, what: string): void => {
    const cause = new Error(`upstream "${name}": ${what}`);
    if (isWaiting) giveUp.abort(new GatewayError('upstream_timeout', message, { cause }));
  };
  const sinceMs = clock.monotonicMs();
  // The runtime does not report when it has connected. After half of the connect timeout without an
  // answer a test connection is made, so that an unreachable host is known by its end.
  const knockMs = connectMs / 2;
  const knock = clock.after(knockMs, () => {
    // For images the host was tested before.
    if (request.format === 'images') return;
    void egress.isThere(sinceMs, connectMs - knockMs).then((isThere) => {
      // Not `NotSent`: the request may have been sent over an existing connection.
      const what = `no connection within ${connectMs} ms`;
      if (!isThere) late('The upstream could not be reached in time.', what);
    });
  });
  const firstByteMs = request.firstByteMs ?? firstByteTimeoutMs;
  const firstByte = clock.after(firstByteMs, () =>
    late('The upstream did not answer in time.', `no answer within ${firstByteMs} ms`),
  );
  const stop = (): void => {
    isWaiting = false;
    knock.cancel();
    firstByte.cancel();
  };
  return { signal: giveUp.signal, cut: () => giveUp.abort(), stop };
}

/** Errors before anything was sent: no connection, or no TLS. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+)$/;

function failureOf(thrown: unknown, name: string): GatewayError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const cause = new Error(`upstream "${name}": ${code || String(thrown)}`, { cause: thrown });
  if (NEVER_SENT.test(code)) return new NotSent('The upstream could not be reached.', { cause });
  return new GatewayError('upstream_failed', 'The upstream connection broke before an answer.', {
    cause,
  });
}
