/** Failures that an upstream told inside a stream, or in a body whose status was 200. */

import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { ReportedError } from '../dialect.ts';

/** Reads `{type: "error", error: {type, message}}`; servers that mix the dialects add a `code`. */
export function reportedError(json: JsonObject): ReportedError {
  const error = asJsonObject(json['error']) ?? {};
  const details = asJsonObject(error['details']) ?? {};
  return {
    type: asString(error['type']),
    code: asString(details['error_code']) ?? asString(error['code']),
    message: asString(error['message']) ?? 'The upstream reported an error without a message.',
  };
}
