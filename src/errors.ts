/**
 * The one table of failures. A code is stable and public; its row says which status a caller gets,
 * whether the same call may succeed later unchanged (`x-should-retry`), and how each dialect types it.
 */

type ErrorRow = {
  readonly status: number;
  readonly retryable: boolean;
  /** `error.type` in an OpenAI body (protocol reference A.7). */
  readonly openai: string;
  /** `error.type` in an Anthropic body (protocol reference C.9). */
  readonly anthropic: string;
};

const invalid = { openai: 'invalid_request_error', anthropic: 'invalid_request_error' } as const;
const notFound = { openai: 'invalid_request_error', anthropic: 'not_found_error' } as const;
const upstream = { openai: 'upstream_error', anthropic: 'api_error' } as const;

export const ERRORS = {
  // The request itself.
  invalid_json: { status: 400, retryable: false, ...invalid },
  invalid_value: { status: 400, retryable: false, ...invalid },
  missing_required_parameter: { status: 400, retryable: false, ...invalid },
  unsupported_value: { status: 400, retryable: false, ...invalid },
  /** A password that a guesser would find soon. */
  weak_password: { status: 400, retryable: false, ...invalid },
  /** Whoever is signed in proves that it is they, and did not. */
  wrong_password: { status: 400, retryable: false, ...invalid },
  /** Not what the authenticator shows, nor a recovery code that is left. */
  wrong_code: { status: 400, retryable: false, ...invalid },
  unsupported_parameter: { status: 400, retryable: false, ...invalid },
  unsupported_modality: { status: 400, retryable: false, ...invalid },
  wrong_endpoint: { status: 400, retryable: false, ...invalid },
  channel_not_available: { status: 400, retryable: false, ...invalid },
  context_length_exceeded: { status: 400, retryable: false, ...invalid },
  content_policy_violation: { status: 400, retryable: false, ...invalid },
  /** The official Anthropic client knows this code and goes on without a thread. */
  thread_unsupported_request: { status: 400, retryable: false, ...invalid },
  /** The upstream refused the request as invalid; its own words are passed on, masked. */
  upstream_rejected_request: { status: 400, retryable: false, ...invalid },
  invalid_api_key: {
    status: 401,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'authentication_error',
  },
  /** Nobody is signed in to the console, or no longer. */
  not_signed_in: {
    status: 401,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'authentication_error',
  },
  /** E-mail and password, or the code after them, are not right; which of them is not said. */
  sign_in_failed: {
    status: 401,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'authentication_error',
  },
  insufficient_balance: {
    status: 402,
    retryable: false,
    openai: 'insufficient_quota',
    anthropic: 'billing_error',
  },
  /** A spending limit of the key or the account; the wallet may well have the money. */
  spend_limit_reached: {
    status: 402,
    retryable: false,
    openai: 'insufficient_quota',
    anthropic: 'billing_error',
  },
  /** The settings want a second step of administrators, and this one has not set it up. */
  totp_required: {
    status: 403,
    retryable: false,
    openai: 'permission_error',
    anthropic: 'permission_error',
  },
  not_allowed: {
    status: 403,
    retryable: false,
    openai: 'permission_error',
    anthropic: 'permission_error',
  },
  /** A page of another site had a signed-in browser send it. */
  cross_origin: {
    status: 403,
    retryable: false,
    openai: 'permission_error',
    anthropic: 'permission_error',
  },
  model_not_found: { status: 404, retryable: false, ...notFound },
  unknown_url: { status: 404, retryable: false, ...notFound },
  not_found: { status: 404, retryable: false, ...notFound },
  /** A link that works once: never made, used, replaced, or past its time. */
  link_not_valid: { status: 404, retryable: false, ...notFound },
  method_not_allowed: { status: 405, retryable: false, ...invalid },
  conflict: {
    status: 409,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'conflict_error',
  },
  /** Somebody with this e-mail address is there already. */
  email_taken: {
    status: 409,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'conflict_error',
  },
  /** The last owner of an account, and the last administrator, stay what they are. */
  last_of_role: {
    status: 409,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'conflict_error',
  },
  /** The first request under this Idempotency-Key still runs; asked again, its answer is given. */
  idempotency_in_progress: {
    status: 409,
    retryable: true,
    openai: 'invalid_request_error',
    anthropic: 'conflict_error',
  },
  /** It was charged, and its answer is not there to be given again. */
  idempotency_not_replayable: {
    status: 409,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'conflict_error',
  },
  request_too_large: {
    status: 413,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'request_too_large',
  },
  unsupported_media_type: { status: 415, retryable: false, ...invalid },
  /** One Idempotency-Key for two requests: the one 422 of the service. */
  idempotency_key_reused: { status: 422, retryable: false, ...invalid },
  rate_limit_exceeded: {
    status: 429,
    retryable: true,
    openai: 'rate_limit_error',
    anthropic: 'rate_limit_error',
  },
  /** Nobody reads this answer; the log and the receipt do. */
  caller_left: { status: 499, retryable: false, ...invalid },
  // Us, and what stands behind us.
  internal_error: { status: 500, retryable: true, openai: 'server_error', anthropic: 'api_error' },
  upstream_failed: { status: 502, retryable: true, ...upstream },
  /** The upstream's stream ended without its end mark. */
  upstream_truncated: { status: 502, retryable: true, ...upstream },
  /** The operator's account at the upstream is refused: key, balance or rights. */
  upstream_refused_us: { status: 502, retryable: false, ...upstream },
  upstream_overloaded: {
    status: 503,
    retryable: true,
    openai: 'service_unavailable_error',
    anthropic: 'overloaded_error',
  },
  store_unavailable: {
    status: 503,
    retryable: true,
    openai: 'service_unavailable_error',
    anthropic: 'api_error',
  },
  shutting_down: {
    status: 503,
    retryable: true,
    openai: 'service_unavailable_error',
    anthropic: 'overloaded_error',
  },
  upstream_timeout: {
    status: 504,
    retryable: true,
    openai: 'upstream_error',
    anthropic: 'timeout_error',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetail = {
  /** Path of the offending field, such as `messages[0].content`. */
  readonly param?: string;
  /** Seconds a caller should wait, 1 to 60 (clients ignore or overreact to anything else). */
  readonly retryAfterSeconds?: number;
  /** False: it could never succeed unchanged, although others of its code may. */
  readonly retryable?: false;
  /** Extra public fields of the error object, such as `affordable_max_tokens`. */
  readonly extra?: Readonly<Record<string, string | number>>;
  /** Headers that the answer carries, such as what is left of a rate limit. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** A failure a caller may see: its message is public, so it names no upstream host, key or account. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly retryAfterSeconds: number | null;
  readonly retryable: boolean;
  readonly extra: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'GatewayError';
    this.code = code;
    this.param = detail.param ?? null;
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.retryable = detail.retryable ?? ERRORS[code].retryable;
    this.extra = detail.extra ?? {};
    this.headers = detail.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The same failure, with more headers on its answer. */
  withHeaders(headers: Readonly<Record<string, string>>): GatewayError {
    return new GatewayError(this.code, this.message, {
      ...(this.param === null ? {} : { param: this.param }),
      ...(this.retryAfterSeconds === null ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.retryable ? {} : { retryable: false }),
      extra: this.extra,
      headers: { ...this.headers, ...headers },
      cause: this.cause,
    });
  }
}

/** Any thrown value as a GatewayError: what is not one already is our own fault, and says no more. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('internal_error', 'The gateway failed to handle this request.', {
    cause: thrown,
  });
}
