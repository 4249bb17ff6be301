/** Creates the errors that callers receive when the store fails. */
import { type ErrorCode, GatewayError } from '../errors.ts';

/** Creates the error for an unreachable store. `why` is only for the log, not for callers. */
export function unavailable(why: string): GatewayError {
  return new GatewayError('store_unavailable', 'The store cannot be reached. Repeat the request.', {
    retryAfterSeconds: 1,
    cause: new Error(`the store is unavailable: ${why}`),
  });
}

/**
 * Creates the error for a failure that the store reported. Callers do not see the message of an
 * internal error.
 */
export function fault(code: ErrorCode, message: string, param: string | null = null): GatewayError {
  if (code === 'store_unavailable') return unavailable(message);
  if (code !== 'internal_error') {
    return new GatewayError(code, message, param === null ? {} : { param });
  }
  return new GatewayError(code, 'The store could not carry out the request.', {
    cause: new Error(message),
  });
}
