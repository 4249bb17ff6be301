/**
 * A failed attempt at a provider, with the provider's own message, which only operators may see.
 */
import type { Card } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { RouteAttempt, RouteSearch } from '../routing/route-search.ts';

export type FailedAttempt = {
  readonly requestId: string;
  /** The number of the attempt, from 1; 0 for an answer that broke off after it had begun. */
  readonly number: number;
  readonly upstream: string;
  readonly model: string;
  /** The error. Its `cause` has the provider's answer, with secrets masked. */
  readonly failure: GatewayError;
};

export type FailureWatch = { readonly onAttemptFailed: (failed: FailedAttempt) => void };

/**
 * Reports a failed attempt, unless its request was never sent. `attempts` must already include the
 * attempt, because their count is its number.
 */
export function reportFailed<C extends Card>(
  { onAttemptFailed }: FailureWatch,
  requestId: string,
  { attempts }: Pick<RouteSearch<C>, 'attempts'>,
  { isSent, to }: Pick<RouteAttempt<C>, 'isSent' | 'to'>,
  failure: unknown,
): void {
  if (!isSent || !(failure instanceof GatewayError)) return;
  const { upstream, model } = to.route;
  onAttemptFailed({ requestId, number: attempts.length, upstream, model, failure });
}
