/** Implements W3C trace context: reads the caller's trace and continues it upstream. */
import type { Clock } from '../clock.ts';

export type TraceContext = {
  /** The id of the trace, 32 hex digits. */
  readonly traceId: string;
  /** The caller's span, 16 hex digits; null when the caller sent none. */
  readonly parentSpanId: string | null;
  /** The gateway's own span for this request, 16 hex digits. */
  readonly spanId: string;
  /** Whether the service that started the trace decided to record it. */
  readonly sampled: boolean;
  /**
   * Whether this gateway exports its spans: an exporter is configured, and the trace is sampled.
   */
  readonly recorded: boolean;
};

/**
 * `off` if no traces are exported. Otherwise, `keepsNew` decides whether a trace that starts at
 * this gateway is sampled.
 */
export type TraceSampling = { readonly keepsNew: (traceId: string) => boolean } | 'off';

/**
 * Matches a `traceparent` header of version 00, or of a later version, which begins with the same
 * four fields.
 */
const TRACEPARENT =
  /^(?!ff)(?:00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$|(?!00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$))/;

/**
 * Returns the caller's trace, or a new one. The service that starts a trace decides whether the
 * trace is sampled.
 * @param traceparent the caller's header; ignored when malformed, as the standard requires.
 */
export function traceOf(
  traceparent: string | null,
  clock: Pick<Clock, 'randomBytes'>,
  sampling: TraceSampling = 'off',
): TraceContext {
  const caller = traceparent === null ? null : readTraceparent(traceparent);
  if (caller !== null) {
    const spanId = clock.randomBytes(8).toHex();
    return { ...caller, spanId, recorded: sampling !== 'off' && caller.sampled };
  }
  const ids = clock.randomBytes(24).toHex();
  const traceId = ids.slice(0, 32);
  const kept = sampling !== 'off' && sampling.keepsNew(traceId);
  return { traceId, parentSpanId: null, spanId: ids.slice(32), sampled: kept, recorded: kept };
}

/**
 * Returns the `traceparent` header for the upstream. If this gateway exports its spans, the header
 * names the span of this attempt. Otherwise, it names the caller's span, because a span that is
 * never exported leaves a gap in the trace. In that case, returns null if the caller sent none.
 * @param attempt the index of the attempt, from 0.
 */
export function traceparent(trace: TraceContext, attempt: number): string | null {
  const { traceId, parentSpanId, sampled, recorded } = trace;
  const parent = recorded ? attemptSpanId(trace, attempt) : parentSpanId;
  return parent === null ? null : `00-${traceId}-${parent}-${sampled ? '01' : '00'}`;
}

/**
 * Returns the span id of an attempt. It is computed from the request's span id, so that the header
 * and the exported span have the same id.
 */
export function attemptSpanId({ spanId }: Pick<TraceContext, 'spanId'>, attempt: number): string {
  const next = BigInt.asUintN(64, BigInt(`0x${spanId}`) + BigInt(attempt) + 1n);
  // The standard reserves zero for "no span".
  return (next === 0n ? 1n << 63n : next).toString(16).padStart(16, '0');
}

function readTraceparent(
  header: string,
): (Pick<TraceContext, 'traceId' | 'sampled'> & { readonly parentSpanId: string }) | null {
  const match = TRACEPARENT.exec(header);
  const traceId = match?.[1] ?? match?.[4] ?? '';
  const parentSpanId = match?.[2] ?? match?.[5] ?? '';
  const flags = match?.[3] ?? match?.[6] ?? '';
  if (isAbsent(traceId) || isAbsent(parentSpanId)) return null;
  return { traceId, parentSpanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Whether an id is absent or all zeros, which the standard reserves for "none". */
const isAbsent = (id: string): boolean => /^0*$/.test(id);
