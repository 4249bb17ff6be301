/**
 * Counts of a route's attempts over an hour or a day, and the rates and percentiles that are
 * computed from them.
 */
import { ERRORS } from '../errors.ts';
import type { AttemptRecord, Receipt } from '../ledger/ledger.ts';
import {
  add,
  bucketNames,
  bucketOf,
  FIRST_TOKEN_ENDS,
  type Percentiles,
  percentiles,
} from '../routing/channel-figures.ts';

/**
 * Reasons why an attempt failed:
 *
 * - `rate_limited`: the provider asked for a pause.
 * - `server_error`: a status of 500 or more.
 * - `timed_out`: no answer in time.
 * - `broken`: no connection, or an answer that was interrupted or invalid.
 * - `refused`: invalid credentials, a billing problem or an unknown model.
 */
export const FAILURE_KINDS = [
  'rate_limited',
  'server_error',
  'timed_out',
  'broken',
  'refused',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** The upper bounds, in ms, of the buckets for durations of complete answers. */
const DURATION_ENDS = FIRST_TOKEN_ENDS.map((end) => end * 8);

/**
 * The names of a route's counts, which are also the names of table columns. Arrays of counts have
 * this order.
 */
export const ROUTE_COUNTS = [
  'successes',
  ...FAILURE_KINDS,
  'output_tokens',
  'generation_ms',
  'costed',
  ...bucketNames('first_token', FIRST_TOKEN_ENDS),
  ...bucketNames('duration', DURATION_ENDS),
] as const;
const FAILURES = 1;
const OUTPUT_TOKENS = FAILURES + FAILURE_KINDS.length;
const GENERATION_MS = OUTPUT_TOKENS + 1;
const COSTED = GENERATION_MS + 1;
const FIRST_TOKEN = COSTED + 1;
const DURATION = FIRST_TOKEN + FIRST_TOKEN_ENDS.length + 1;

/** The columns of the operator's cost, in nano-units. */
export const ROUTE_AMOUNTS = ['cost_usd', 'cost_cny'] as const;

/** The result, times and tokens of one attempt, as they are counted for its route. */
export type CountedAttempt = {
  readonly upstream: string;
  readonly model: string;
  readonly result: 'success' | FailureKind;
  /** Milliseconds from the attempt's start to the first token and to the end; null if unknown. */
  readonly firstTokenMs: number | null;
  readonly durationMs: number | null;
  readonly outputTokens: number;
};

/** Returns the attempts to count. Omits failures that the caller or the gateway caused. */
export function attemptsOf(receipt: Receipt): readonly CountedAttempt[] {
  const { attempts } = receipt;
  const counted: CountedAttempt[] = [];
  for (let at = 0; at < attempts.length; at++) {
    const attempt = attempts[at];
    if (attempt === undefined) continue;
    let result = resultOf(attempt.result);
    if (result === 'success') result = at === attempts.length - 1 ? lastResult(receipt) : 'broken';
    if (result !== null) counted.push(countedAttempt(attempt, result, receipt));
  }
  return counted;
}

/**
 * Converts an attempt to the values that are counted. Only a successful attempt has times and
 * tokens.
 */
function countedAttempt(
  { upstream, model, startMs }: AttemptRecord,
  result: CountedAttempt['result'],
  { streamed, firstByteMs, durationMs, usage }: Receipt,
): CountedAttempt {
  const isSuccess = result === 'success';
  const hasFirst = isSuccess && streamed && firstByteMs !== null;
  return {
    upstream,
    model,
    result,
    firstTokenMs: hasFirst ? Math.max(0, firstByteMs - startMs) : null,
    durationMs: isSuccess ? Math.max(0, durationMs - startMs) : null,
    outputTokens: isSuccess ? usage.output : 0,
  };
}

/**
 * Returns the result of an attempt that began to answer; null if the outcome does not depend on the
 * route, such as a disconnect of the caller.
 */
function lastResult({
  outcome,
  errorCode,
}: Pick<Receipt, 'outcome' | 'errorCode'>): CountedAttempt['result'] | null {
  switch (outcome) {
    case 'completed':
    case 'length':
      return 'success';
    case 'upstream_truncated':
      return 'broken';
    case 'upstream_timeout':
      return 'timed_out';
    case 'upstream_error': {
      const result = resultOf(errorCode ?? 'upstream_failed');
      return result === 'success' ? 'broken' : result;
    }
    default:
      return null;
  }
}

const BY_CODE: Readonly<Record<string, FailureKind>> = {
  upstream_timeout: 'timed_out',
  upstream_overloaded: 'rate_limited',
  upstream_refused_us: 'refused',
};
/**
 * The statuses of a problem in the operator's account or configuration: a bad key, no balance, no
 * permission, an unknown model or URL, or a proxy that requires credentials.
 */
const REFUSALS: readonly number[] = [401, 402, 403, 404, 407];

/**
 * Converts an upstream's HTTP status or an error code to the result that is counted. Returns null
 * for mistakes of the caller and for errors of the gateway itself.
 */
function resultOf(result: string): CountedAttempt['result'] | null {
  if (!/^\d+$/.test(result)) {
    const status = Object.entries(ERRORS).find(([code]) => code === result)?.[1].status ?? 502;
    // Codes of the gateway itself, such as `shutting_down`, do not depend on a route.
    if (status < 500 || !result.startsWith('upstream_')) return null;
    return BY_CODE[result] ?? 'broken';
  }
  const status = Number(result);
  if (status < 400) return 'success';
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'timed_out';
  if (status >= 500) return 'server_error';
  return REFUSALS.includes(status) ? 'refused' : null;
}

/** Adds an attempt to `counts`, in place. */
export function countAttempt(counts: number[], attempt: CountedAttempt, isCosted: boolean): void {
  const { result, firstTokenMs, durationMs, outputTokens } = attempt;
  if (isCosted) add(counts, COSTED, 1);
  if (result !== 'success') {
    add(counts, FAILURES + FAILURE_KINDS.indexOf(result), 1);
    return;
  }
  add(counts, 0, 1);
  if (firstTokenMs !== null) add(counts, FIRST_TOKEN + bucketOf(firstTokenMs, FIRST_TOKEN_ENDS), 1);
  if (durationMs === null) return;
  add(counts, DURATION + bucketOf(durationMs, DURATION_ENDS), 1);
  const generatedMs = Math.round(durationMs - (firstTokenMs ?? 0));
  if (outputTokens > 0 && generatedMs > 0) {
    add(counts, OUTPUT_TOKENS, outputTokens);
    add(counts, GENERATION_MS, generatedMs);
  }
}

export type RouteCounts = readonly number[];
export const NO_ROUTE_COUNTS: RouteCounts = ROUTE_COUNTS.map(() => 0);

export type RouteSummary = {
  readonly successes: number;
  readonly failures: Readonly<Record<FailureKind, number>>;
  /**
   * The number of successful attempts divided by all counted attempts, from 0 to 1; null when no
   * attempt was counted.
   */
  readonly successRatio: number | null;
  readonly firstTokenMs: Percentiles | null;
  readonly durationMs: Percentiles | null;
  readonly tokensPerSecond: number | null;
  /** The number of requests whose cost is known. */
  readonly costed: number;
};

export function routeSummary(counts: RouteCounts): RouteSummary {
  const at = (index: number): number => counts[index] ?? 0;
  const failures = {
    rate_limited: at(FAILURES),
    server_error: at(FAILURES + 1),
    timed_out: at(FAILURES + 2),
    broken: at(FAILURES + 3),
    refused: at(FAILURES + 4),
  } satisfies Record<FailureKind, number>;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const all = at(0) + failed;
  const generationMs = at(GENERATION_MS);
  return {
    successes: at(0),
    failures,
    successRatio: all === 0 ? null : at(0) / all,
    firstTokenMs: percentiles(counts.slice(FIRST_TOKEN, DURATION), FIRST_TOKEN_ENDS),
    durationMs: percentiles(counts.slice(DURATION), DURATION_ENDS),
    tokensPerSecond: generationMs === 0 ? null : (at(OUTPUT_TOKENS) * 1000) / generationMs,
    costed: at(COSTED),
  };
}
