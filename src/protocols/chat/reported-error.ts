/** Failures that an upstream told inside a stream, or in a body whose status was 200. */

import { asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { ReportedError } from '../dialect.ts';

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
