/**
 * Converts a finished request to a server span with a client span for each attempt. Spans never
 * contain prompts. Only the span of the attempt that served the request has token counts, so that
 * sums over spans count no token twice.
 */
import type { AttemptRecord, Receipt } from '../ledger/ledger.ts';
import { promptTokens, tokensOf } from '../money/usage.ts';
import { attemptSpanId } from '../protocols/trace-context.ts';
import type { Settled } from '../relay/purchase.ts';
import type { Attributes, Span } from './otlp.ts';
import { type FinishedRequest, shownChannel } from './request-journal.ts';

/** Returns the value of `gen_ai.provider.name` for an upstream. */
export type ProviderOf = (upstream: string) => string;

export function requestSpans(finished: FinishedRequest, providerOf: ProviderOf): readonly Span[] {
  const { settled } = finished;
  if (settled === null) return [serverSpan(finished)];
  const { receipt } = settled;
  const attempts = receipt.attempts.map((attempt, index) => ({
    ...attemptSpan(attempt, index === receipt.attempts.length - 1, receipt, providerOf),
    traceId: finished.trace.traceId,
    spanId: attemptSpanId(finished.trace, index),
    parentSpanId: finished.trace.spanId,
  }));
  return [serverSpan(finished), ...attempts];
}

function serverSpan(finished: FinishedRequest): Span {
  const { trace, method, route, status, caller, settled } = finished;
  const errorCode = finished.errorCode ?? settled?.receipt.errorCode ?? null;
  const isError = isOurs(finished);
  return {
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    name: route === null ? method : `${method} ${route}`,
    kind: 'server',
    startMs: finished.startedAtMs,
    endMs: finished.startedAtMs + finished.durationMs,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'error.type': isError ? (errorCode ?? String(status)) : null,
      'modelgate.request_id': finished.requestId,
      'modelgate.endpoint': finished.endpoint,
      'modelgate.outcome': finished.end,
      'modelgate.error_code': errorCode,
      'modelgate.account': caller?.accountId ?? null,
      'modelgate.key': caller?.keyId ?? null,
      ...(settled === null ? {} : soldAttributes(settled, finished.asked?.channel ?? null)),
    },
    events: [],
    isError,
  };
}

function soldAttributes({ receipt, cost }: Settled, channelRequested: string | null): Attributes {
  return {
    'modelgate.model': receipt.model,
    'modelgate.channel': receipt.channel,
    'modelgate.channel_requested': shownChannel(channelRequested),
    'modelgate.attempts': receipt.attempts.length,
    'modelgate.cost': cost.exact,
    'modelgate.currency': cost.currency,
    'modelgate.estimated': receipt.estimated,
  };
}

/** The values of `gen_ai.operation.name` in the OpenTelemetry conventions. */
const OPERATIONS = {
  chat: 'chat',
  messages: 'chat',
  responses: 'chat',
  images: 'generate_content',
  embeddings: 'embeddings',
} as const satisfies Record<Receipt['endpoint'], string>;

/**
 * Returns the client span of an attempt.
 * @param isLast whether this is the last attempt. Only the last attempt can have served the
 *   request.
 */
function attemptSpan(
  { upstream, model, channel, result, startMs, durationMs }: AttemptRecord,
  isLast: boolean,
  receipt: Receipt,
  providerOf: ProviderOf,
): Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  const isSuccess = /^2\d\d$/.test(result);
  const served = isLast && isSuccess;
  const startedMs = receipt.startedAtMs + startMs;
  const errorType = served ? receipt.errorCode : isSuccess ? null : result;
  const isImage = receipt.endpoint === 'images';
  const operation = OPERATIONS[receipt.endpoint];
  return {
    name: `${operation} ${model}`,
    kind: 'client',
    startMs: startedMs,
    // The attempt that served the request ends with the last byte of its answer.
    endMs: served ? receipt.startedAtMs + receipt.durationMs : startedMs + durationMs,
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerOf(upstream),
      'gen_ai.request.model': model,
      'gen_ai.request.stream': receipt.streamed ? true : null,
      'gen_ai.output.type': isImage ? 'image' : null,
      'http.response.status_code': /^\d{3}$/.test(result) ? Number(result) : null,
      'error.type': errorType,
      'modelgate.upstream': upstream,
      'modelgate.channel': channel,
      'modelgate.model': receipt.model,
      ...(served ? servedAttributes(receipt, startMs) : {}),
    },
    events:
      served && receipt.firstByteMs !== null
        ? [{ name: 'first_byte', atMs: receipt.startedAtMs + receipt.firstByteMs }]
        : [],
    isError: errorType !== null && errorType !== 'caller_left',
  };
}

/** @param sentMs the time from the start of the request to the start of this attempt, in ms. */
function servedAttributes(receipt: Receipt, sentMs: number): Attributes {
  const { usage, finishReason, firstByteMs, streamed } = receipt;
  const cacheRead = tokensOf(usage, 'cache_read');
  const cacheWrite = tokensOf(usage, 'cache_write');
  const [input, output] = [promptTokens(usage), tokensOf(usage, 'output')];
  // A provider may report no tokens for images.
  const isCounted = receipt.endpoint !== 'images' || input + output > 0;
  return {
    'gen_ai.response.finish_reasons': finishReason === null ? null : [finishReason],
    'gen_ai.response.time_to_first_chunk':
      streamed && firstByteMs !== null
        ? { double: Math.max(0, firstByteMs - sentMs) / 1000 }
        : null,
    // In the OpenTelemetry conventions, input tokens include cached tokens.
    'gen_ai.usage.input_tokens': isCounted ? input : null,
    'gen_ai.usage.output_tokens': isCounted && receipt.endpoint !== 'embeddings' ? output : null,
    'gen_ai.usage.cache_read.input_tokens': cacheRead > 0 ? cacheRead : null,
    'gen_ai.usage.cache_write.input_tokens': cacheWrite > 0 ? cacheWrite : null,
  };
}

/**
 * Whether the gateway or a provider caused the failure. Invalid requests and disconnects of callers
 * are not errors of a server span.
 */
function isOurs({ status, end }: FinishedRequest): boolean {
  switch (end) {
    case 'upstream_error':
    case 'upstream_truncated':
    case 'upstream_timeout':
    case 'gateway_error':
    case 'shutdown':
    case 'failed':
    case 'not_booked':
      return true;
    case 'completed':
    case 'length':
    case 'caller_left':
    case 'revoked':
    case 'node_lost':
    case 'answered':
    case 'replayed':
    case 'refused':
      return status >= 500;
  }
}
