/** Errors of the store, as callers see them. */
import { type ErrorCode, GatewayError } from '../errors.ts';

/** Callers see only this message; `why` is for the log. */
export function unavailable(why: string): GatewayError {
  return new GatewayError('store_unavailable', 'The store cannot be reached. Repeat the request.', {
    retryAfterSeconds: 1,
    cause: new Error(`the store is unavailable: ${why}`),
  });
}

/** An error from the store's thread. The message of an `internal_error` is not for callers. */
export function fault(code: ErrorCode, message: string, param: string | null = null): GatewayError {
  if (code === 'store_unavailable') return unavailable(message);
  if (code !== 'internal_error') {
    return new GatewayError(code, message, param === null ? {} : { param });
  }
  return new GatewayError(code, 'The store could not carry out the request.', {
    cause: new Error(message),
  });
}
