/** The OpenAI protocol's way to say that something failed, or that a silent stream is alive. */
import { ERRORS, type GatewayError } from '../../errors.ts';
import type { Dialect } from '../dialect.ts';
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
