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
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * The trace a request belongs to: the caller's, or a new one.
 * @param traceparent the caller's header; what is not well formed is ignored, as the standard says.
 * @param clock draws the ids that are new.
 */
export function traceOf(
  traceparent: string | null,
  clock: Pick<Clock, 'randomBytes'>,
): TraceContext {
  const [, traceId = '', parentSpanId = '', flags = '0'] =
    TRACEPARENT.exec(traceparent ?? '') ?? [];
  const spanId = clock.randomBytes(8).toHex();
  if (isNothing(traceId) || isNothing(parentSpanId)) {
    return { traceId: clock.randomBytes(16).toHex(), parentSpanId: null, spanId, sampled: true };
  }
  return { traceId, parentSpanId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header for whom we call, as a child of `spanId`. */
export const traceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** The standard's own word for no id, or none at all. */
const isNothing = (id: string): boolean => /^0*$/.test(id);
