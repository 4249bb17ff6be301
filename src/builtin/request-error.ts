/** The error that the built-in upstream returns for an invalid request, as a real provider does. */

export type RequestErrorCode =
  | 'invalid_value'
  | 'missing_required_parameter'
  | 'unsupported_value'
  | 'context_length_exceeded'
  | 'content_policy_violation';

export class RequestError extends Error {
  readonly code: RequestErrorCode;
  /**
   * The path of the invalid field, such as `messages[0].content`; null if the error concerns the
   * whole body.
   */
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

/** The status is always 400, because only the caller can fix an invalid request. */
const ERROR_STATUS = 400;

/**
 * Returns an error response in the format of chat completions, which always has all four fields.
 */
export function chatErrorResponse(refusal: RequestError): Response {
  const { message, param, code } = refusal;
  const where = param === null ? '' : `${param}: `;
  const error = { message: `${where}${message}`, type: 'invalid_request_error', param, code };
  return Response.json({ error }, { status: ERROR_STATUS });
}

/**
 * Returns an error response in the Messages format. The message begins with the field's path, such
 * as `messages.0.content`.
 */
export function messagesErrorResponse(refusal: RequestError, requestId: string): Response {
  const path = refusal.param?.replace(/\[(\d+)\]/g, '.$1');
  const message = path === undefined ? refusal.message : `${path}: ${refusal.message}`;
  const error = { type: 'invalid_request_error', message };
  return Response.json(
    { type: 'error', error, request_id: requestId },
    { status: ERROR_STATUS, headers: { 'request-id': requestId } },
  );
}
