/**
 * The log line of a request: flat, with the same fields in the same order for every request; null
 * where a field does not apply. It contains no prompt, answer, key or header.
 */
import { isChannelName } from '../catalogue/catalogue.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { perTokenField } from '../money/usage.ts';
import type { FinishedRequest } from './request-journal.ts';

export type RequestLine = Readonly<Record<string, string | number | boolean | null>>;
export type LineLevel = 'info' | 'warn' | 'error';

/** The finish reason is text of the upstream. */
const MAX_REASON_CHARS = 64;

/** @param isModel whether the catalogue has the model: unknown names are not logged. */
export function requestLine(
  finished: FinishedRequest,
  isModel: (id: string) => boolean,
): RequestLine {
  const { trace, caller, asked, settled } = finished;
  const line = {
    request_id: finished.requestId,
    trace_id: trace.traceId,
    method: finished.method,
    route: finished.route,
    status: finished.status,
    outcome: finished.end,
    error_code: finished.errorCode ?? settled?.receipt.errorCode ?? null,
    account: caller?.accountId ?? null,
    key: caller?.keyId ?? null,
    duration_ms: Math.round(finished.durationMs),
  };
  if (finished.endpoint === null) return line;
  const receipt = settled?.receipt ?? null;
  const known = asked !== null && isModel(asked.model) ? asked.model : null;
  return {
    ...line,
    endpoint: finished.endpoint,
    stream: receipt?.streamed ?? asked?.stream ?? null,
    model: receipt?.model ?? known,
    channel: receipt?.channel ?? null,
    channel_requested: channelText(asked?.channel ?? null),
    upstream: receipt?.upstream || null,
    upstream_model: receipt?.upstreamModel || null,
    attempts: receipt === null ? null : attemptsText(receipt.attempts),
    finish_reason: receipt?.finishReason?.slice(0, MAX_REASON_CHARS) ?? null,
    ...perTokenField(({ bucket }) => receipt?.usage[bucket] ?? null),
    images: receipt?.images?.count ?? null,
    cost: settled?.cost.exact ?? null,
    currency: settled?.cost.currency ?? null,
    estimated: receipt?.estimated ?? null,
    first_byte_ms: receipt?.firstByteMs ?? null,
  };
}

/** error: to be fixed by us. warn: by the caller or an upstream. info: nothing to fix. */
export function lineLevel({ status, end, errorCode }: FinishedRequest): LineLevel {
  // A restart is intended.
  if (errorCode === 'shutting_down') return 'warn';
  if (status >= 500 || end === 'not_booked' || end === 'gateway_error') return 'error';
  if (end === 'caller_left') return 'info';
  if (status >= 400 || BROKEN.has(end)) return 'warn';
  return 'info';
}

/** Failures of a stream whose status was 200. */
const BROKEN: ReadonlySet<FinishedRequest['end']> = new Set([
  'upstream_error',
  'upstream_truncated',
  'upstream_timeout',
  'shutdown',
  'revoked',
]);

/** Each as `CHANNEL UPSTREAM/MODEL RESULT START+DURATIONms`, in order. */
const attemptsText = (attempts: readonly AttemptRecord[]): string =>
  attempts
    .map(
      ({ channel, upstream, model, result, startMs, durationMs }) =>
        `${channel} ${upstream}/${model} ${result} ${startMs}+${durationMs}ms`,
    )
    .join(', ');

/** The requested channel is text of the caller. */
const channelText = (asked: string | null): string | null =>
  asked === null || isChannelName(asked) ? asked : 'unknown';
