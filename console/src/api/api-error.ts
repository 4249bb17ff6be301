/**
 * An error response of the API, or a missing response. The message comes from the API and names the
 * field and the remedy.
 */
import { asObject } from './json.ts';

type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
  readonly [extra: string]: unknown;
};

/** The error code for a page that is older than the gateway: the person has to reload the page. */
export const OUTDATED = 'console_outdated';
const UNREACHABLE = 'unreachable';

export class ApiError extends Error {
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /**
   * A code of the gateway's error table, `unreachable` (no complete response of the gateway),
   * `proxy_refused` (a proxy refused the request) or `console_outdated` (the page is older than the
   * gateway).
   */
  readonly code: string;
  /** The field that caused the error, such as `limits.spend.day`; null if no single field did. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** The number of seconds to wait before a retry; null if the API does not say. */
  readonly retryAfterSeconds: number | null;
  /** All public fields of the API's error by name, also those without a property in this class. */
  readonly extra: Readonly<Record<string, unknown>>;

  private constructor(
    body: ErrorBody,
    of: { readonly status: number; readonly headers: Headers; readonly cause?: unknown },
  ) {
    super(body.message, { cause: of.cause });
    this.name = 'ApiError';
    this.status = of.status;
    this.code = body.code;
    this.param = body.param;
    this.requestId = of.headers.get('x-request-id');
    const retryAfter = of.headers.get('retry-after');
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
    this.extra = body;
  }

  /**
   * Creates the error of a refused request. A failure without an error of the gateway comes from a
   * proxy that did not get the gateway's response.
   * @param body the parsed response body, which is untrusted: a proxy may have sent it.
   */
  static of({ status, headers }: Response, body: unknown): ApiError {
    const isRefusal = status >= 400 && status < 500;
    const found = errorIn(body) ?? {
      message: `The gateway answered with status ${status}.`,
      code: isRefusal ? 'proxy_refused' : UNREACHABLE,
      param: null,
    };
    return new ApiError(found, { status, headers });
  }

  /** Creates the error of a session that ended while the page was open. */
  static signedOut(): ApiError {
    const message = 'The session has ended.';
    return new ApiError(
      { message, code: 'not_signed_in', param: null },
      { status: 401, headers: new Headers() },
    );
  }

  static unreachable(cause: unknown): ApiError {
    const message = 'The gateway cannot be reached.';
    return new ApiError(
      { message, code: UNREACHABLE, param: null },
      { status: 0, headers: new Headers(), cause },
    );
  }

  /** Creates the error of a passkey that the browser could not use or create. */
  static ofPasskey(cause: unknown): ApiError {
    const reason = cause instanceof DOMException ? cause.name : '';
    const message = `The browser did not use a passkey: ${reason}`;
    return new ApiError(
      { message, code: 'passkey_failed', param: null, reason },
      { status: 0, headers: new Headers(), cause },
    );
  }

  /** Creates the error of a page that was loaded from an older version of the gateway. */
  static outdated(cause: unknown): ApiError {
    const message = 'The console was upgraded after this page was opened. Reload the page.';
    return new ApiError(
      { message, code: OUTDATED, param: null },
      { status: 0, headers: new Headers(), cause },
    );
  }
}

/** Whether the error says that somebody else has changed the settings since they were read. */
export const isStale = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'revision_changed';

function errorIn(body: unknown): ErrorBody | null {
  const error = asObject(asObject(body)?.['error']);
  const { message, code, param } = error ?? {};
  if (typeof message !== 'string') return null;
  return {
    ...error,
    message,
    code: typeof code === 'string' ? code : 'unknown',
    param: typeof param === 'string' ? param : null,
  };
}
