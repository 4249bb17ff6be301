/** Writes errors of the Messages protocol for callers, and reads them from upstreams. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Dialect, ReportedError } from '../dialect.ts';
import { comment, encodeEvent } from '../sse.ts';

/** Returns an error body. The official client reads the gateway's code in `details.error_code`. */
function errorBody(error: GatewayError, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: {
      type: ERRORS[error.code].anthropic,
      message: messageOf(error),
      ...(error.param === null ? {} : { param: error.param }),
      details: { error_code: error.code },
      ...error.extra,
    },
    request_id: requestId,
  });
}

/**
 * Returns the error's message. Clients of Messages know a prompt that is too long only by these
 * words, and then compact the conversation.
 */
function messageOf({ code, message }: GatewayError): string {
  if (code !== 'context_length_exceeded' || /prompt is too long/i.test(message)) return message;
  return `prompt is too long: ${message}`;
}

export const messagesDialect: Dialect = {
  name: 'messages',
  errorBody,
  // Clients ignore an error event without a name.
  errorEvent: (error, { requestId }) => encodeEvent('error', errorBody(error, requestId)),
  // Before `message_start`, clients accept comments but no events.
  keepAlive: ({ started }) => (started ? encodeEvent('ping', '{"type":"ping"}') : comment('ping')),
};

/** Reads `{type: "error", error: {type, message}}`. Some servers add a `code`, as OpenAI does. */
export function reportedError(json: JsonObject): ReportedError {
  const error = asJsonObject(json['error']) ?? {};
  const details = asJsonObject(error['details']) ?? {};
  return {
    type: asString(error['type']),
    code: asString(details['error_code']) ?? asString(error['code']),
    message: asString(error['message']) ?? 'The provider reported an error without a message.',
  };
}
