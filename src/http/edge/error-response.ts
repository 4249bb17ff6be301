/** Failures as HTTP answers, in the dialect of the path, always JSON. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { chatDialect } from '../../protocols/chat/errors.ts';
import { messagesDialect } from '../../protocols/messages/errors.ts';
import type { RouteDialect } from './route.ts';

/** The Messages protocol has a status of its own for an overloaded upstream. */
const OVERLOADED_STATUS = 529;

export function errorResponse(
  error: GatewayError,
  dialect: RouteDialect,
  requestId: string,
): Response {
  const overloaded = ERRORS[error.code].anthropic === 'overloaded_error';
  const status = dialect === 'anthropic' && overloaded ? OVERLOADED_STATUS : error.status;
  const headers = new Headers({
    ...(dialect === 'both' ? error.headers : withoutForeign(error.headers, FOREIGN[dialect])),
    'content-type': 'application/json',
    // Clients repeat what a retry cannot fix unless they are told.
    'x-should-retry': error.retryable ? 'true' : 'false',
  });
  if (error.retryAfterSeconds !== null) headers.set('retry-after', String(error.retryAfterSeconds));
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  return new Response(errorBody(error, dialect, requestId), { status, headers });
}

/** What is left of a rate limit is told to each family in headers of its own, by these beginnings. */
const FOREIGN = { openai: 'anthropic-ratelimit-', anthropic: 'x-ratelimit-' } as const;

/** A refusal is made where nobody knows the dialect, so it carries the headers of both. */
const withoutForeign = (headers: GatewayError['headers'], foreign: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(foreign)));

function errorBody(error: GatewayError, dialect: RouteDialect, requestId: string): string {
  switch (dialect) {
    case 'openai':
      return chatDialect.errorBody(error, requestId);
    case 'anthropic':
      return messagesDialect.errorBody(error, requestId);
    case 'both':
      // Where the caller's family is unknown, one body that either can read.
      return JSON.stringify({
        type: 'error',
        error: {
          type: ERRORS[error.code].anthropic,
          message: error.message,
          param: error.param,
          code: error.code,
          ...error.extra,
        },
        request_id: requestId,
      });
  }
}
