import { GatewayError } from '../errors.ts';
import type { ReportedError } from '../protocols/dialect.ts';
import { reportedCause } from '../routing/upstream-failure.ts';

/** What the caller gets for a failure that the upstream told within an answer of status 200. */
export function reportedFailure({ type, message }: ReportedError): GatewayError {
  const cause = reportedCause(message);
  return type === 'overloaded_error'
    ? new GatewayError(
        'upstream_overloaded',
        'The provider behind this channel is overloaded. Try again shortly.',
        { cause },
      )
    : new GatewayError(
        'upstream_failed',
        'The provider behind this channel answered with an error.',
        { cause },
      );
}
