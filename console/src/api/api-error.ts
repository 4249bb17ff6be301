/**
 * The API refused a request, or did not answer. The message is the API's own: it names the field
 * and the remedy.
 */
import { asObject } from './json.ts';

type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly param: string | null;
  readonly [extra: string]: unknown;
};

/** The error code for a page that must be reloaded. */
export const OUTDATED = 'console_outdated';

export class ApiError extends Error {
  /** 0: there was no answer. */
  readonly status: number;
  /**
   * A code of the gateway's error table, or `unreachable` (no answer), or `console_outdated` (old
   * page).
   */
  readonly code: string;
  /** The field that caused the error, such as `limits.spend.day`. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** Seconds to wait before the next try. */
  readonly retryAfterSeconds: number | null;
  /** Further public fields of the error. */
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

  /** @param body the parsed response. It is not trusted: a proxy may have sent it. */
  static of({ status, headers }: Response, body: unknown): ApiError {
    const found = errorIn(body) ?? {
      message: `The gateway answered with status ${status}.`,
      code: `http_${status}`,
      param: null,
    };
    return new ApiError(found, { status, headers });
  }

  static unreachable(cause: unknown): ApiError {
    const message = 'The gateway cannot be reached.';
    return new ApiError(
      { message, code: 'unreachable', param: null },
      { status: 0, headers: new Headers(), cause },
    );
  }

  /** The page was loaded from an older version of the gateway than the one that answers. */
  static outdated(cause: unknown): ApiError {
    const message = 'The console was upgraded since this page was opened.';
    return new ApiError(
      { message, code: OUTDATED, param: null },
      { status: 0, headers: new Headers(), cause },
    );
  }
}

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
