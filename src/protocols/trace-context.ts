/** W3C trace context: who called us, as whom, and how to say so to whom we call. */

import type { Clock } from '../clock.ts';

export type TraceContext = {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Of the caller's span; null when the caller sent none. 16 hex digits. */
  readonly parentSpanId: string | null;
  /** Of our own span for this request, 16 hex digits. */
  readonly spanId: string;
  /** Whether whoever began the trace keeps it. */
  readonly sampled: boolean;
  /** Whether this gateway tells its part of it: it has an exporter, and the trace is kept. */
  readonly recorded: boolean;
};

/** Whether a gateway records traces at all, and which of those that begin with it. */
export type TraceSampling = { readonly keepsNew: (traceId: string) => boolean } | 'off';

/** Version 00, or a later one, whose first four fields are the same and which may have more. */
const TRACEPARENT =
  /^(?!ff)(?:00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$|(?!00)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$))/;

/**
 * The trace a request belongs to: the caller's, or a new one. Whether a trace is kept is decided by who
 * began it.
 * @param traceparent the caller's header; what is not well formed is ignored, as the standard says.
 * @param clock draws the ids that are new.
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
 * The header for the upstream, in which it finds its parent: our span for this attempt. A trace that we
 * do not record passes as it came, so that nobody is named a parent who never appears.
 * @param attempt the place in the request's attempts, from 0.
 * @returns null when there is nothing to pass on: nobody began a trace that is kept.
 */
export function traceparent(trace: TraceContext, attempt: number): string | null {
  const { traceId, parentSpanId, sampled, recorded } = trace;
  const parent = recorded ? attemptSpanId(trace, attempt) : parentSpanId;
  return parent === null ? null : `00-${traceId}-${parent}-${sampled ? '01' : '00'}`;
}

/** The id of our span for one attempt: known when it is sent, and again when it is told of. */
export function attemptSpanId({ spanId }: Pick<TraceContext, 'spanId'>, attempt: number): string {
  const next = BigInt.asUintN(64, BigInt(`0x${spanId}`) + BigInt(attempt) + 1n);
  // No id is zero: the standard has that mean no span.
  return (next === 0n ? 1n << 63n : next).toString(16).padStart(16, '0');
}

function readTraceparent(
  header: string,
): (Pick<TraceContext, 'traceId' | 'sampled'> & { readonly parentSpanId: string }) | null {
  const match = TRACEPARENT.exec(header);
  const traceId = match?.[1] ?? match?.[4] ?? '';
  const parentSpanId = match?.[2] ?? match?.[5] ?? '';
  const flags = match?.[3] ?? match?.[6] ?? '';
  if (isNothing(traceId) || isNothing(parentSpanId)) return null;
  return { traceId, parentSpanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The standard's own word for no id, or none at all. */
const isNothing = (id: string): boolean => /^0*$/.test(id);
