/**
 * Maps upstreams' refusals to errors for callers. A caller sees the upstream's message, masked,
 * only if the caller can fix the cause.
 */
import { type Clock, systemClock } from '../clock.ts';
import { type ErrorCode, GatewayError } from '../errors.ts';
import type { ReportedError } from '../protocols/dialect.ts';
import { type ReportedBody, readErrorBody } from './error-body.ts';
import {
  type ModelNames,
  maskKeys,
  maskSecrets,
  maskTexts,
  printable,
  renameModel,
} from './masking.ts';
import { REFUSAL_PATTERNS, type Refusal } from './refusal-patterns.ts';

/** Error bodies have a few hundred bytes. A larger body is usually a proxy's HTML page. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024;
/**
 * The time limit for reading an error body. It is short, since the caller waits. Later bytes are
 * ignored.
 */
export const MAX_ERROR_BODY_MS = 3_000;
const MAX_MESSAGE_CHARS = 2_000;
const MAX_PARAM_CHARS = 200;
/** Maximum characters of a cause in a log, enough for an operator to recognize the failure. */
const MAX_CAUSE_CHARS = 500;
/**
 * Maximum characters of a message that the patterns search. A longer search would block all
 * streams.
 */
const MAX_JUDGED_CHARS = 4_000;
/** Maximum characters of an error code or type that the patterns search. Both are short words. */
const MAX_NAME_CHARS = 100;

export type FailureContext = {
  /** The configured name of the upstream, for the operator. */
  readonly upstream?: string;
  /** The texts to mask: the upstream's host and key. */
  readonly hidden: readonly string[];
  /** The names of the model; null if the upstream's name is unknown, so it cannot be replaced. */
  readonly model?: ModelNames | null;
  readonly clock?: Pick<Clock, 'nowMs' | 'after'>;
};

const NOTHING_KNOWN: FailureContext = { hidden: [] };

/** Returns the caller's error for a failed response. Never throws. */
export async function upstreamFailure(
  response: Response,
  context: FailureContext,
): Promise<GatewayError> {
  const text = await readErrorText(response, context.clock ?? systemClock);
  return describeFailure(response.status, text, response.headers, context);
}

export function describeFailure(
  status: number,
  bodyText: string,
  headers: Headers,
  context: FailureContext,
): GatewayError {
  const { hidden, model = null, clock = systemClock } = context;
  const reported = readErrorBody(bodyText);
  const refusal = refusalOf(status, reported);
  const what = `${OPERATORS_WORDS[refusal]} (status ${status})`;
  const cause = operatorsCause(what, bodyText, context);
  if (reported !== null && CALLERS.includes(refusal)) {
    const { message, param } = reported;
    const place = param === null ? {} : { param: shown(param, MAX_PARAM_CHARS, hidden, model) };
    const words = shown(message, MAX_MESSAGE_CHARS, hidden, model);
    return new GatewayError(CODES[refusal], words, { ...place, cause });
  }
  return new GatewayError(CODES[refusal], CALLERS_WORDS[refusal], {
    ...(refusal === 'overload'
      ? { retryAfterSeconds: retryAfterSeconds(headers, clock.nowMs()) }
      : {}),
    ...(refusal === 'over_rate' ? { retryable: false } : {}),
    cause,
  });
}

/**
 * Describes a failure that an upstream reports inside a stream or another answer with status 200.
 * Without `context`, the upstream's message is hidden.
 */
export function reportedFailure(
  { type, code, message }: ReportedError,
  context: Pick<FailureContext, 'upstream' | 'hidden' | 'model'> | null = null,
): GatewayError {
  const { hidden, model = null } = context ?? NOTHING_KNOWN;
  // OpenRouter and Google report the status in the code. A 5xx says no more than no status.
  const status = code !== null && /^4\d\d$/.test(code) ? Number(code) : null;
  const refusal = refusalOf(status, { type, code, message, param: null });
  const what = `${OPERATORS_WORDS[refusal]} (within an answer)`;
  const cause = operatorsCause(what, message, context ?? NOTHING_KNOWN);
  const words =
    context !== null && CALLERS.includes(refusal)
      ? shown(message, MAX_MESSAGE_CHARS, hidden, model)
      : CALLERS_WORDS[refusal];
  return new GatewayError(CODES[refusal], words, { cause });
}

/**
 * Returns the caller's error for a translated request. Removes `param`, which names a field of the
 * upstream's protocol. If the prompt is too long, sets it to `promptField`, the caller's field.
 */
export function withoutPlace(error: GatewayError, promptField: string): GatewayError {
  const param = error.code === 'context_length_exceeded' ? promptField : null;
  if (error.param === param) return error;
  return new GatewayError(error.code, error.message, {
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.retryable ? {} : { retryable: false }),
    ...(param === null ? {} : { param }),
    extra: error.extra,
    headers: error.headers,
    cause: error.cause,
  });
}

