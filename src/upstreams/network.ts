/**
 * One HTTP exchange with an upstream. The address comes from the configuration only; nothing of the
 * caller's request but the body and the dialect's own headers crosses over.
 *
 * A connection that the peer closed while it was idle is found out by the runtime before anything is
 * written to it, so a request is never repeated here: once its bytes may have left, nobody can tell
 * whether they were acted on.
 */
import { type Clock, systemClock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import type { Egress } from './egress.ts';
import { NotSent, type UpstreamRequest } from './upstream.ts';

export type NetworkOptions = {
  readonly name: string;
  readonly egress: Egress;
  /** How long it may take to be reached. */
  readonly connectTimeoutMs: number;
  /** How long to wait for the status line; covers connecting. */
  readonly firstByteTimeoutMs: number;
  readonly clock?: Clock;
};

/** Shorter hosts and keys are words, not secrets; to hide them would garble every message. */
const MIN_HIDDEN_CHARACTERS = 4;
/** So are the values of headers, such as `true` and `default`, and the parts of a path. */
const MIN_HIDDEN_PART_CHARACTERS = 8;

/** Enough for any address of an endpoint. */
const MAX_REDIRECT_CHARS = 300;

/** What an upstream's own messages may tell of it: its host, its key, what else it is sent as credentials. */
export function hiddenTexts(
  baseUrl: string,
  apiKey: Secret | null,
  headers: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { host, hostname, pathname } = new URL(baseUrl);
  const whole = [host, hostname, ...(apiKey === null ? [] : [apiKey.reveal()])];
  const parts = [
    // A key may be told without the scheme before it.
    ...Object.values(headers).flatMap((value) => [value, ...value.split(/[\s,;=]+/)]),
    // An account or a project may stand in a path, and has a digit in it.
    ...pathname.split('/').filter((part) => /\d/.test(part)),
  ];
  return [
    ...whole.filter((text) => text.length >= MIN_HIDDEN_CHARACTERS),
    ...new Set(parts.filter((text) => text.length >= MIN_HIDDEN_PART_CHARACTERS)),
  ];
}

/** Names in lower case, so that one written in capitals gives way to ours instead of joining it. */
export const lowerCased = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Posts a JSON body and resolves with the response as soon as its headers are there.
 *
 * @param headers the upstream's own and the dialect's; names in lower case.
 * @throws NotSent when it certainly was not begun: the address is refused, unknown or not there, or TLS
 *   did not come about; GatewayError `upstream_timeout`, or `upstream_failed` when the connection broke,
 *   what came was no HTTP, or the upstream tried to redirect; the signal's reason when it was aborted.
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
        // A compressed stream would have to be unpacked to be metered.
        'accept-encoding': 'identity',
        accept: request.stream ? 'text/event-stream' : 'application/json',
        ...(request.traceparent === null ? {} : { traceparent: request.traceparent }),
      },
      body: request.body,
      // Joined by the runtime, which holds on to neither: nothing is left to be taken away afterwards.
      signal: AbortSignal.any([request.signal, deadlines.signal]),
      // A redirect could lead the operator's key to another host.
      redirect: 'manual',
      // Deadlines are ours, by the clock, so Bun's own five minutes must not cut a long stream.
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

/** Most often it says what is wrong with the address: the scheme, a slash, a page to log in. */
function redirectOf({ status, headers, url }: Response): string {
  const location = headers.get('location') ?? '';
  if (!URL.canParse(location, url)) return String(status);
  // What follows the path may be a token.
  const { origin, pathname } = new URL(location, url);
  return `${status}, which leads to ${origin}${pathname}`.slice(0, MAX_REDIRECT_CHARS);
}

/**
 * An image that was begun twice is paid for twice, so it goes elsewhere only when nothing can have been
 * sent. A host that never answers is told from one that is drawing by knocking first: that costs a round
 * trip, where drawing takes seconds.
 */
async function requirePresence(egress: Egress, withinMs: number): Promise<void> {
  if (await egress.isThere(Number.POSITIVE_INFINITY, withinMs)) return;
  throw new NotSent('The upstream could not be reached.', {
    cause: new Error(`no connection within ${withinMs} ms`),
  });
}

type Deadlines = {
  readonly signal: AbortSignal;
  /** Ends the exchange. */
  readonly cut: () => void;
  /** The status line came. */
  readonly stop: () => void;
};

function startDeadlines(
  request: UpstreamRequest,
  connectMs: number,
  { name, egress, clock = systemClock, firstByteTimeoutMs }: NetworkOptions,
): Deadlines {
  const giveUp = new AbortController();
  let isWaiting = true;
  const late = (message: string, what: string): void => {
    const cause = new Error(`upstream "${name}": ${what}`);
    if (isWaiting) giveUp.abort(new GatewayError('upstream_timeout', message, { cause }));
  };
  const sinceMs = clock.monotonicMs();
  // The runtime does not tell when it has connected. An upstream that has said nothing by half the time
  // is knocked at beside the request, so that a host which is not there is known by the whole of it.
  const knockMs = connectMs / 2;
  const knock = clock.after(knockMs, () => {
    // Who draws was there before.
    if (request.format === 'images') return;
    void egress.isThere(sinceMs, connectMs - knockMs).then((isThere) => {
      // Not `NotSent`: the request may have gone out by a connection that was made before.
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

/** Nothing was written: no connection came about, or its encryption did not. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EPROTO|\w*CERT\w*|ERR_TLS_\w+|ERR_SSL_\w+|UNABLE_TO_\w+)$/;

function failureOf(thrown: unknown, name: string): GatewayError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const cause = new Error(`upstream "${name}": ${code || String(thrown)}`, { cause: thrown });
  if (NEVER_SENT.test(code)) return new NotSent('The upstream could not be reached.', { cause });
  return new GatewayError('upstream_failed', 'The upstream broke off before it answered.', {
    cause,
  });
}
