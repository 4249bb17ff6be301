/** Errors of the OpenAI protocol: written for callers, read from upstreams. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Dialect, ReportedError } from '../dialect.ts';
import { comment, encodeEvent } from '../sse.ts';

/** All four keys are always there, as the official clients' types say. */
function errorBody(error: GatewayError): string {
  return JSON.stringify({
    error: {
      message: error.message,
      type: ERRORS[error.code].openai,
      param: error.param,
      code: error.code,
      ...error.extra,
    },
  });
}

export const chatDialect: Dialect = {
  name: 'chat',
  errorBody,
  errorEvent: (error) => encodeEvent(null, errorBody(error)),
  // A comment is the only keep-alive that no client trips over.
  keepAlive: () => comment('ping'),
};

/**
 * The failure that a body or a chunk tells; null when it tells none. `error: null` tells none. Some
 * servers put the failure on the top level and mark it by `object` (older vLLM), others name the event.
 */
export function reportedError(json: JsonObject, eventName: string | null): ReportedError | null {
  const { error } = json;
  if (isJsonObject(error)) return errorOf(error);
  if (typeof error === 'string' && error !== '') return errorOf({ ...json, message: error });
  return json['object'] === 'error' || eventName === 'error' ? errorOf(json) : null;
}

function errorOf(fields: JsonObject): ReportedError {
  const { code } = fields;
  return {
    type: asString(fields['type']),
    code: typeof code === 'number' ? String(code) : asString(code),
    message: asString(fields['message']) ?? 'The upstream reported an error without a message.',
  };
}
