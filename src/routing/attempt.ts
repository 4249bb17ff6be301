/** Sends a request to the first destination that answers; fails over only before the first byte. */
import type { Clock } from '../clock.ts';
import { asGatewayError, type GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { Destination } from './pick.ts';
import { upstreamFailure } from './upstream-failure.ts';

/** More than this many tries would outlast any caller's patience. */
export const MAX_ATTEMPTS = 3;

export type Attempted = {
  readonly destination: Destination;
  /** What was tried, in order. */
  readonly attempts: readonly AttemptRecord[];
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
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<Attempted> {
  const attempts: AttemptRecord[] = [];
  const beganMs = clock.monotonicMs();
  let last: { destination: Destination; failure: GatewayError } | null = null;
  for (const destination of destinations.slice(0, maxAttempts)) {
    const { upstream, model } = destination.route;
    const startMs = Math.round(clock.monotonicMs() - beganMs);
    const tried = (result: string): void => {
      const durationMs = Math.round(clock.monotonicMs() - beganMs) - startMs;
      attempts.push({ channel: '', upstream, model, result, startMs, durationMs });
    };
    const sent = request(destination);
    let failure: GatewayError;
    try {
      const response = await destination.upstream.send(sent);
      tried(String(response.status));
      if (response.ok) return { destination, attempts, response };
      failure = await upstreamFailure(response, destination.upstream.hidden);
    } catch (thrown) {
      sent.signal.throwIfAborted();
      failure = asGatewayError(thrown);
      tried(failure.code);
    }
    last = { destination, failure };
    if (failure.status < 500) break;
  }
  if (last === null) throw new Error('attempt was called without a destination');
  return { ...last, attempts };
}