/** Returns the kind of a refusal. @param status null for a failure reported inside an answer. */
export function refusalOf(status: number | null, reported: ReportedBody | null): Refusal {
  if (reported !== null) {
    const named = namedRefusal(status, reported);
    if (named !== null) return named;
  }
  return status === null ? 'failure' : refusalByStatus(status, reported);
}

/** Finds the refusal by code, type or message, since providers choose the status freely. */
function namedRefusal(status: number | null, reported: ReportedBody): Refusal | null {
  const message = reported.message.slice(0, MAX_JUDGED_CHARS);
  const names = [reported.code ?? '', reported.type ?? '']
    .map((name) => name.slice(0, MAX_NAME_CHARS).toLowerCase())
    .join(' ');
  // The message of a 5xx is ignored, since a broken server says nothing about the request.
  const isJudgement = status === null || status < 500;
  // A message about a field may repeat the caller's value, which may be any words.
  const isOfField = reported.param !== null && !NO_FIELD.test(reported.param);
  const found = REFUSAL_PATTERNS.find((pattern) => {
    if (pattern.status !== undefined && pattern.status !== status) return false;
    const hasName = pattern.names?.test(names) === true;
    if (hasName && (isJudgement || pattern.isSure === true)) return true;
    if (!isJudgement || (isOfField && OF_ACCOUNT.includes(pattern.refusal))) return false;
    return pattern.words?.test(message) === true;
  });
  return found?.refusal ?? null;
}

/** Refusals of the operator's account or model, which no other field of a request can cause. */
const OF_ACCOUNT: readonly Refusal[] = ['balance', 'key', 'model'];
/** Matches a `param` that names no field of the caller. LiteLLM writes `None` for no field. */
const NO_FIELD = /^(?:None|model)$/;

const REFUSAL_OF_STATUS: Readonly<Partial<Record<number, Refusal>>> = {
  401: 'key',
  402: 'balance',
  403: 'rights',
  405: 'address',
  408: 'timeout',
  410: 'address',
  413: 'too_large',
  429: 'overload',
  503: 'overload',
  504: 'timeout',
  524: 'timeout',
  529: 'overload',
};

function refusalByStatus(status: number, reported: ReportedBody | null): Refusal {
  if ([400, 415, 422].includes(status)) return reported === null ? 'failure' : 'request';
  if (status === 404) {
    // A 404 that mentions a file is the caller's mistake. For any other 404, the configured URL is
    // wrong.
    const isFile = reported !== null && /\bfile\b|\bfile[-_]/i.test(reported.message);
    return isFile ? 'request' : 'address';
  }
  return REFUSAL_OF_STATUS[status] ?? 'failure';
}

/** The kinds of refusals that the caller can fix. */
const CALLERS: readonly Refusal[] = [
  ...(['request', 'too_large', 'context_length', 'content_policy', 'encrypted_content'] as const),
];

const CODES: Readonly<Record<Refusal, ErrorCode>> = {
  request: 'upstream_rejected_request',
  too_large: 'request_too_large',
  context_length: 'context_length_exceeded',
  content_policy: 'content_policy_violation',
  encrypted_content: 'invalid_encrypted_content',
  key: 'upstream_refused_us',
  balance: 'upstream_refused_us',
  rights: 'upstream_refused_us',
  model: 'upstream_refused_us',
  address: 'upstream_refused_us',
  overload: 'upstream_overloaded',
  over_rate: 'upstream_overloaded',
  timeout: 'upstream_timeout',
  failure: 'upstream_failed',
};

const REFUSED_US =
  'The provider behind this channel refused the gateway. The operator of the gateway has been notified. Another channel may work.';
/** Messages for callers when the upstream's own message is hidden or missing. */
const CALLERS_WORDS: Readonly<Record<Refusal, string>> = {
  request: 'The provider behind this channel refused the request.',
  too_large: 'The request is larger than the provider behind this channel accepts.',
  context_length: 'The request exceeds the context window of this model.',
  content_policy: 'The content policy of the provider refused the request.',
  encrypted_content: 'The provider cannot read the reasoning of an earlier answer. Leave it out.',
  key: REFUSED_US,
  balance: REFUSED_US,
  rights: REFUSED_US,
  model: REFUSED_US,
  address: REFUSED_US,
  overload: 'The provider behind this channel is overloaded. Retry shortly.',
  over_rate:
    "This request alone exceeds the gateway's rate limit at the provider behind this channel. Send less, or use another channel.",
  timeout: 'The provider behind this channel did not answer in time.',
  failure: 'The provider behind this channel failed to answer.',
};

