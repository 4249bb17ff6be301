/**
 * One HTTP exchange with an upstream. The address comes from the configuration only; nothing of the
 * caller's request but the body and the dialect's own headers crosses over.
 */
import { type Clock, systemClock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { GatewayError } from '../errors.ts';
import type { UpstreamRequest } from './upstream.ts';

export type NetworkOptions = {
  readonly name: string;
  /** How long to wait for the status line; covers connecting. */
  readonly firstByteTimeoutMs: number;
  readonly clock?: Clock;
};

/** What an upstream's own messages may tell of it. */
export function hiddenTexts(baseUrl: string, apiKey: Secret | null): readonly string[] {
  const { host, hostname } = new URL(baseUrl);
  return [host, hostname, ...(apiKey === null ? [] : [apiKey.reveal()])];
}

/**
 * Posts a JSON body and resolves with the response as soon as its headers are there.
 * @throws GatewayError `upstream_timeout`, or `upstream_failed` when no connection or answer came or
 *   the upstream tried to redirect; the signal's reason when the caller's side aborted.
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  request: UpstreamRequest,
  options: NetworkOptions,
): Promise<Response> {
  const deadline = new AbortController();
  const clock = options.clock ?? systemClock;
  const timer = clock.after(options.firstByteTimeoutMs, () => deadline.abort());
  const forward = (): void => deadline.abort(request.signal.reason);
  if (request.signal.aborted) forward();
  else request.signal.addEventListener('abort', forward, { once: true });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        // A compressed stream would have to be unpacked to be metered.
        'accept-encoding': 'identity',
        accept: request.stream ? 'text/event-stream' : 'application/json',
        ...headers,
      },
      body: request.body,
      signal: deadline.signal,
      // A redirect could lead the operator's key to another host.
      redirect: 'manual',
      // Deadlines are ours, by the clock, so Bun's own five minutes must not cut a long stream.
      ...{ timeout: false },
    });
    if (response.status >= 300 && response.status < 400) {
      deadline.abort();
      throw new GatewayError(
        'upstream_failed',
        'The upstream answered with a redirect, which is refused.',
      );
    }
    return response;
  } catch (thrown) {
    request.signal.throwIfAborted();
    if (thrown instanceof GatewayError) throw thrown;
    if (deadline.signal.aborted) {
      throw new GatewayError('upstream_timeout', 'The upstream did not answer in time.', {
        cause: thrown,
      });
    }
    throw new GatewayError('upstream_failed', 'The upstream could not be reached.', {
      cause: thrown,
    });
  } finally {
    timer.cancel();
  }
}
