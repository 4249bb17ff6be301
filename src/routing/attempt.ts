/** Sends a request to the first destination that answers; fails over only before the first byte. */
import { asGatewayError, type GatewayError } from '../errors.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { Destination } from './pick.ts';
import { upstreamFailure } from './upstream-failure.ts';

/** More than this many tries would outlast any caller's patience. */
export const MAX_ATTEMPTS = 3;

export type Attempted = {
  readonly destination: Destination;
  /** What was tried, in order, such as `anthropic/claude-x:200`. */
  readonly attempts: readonly string[];
} & ({ readonly response: Response } | { readonly failure: GatewayError });

/**
 * Tries destinations in order until one answers with a success status. A refusal that is the caller's
 * own fault is not tried elsewhere, as it would be refused there too.
 *
 * @param request what to send there; made anew for each, since the model's name differs.
 * @param maxAttempts 1 for requests that must not be repeated, such as images.
 * @throws the signal's reason when the caller's side aborted.
 */
export async function attempt(
  destinations: readonly Destination[],
  request: (destination: Destination) => UpstreamRequest,
  maxAttempts: number,
): Promise<Attempted> {
  const attempts: string[] = [];
  let last: { destination: Destination; failure: GatewayError } | null = null;
  for (const destination of destinations.slice(0, maxAttempts)) {
    const label = `${destination.route.upstream}/${destination.route.model}`;
    const sent = request(destination);
    let failure: GatewayError;
    try {
      const response = await destination.upstream.send(sent);
      attempts.push(`${label}:${response.status}`);
      if (response.ok) return { destination, attempts, response };
      failure = await upstreamFailure(response, destination.upstream.hidden);
    } catch (thrown) {
      sent.signal.throwIfAborted();
      failure = asGatewayError(thrown);
      attempts.push(`${label}:${failure.code}`);
    }
    last = { destination, failure };
    if (failure.status < 500) break;
  }
  if (last === null) throw new Error('attempt was called without a destination');
  return { ...last, attempts };
}
