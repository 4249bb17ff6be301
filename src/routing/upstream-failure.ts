/**
 * What an upstream's refusal means to the caller. Its own words are passed on only where the caller can
 * act on them (a bad request), and masked; all else is told without naming who stands behind us.
 */
import { type ErrorCode, GatewayError } from '../errors.ts';

/** An error body is a few hundred bytes; more is a proxy's HTML or worse. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024;
const MAX_MESSAGE_CHARS = 2_000;
/** Enough for an operator to know the failure by. */
const MAX_CAUSE_CHARS = 500;
const DEFAULT_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 60;

/** Statuses at which the request itself is at fault, so the caller can mend it. */
const CALLERS_FAULT: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);
/** Statuses at which the operator's own account is refused. */
const OPERATORS_FAULT: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * Reads a failed response within bounds and says what the caller gets. Never throws.
 * @param hidden texts of the upstream that nobody may see: its host, its key.
 */
export async function upstreamFailure(
  response: Response,
  hidden: readonly string[],
): Promise<GatewayError> {
  const text = await readBounded(response);
  const masked = hidden.reduce((all, secret) => all.replaceAll(secret, '[hidden]'), text);
  return describeFailure(response.status, masked, response.headers.get('retry-after'));
}

/** Pure part of `upstreamFailure`: status, body text and `retry-after` in, error out. */
export function describeFailure(
  status: number,
  bodyText: string,
  retryAfter: string | null,
): GatewayError {
  const reported = readErrorBody(bodyText);
  const cause = new Error(
    `upstream status ${status}: ${maskSecrets(bodyText).slice(0, MAX_CAUSE_CHARS)}`,
  );
  if (CALLERS_FAULT.has(status) && reported !== null) {
    return new GatewayError(callersCode(reported), reported.message, {
      ...(reported.param === null ? {} : { param: reported.param }),
      cause,
    });
  }
  if (OPERATORS_FAULT.has(status)) {
    return new GatewayError(
      'upstream_refused_us',
      'The provider behind this channel refused the gateway; its operator has been told. Another channel may work.',
      { cause },
    );
  }
  if (status === 429 || status === 503 || status === 529) {
    return new GatewayError(
      'upstream_overloaded',
      'The provider behind this channel is overloaded. Try again shortly.',
      {
        retryAfterSeconds: retrySeconds(retryAfter),
        cause,
      },
    );
  }
  if (status === 408 || status === 504) {
    return new GatewayError(
      'upstream_timeout',
      'The provider behind this channel did not answer in time.',
      { cause },
    );
  }
  return new GatewayError('upstream_failed', 'The provider behind this channel failed to answer.', {
    cause,
  });
}

/** Seconds to wait, between 1 and 60, from a `retry-after` header that may be absent or a date. */
function retrySeconds(header: string | null): number {
  const seconds = Number(header ?? DEFAULT_RETRY_SECONDS);
  if (!Number.isFinite(seconds)) return DEFAULT_RETRY_SECONDS;
  return Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
}

type ReportedBody = {
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
};

function readErrorBody(text: string): ReportedBody | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // HTML from a proxy, or nothing: there is no message to pass on.
    return null;
  }
  const error = property(body, 'error');
  const message = typeof error === 'string' ? error : property(error, 'message');
  if (typeof message !== 'string' || message === '') return null;
  const code = property(error, 'code');
  const param = property(error, 'param');
  return {
    message: maskSecrets(message).slice(0, MAX_MESSAGE_CHARS),
    code: typeof code === 'string' ? code : null,
    param: typeof param === 'string' ? param : null,
  };
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function callersCode(reported: ReportedBody): ErrorCode {
  if (
    reported.code === 'context_length_exceeded' ||
    /prompt is too long|context (length|window)/i.test(reported.message)
  ) {
    return 'context_length_exceeded';
  }
  if (reported.code === 'content_policy_violation' || reported.code === 'moderation_blocked') {
    return 'content_policy_violation';
  }
  return 'upstream_rejected_request';
}

/** The error that an upstream reported inside an answer that began well, as a cause for the log. */
export const reportedCause = (message: string): Error =>
  new Error(`upstream reported: ${maskSecrets(message).slice(0, MAX_CAUSE_CHARS)}`);

/** Takes out what tells of the operator: addresses, keys, organisation and project ids. */
export function maskSecrets(text: string): string {
  return text
    .replace(/\bhttps?:\/\/[^\s"'<>)]+/gi, '[address]')
    .replace(
      /\bBearer\s+\S+|\b(?:sk|pk|rk|key|org|proj|acct|req)[-_][A-Za-z0-9*_-]{6,}/g,
      '[hidden]',
    )
    .replace(/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, '[address]');
}

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    while (size < MAX_ERROR_BODY_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch (thrown) {
    // The status alone decides; a body that breaks off only costs its message.
    text += ` [body broke off: ${String(thrown)}]`;
  }
  return text;
}
