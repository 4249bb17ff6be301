/** Writes errors in Google's format. */
import type { ErrorCode, GatewayError } from '../../errors.ts';

/** Maps HTTP statuses to the names in google.rpc.Code. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [402, 'FAILED_PRECONDITION'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
const DOMAIN = 'modelgate';

export const geminiErrorBody = ({ status, message, code, param }: GatewayError): string =>
  geminiErrorText(status, message, code, param);

export function geminiErrorText(
  status: number,
  message: string,
  reason: ErrorCode,
  param: string | null,
): string {
  const metadata = param === null ? {} : { metadata: { param } };
  return JSON.stringify({
    error: {
      code: status,
      message,
      status: NAMES.get(status) ?? 'INVALID_ARGUMENT',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          ...{ reason, domain: DOMAIN, ...metadata },
        },
      ],
    },
  });
}
