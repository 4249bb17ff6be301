/** Writes errors of the OpenAI protocol for callers, and reads them from upstreams. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Dialect, ReportedError } from '../dialect.ts';
import { comment, encodeEvent } from '../sse.ts';

/** Returns an error body. It always has all four keys, as the official clients' types require. */
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
  // Every client ignores a comment. Other keep-alives break some clients.
  keepAlive: () => comment('ping'),
};

/**
 * Returns the error that a body or chunk reports; null if it has none or `error: null`. Older vLLM
 * writes the error at the top level with `object: "error"`, other servers in an `error` event.
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
    message: asString(fields['message']) ?? 'The provider reported an error without a message.',
  };
}
