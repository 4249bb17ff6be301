/**
 * What a real provider would turn down. Unlike a GatewayError this is an answer of the upstream: it goes
 * out as an HTTP response in the dialect's own words, and the gateway in front treats it like any other.
 */

export type RequestErrorCode =
  | 'invalid_value'
  | 'missing_required_parameter'
  | 'unsupported_value'
  | 'context_length_exceeded'
  | 'content_policy_violation';

export class RequestError extends Error {
  readonly code: RequestErrorCode;
  /** Path of the offending field as chat writes it, such as `messages[0].content`; null for the whole. */
  readonly param: string | null;

  constructor(code: RequestErrorCode, param: string | null, message: string) {
    super(message);
    this.name = 'RequestError';
    this.code = code;
    this.param = param;
  }
}

export const invalid = (param: string | null, message: string): RequestError =>
  new RequestError('invalid_value', param, message);

/** Every refusal is the caller's to mend. */
const REFUSED_STATUS = 400;

/** The chat dialect's error body (all four keys, always). */
export function chatErrorResponse(refusal: RequestError): Response {
  const { message, param, code } = refusal;
  const where = param === null ? '' : `${param}: `;
  const error = { message: `${where}${message}`, type: 'invalid_request_error', param, code };
  return Response.json({ error }, { status: REFUSED_STATUS });
}

/** The messages dialect's error body: the field leads the message, with dots around its indices. */
export function messagesErrorResponse(refusal: RequestError, requestId: string): Response {
  const path = refusal.param?.replace(/\[(\d+)\]/g, '.$1');
  const message = path === undefined ? refusal.message : `${path}: ${refusal.message}`;
  const error = { type: 'invalid_request_error', message };
  return Response.json(
    { type: 'error', error, request_id: requestId },
    { status: REFUSED_STATUS, headers: { 'request-id': requestId } },
  );
}
