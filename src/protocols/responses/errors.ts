/** Writes errors of the Responses protocol for callers. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import type { ResponseError } from './response-object.ts';

/**
 * Returns the error for `response.failed`. Codex retries after most error codes, and the caller
 * pays for each attempt. Therefore a failure that a retry cannot fix gets a code that stops Codex.
 */
export function streamError(error: GatewayError): ResponseError {
  const { message, retryAfterSeconds } = error;
  switch (error.status) {
    case 402:
      return { code: 'insufficient_quota', message };
    case 429: {
      // Codex parses the time to wait from the message.
      const wait = retryAfterSeconds === null ? '' : ` Please try again in ${retryAfterSeconds}s.`;
      return { code: 'rate_limit_exceeded', message: message + wait };
    }
    default:
      if (error.status >= 500) return { code: 'server_error', message };
      if (error.code === 'context_length_exceeded') return { code: error.code, message };
      return { code: 'invalid_prompt', message };
  }
}

/**
 * Returns the members of an `error` event, both at its top level and within `error`. Some clients
 * throw only if the members are at the top level, others only if they are within `error`.
 */
export function errorMembers(error: GatewayError, { code, message }: ResponseError): string {
  const { param, extra } = error;
  const flat = JSON.stringify({ code, message, param });
  const nested = { type: ERRORS[error.code].openai, code, message, param, ...extra };
  return `${flat.slice(1, -1)},"error":${JSON.stringify(nested)}`;
}
