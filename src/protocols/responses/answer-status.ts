/** Reads how an answer ended: complete, incomplete or with an error. */
import { asFilledString, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { ReportedError } from '../dialect.ts';

/** Returns `completed`, or the reason why an answer is incomplete; null for any other status. */
export function finishReasonOf(response: JsonObject): string | null {
  const status = asString(response['status']);
  if (status === 'incomplete') {
    const details = asJsonObject(response['incomplete_details']);
    return asFilledString(details?.['reason']) ?? status;
  }
  // A missing status counts as completed, since some servers omit it.
  return status === null || status === 'completed' ? 'completed' : null;
}

/** The statuses of an answer that ended without a result. */
const FAILED: ReadonlySet<unknown> = new Set(['failed', 'cancelled']);

/**
 * Returns the error in a response object, an error body or an `error` event; null when nothing
 * failed. The members of the error may be at the top level or within `error`.
 */
export function reportedError(json: JsonObject): ReportedError | null {
  const { error, status, type } = json;
  const fields = asJsonObject(error);
  if (fields !== null) return errorOf(fields, asString(fields['type']));
  if (typeof error === 'string' && error !== '') return errorOf({ message: error }, null);
  if (type === 'error') return errorOf(json, null);
  return FAILED.has(status) ? errorOf({}, null) : null;
}

function errorOf({ code, message }: JsonObject, type: string | null): ReportedError {
  return {
    type,
    code: typeof code === 'number' ? String(code) : asString(code),
    message: asFilledString(message) ?? 'The provider reported an error without a message.',
  };
}