export const OPERATORS_WORDS: Readonly<Record<Refusal, string>> = {
  request: 'it refused the request',
  too_large: 'the request is too large for it',
  context_length: 'the request is too long for the model',
  content_policy: 'its content policy refused the request',
  encrypted_content: 'it cannot read the encrypted reasoning',
  key: 'it refused our key',
  balance: 'our account there has no balance or quota left',
  rights: 'our account there lacks the permission',
  model: 'it has no such model',
  address: 'there is nothing at this address, or no such model',
  overload: 'it is overloaded, or our rate limit there is used up',
  over_rate: 'one request exceeds our rate limit there',
  timeout: 'it timed out, or a proxy in front of it did',
  failure: 'it failed',
};

/**
 * Returns the masked text, cut to `length` characters; half of a surrogate pair becomes U+FFFD.
 * Masks up to twice as many characters first, because masking may shorten the text.
 */
const masked = (text: string, length: number, mask: (text: string) => string): string =>
  mask(text.slice(0, 2 * length))
    .slice(0, length)
    .toWellFormed();

function shown(
  text: string,
  length: number,
  hidden: readonly string[],
  model: ModelNames | null,
): string {
  return masked(text, length, (part) =>
    maskSecrets(maskTexts(model === null ? part : renameModel(part, model), hidden)),
  );
}

function operatorsCause(what: string, text: string, { upstream, hidden }: FailureContext): Error {
  const words = masked(text, MAX_CAUSE_CHARS, (part) =>
    printable(maskKeys(maskTexts(part, hidden))),
  );
  return new Error(`${upstream === undefined ? '' : `upstream "${upstream}": `}${what}: ${words}`);
}

/** Reads the body of a failed response with limits on size and time. Never throws. */
export async function readErrorText(
  response: Response,
  clock: Pick<Clock, 'after'>,
): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const timer = clock.after(MAX_ERROR_BODY_MS, () => void reader.cancel());
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
    // The text that is added makes the body invalid, so the failure is recognized by the status
    // alone.
    text += ` [body broke off: ${String(thrown)}]`;
  } finally {
    timer.cancel();
  }
  return text;
}

/** The `retry-after` when an upstream sends none. */
const DEFAULT_SECONDS = 5;
/** Maximum `retry-after` in seconds, since clients ignore longer waits or overreact to them. */
const MAX_SECONDS = 60;

const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;

/** Returns how many seconds an upstream asks to wait, 1 to 60. `nowMs` is in Unix milliseconds. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number {
  const waitMs =
    millisecondsOf(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), nowMs) ??
    untilReset(headers, nowMs) ??
    DEFAULT_SECONDS * 1000;
  return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(waitMs / 1000)));
}

/**
 * Returns how many milliseconds to wait, from rate limit headers; null without such a header. The
 * wait lasts until all exhausted limits have reset; if none is exhausted, until the first resets.
 */
function untilReset(headers: Headers, nowMs: number): number | null {
  const resets: { readonly ms: number; readonly isUsedUp: boolean }[] = [];
  const add = (reset: string | null, remaining: string | null): void => {
    const ms = durationOf(reset) ?? secondsOrDate(reset, nowMs);
    if (ms !== null && ms >= 0) resets.push({ ms, isUsedUp: remaining === '0' });
  };
  for (const limit of LIMITS) {
    add(headers.get(`x-ratelimit-reset-${limit}`), headers.get(`x-ratelimit-remaining-${limit}`));
    const own = `anthropic-ratelimit-${limit}`;
    add(headers.get(`${own}-reset`), headers.get(`${own}-remaining`));
  }
  add(headers.get('x-ratelimit-reset'), headers.get('x-ratelimit-remaining'));
  const usedUp = resets.filter(({ isUsedUp }) => isUsedUp);
  if (usedUp.length > 0) return Math.max(...usedUp.map(({ ms }) => ms));
  return resets.length === 0 ? null : Math.min(...resets.map(({ ms }) => ms));
}

function millisecondsOf(text: string | null): number | null {
  return text !== null && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/**
 * Parses a number of seconds, a Unix time in seconds or milliseconds, or a date. Returns the
 * milliseconds until then; null for any other text.
 */
function secondsOrDate(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const number = millisecondsOf(text);
  if (number !== null) {
    // No wait is this long, so the number is an absolute time.
    if (number > 1e12) return number - nowMs;
    return number > 1e9 ? number * 1000 - nowMs : number * 1000;
  }
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses a duration such as `6m0s`, `120ms` or `1.5s`. Returns milliseconds, or null. */
function durationOf(text: string | null): number | null {
  if (text === null || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return null;
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    ms += Number(count) * (UNIT_MS[unit] ?? 0);
  }
  return ms;
}
