/**
 * The table of all error codes. A code never changes. `retryable` says whether an unchanged request
 * may succeed later.
 */

type ErrorRow = {
  readonly status: number;
  readonly retryable: boolean;
  /** The `error.type` of the OpenAI protocol (protocol reference A.7). */
  readonly openai: string;
  /** The `error.type` of the Anthropic protocol (protocol reference C.9). */
  readonly anthropic: string;
};

const invalid = { openai: 'invalid_request_error', anthropic: 'invalid_request_error' } as const;
const unauthorized = {
  openai: 'invalid_request_error',
  anthropic: 'authentication_error',
} as const;
const unpaid = { openai: 'insufficient_quota', anthropic: 'billing_error' } as const;
const forbidden = { openai: 'permission_error', anthropic: 'permission_error' } as const;
const notFound = { openai: 'invalid_request_error', anthropic: 'not_found_error' } as const;
const conflict = { openai: 'invalid_request_error', anthropic: 'conflict_error' } as const;
const upstream = { openai: 'upstream_error', anthropic: 'api_error' } as const;
const unavailable = { openai: 'service_unavailable_error', anthropic: 'api_error' } as const;
const overloaded = { openai: 'service_unavailable_error', anthropic: 'overloaded_error' } as const;

export const ERRORS = {
  // Errors caused by the request.
  invalid_json: { status: 400, retryable: false, ...invalid },
  invalid_value: { status: 400, retryable: false, ...invalid },
  missing_required_parameter: { status: 400, retryable: false, ...invalid },
  unsupported_value: { status: 400, retryable: false, ...invalid },
  /** The new password is too easy to guess. */
  weak_password: { status: 400, retryable: false, ...invalid },
  /** A signed-in person entered a wrong password to confirm a change. */
  wrong_password: { status: 400, retryable: false, ...invalid },
  /** The gateway rejects the passkey. The field `reason` of the error says why. */
  passkey_failed: { status: 400, retryable: false, ...invalid },
  /** The code is neither a current authenticator code nor an unused recovery code. */
  wrong_code: { status: 400, retryable: false, ...invalid },
  unsupported_parameter: { status: 400, retryable: false, ...invalid },
  unsupported_modality: { status: 400, retryable: false, ...invalid },
  wrong_endpoint: { status: 400, retryable: false, ...invalid },
  channel_not_available: { status: 400, retryable: false, ...invalid },
  context_length_exceeded: { status: 400, retryable: false, ...invalid },
  content_policy_violation: { status: 400, retryable: false, ...invalid },
  /**
   * The caller sent back encrypted reasoning or signed thinking that was changed, or that comes
   * from another installation or account.
   */
  invalid_encrypted_content: { status: 400, retryable: false, ...invalid },
  /**
   * The request has the field `thread`, which the gateway does not support. When the official
   * Anthropic client gets this code, it continues without a thread.
   */
  thread_unsupported_request: { status: 400, retryable: false, ...invalid },
  /** A Responses request refers to an earlier answer, but the gateway does not store answers. */
  previous_response_not_found: { status: 400, retryable: false, ...invalid },
  /** The upstream rejected the request. Its message is passed on, with secrets masked. */
  upstream_rejected_request: { status: 400, retryable: false, ...invalid },
  invalid_api_key: { status: 401, retryable: false, ...unauthorized },
  /** The request has no valid console session. */
  not_signed_in: { status: 401, retryable: false, ...unauthorized },
  /** The email address, the password or the code is wrong. The response does not say which one. */
  sign_in_failed: { status: 401, retryable: false, ...unauthorized },
  /**
   * The gateway rejects the response of the identity provider, or refuses to let the person sign
   * in. The field `reason` of the error says why.
   */
  oidc_failed: { status: 401, retryable: false, ...unauthorized },
  insufficient_balance: { status: 402, retryable: false, ...unpaid },
  /**
   * A spending cap of the key, of the person who created it, or of the account is reached. The
   * balance does not matter.
   */
  spend_limit_reached: { status: 402, retryable: false, ...unpaid },
  /** A person without a password must sign in again, because the last sign-in is not recent. */
  sign_in_again: { status: 403, retryable: false, ...forbidden },
  /** The administrator must set up two-factor authentication first. */
  totp_required: { status: 403, retryable: false, ...forbidden },
  not_allowed: { status: 403, retryable: false, ...forbidden },
  /** An administrator tried to change something while viewing an account as its owner. */
  view_is_read_only: { status: 403, retryable: false, ...forbidden },
  /** A page of another website made the browser of a signed-in person send the request. */
  cross_origin: { status: 403, retryable: false, ...forbidden },
  model_not_found: { status: 404, retryable: false, ...notFound },
  unknown_url: { status: 404, retryable: false, ...notFound },
  not_found: { status: 404, retryable: false, ...notFound },
  /** The one-time link is unknown, used, replaced by a newer link, or expired. */
  link_not_valid: { status: 404, retryable: false, ...notFound },
  method_not_allowed: { status: 405, retryable: false, ...invalid },
  conflict: { status: 409, retryable: false, ...conflict },
  /** The configuration cannot be changed through the API, because it is in a file on each node. */
  config_in_file: { status: 409, retryable: false, ...conflict },
  /**
   * The change may be a mistake. To confirm it, the client repeats the request and lists the
   * warnings of this error in `confirm`.
   */
  confirmation_required: { status: 409, retryable: false, ...conflict },
  /** The account shown in the browser is not the account of the session. */
  other_account: { status: 409, retryable: false, ...conflict },
  /** Another person already has this email address. */
  email_taken: { status: 409, retryable: false, ...conflict },
  /** The change would remove the last owner of an account, or the last administrator. */
  last_of_role: { status: 409, retryable: false, ...conflict },
  /** The first request with this Idempotency-Key still runs. A later retry gets its answer. */
  idempotency_in_progress: { status: 409, retryable: true, ...conflict },
  /** The request with this Idempotency-Key was charged, but its answer cannot be replayed. */
  idempotency_not_replayable: { status: 409, retryable: false, ...conflict },
  /** The settings have changed since the client read them. */
  revision_changed: { status: 412, retryable: false, ...conflict },
  request_too_large: {
    status: 413,
    retryable: false,
    openai: 'invalid_request_error',
    anthropic: 'request_too_large',
  },
  unsupported_media_type: { status: 415, retryable: false, ...invalid },
  /** Two different requests have the same Idempotency-Key. No other error has the status 422. */
  idempotency_key_reused: { status: 422, retryable: false, ...invalid },
  /** A client requested a WebSocket. The Responses API is available only over HTTP. */
  upgrade_required: { status: 426, retryable: false, ...invalid },
  /** A request that changes the configuration has no `If-Match` header. */
  if_match_required: { status: 428, retryable: false, ...invalid },
  rate_limit_exceeded: {
    status: 429,
    retryable: true,
    openai: 'rate_limit_error',
    anthropic: 'rate_limit_error',
  },
  /**
   * An answer cost more than the amount reserved for it (its hold), so the account's requests must
   * run one at a time for a while.
   */
  one_request_at_a_time: {
    status: 429,
    retryable: true,
    openai: 'rate_limit_error',
    anthropic: 'rate_limit_error',
  },
  /** The caller disconnected. This code appears only in the log and the receipt. */
  caller_left: { status: 499, retryable: false, ...invalid },
  // Errors caused by the gateway or its upstreams.
  internal_error: { status: 500, retryable: true, openai: 'server_error', anthropic: 'api_error' },
  upstream_failed: { status: 502, retryable: true, ...upstream },
  /** The upstream's stream ended without its final event. */
  upstream_truncated: { status: 502, retryable: true, ...upstream },
  /** The upstream refused the operator's account because of its key, balance or permissions. */
  upstream_refused_us: { status: 502, retryable: false, ...upstream },
  /** The provider of card payments did not create a payment page, or did not return a payment. */
  payment_provider_failed: { status: 502, retryable: true, ...upstream },
  /** The identity provider did not answer, or its answer violates OpenID Connect. */
  oidc_unavailable: { status: 502, retryable: true, ...upstream },
  upstream_overloaded: { status: 503, retryable: true, ...overloaded },
  store_unavailable: { status: 503, retryable: true, ...unavailable },
  /** This node refuses requests, because its prices differ from those of the other nodes. */
  config_mismatch: { status: 503, retryable: true, ...unavailable },
  /** This node cannot store secrets, since it has no key to encrypt them. The message says why. */
  secrets_key_missing: { status: 503, retryable: false, ...unavailable },
  /** The library that draws and converts images is missing, as in the single binary. */
  image_library_missing: { status: 503, retryable: false, ...unavailable },
  shutting_down: { status: 503, retryable: true, ...overloaded },
  upstream_timeout: {
    status: 504,
    retryable: true,
    openai: 'upstream_error',
    anthropic: 'timeout_error',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetail = {
  /** The path of the invalid field, such as `messages[0].content`. */
  readonly param?: string;
  /**
   * The number of seconds to wait before a retry. It is from 1 to 60, because clients ignore or
   * misread other values.
   */
  readonly retryAfterSeconds?: number;
  /** False when a retry cannot succeed, although the code is marked as retryable in the table. */
  readonly retryable?: false;
  /** Additional public fields of the error object, such as `affordable_max_tokens`. */
  readonly extra?: Readonly<Record<string, string | number>>;
  /** Headers of the error response, such as those for a rate limit. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

/** An error whose message callers may see. It contains no upstream's host, key or account. */
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

  withHeaders(headers: Readonly<Record<string, string>>): GatewayError {
    return new GatewayError(this.code, this.message, {
      ...this.#detail(),
      headers: { ...this.headers, ...headers },
    });
  }

  /** Returns the error with another field, and with the text that names this field. */
  withParam(param: string, message: string): GatewayError {
    return new GatewayError(this.code, message, { ...this.#detail(), param });
  }

  #detail(): ErrorDetail {
    return {
      ...(this.param === null ? {} : { param: this.param }),
      ...(this.retryAfterSeconds === null ? {} : { retryAfterSeconds: this.retryAfterSeconds }),
      ...(this.retryable ? {} : { retryable: false }),
      extra: this.extra,
      headers: this.headers,
      cause: this.cause,
    };
  }
}

/**
 * Returns a function that takes the message and returns a factory for errors with this code. Usage:
 * `const taken = errorsOf('conflict')('…')`, then `throw taken()`.
 */
export const errorsOf =
  (code: ErrorCode) => (message: string, detail?: ErrorDetail) => (): GatewayError =>
    new GatewayError(code, message, detail);

/**
 * Returns a GatewayError unchanged. For any other thrown value, which is a bug in the gateway,
 * returns the error `internal_error`.
 */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('internal_error', 'The gateway failed to handle this request.', {
    cause: thrown,
  });
}
