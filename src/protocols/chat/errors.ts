/** Writes errors of OpenAI's chat protocol for callers, and reads such errors from upstreams. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Dialect, ReportedError } from '../dialect.ts';
import { comment, encodeEvent } from '../sse.ts';

/**
 * Returns an error body. It always has all four members, because the types of the official clients
 * require them.
 */
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
  // The keep-alive is a comment: every client ignores comments, but some clients fail on events.
  keepAlive: () => comment('ping'),
};

/**
 * Returns the error that a body or chunk reports. Returns null if it has no `error`, or `error:
 * null`. Older versions of vLLM write the error at the top level, with `object: "error"`. Some
 * servers send it in an event named `error`.
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
