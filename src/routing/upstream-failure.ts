/**
 * What an upstream's refusal means to the caller. Its own words are passed on only where the caller can
 * act on them (a bad request), and masked; all else is told without naming who stands behind us. The
 * operator is told exactly what it was, in the cause.
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
import { retryAfterSeconds } from './retry-after.ts';

/** An error body is a few hundred bytes; more is a proxy's HTML or worse. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** One that trickles in longer than this costs its words: the caller waits for another route. */
export const MAX_ERROR_BODY_MS = 3_000;
const MAX_MESSAGE_CHARS = 2_000;
const MAX_PARAM_CHARS = 200;
/** Enough for an operator to know the failure by. */
const MAX_CAUSE_CHARS = 500;
/** What a refusal is about stands at its beginning; a long text would hold up everybody's streams. */
const MAX_JUDGED_CHARS = 4_000;
/** Codes and types are words. */
const MAX_NAME_CHARS = 100;

export type FailureContext = {
  /** By its configured name, for the operator. */
  readonly upstream?: string;
  /** Texts of the upstream that nobody may see: its host, its key. */
  readonly hidden: readonly string[];
  /** null: its own name for the model is not known, and stays. */
  readonly model?: ModelNames | null;
  readonly clock?: Pick<Clock, 'nowMs' | 'after'>;
};

const NOTHING_KNOWN: FailureContext = { hidden: [] };

/** Reads a failed response within bounds of size and time and says what the caller gets. Never throws. */
export async function upstreamFailure(
  response: Response,
  context: FailureContext,
): Promise<GatewayError> {
  const text = await readErrorText(response, context.clock ?? systemClock);
  return describeFailure(response.status, text, response.headers, context);
}

