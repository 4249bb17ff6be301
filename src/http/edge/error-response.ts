/** Converts errors to JSON responses in the protocol of the path. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { chatDialect } from '../../protocols/chat/errors.ts';
import { geminiErrorBody } from '../../protocols/gemini-to-chat/errors.ts';
import { messagesDialect } from '../../protocols/messages/errors.ts';
import type { RouteDialect } from './route.ts';

/** The status that the Messages protocol defines for an overloaded upstream. */
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
    // Without this header, client libraries retry errors that a retry cannot fix.
    'x-should-retry': error.retryable ? 'true' : 'false',
  });
  if (error.retryAfterSeconds !== null) headers.set('retry-after', String(error.retryAfterSeconds));
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  return new Response(errorBody(error, dialect, requestId), { status, headers });
}

/** For each dialect, the prefix of the rate-limit headers that its responses omit. */
const FOREIGN = {
  openai: 'anthropic-ratelimit-',
  anthropic: 'x-ratelimit-',
  google: 'anthropic-ratelimit-',
} as const;

/**
 * Removes another protocol's rate-limit headers, because the limiter sets the headers of both
 * OpenAI and Anthropic.
 */
const withoutForeign = (headers: GatewayError['headers'], foreign: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(foreign)));

const text = { type: 'string' };
const code = { $ref: '#/$defs/ErrorCode' };
const plain = { type: text, message: text, param: { type: ['string', 'null'] }, code };
const detailed = {
  ...{ type: text, message: text, param: text },
  details: { type: 'object', required: ['error_code'], properties: { error_code: code } },
};
const rpc = {
  ...{ code: { type: 'integer' }, message: text, status: text },
  details: { type: 'array', items: { type: 'object', properties: { reason: code } } },
};
const PLAIN_REQUIRED = ['type', 'message', 'code'];
const typed = { type: { const: 'error' }, request_id: text };

/** The schema of an error body in each dialect. An error may have further members. */
const BODIES = {
  openai: { name: 'OpenAiError', body: {}, error: plain, required: PLAIN_REQUIRED },
  anthropic: {
    ...{ name: 'AnthropicError', body: typed, error: detailed },
    required: ['type', 'message', 'details'],
  },
  google: { name: 'GoogleError', body: {}, error: rpc, required: Object.keys(rpc) },
  both: { name: 'Error', body: typed, error: plain, required: PLAIN_REQUIRED },
} as const satisfies Record<RouteDialect, unknown>;

/** Returns the JSON Schema of an error body, for `/openapi.json`. */
export function errorSchema(dialect: RouteDialect) {
  const { name, body, error, required } = BODIES[dialect];
  const members = { type: 'object', required, properties: error };
  return {
    $defs: {
      ErrorCode: {
        type: 'string',
        enum: Object.keys(ERRORS),
        description: 'The stable code of an error.',
      },
      [name]: { type: 'object', required: ['error'], properties: { ...body, error: members } },
    },
    $ref: `#/$defs/${name}`,
  };
}

function errorBody(error: GatewayError, dialect: RouteDialect, requestId: string): string {
  switch (dialect) {
    case 'openai':
      return chatDialect.errorBody(error, requestId);
    case 'anthropic':
      return messagesDialect.errorBody(error, requestId);
    case 'google':
      return geminiErrorBody(error);
    case 'both':
      // The caller's protocol is unknown, so both OpenAI's and Anthropic's clients can read the
      // body.
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