/** Pure but for the clock: status, body text and headers in, error out. */
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
  if (reported !== null && isCallers(refusal)) {
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
 * The failure that an upstream told inside an answer which began well: a 200 with an error in it, or an
 * event of a stream. It has no status, so only its own words say what it is.
 *
 * @param context null: its own words go to nobody but the operator, as what they may tell is not known.
 */
export function reportedFailure(
  { type, code, message }: ReportedError,
  context: Pick<FailureContext, 'upstream' | 'hidden' | 'model'> | null = null,
): GatewayError {
  const { hidden, model = null } = context ?? NOTHING_KNOWN;
  const refusal = refusalOf(null, { type, code, message, param: null });
  const what = `${OPERATORS_WORDS[refusal]} (within an answer)`;
  const cause = operatorsCause(what, message, context ?? NOTHING_KNOWN);
  const words =
    context !== null && isCallers(refusal)
      ? shown(message, MAX_MESSAGE_CHARS, hidden, model)
      : CALLERS_WORDS[refusal];
  return new GatewayError(CODES[refusal], words, { cause });
}

/**
 * The same failure without its place. What an upstream says of a translated request names a place in the
 * translation (`messages.3.content.0`), which the caller never wrote.
 */
export const withoutPlace = (error: GatewayError): GatewayError =>
  error.param === null
    ? error
    : new GatewayError(error.code, error.message, {
        ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
        ...(error.retryable ? {} : { retryable: false }),
        extra: error.extra,
        headers: error.headers,
        cause: error.cause,
      });

/** @param status null for a failure told within an answer. */
export function refusalOf(status: number | null, reported: ReportedBody | null): Refusal {
  if (reported !== null) {
    const named = namedRefusal(status, reported);
    if (named !== null) return named;
  }
  return status === null ? 'failure' : refusalByStatus(status, reported);
}

/** What its code, its type or its words say more surely than the status, which makers choose freely. */
function namedRefusal(status: number | null, reported: ReportedBody): Refusal | null {
  const message = reported.message.slice(0, MAX_JUDGED_CHARS);
  const names = [reported.code ?? '', reported.type ?? '']
    .map((name) => name.slice(0, MAX_NAME_CHARS).toLowerCase())
    .join(' ');
  // A failure on their side is no judgement of the request, whatever it goes on to say.
  const isJudgement = status === null || status < 500;
  const found = REFUSAL_PATTERNS.find((pattern) => {
    if (pattern.status !== undefined && pattern.status !== status) return false;
    const hasName = pattern.names?.test(names) === true;
    if (hasName && (isJudgement || pattern.isSure === true)) return true;
    return isJudgement && pattern.words?.test(message) === true;
  });
  return found?.refusal ?? null;
}

function refusalByStatus(status: number, reported: ReportedBody | null): Refusal {
  switch (status) {
    case 400:
    case 415:
    case 422:
      return reported === null ? 'failure' : 'request';
    case 413:
      return 'too_large';
    case 401:
      return 'key';
    case 402:
      return 'balance';
    case 403:
      return 'rights';
    case 404:
      // A file that the caller named; all else there is named by the configuration.
      return reported !== null && /\bfile\b|\bfile[-_]/i.test(reported.message)
        ? 'request'
        : 'address';
    case 405:
    case 410:
      return 'address';
    case 429:
    case 503:
    case 529:
      return 'overload';
    case 408:
    case 504:
    case 524:
      return 'timeout';
    default:
      return 'failure';
  }
}

const isCallers = (refusal: Refusal): boolean => CALLERS.has(refusal);
const CALLERS: ReadonlySet<Refusal> = new Set([
  'request',
  'too_large',
  'context_length',
  'content_policy',
]);

const CODES: Readonly<Record<Refusal, ErrorCode>> = {
  request: 'upstream_rejected_request',
  too_large: 'request_too_large',
  context_length: 'context_length_exceeded',
  content_policy: 'content_policy_violation',
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
  'The provider behind this channel refused the gateway; its operator has been told. Another channel may work.';
/** For callers, where the upstream's own words are not theirs to read, or there are none. */
const CALLERS_WORDS: Readonly<Record<Refusal, string>> = {
  request: 'The provider behind this channel refused the request.',
  too_large: 'The request is larger than the provider behind this channel takes.',
  context_length: 'The request is longer than the context of this model.',
  content_policy: 'The request was refused by the content policy of the provider.',
  key: REFUSED_US,
  balance: REFUSED_US,
  rights: REFUSED_US,
  model: REFUSED_US,
  address: REFUSED_US,
  overload: 'The provider behind this channel is overloaded. Try again shortly.',
  over_rate:
    'This one request is more than the provider behind this channel takes from the gateway in a minute. Send less of it, or ask for another channel.',
  timeout: 'The provider behind this channel did not answer in time.',
  failure: 'The provider behind this channel failed to answer.',
};

/** For the operator. */
export const OPERATORS_WORDS: Readonly<Record<Refusal, string>> = {
  request: 'it refused the request',
  too_large: 'the request is too large for it',
  context_length: 'the request is too long for the model',
  content_policy: 'its content policy refused the request',
  key: 'it refused our key',
  balance: 'our account there has no balance or quota left',
  rights: 'our account there may not do this',
  model: 'it has no such model',
  address: 'it has nothing at this address, or no such model',
  overload: 'it is overloaded, or our rate limit there is used up',
  over_rate: 'one request is more than our rate limit there ever allows',
  timeout: 'it, or a proxy before it, gave up waiting',
  failure: 'it failed',
};

/**
 * Masks make a text shorter, so more than is shown is masked; but not all of what a hostile one sends.
 * A cut through a letter of two halves leaves none that a strict reader would refuse.
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

/** The error that an upstream reported inside an answer that began well, as a cause for the log. */
export const reportedCause = (message: string): Error =>
  new Error(`upstream reported: ${masked(message, MAX_CAUSE_CHARS, maskSecrets)}`);

/** The body of a failed response, within bounds of size and time. Never throws. */
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
    // The status alone decides; a body that breaks off only costs its message.
    text += ` [body broke off: ${String(thrown)}]`;
  } finally {
    timer.cancel();
  }
  return text;
}
